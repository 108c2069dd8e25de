"""The fields on which everything that was found disagrees with the entry."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from citelsp.bibliography import venues
from citelsp.bibliography.compare import FieldComparison, FieldName
from citelsp.knowledge import Record
from citelsp.verification.weighing import Bound, Weighed

_PREPRINT_DOIS = ("10.48550/", "10.1101/", "10.64898/", "10.2139/", "10.31234/", "10.26434/", "10.21203/", "10.20944/")
_FRIENDLY = ("same", "looser")


def claims_unconfirmed_venue(weighed: Weighed) -> bool:
    """All that was found so far is a preprint, and the entry says it was published: another source may know more."""
    views = [(it, next(f for f in it.comparison.fields if f.field == "venue")) for it in weighed.bound]
    return bool(views) and unconfirmed_venue(views) is not None and not _venue(views)


def differences(weighed: Weighed) -> list[FieldComparison]:
    """The fields on which every bound record that speaks of them disagrees with the entry."""
    fields: tuple[FieldName, ...] = ("title", "authors", "year", "venue", "volume", "number", "pages", "publisher")
    found = [_difference(name, weighed.bound) for name in fields]
    return [it for it in found if it is not None]


def against(weighed: Weighed, difference: FieldComparison) -> tuple[str, ...]:
    """The sources whose records disagree with the entry in this field."""
    disagreeing = (
        it.record.source for it in weighed.bound if it.comparison.outcome(difference.field) in ("different", "preprint")
    )
    return tuple(dict.fromkeys(disagreeing))


def _difference(name: FieldName, bound: Iterable[Bound]) -> FieldComparison | None:
    views = [(it, next(f for f in it.comparison.fields if f.field == name)) for it in bound]
    if name == "venue":
        return _venue(views)
    spoken = [(it, view) for it, view in views if view.outcome != "unknown"]
    if not spoken or any(view.outcome in _FRIENDLY for _, view in spoken):
        return None
    published = [(it, view) for it, view in spoken if not _is_preprint(it.record)]
    if name in ("volume", "number", "pages", "publisher") and not published:
        return None
    return (published or spoken)[0][1]


def _venue(views: Sequence[tuple[Bound, FieldComparison]]) -> FieldComparison | None:
    """A venue that no source confirms: another one is recorded, or every source knows the preprint alone."""
    if any(view.outcome in _FRIENDLY for _, view in views):
        return None
    if other := next(
        (view for it, view in views if view.outcome == "different" and not _other_version(it, view)), None
    ):
        return other
    return None if len({it.record.source for it, _ in views}) < 2 else unconfirmed_venue(views)


def _other_version(bound: Bound, view: FieldComparison) -> bool:
    """Many works appear at a conference and in a journal under one title; a title search finds either."""
    forms = {venues.form(view.cited), venues.form(view.recorded)}
    if "same" in (bound.comparison.outcome("pages"), bound.comparison.outcome("volume")):
        return False
    return bound.by == "title" and (forms == {"journal", "conference"} or bound.record.type in ("chapter", "book"))


def unconfirmed_venue(views: Sequence[tuple[Bound, FieldComparison]]) -> FieldComparison | None:
    """The claim of a publication where all records are of a preprint."""
    cited = views[0][1].cited if views else ""
    if not cited or venues.is_preprint_server(cited):
        return None
    told = [(it, view) for it, view in views if it.record.venue or _is_preprint(it.record)]
    if not told or not all(_is_preprint(it.record) for it, _ in told):
        return None
    return replace(told[0][1], outcome="preprint", recorded=told[0][1].recorded or "arXiv")


def _is_preprint(record: Record) -> bool:
    known = record.identifiers
    if known.doi and not known.doi.startswith(_PREPRINT_DOIS):
        return record.type == "preprint"
    return (
        record.type == "preprint" or venues.is_preprint_server(record.venue) or bool(known.arxiv and not record.venue)
    )
