"""What is read of a document that takes too long: what looks like a key, and the files that it names."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from citelsp.base import bounds, effort
from citelsp.base.text import Document, Span
from citelsp.syntax import languages
from citelsp.syntax.nodes import Citation, KeyArgument, Syntax

_CITED = re.compile(
    r"\\[A-Za-z]{0,20}cite[A-Za-z]{0,20}\*?(?:\[[^\[\]]{0,200}\]){0,2}\{(?P<keys>[^{}\\]{0,2000})\}"
    r"|(?<![\w@\\.])@(?P<key>\w(?:[\w:.+/-]{0,200}\w)?)"
)
_KEY = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_START = Span(0, 0)


def read(document: Document, cite_commands: tuple[str, ...]) -> Syntax:
    """Nothing is undefined in it, as not all was read; where a file is named is not known."""
    citations = tuple(islice(_citations(document.text), bounds.KEYS))
    arguments = tuple(KeyArgument(it.span, it.command, "{" if it.command != "@" else "@") for it in citations)
    return replace(
        _named(document, cite_commands), citations=citations, arguments=arguments, placeholders=(), opaque=True,
        reduced=True,
    )  # fmt: skip


def _named(document: Document, cite_commands: tuple[str, ...]) -> Syntax:
    language = languages.of(document)
    if language.manuscript is None:
        return Syntax()
    try:
        with effort.limited(bounds.READING):
            lines = Document(document.path, language.manuscript.skim(document) + "\n", document.language)
            read = language.parse(lines, cite_commands, None)
    except effort.TooLongError:
        return Syntax()
    links = tuple(replace(it, span=_START) for it in read.links[: bounds.FOUND])
    return Syntax(links=links, is_root=read.is_root, root=read.root, signs=read.signs)


def _citations(text: str) -> Iterator[Citation]:
    for match in _CITED.finditer(text):
        whole = Span(*match.span())
        if match["key"]:
            yield Citation(match["key"], Span(*match.span("key")), "@", whole)
        else:
            for key in _KEY.finditer(text, *match.span("keys")):
                yield Citation(key[0], Span(*key.span()), "cite", whole)
