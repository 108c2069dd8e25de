"""The fields on which everything that was found disagrees with the entry."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from citelsp.bibliography import venues
from citelsp.bibliography.compare import FieldComparison, FieldName, is_between
from citelsp.bibliography.fold import words
from citelsp.bibliography.identifiers import PREPRINT_DOIS
from citelsp.bibliography.record import Record
from citelsp.knowledge import PREPRINT_SERVERS
from citelsp.verification.publications import FRIENDLY, is_old
from citelsp.verification.weighing import Bound, Weighed

_PLACE = ("volume", "number", "pages", "publisher")
_EXACT = frozenset({"crossref", "dblp", "aclanthology"})  # say when and where a work was published, not preprinted
CURATED = frozenset(  # name a publication as it is printed; the others call it by a series that they made up
    {"aclanthology", "ads", "crossref", "datacite", "dblp", "europepmc", "inspire", "openlibrary", "pubmed", "zbmath"}
)
_AUTHORED = frozenset({"arxiv", "openreview"})  # where authors list themselves
_VERSIONED = frozenset({"software", "dataset"})
_SEARCHABLE = 4  # words of a title, of which a search brings the work if it is there
_ARCHIVE = "10.5281/"  # Zenodo's: one DOI leads to all versions
_PREPRINT = re.compile(r"10\.(?:1101|64898)/[\d.]+")  # bioRxiv's and medRxiv's: as well
_BOOKS = frozenset({"book", "mvbook"})
_UNDATED = frozenset("book mvbook manual software online electronic www standard dataset patent".split())  # years vary

Views = Sequence[tuple[Bound, FieldComparison]]


def claims_unconfirmed_venue(weighed: Weighed, *, certain: bool = True) -> bool:
    """All that was found so far is a preprint, and the entry says it was published: another source may know more.

    Not `certain`: also if so many sources were heard that the venue counts as wrong.
    """
    views = [(it, it.comparison.field("venue")) for it in weighed.bound]
    return bool(views) and unconfirmed_venue(views) is not None and not (certain and _venue(views, certain=True))


def differences(weighed: Weighed) -> list[FieldComparison]:
    """The fields on which every bound record that speaks of them disagrees with the entry, enough of them certainly."""
    return _differences(weighed, certain=True)


def suspicions(weighed: Weighed) -> list[FieldComparison]:
    """The differences, and those that one source alone tells of so far: others are to be asked."""
    return _differences(weighed, certain=False)


def _differences(weighed: Weighed, *, certain: bool) -> list[FieldComparison]:
    if are_other_versions(weighed):  # of which some have another title, or other people
        return []
    fields: tuple[FieldName, ...] = ("title", "authors", "year", "venue", "volume", "number", "pages", "publisher")
    found = {name: _difference(name, weighed.bound, certain=certain) for name in fields}
    found["venue"] = found["venue"] or _missing(weighed)
    if venue := found.get("venue"):
        found["year"] = found["year"] or _year_beside(weighed.bound)
    if venue and venue.outcome == "different":
        found |= {name: found[name] or _beside(name, weighed.bound) for name in ("volume", "number", "pages")}
    return [it for it in found.values() if it is not None]


def rests_on_silence(weighed: Weighed) -> bool:
    """Whether nothing else speaks against the venue than that Crossref has no such work there."""
    return bool(_missing(weighed)) and _difference("venue", weighed.bound, certain=True) is None


def _missing(weighed: Weighed) -> FieldComparison | None:
    """Crossref has all papers of the cited conference and not this one, which another source has at another conference.

    There it has that title, those people and that year; nobody has it where it is cited.
    """
    views = [(it, it.comparison.field("venue")) for it in weighed.bound]
    is_silent = "crossref" in weighed.searched and all(it.record.source != "crossref" for it in weighed.bound)
    if not is_silent or any(view.outcome in FRIENDLY or it.publication == "listed" for it, view in views):
        return None
    printed = [(it, view) for it, view in views if view.recorded and view.outcome != "preprint"]
    return printed[0][1] if printed and all(_is_found_elsewhere(*it) for it in printed) else None


def _is_found_elsewhere(bound: Bound, venue: FieldComparison) -> bool:
    same = all(bound.comparison.outcome(it) == "same" for it in ("title", "authors", "year"))
    if not same or not bound.tells_where or venue.outcome != "different" or not _is_series(venue.recorded):
        return False
    title, year = bound.comparison.field("title").cited, bound.comparison.field("year").cited
    return len(words(title)) >= _SEARCHABLE and venues.is_registered(venue.cited, int(year))


def _year_beside(bound: Iterable[Bound]) -> FieldComparison | None:
    """If the venue is wrong, a year that nobody knows belongs to the wrong venue too, even one off by one."""
    views = [it.comparison.field("year") for it in bound if it.tells_where]
    spoken = [it for it in views if it.outcome != "unknown"]
    return spoken[0] if spoken and all(it.outcome != "same" for it in spoken) else None


def _beside(name: FieldName, bound: Iterable[Bound]) -> FieldComparison | None:
    """If the venue is wrong, a place in it that all published records contradict is wrong too."""
    views = [it.comparison.field(name) for it in bound if it.tells_where and not _is_preprint(it.record)]
    spoken = [it for it in views if it.outcome != "unknown"]
    return spoken[0] if spoken and all(it.outcome == "different" for it in spoken) else None


def against(weighed: Weighed, difference: FieldComparison) -> tuple[str, ...]:
    """The sources whose records disagree with the entry in this field; if none does, those that nearly agree."""
    heard = [it for it in weighed.bound if difference.field == "title" or it.tells_where]
    outcomes = [(it.record.source, it.comparison.outcome(difference.field)) for it in heard]
    disagreeing = [source for source, outcome in outcomes if outcome in ("different", "preprint")]
    return tuple(dict.fromkeys(disagreeing or [source for source, outcome in outcomes if outcome == "looser"]))


def _difference(name: FieldName, bound: Iterable[Bound], *, certain: bool) -> FieldComparison | None:
    views = [(it, it.comparison.field(name)) for it in bound]
    if name == "venue":
        return _venue(views, certain=certain)
    spoken = [(it, view) for it, view in views if view.outcome != "unknown"]
    if not spoken or any(view.outcome in FRIENDLY and not _is_outdone(it, view, spoken) for it, view in spoken):
        return None
    spoken = [(it, view) for it, view in spoken if view.outcome not in FRIENDLY]
    if name == "year":
        spoken = [(it, view) for it, view in spoken if _dates_the_same(it)]
    if name in ("title", "authors"):
        spoken = [(it, view) for it, view in spoken if not (_comes_in_versions(it) or _lacks_versions(it))]
    if name == "authors":
        spoken = [(it, view) for it, view in spoken if not _joined_since(it)]
    if name in _PLACE or name == "authors":
        spoken = [(it, view) for it, view in spoken if it.tells_where and not _is_other_edition(it)]
    if name in _PLACE:  # a preprint has no place in print: what is called its volume is an identifier
        spoken = [(it, view) for it, view in spoken if it.comparison.outcome("venue") != "preprint"]
    published = [(it, view) for it, view in spoken if not _is_preprint(it.record)]
    if name in _PLACE:
        spoken = published
    if not spoken or (certain and not _is_certain(name, views, spoken)):
        return None
    return (published or spoken)[0][1]


def _is_outdone(bound: Bound, view: FieldComparison, spoken: Views) -> bool:
    """Close to a year that a registry rules out: it knows print and digital copy, or the year after the preprint."""
    if view.field != "year" or view.outcome != "looser":
        return False
    exact = [it.record for it, other in spoken if other.outcome == "different" and it.record.source in _EXACT]
    early = (
        bound.record.source in PREPRINT_SERVERS
        and bound.record.year is not None
        and int(view.cited) < bound.record.year
    )
    return any(is_between(int(view.cited), it) or (early and not _is_preprint(it)) for it in exact)


def _is_certain(name: FieldName, views: Views, spoken: Views) -> bool:
    if name == "year":
        if _may_lag(views, [it for it in spoken if not _is_preprint(it[0].record)]):
            return False
        spoken = [(it, view) for it, view in spoken if not (_may_be_earlier(it) or _may_be_a_later_version(it, view))]
        if any(_lists_versions(it.record) and not it.cited_in for it, _ in spoken):
            return True
    if name == "authors":
        if any(it.comparison.people.repeated for it, _ in spoken):
            return True
        if _is_one_more_or_less(spoken) or _is_order_of_others(spoken):
            return False
    return _is_witnessed(spoken)


def _may_be_earlier(bound: Bound) -> bool:
    """Of a printing that is not named; aggregators also date an article by the conference at which it was before."""
    outcome_of, year = bound.comparison.outcome, bound.comparison.field("year")
    if bound.publication == "unsure" and outcome_of("venue") == "unknown":
        return True
    if bound.by != "title" or bound.record.source in _EXACT or "same" in (outcome_of("pages"), outcome_of("volume")):
        return False
    return int(year.recorded) < int(year.cited) and venues.form(bound.comparison.field("venue").cited) == "journal"


def _may_be_a_later_version(bound: Bound, view: FieldComparison) -> bool:
    """A preprint bears the year of the version that was read, up to the last one: who does not list them lacks some."""
    is_preprint = bound.by == "arxiv" or _is_preprint(bound.record)
    later = int(view.cited) > int(view.recorded)
    return is_preprint and later and not (bound.cited_in or _lists_versions(bound.record))


def _lists_versions(record: Record) -> bool:
    """arXiv's own record, whose id ends with the number of the last version."""
    return record.source == "arxiv" and re.search(r"v\d+$", record.id) is not None


