"""Where the key of another entry is typed in a .bib: `crossref`, `xref`, `xdata`, `related`, `entryset`."""

from citelsp.base.text import Span
from citelsp.features.mentions import POINTING
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.nodes import KeyArgument
from citelsp.workspace.source import Source

_LISTS = POINTING - {"crossref", "xref"}


def argument_at(source: Source, offset: int) -> KeyArgument | None:
    """Return the argument for the key of another entry that is typed at `offset`; None if none is typed there.

    Such keys stand in the values of `crossref`, `related` and other fields that point to entries.  The argument spans
    the item of a list of keys, or the whole value of a field that takes one key; its command is the field.
    """
    entries = source.syntax.entries
    if not isinstance(entries, BibEntries):
        return None
    index = entries.entry_at(offset)
    if index is None:
        return None
    node = entries.node(index)
    start = entries.start(index)
    in_entry = offset - start
    for field in node.fields():
        value = field.value_span
        if field.name not in POINTING or node.source[value.start] not in '{"':
            continue
        # The value of an entry that is still being typed may seem to end before the cursor.
        if value.start < in_entry and (in_entry < value.end or not node.closed):
            inner = Span(value.start + 1, value.end - 1).moved(start)
            return _make_argument(source.document.text, inner, offset, field.name)
    return None


def _make_argument(text: str, value: Span, offset: int, name: str) -> KeyArgument:
    """Return the argument around `offset` in the value of the field `name`: between two commas, or the whole value.

    Only some fields take a list.  The argument reaches to the offset at least: in an entry that is still being typed
    the value may have been read as ending before the cursor.
    """
    if name not in _LISTS:
        return KeyArgument(Span(value.start, max(value.end, offset)), name, opener="{")
    begin = max(text.rfind(",", value.start, offset) + 1, value.start)
    comma_behind = text.find(",", offset, value.end)
    end = comma_behind if comma_behind >= 0 else value.end
    is_first = begin == value.start
    return KeyArgument(Span(begin, max(end, offset)), name, opener="{" if is_first else ",")
