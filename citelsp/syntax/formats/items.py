"""Entries of a bibliography that is not BibTeX: \\bibitem, CSL-JSON, CSL-YAML, references as they are printed."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from citelsp.base import bounds
from citelsp.base.text import Span
from citelsp.syntax.nodes import Entries, EntryProblem, Field

Values = Mapping[str, str]


@dataclass(frozen=True, eq=False)
class BibItem:
    """An EntryNode whose values are read from its source when first asked for."""

    kind: str
    key: str
    key_span: Span
    source: str = field(repr=False)
    read: "Callable[[BibItem], Sequence[tuple[Field, str]]]" = field(repr=False)
    find_problems: Callable[[str], Sequence[EntryProblem]] | None = field(default=None, repr=False)  # in its source
    closed: bool = True  # False if `source` is only the beginning, as it is not known where the item ends

    @cached_property
    def _values(self) -> Sequence[tuple[Field, str]]:
        return self.read(self)

    def fields(self) -> Sequence[Field]:
        return [it for it, _ in self._values]

    def raw(self, name: str) -> str:
        return next((value for it, value in self._values if it.name == name), "")

    @cached_property
    def _problems(self) -> Sequence[EntryProblem]:
        return self.find_problems(self.source) if self.find_problems else []

    def problems(self) -> Sequence[EntryProblem]:
        return self._problems


@dataclass(frozen=True, eq=False)
class ReferenceItem:
    """A reference as it is printed, an EntryNode whose one field, `note`, is its whole text; none if that is empty.

    What it says is read by `bibliography.reference_reading`.
    """

    key: str
    key_span: Span
    source: str = field(repr=False)
    body: Span  # of the reference itself: without its key, label or number
    kind: Literal["bibitem", "reference"] = "reference"  # TeX, or plain text

    @property
    def text(self) -> str:
        return self.body.within(self.source)

    def fields(self) -> Sequence[Field]:
        start = Span(self.body.start, self.body.start)
        return [Field("note", start, self.body, self.body)] if self.text else []

    def raw(self, name: str) -> str:
        return self.text if name == "note" else ""

    def problems(self) -> Sequence[EntryProblem]:
        return []


class Placed(NamedTuple):
    start: int
    item: BibItem | ReferenceItem


@dataclass(frozen=True, eq=False)
class Items:
    """The `Entries` of a document, in its order."""

    placed: tuple[Placed, ...] = ()
    cut: bool = False

    def __len__(self) -> int:
        return len(self.placed)

    def node(self, index: int) -> BibItem | ReferenceItem:
        return self.placed[index].item

    def start(self, index: int) -> int:
        return self.placed[index].start

    def by_key(self, key: str) -> Sequence[int]:
        return self._by_key.get(key, ())

    def entry_at(self, offset: int) -> int | None:
        """The index of the item that an offset stands in or touches; of two that it touches, the later one."""
        last_before = bisect_right(self._starts, offset) - 1
        # Behind the end of that one, the item before it may go on: an item of a printed list may hold a footnote.
        for index in (last_before, last_before - 1):
            if index < 0:
                break
            start, item = self.placed[index]
            if start <= offset <= start + len(item.source):
                return index
        return None

    @cached_property
    def _starts(self) -> list[int]:
        return [it.start for it in self.placed]

    @cached_property
    def _by_key(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for index, placed in enumerate(self.placed):
            found.setdefault(placed.item.key, []).append(index)
        return found


def collect(placed: Iterable[Placed], old: Entries | None = None) -> Items | None:
    """Gather items, each with its offset, as the Entries of a document; None if there are none.

    More than are read of a text are left out, and the Entries are marked as `cut`.  An item whose source is unchanged
    stays the same object as in `old`, the Entries before an edit, so that what is known of it stays.
    """
    old_items = {it.item.source: it.item for it in old.placed} if isinstance(old, Items) else {}
    items: list[Placed] = []
    for start, item in placed:
        if bounds.are_crowded(len(items), start):
            return Items(tuple(items), cut=True)
        items.append(Placed(start, _old_or_new(old_items.get(item.source), item)))
    return Items(tuple(items)) if items else None


def _old_or_new(old: BibItem | ReferenceItem | None, new: BibItem | ReferenceItem) -> BibItem | ReferenceItem:
    """Return the old item, which has the same source, if kind and key are read as the new one's are; else the new."""
    if old is None:
        return new
    is_same = (old.kind, old.key, old.key_span) == (new.kind, new.key, new.key_span)
    return old if is_same else new