def _is_one_more_or_less(views: Views) -> bool:
    """One author joined or left between two versions, as one source knows it that a search found, or the preprint."""
    people = views[0][0].comparison.people
    alone = len({it.record.source for it, _ in views}) == 1 and all(it.by == "title" for it, _ in views)
    one = len(people.added) + len(people.dropped) == 1 and not (people.replaced or people.reordered)
    return one and (alone or all(_is_by_the_preprint(it) for it, _ in views))


def _is_order_of_others(views: Views) -> bool:
    """Nobody tells it of the cited version but aggregators, which of two orders that they copy keep either."""
    people = [it.comparison.people for it, _ in views]
    only_reordered = all(it.reordered and not (it.added or it.dropped or it.replaced) for it in people)
    of_this = [it for it, _ in views if it.comparison.outcome("venue") != "preprint" and not _is_by_the_preprint(it)]
    return only_reordered and not any(it.by != "title" or it.record.source in CURATED | _AUTHORED for it in of_this)


def _is_by_the_preprint(bound: Bound) -> bool:
    """What the arXiv id of a work that is cited from print leads to: its people are those of any version."""
    return bound.cited_in and (bound.by == "arxiv" or bound.record.source in PREPRINT_SERVERS)


def _is_witnessed(views: Views) -> bool:
    """By two sources, or by one whose record is certainly of the version cited: what a search finds may be another."""
    return len({it.record.source for it, _ in views}) >= 2 or any(_is_this_version(it) for it, _ in views)


