"""What MyST adds to Markdown, as Sphinx (with sphinxcontrib-bibtex), Jupyter Book and mystmd read it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from citelsp.base import effort
from citelsp.base.text import LineStarts, Span
from citelsp.syntax.languages.latex.cites import Gathering
from citelsp.syntax.languages.markdown.hidden import Hidden
from citelsp.syntax.nodes import Citation, KeyArgument, Link, Placeholder, Syntax

_ROLE = re.compile(r"\{(?P<name>(?:foot)?cite(?::[a-z]{1,12})?)\}(?P<ticks>`+)")
_REST_ROLE = re.compile(r":(?P<name>(?:foot)?cite(?::[a-z]{1,12})?):(?P<ticks>`)")
_COMMENT = re.compile(r"[ \t]*%")
_LONGEST = 4000  # characters of one role
_ITEM = re.compile(
    r"\s*+(?:\{[^{}]*\}\s*+)?(?P<typed>(?P<hint>\?[^,;]*|<[^<>]*>?)|(?P<key>[^{}\s,;?<>][^{}\s,;]*+)|)\s*+"
    r"(?:\{[^{}]*\}\s*+)?(?P<end>[,;]|\Z)"
)
_NARRATIVE = re.compile(r".*cite:(?:c?ts?|c?authors?)")
_OPEN = re.compile(r"[^\s,;`{}]*")
_ARGUMENT = re.compile(r"[ \t]*\{(?P<name>bibliography|include)\}[ \t]*(?P<files>[^\n]*)")
_CODE = re.compile(
    r"^[ \t]*(?P<colons>:{3,}+)[ \t]*\{(?:code(?:-block|-cell)?|sourcecode|literalinclude|math|raw)\}", re.MULTILINE
)
_COLONS = re.compile(r"^[ \t]*(?P<colons>:{3,}+)[ \t\r]*$", re.MULTILINE)
_FILE = re.compile(r"[^\s{}]+")
_ALL = re.compile(r"^[ \t]*:all:", re.MULTILINE)


def code(text: str) -> Iterator[Span]:
    """The blocks of code that colons fence."""
    end = 0
    for opener in _CODE.finditer(text) if ":::" in text else ():
        if opener.start() < end:
            continue
        closers = _COLONS.finditer(text, opener.end())
        closer = next((it for it in closers if len(it["colons"]) >= len(opener["colons"])), None)
        end = closer.end() if closer else len(text)
        yield Span(opener.start(), end)


def read_roles(text: str, hidden: Sequence[Hidden], gathering: Gathering) -> None:
    """Add what roles cite: `{cite:p}`a,{see}b{p. 3}``."""
    if "cite" not in text:
        return
    lines = LineStarts(text)
    for match in effort.iterate(_ROLE.finditer(text)):
        offset = match.start()
        if text[offset - 1 : offset] == "\\" or any(it.covers(offset) for it in hidden):
            continue
        if not _COMMENT.match(text, lines.before(offset), offset):
            _read_role(text, match, gathering)


def read_rest(text: str, span: Span, gathering: Gathering) -> None:
    """Add what roles of reStructuredText cite in an `{eval-rst}` block."""
    for match in _REST_ROLE.finditer(text, span.start, span.end):
        _read_role(text, match, gathering)


def roles_alone(syntax: Syntax) -> Syntax:
    """What a document says to Sphinx, to which an at sign means nothing."""
    return replace(
        syntax,
        citations=tuple(it for it in syntax.citations if it.command != "@"),
        placeholders=tuple(it for it in syntax.placeholders if it.command != "@"),
        arguments=tuple(it for it in syntax.arguments if it.command != "@"),
    )


def links(infos: Iterable[tuple[str, int]]) -> Iterator[Link]:
    """The files that directives name: documents included, bibliographies."""
    for info, offset in infos:
        directive = _ARGUMENT.match(info)
        if directive:
            kind: Literal["part", "bibliography"] = "part" if directive["name"] == "include" else "bibliography"
            for file in _FILE.finditer(info, *directive.span("files")):
                yield Link(kind, file[0], Span(*file.span()).moved(offset))


def lists_all(text: str, infos: Iterable[tuple[str, int]], hidden: Hidden) -> bool:
    """True if a bibliography directive prints every entry."""
    blocks = (hidden.span_around(offset) for info, offset in infos if info.lstrip().startswith("{bibliography}"))
    return any(_ALL.search(text, *it) for it in blocks if it)


def _read_role(text: str, match: re.Match[str], gathering: Gathering) -> None:
    name = match["name"]
    start = match.end()
    end = text.find(match["ticks"], start, start + _LONGEST)
    if end < 0 or "\n\n" in text[start:end]:
        typed = _OPEN.match(text, start)
        gathering.arguments.append(KeyArgument(Span(start, typed.end() if typed else start), name, "{"))
        return
    whole = Span(match.start(), end + len(match["ticks"]))
    offset = start
    opener: Literal["{", ","] = "{"
    while item := _ITEM.match(text, offset, end):
        _add(item, name, whole, opener, gathering)
        if item.end() >= end and not item["end"]:
            break
        offset = item.end()
        opener = ","


def _add(item: re.Match[str], name: str, whole: Span, opener: Literal["{", ","], gathering: Gathering) -> None:
    span = Span(*item.span("typed"))
    hint = item["hint"]
    if hint:
        words = " ".join(hint.strip("<>?").split())
        closed = hint[0] == "?" or hint.endswith(">")
        span = Span(span.start, span.start + len(hint.rstrip()))
        inner = Span(span.start + 1, span.end - hint.endswith(">")) if hint[0] == "<" else span
        gathering.placeholders.append(Placeholder(words, span, name, whole, closed))
        gathering.arguments.append(KeyArgument(inner, name, "<" if hint[0] == "<" else opener))
        return
    gathering.arguments.append(KeyArgument(span, name, opener))
    key = item["key"]
    if key:
        narrative = _NARRATIVE.fullmatch(name) is not None
        gathering.citations.append(Citation(key, span, name, whole, narrative))
