"""The outline of a document: its sections as a tree, or its entries and macros."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from citelsp.base.text import Span
from citelsp.bibliography.entry import Entry
from citelsp.features.entry_cache import per_entry
from citelsp.features.values import label, shorten
from citelsp.syntax.bibtex.fields import strip_delimiters
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.nodes import Entries, Heading
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

_DETAIL = 80  # characters


@dataclass(frozen=True, slots=True)
class Symbol:
    """A section, an entry or a @string macro; `selection` and the children lie in `span`."""

    name: str
    kind: Literal["section", "entry", "macro"]
    span: Span
    selection: Span
    detail: str = ""
    children: "tuple[Symbol, ...]" = ()


def find(project: Project, path: str, limit: int = 1000) -> list[Symbol]:
    """Sections nested by level, then the entries with author, year and title, and the macros, in their order.

    Beyond `limit` entries only the key is given: details would need the fields of every entry parsed.
    """
    source = project.sources.get(path)
    if source is None:
        return []
    symbols = [*_list_entries(project, source, limit), *macros(source.syntax.entries)]
    symbols.sort(key=lambda symbol: symbol.span)
    return [*_nest_headings(list(source.syntax.headings), len(source.document.text)), *symbols]


def _nest_headings(headings: list[Heading], end: int) -> Iterator[Symbol]:
    """Yield the sections as a tree, the last ones reaching to `end`; a smaller `level` is a higher one.

    A section reaches to the next heading of its own or a higher level, and has the sections between as children.
    """
    index = 0
    while index < len(headings):
        heading = headings[index]
        after = index + 1
        while after < len(headings) and headings[after].level > heading.level:
            after += 1
        until = headings[after].span.start if after < len(headings) else end
        children = tuple(_nest_headings(headings[index + 1 : after], until))
        yield Symbol(heading.title or "…", "section", Span(heading.span.start, until), heading.span, "", children)
        index = after


def _list_entries(project: Project, source: Source, limit: int) -> Iterable[Symbol]:
    """Every entry; only the first have a detail, as reading the fields of 50,000 takes seconds."""
    entries = source.syntax.entries
    if entries is None:
        return
    for index in range(len(entries)):
        node = entries.node(index)
        start = entries.start(index)
        detail = _detail(Place(source, index, project)) if index < limit else ""
        span = Span(start, start + len(node.source))
        yield Symbol(node.key or node.kind, "entry", span, node.key_span.moved(start), detail)


def macros(entries: Entries | None) -> Iterator[Symbol]:
    """Yield the @string macros that a bibliography defines, each with its value; none in another format than BibTeX."""
    if not isinstance(entries, BibEntries):
        return
    blocks = entries.specials  # what is no entry: @string, @preamble, @comment
    for node, start in zip(blocks.nodes, blocks.starts, strict=True):
        if node.kind != "string":
            continue
        for field in node.fields():
            span = Span(start, start + node.length)
            detail = shorten(strip_delimiters(field.value_span.within(node.source)), _DETAIL)
            yield Symbol(field.name_span.within(node.source), "macro", span, field.name_span.moved(start), detail)


def describe(entry: Entry) -> str:
    """`Knuth 1984, Literate Programming`."""
    return shorten(", ".join(filter(None, (label(entry), entry.title))), _DETAIL)


_detail = per_entry(describe)
