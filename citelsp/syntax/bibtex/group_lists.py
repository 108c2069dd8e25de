"""The keys that JabRef, up to version 3.7, and BibDesk list in @comment blocks as the members of a group."""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.syntax.bibtex.parsing import BibEntries

_JABREF_GROUP = re.compile(r"ExplicitGroup:(?P<tokens>(?:[^\\;]|\\[^;]|\\;)*)")
# One backslash parts tokens; three stand in a name that holds a `;`.
_SEMICOLON_AND_BACKSLASHES = re.compile(r"(?<!\\)\\+;")
_NAME_AND_KIND = 2  # tokens before the keys
# A property list of macOS, in which keys are parted by commas.
_BIBDESK_GROUP = re.compile(r"<key>keys</key>\s*<string>(?P<keys>[^<>&]*)</string>")
_KEY = re.compile(r"[^\s,]+")
_WRAPPED = re.compile(r"[\r\n]+")  # JabRef breaks its lines within keys too


def read(entries: BibEntries) -> Iterator[tuple[str, Span, Span]]:
    """Find the keys in the groups of JabRef and BibDesk, which stand in @comments.

    Yielded are each key, its span, in which the key may be wrapped over lines, and the span of the @comment.
    """
    specials = entries.specials
    for node, start in zip(specials.nodes, specials.starts, strict=True):
        if node.kind != "comment":
            continue
        source = node.source
        block = Span(start, start + node.length)
        if "ExplicitGroup:" in source:
            spans = _find_keys_of_jabref(source)
        elif "BibDesk Static Groups" in source:
            spans = _find_keys_of_bibdesk(source)
        else:
            continue
        for span in spans:
            yield _WRAPPED.sub("", span.within(source)), span.moved(start), block


def _find_keys_of_jabref(source: str) -> Iterator[Span]:
    r"""Yield where the keys stand in JabRef's groups: `ExplicitGroup:name\;0\;key\;key\;;`.

    Tokens are parted by `\;`; the first two are the group's name and kind, the others keys.
    """
    for group in _JABREF_GROUP.finditer(source):
        if not source.startswith(";", group.end()):  # a list that is not closed
            continue
        token_start = group.start("tokens")
        tokens: list[Span] = []
        for match in _SEMICOLON_AND_BACKSLASHES.finditer(source, *group.span("tokens")):
            # JabRef escapes a name's `;` and `\` once and the whole list again: `\;` parts tokens, `\\\;` is a `;` in a
            # name, and each `\` of a name before that makes four characters more.
            length = match.end() - match.start()
            if length % 4 == len(r"\;"):
                tokens.append(Span(token_start, match.end() - len(r"\;")))
                token_start = match.end()
        yield from (token for token in tokens[_NAME_AND_KIND:] if token.within(source).strip())


def _find_keys_of_bibdesk(source: str) -> Iterator[Span]:
    """The keys in BibDesk's groups, between commas."""
    for group in _BIBDESK_GROUP.finditer(source):
        for key in _KEY.finditer(source, *group.span("keys")):
            yield Span(*key.span())
