"""The fields on which everything that was found disagrees with the entry."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from citelsp.bibliography import venues
from citelsp.bibliography.compare import FieldComparison, FieldName
from citelsp.knowledge import Record
from citelsp.verification.weighing import Bound, Weighed

_PREPRINT_DOIS = (
    "10.48550/", "10.1101/", "10.64898/", "10.2139/", "10.31234/", "10.31219/", "10.26434/", "10.21203/", "10.20944/",
    "10.36227/", "10.22541/", "10.32388/", "10.14293/", "10.5281/", "10.31222/", "10.35542/",
)  # fmt: skip
_FRIENDLY = ("same", "looser")
_EXACT = frozenset({"crossref", "dblp", "aclanthology"})  # say when and where a work was published, not preprinted
_SERVERS = frozenset({"arxiv", "datacite"})  # know their own preprints alone

Views = Sequence[tuple[Bound, FieldComparison]]


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
    if name == "year" and _may_lag(views, published):
        return None
    if name in ("volume", "number", "pages", "publisher") and not published:
        return None
    return (published or spoken)[0][1]


def _may_lag(views: Views, published: Views) -> bool:
    """Aggregators give publications the year of their preprint: that is no evidence against a year or two later.

    A registry's word is, or that of two aggregators who know the publication.
    """
    cited = int(views[0][1].cited)
    preprinted = [
        int(f"20{it.record.identifiers.arxiv[:2]}") for it, _ in views if it.record.identifiers.arxiv[:1].isdigit()
    ]
    venue = next((f.cited for f in views[0][0].comparison.fields if f.field == "venue"), "")
    if not preprinted or venues.is_preprint_server(venue) or not 0 < cited - min(preprinted) <= 2:
        return False
    return len({it.record.source for it, _ in published}) < 2 and not any(
        it.record.source in _EXACT for it, _ in published
    )


def _venue(views: Views) -> FieldComparison | None:
    """A venue that no source confirms: another one is recorded, or every source knows the preprint alone."""
    if any(view.outcome in _FRIENDLY for _, view in views):
        return None
    if other := next(
        (view for it, view in views if view.outcome == "different" and not _other_version(it, view)), None
    ):
        return other
    witnesses = {it.record.source for it, _ in views} - _SERVERS
    return unconfirmed_venue(views) if len(witnesses) >= 2 else None


def _other_version(bound: Bound, view: FieldComparison) -> bool:
    """Many works appear at a conference and in a journal under one title; a title search finds either.

    A journal that is cited without volume and pages, and that nobody knows, is no such version.
    """
    comparison = bound.comparison
    if bound.by != "title" or "same" in (comparison.outcome("pages"), comparison.outcome("volume")):
        return False
    placed = any(it.cited for it in comparison.fields if it.field in ("volume", "pages"))
    known = placed or bool(venues.identify(view.cited).series) or venues.form(view.cited) != "journal"
    forms = {venues.form(view.cited), venues.form(view.recorded)}
    return (known and forms == {"journal", "conference"}) or bound.record.type in ("chapter", "book")


def unconfirmed_venue(views: Views) -> FieldComparison | None:
    """The claim of a publication where all records are of a preprint."""
    cited = views[0][1].cited if views else ""
    if not cited or venues.is_preprint_server(cited):
        return None
    if not all(_is_preprint(it.record) for it, _ in views):
        return None
    if any("same" in (it.comparison.outcome("pages"), it.comparison.outcome("volume")) for it, _ in views):
        return None
    return replace(views[0][1], outcome="preprint", recorded=views[0][1].recorded or "arXiv")


def _is_preprint(record: Record) -> bool:
    """A publisher's DOI tells of a publication, whatever an aggregator makes of it."""
    known = record.identifiers
    if known.doi and not known.doi.startswith(_PREPRINT_DOIS):
        return False
    if venues.is_preprint_server(record.venue) or record.type == "preprint":
        return True
    return bool(known.arxiv) and not record.venue and not record.type
