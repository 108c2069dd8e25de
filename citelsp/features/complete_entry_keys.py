"""Where the key of another entry is typed in a .bib: `crossref`, `xref`, `xdata`, `related`, `entryset`."""

from citelsp.base.text import Span
from citelsp.features.key_mentions import POINTING
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.nodes import KeyArgument
from citelsp.workspace.source import Source

_LISTS = POINTING - {"crossref", "xref"}


def argument_at(source: Source, offset: int) -> KeyArgument | None:
    """Return the argument for the key of another entry that is typed at `offset`; None if none is typed there.

    Such keys stand in braces or quotes, in `crossref`, `related` and other fields that point to entries.  The argument
    spans the item of a list of keys, or the whole value of a field that takes one key; its command is the field.
    """
    entries = source.syntax.entries
    if not isinstance(entries, BibEntries):
        return None
    index = entries.entry_at(offset)
    if index is None:
        return None
    node = entries.node(index)
    start = entries.start(index)
    fields_before = [field for field in node.fields() if field.value_span.start < offset - start]
    if not fields_before:
        return None
    last = fields_before[-1]
    if last.name not in POINTING or not _is_inside(node, last.value_span, offset - start):
        return None
    inner = Span(last.value_span.start + 1, last.value_span.end - 1).moved(start)
    return _make_argument(source.document.text, inner, offset, last.name)


def _is_inside(node: BibNode, value: Span, offset: int) -> bool:
    """True if the offset, which lies behind the value's start, stands within its braces or quotes.

    A value that nothing closes, in an entry that is still being typed, may seem to end before the cursor.
    """
    opening = node.source[value.start]
    if opening not in ("{", '"'):
        return False
    closing = "}" if opening == "{" else opening
    is_open = not node.closed and not node.source.endswith(closing, value.start + 1, value.end)
    return offset < value.end or is_open


def _make_argument(text: str, value: Span, offset: int, name: str) -> KeyArgument:
    """Return the argument around `offset` in the value of the field `name`: between two commas, or the whole value.

    Only some fields take a list.  The argument reaches to the offset at least: in an entry that is still being typed
    the value may have been read as ending before the cursor.  Its opener is the brace before the value, for which a
    quote counts as well, or the comma before it in a list.
    """
    if name not in _LISTS:
        return KeyArgument(Span(value.start, max(value.end, offset)), name, opener="{")
    begin = max(text.rfind(",", value.start, offset) + 1, value.start)
    comma_behind = text.find(",", offset, value.end)
    end = comma_behind if comma_behind >= 0 else value.end
    is_first = begin == value.start
    return KeyArgument(Span(begin, max(end, offset)), name, opener="{" if is_first else ",")