def _comes_in_versions(bound: Bound) -> bool:
    """Software and data: each version adds people, and may tell its number in the title."""
    is_archived = bound.record.identifiers.doi.startswith(_ARCHIVE)
    return is_archived or bound.cited_as in _VERSIONED or bound.record.type in _VERSIONED


def _joined_since(bound: Bound) -> bool:
    """People who joined or left between two versions of a preprint, of which a registrar knows the last one."""
    people, doi = bound.comparison.people, bound.record.identifiers.doi
    only_more_or_less = bool(people.added) != bool(people.dropped) and not (people.replaced or people.reordered)
    return only_more_or_less and _PREPRINT.fullmatch(doi) is not None


def _is_this_version(bound: Bound) -> bool:
    """By an identifier of the entry, or by the word of a registry that has the same place of publication.

    An ISBN leads to what libraries made of a book: they shorten its title and name some of its people.
    """
    places = [bound.comparison.outcome(name) for name in ("venue", "pages", "volume")]
    if is_of_the_preprint(bound):
        return False
    return bound.by not in ("title", "isbn") or (
        bound.record.source in _EXACT and (places[0] in FRIENDLY or "same" in places)
    )


def is_of_the_preprint(bound: Bound) -> bool:
    """A server's own record, which says little of the publication that is cited."""
    return bound.record.source in PREPRINT_SERVERS and bound.cited_in


def _dates_the_same(bound: Bound) -> bool:
    """A preprint, a reprint or another edition has a year of its own."""
    if bound.cited_as in _UNDATED or bound.record.type == "book":
        return False
    if bound.comparison.outcome("venue") == "preprint":
        return False
    if bound.by == "title" and bound.comparison.outcome("year") == "different" and is_old(bound.comparison):
        return "same" in (bound.comparison.outcome("pages"), bound.comparison.outcome("volume"))
    return bound.tells_where


