"""Where the key of another entry is typed in a .bib: `crossref`, `xref`, `xdata`, `related`, `entryset`."""

from citelsp.base.text import Span
from citelsp.features.mentions import POINTING
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.nodes import KeyArgument
from citelsp.workspace.source import Source

_LISTS = POINTING - {"crossref", "xref"}


def argument_at(source: Source, offset: int) -> KeyArgument | None:
    """The item of the list, or the value, that `offset` stands in; its command is the field."""
    entries = source.syntax.entries
    if not isinstance(entries, BibEntries) or (index := entries.entry_at(offset)) is None:
        return None
    node, start = entries.node(index), entries.start(index)
    for field in node.fields():
        value = field.value_span
        inside = value.start < offset - start < value.end or (value.start < offset - start and not node.closed)
        if field.name in POINTING and inside and node.source[value.start] in '{"':
            return _item(source.document.text, Span(value.start + 1, value.end - 1).moved(start), offset, field.name)
    return None


def _item(text: str, value: Span, offset: int, name: str) -> KeyArgument:
    if name not in _LISTS:
        return KeyArgument(Span(value.start, max(value.end, offset)), name, "{")
    begin = max(text.rfind(",", value.start, offset) + 1, value.start)
    end = text.find(",", offset, value.end)
    return KeyArgument(
        Span(begin, max(end if end >= 0 else value.end, offset)), name, "," if begin > value.start else "{"
    )
