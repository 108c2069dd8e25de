"""Where a @string macro is written: its definitions, and the values that hold it."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from citelsp.base.text import Span
from citelsp.bibliography.decode_tex import decode
from citelsp.bibliography.string_macros import resolve_value
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import macros_in
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source


@dataclass(frozen=True, slots=True)
class MacroMention:
    """`span` is of the name alone, `whole` of the @string or entry around it."""

    path: str
    name: str
    span: Span
    whole: Span
    defines: bool


def macro_at(project: Project, path: str, offset: int) -> MacroMention | None:
    """The macro that a cursor at `offset` stands on or touches; a month too, which only the programs define."""
    source = project.sources.get(path)
    if source is None or not isinstance(source.syntax.entries, BibEntries):
        return None
    node, start = _find_block(source.syntax.entries, offset)
    found = _find_mentions_in(path, node, start) if node else ()
    return next((it for it in found if it.span.touches(offset)), None)


def find_mentions(project: Project, name: str) -> Iterator[MacroMention]:
    """Every mention of this macro in the bibliographies; letter case does not count."""
    name = name.lower()
    for source in project.defining:
        if isinstance(source.syntax.entries, BibEntries):
            yield from (it for it in _possible_mentions(source, source.syntax.entries, name) if it.name.lower() == name)


def definitions(project: Project, name: str) -> list[MacroMention]:
    return [it for it in find_mentions(project, name) if it.defines]


def value(project: Project, path: str, name: str) -> str:
    """What stands for the macro, as text; "" if nothing defines it."""
    source = project.sources[path]
    strings = project.strings(source)
    return decode(resolve_value(strings.get(name.lower(), ""), strings))


def _find_block(entries: BibEntries, offset: int) -> tuple[BibNode | None, int]:
    """The entry or @string at an offset."""
    index = entries.entry_at(offset)
    if index is not None:
        return entries.node(index), entries.start(index)
    block = bisect_right(entries.specials.starts, offset) - 1
    if block >= 0 and entries.specials.nodes[block].kind == "string" and offset <= entries.specials.end(block):
        return entries.specials.nodes[block], entries.specials.starts[block]
    return None, 0


def _possible_mentions(source: Source, entries: BibEntries, name: str) -> Iterator[MacroMention]:
    """Yield mentions of macros, among them all those of `name` (in lower case); the caller picks these out.

    They are the mentions in every @string, and in every entry in whose text the name occurs.
    """
    path = source.document.path
    for node, start in zip(entries.specials.nodes, entries.specials.starts, strict=True):
        if node.kind == "string":
            yield from _find_mentions_in(path, node, start)
    # To take all entries apart into fields would take seconds.
    for index in _entries_with(source, entries, name):
        yield from _find_mentions_in(path, entries.node(index), entries.start(index))


def _entries_with(source: Source, entries: BibEntries, name: str) -> list[int]:
    """Return the indices of the entries in whose text `name` occurs, in any letter case; `name` is in lower case."""
    # `lower` makes two characters of İ, and all offsets behind it would be wrong.
    text = source.document.text.replace("İ", "I").lower()
    indices: dict[int, None] = {}
    offset = text.find(name)
    while offset >= 0:
        after = offset + 1
        index = entries.entry_at(offset)
        if index is not None:
            indices[index] = None
            # One occurrence in an entry is enough: go on behind the entry.  The offset itself may be the entry's end,
            # which `entry_at` counts to the entry, so `after` must not fall back.
            after = max(after, entries.track.end(index))
        offset = text.find(name, after)
    return list(indices)


def _find_mentions_in(path: str, node: BibNode, start: int) -> Iterator[MacroMention]:
    """Every macro that an entry or @string, which begins at `start`, defines or uses."""
    source = node.source
    whole = Span(start, start + len(source))
    for field in node.fields():
        if node.kind == "string":
            name = field.name_span.within(source)
            yield MacroMention(path, name, field.name_span.moved(start), whole, defines=True)
        for span in macros_in(source, field.value_span):
            yield MacroMention(path, span.within(source), span.moved(start), whole, defines=False)
