"""The keys that JabRef, up to version 3.7, and BibDesk list in @comment blocks as the members of a group."""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.syntax.bibtex.parsing import BibEntries

_EXPLICIT = re.compile(r"ExplicitGroup:(?P<tokens>(?:[^\\;]|\\[^;]|\\;)*)")
_ESCAPED = re.compile(r"(?<!\\)\\+;")  # one backslash parts tokens; three stand in a name that holds a `;`
_NAME_AND_KIND = 2  # tokens before the keys
_STATIC = re.compile(r"<key>keys</key>\s*<string>(?P<keys>[^<>&]*)</string>")
_KEY = re.compile(r"[^\s,]+")
_WRAPPED = re.compile(r"[\r\n]+")  # JabRef breaks its lines within keys too


def read(entries: BibEntries) -> Iterator[tuple[str, Span, Span]]:
    """Each key with its span, which may hold line breaks, and that of the block."""
    specials = entries.specials
    for node, start in zip(specials.nodes, specials.starts, strict=True):
        if node.kind != "comment":
            continue
        source = node.source
        block = Span(start, start + node.length)
        if "ExplicitGroup:" in source:
            spans = _jabref(source)
        elif "BibDesk Static Groups" in source:
            spans = _bibdesk(source)
        else:
            continue
        for span in spans:
            yield _WRAPPED.sub("", span.within(source)), span.moved(start), block


def _jabref(source: str) -> Iterator[Span]:
    for group in _EXPLICIT.finditer(source):
        if not source.startswith(";", group.end()):
            continue
        start = group.start("tokens")
        tokens = list[Span]()
        for parting in _ESCAPED.finditer(source, *group.span("tokens")):
            # JabRef escapes a name's `;` once and the whole list again: only a single backslash parts tokens.
            if (parting.end() - parting.start()) % 4 == 2:
                tokens.append(Span(start, parting.end() - 2))
                start = parting.end()
        yield from (it for it in tokens[_NAME_AND_KIND:] if it.within(source).strip())


def _bibdesk(source: str) -> Iterator[Span]:
    for group in _STATIC.finditer(source):
        yield from (Span(*it.span()) for it in _KEY.finditer(source, *group.span("keys")))
