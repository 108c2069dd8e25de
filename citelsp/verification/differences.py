"""The fields on which everything that was found disagrees with the entry."""

from collections.abc import Iterable, Sequence

from citelsp.bibliography import venues
from citelsp.bibliography.compare import FieldComparison, FieldName
from citelsp.knowledge import Record
from citelsp.verification.weighing import Bound, Weighed

_FRIENDLY = ("same", "looser", "preprint")


def differences(weighed: Weighed) -> list[FieldComparison]:
    """The fields on which every bound record that speaks of them disagrees with the entry."""
    fields: tuple[FieldName, ...] = ("title", "authors", "year", "venue", "volume", "number", "pages", "publisher")
    found = [_difference(name, weighed.bound) for name in fields]
    return [it for it in found if it is not None]


def _difference(name: FieldName, bound: Iterable[Bound]) -> FieldComparison | None:
    views = [(it, next(f for f in it.comparison.fields if f.field == name)) for it in bound]
    spoken = [(it, view) for it, view in views if view.outcome != "unknown"]
    if not spoken or any(view.outcome in _FRIENDLY for _, view in spoken):
        return _early(name, spoken)
    published = [(it, view) for it, view in spoken if not _is_preprint(it.record)]
    if name in ("volume", "number", "pages", "publisher") and not published:
        return None
    return (published or spoken)[0][1]


def _early(name: FieldName, spoken: Sequence[tuple[Bound, FieldComparison]]) -> FieldComparison | None:
    """A venue is claimed, and every source knows the preprint alone."""
    if name != "venue" or len({it.record.source for it, _ in spoken}) < 2:
        return None
    if any(view.outcome != "preprint" or venues.is_preprint_server(view.cited) for _, view in spoken):
        return None
    return spoken[0][1]


def _is_preprint(record: Record) -> bool:
    return record.type == "preprint" or venues.is_preprint_server(record.venue)