def _is_other_edition(bound: Bound) -> bool:
    """A book of another year may be by more people, of another house."""
    is_book = bound.cited_as in _BOOKS or bound.record.type == "book"
    return is_book and bound.by == "title" and bound.comparison.outcome("year") in ("looser", "different")


def _lacks_versions(bound: Bound) -> bool:
    """Of a preprint that is cited as one: its title and people changed, and arXiv alone knows how."""
    return bound.by == "arxiv" and bound.record.source != "arxiv" and not bound.cited_in


def are_other_versions(weighed: Weighed) -> bool:
    """All that was found is another publication of the work, or its preprint beside."""
    published = [it for it in weighed.bound if it.comparison.outcome("venue") != "preprint"]
    return bool(published) and all(it.is_elsewhere for it in published)


def _may_lag(views: Views, published: Views) -> bool:
    """Aggregators give publications the year of their preprint: that is no evidence against a year or two later.

    A registry's word is, or that of two aggregators who know the publication.
    """
    cited = int(views[0][1].cited)
    preprinted = [
        int(f"20{number[:2]}") for bound, _ in views if (number := bound.record.identifiers.arxiv)[:1].isdigit()
    ]
    venue = views[0][0].comparison.field("venue").cited
    if not preprinted or venues.is_preprint_server(venue) or not 0 < cited - min(preprinted) <= 2:
        return False
    return len({it.record.source for it, _ in published}) < 2 and not any(
        bound.record.source in _EXACT for bound, _ in published
    )


def _venue(views: Views, *, certain: bool) -> FieldComparison | None:
    """A venue that no source confirms: another one is recorded, or every source knows the preprint alone."""
    if any(view.outcome in FRIENDLY or it.publication == "listed" for it, view in views):
        return None
    others = [(it, view) for it, view in views if view.outcome == "different" and it.tells_where]
    if others and not certain:
        return others[0][1]
    if not any(it.record.source in CURATED for it, _ in others):
        others = [(it, view) for it, view in others if _is_print_elsewhere(it)]
    if len({it.record.source for it, _ in others}) >= 2 or any(it.by != "title" for it, _ in others):
        return others[0][1]
    if any(_is_elsewhere(it) for it, _ in others):
        return others[0][1]
    witnesses = {it.record.source for it, _ in views} - PREPRINT_SERVERS
    return unconfirmed_venue(views) if len(witnesses) >= 2 else None


def _is_print_elsewhere(bound: Bound) -> bool:
    """The very pages of another series of conferences: who has them has them from its proceedings.

    Aggregators name a workshop by its host, and a journal by the series that it prints; no series by another.
    """
    pages, venue = bound.comparison.field("pages"), bound.comparison.field("venue")
    are_series = all(map(_is_series, (venue.cited, venue.recorded)))
    return are_series and pages.outcome == "same" and _is_telling(pages.cited)


def _is_series(name: str) -> bool:
    """A series of conferences that is known by its name, itself and not a workshop or a volume beside it."""
    venue = venues.identify(name)
    return bool(venue.series) and not venue.satellite and venues.form(name) == "conference"


def _is_telling(pages: str) -> bool:
    """Pages that few works have: not those that begin an issue, nor numbers of two digits."""
    return len(pages) > 4 and not re.match(r"1\b", pages)


def _is_elsewhere(bound: Bound) -> bool:
    """A registry has the very work of that year, at the same pages, or as an article whose whole place is another.

    At the same pages of the same volume the venue may be the same too, under its name in another language.
    """
    comparison = bound.comparison
    if bound.record.source not in _EXACT or any(
        comparison.outcome(name) != "same" for name in ("title", "authors", "year")
    ):
        return False
    pages = comparison.field("pages").cited
    volume = comparison.outcome("volume")
    if comparison.outcome("pages") == "same" and volume != "same" and _is_telling(pages):
        return True
    other = volume == "different"
    other = other and "different" in (comparison.outcome("pages"), comparison.outcome("publisher"))
    return other and bound.record.type == "article-journal"


def unconfirmed_venue(views: Views) -> FieldComparison | None:
    """The claim of a publication if all records are of a preprint."""
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
    if known.doi and not known.doi.startswith(PREPRINT_DOIS):
        return False
    if venues.is_preprint_server(record.venue) or record.type == "preprint":
        return True
    return bool(known.arxiv) and not record.venue and not record.type
