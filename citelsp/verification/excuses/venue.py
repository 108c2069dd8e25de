"""Another venue: it is recorded elsewhere, or every source knows the preprint alone."""

import re
from collections.abc import Sequence
from dataclasses import replace

from citelsp.bibliography import venues
from citelsp.bibliography.fold import words
from citelsp.bibliography.tolerant_comparison.outcome import FieldComparison
from citelsp.knowledge import PREPRINT_SERVERS, Ruling
from citelsp.verification.evidence import Bound, Weighed
from citelsp.verification.excuses.place import is_of_another_publication
from citelsp.verification.publications import FRIENDLY
from citelsp.verification.rules import (
    Hearing,
    Outcome,
    View,
    list_agreements,
    list_open,
    list_set_aside,
    make_ruling,
    name_lack_of_proof,
    strike,
)
from citelsp.verification.witnesses import CURATED, EXACT, count_independent

_SEARCHABLE_WORDS = 4  # of a title, from which on a search brings the work if it is there


def decide(bound: Sequence[Bound], *, certain: bool) -> Outcome:
    """Decide whether the venue is wrong: the outcome has a difference if so, and the rules that spoke in any case.

    `bound` are the records of the entry's work; a view is one of them with what it says of the venue, an opponent a
    view that contradicts the entry.  Nothing is wrong if any record confirms the venue.  Else opponents that may not
    count are struck, and a rule of PROOFS decides on the others, or, of works of which all know the preprint alone, the
    rule for these.  If `certain` is False, one opponent is enough: a difference then is a suspicion, for which further
    sources are asked.
    """
    views = _views(bound)
    # "listed": a record of another publication that names the cited one beside its own.
    confirming = [it for it in views if it.field.outcome in FRIENDLY or it.bound.publication == "listed"]
    rulings = list_set_aside("venue", views)  # the rules by which records were not compared
    if confirming:
        return Outcome(rulings=(*rulings, *list_agreements("venue", confirming)))

    contradicting = [it for it in views if it.field.outcome == "different"]
    # Those on which the rule does not hold; that it holds on the others is added to `rulings`.
    opponents = strike("venue", contradicting, (is_of_another_publication,), "excuses", rulings)
    if opponents and not certain:
        return Outcome(opponents[0].field, tuple(rulings))
    opponents = _strike_made_up_series(views, opponents, rulings)
    hearing = Hearing(views, opponents, opponents)  # of a venue all who contradict it are witnesses
    for proof in PROOFS:
        if proof(hearing):
            report = make_ruling("venue", proof.__name__, "reports", opponents)
            return Outcome(opponents[0].field, (*rulings, report))
    claimed = unconfirmed(bound)
    if claimed and two_indexes_know_the_preprint_alone(hearing):
        report = make_ruling("venue", two_indexes_know_the_preprint_alone.__name__, "reports", views)
        return Outcome(claimed, (*rulings, report))
    if opponents:
        rulings.append(make_ruling("venue", name_lack_of_proof(opponents), "is not enough", opponents))
    return Outcome(rulings=(*rulings, *list_open("venue", views, rulings)))


def _strike_made_up_series(views: Sequence[View], opponents: list[View], rulings: list[Ruling]) -> list[View]:
    """Return the opponents that count; if all are aggregators, only those who have the work at its very pages do.

    Aggregators may name a series that they made up.  Side effect: if some do not count, the rule is added to `rulings`.
    """
    if not opponents or not aggregators_make_up_series(Hearing(views, opponents, opponents)):
        return opponents
    made_up = [it for it in opponents if not has_the_very_pages(it)]
    if made_up:
        rulings.append(make_ruling("venue", aggregators_make_up_series.__name__, "weakens", made_up))
    return [it for it in opponents if has_the_very_pages(it)]


def aggregators_make_up_series(hearing: Hearing) -> bool:
    """Registries and curated indexes name venues as printed; aggregators may call them by a series that they made up.

    The former are Crossref, DataCite, DBLP, the ACL Anthology, Europe PMC, PubMed, INSPIRE-HEP,
    zbMATH Open, NASA ADS and Open Library.
    """
    return not any(it.bound.record.source in CURATED for it in hearing.against)


def has_the_very_pages(view: View) -> bool:
    """The very pages of another series of conferences: who has them has them from its proceedings.

    Aggregators name a workshop by its host, and a journal by the series that it prints; no series by another.
    """
    pages = view.bound.comparison.field("pages")
    are_series = all(map(_is_series, (view.field.cited, view.field.recorded)))
    return are_series and pages.outcome == "same" and _is_telling(pages.cited)


def two_sources_have_it_elsewhere(hearing: Hearing) -> bool:
    """At least two sources have the work in another venue."""
    return count_independent(it.bound for it in hearing.against) >= 2


def its_identifier_leads_elsewhere(hearing: Hearing) -> bool:
    """The entry's own identifier leads to the work in another venue."""
    return any(it.bound.by != "title" for it in hearing.against)


def a_registry_has_it_elsewhere(hearing: Hearing) -> bool:
    """A registry has the very work of that year, at the same pages, or as an article whose whole place is another.

    At the same pages of the same volume the venue may be the same too, under its name in another language.
    """
    return any(map(_is_registered_elsewhere, hearing.against))


def two_indexes_know_the_preprint_alone(hearing: Hearing) -> bool:
    """At least two sources besides the preprint servers know the preprint, and none knows the cited publication."""
    return len({it.bound.record.source for it in hearing.views} - PREPRINT_SERVERS) >= 2


PROOFS = (two_sources_have_it_elsewhere, its_identifier_leads_elsewhere, a_registry_has_it_elsewhere)


def its_registry_lacks_it(weighed: Weighed) -> FieldComparison | None:
    """Crossref has all papers of the cited conference and not this one, which another source has at another conference.

    There it has that title, those people and that year; nobody has it where it is cited.
    """
    views = _views(weighed.bound)
    is_silent = "crossref" in weighed.searched and all(it.record.source != "crossref" for it in weighed.bound)
    if not is_silent or any(it.field.outcome in FRIENDLY or it.bound.publication == "listed" for it in views):
        return None
    printed = [it for it in views if it.field.recorded and it.field.outcome != "preprint"]
    return printed[0].field if printed and all(map(_is_found_elsewhere, printed)) else None


def unconfirmed(bound: Sequence[Bound]) -> FieldComparison | None:
    """The claim of a publication if all records are of a preprint."""
    views = _views(bound)
    cited = views[0].field.cited if views else ""
    if not cited or venues.is_preprint_server(cited) or not all(it.is_preprint for it in bound):
        return None
    if any("same" in (it.comparison.outcome("pages"), it.comparison.outcome("volume")) for it in bound):
        return None
    return replace(views[0].field, outcome="preprint", recorded=views[0].field.recorded or "arXiv")


def _views(bound: Sequence[Bound]) -> list[View]:
    return [View(it, it.comparison.field("venue")) for it in bound]


def _is_registered_elsewhere(view: View) -> bool:
    """True if a registry has this very work at its pages, not in the same volume, or as an article at another place.

    The very work is one of the same title, people and year.  The place is another one if the volume is different, and
    the pages or the publisher too.  A registry is a source that says exactly when and where a work was published
    (EXACT).
    """
    comparison = view.bound.comparison
    record = view.bound.record
    if record.source not in EXACT or any(comparison.outcome(it) != "same" for it in ("title", "authors", "year")):
        return False
    volume = comparison.outcome("volume")
    pages = comparison.field("pages")
    if pages.outcome == "same" and volume != "same" and _is_telling(pages.cited):
        return True
    is_other_place = volume == "different" and "different" in (pages.outcome, comparison.outcome("publisher"))
    return is_other_place and record.type == "article-journal"


def _is_found_elsewhere(view: View) -> bool:
    """True if a record has this very work at another conference, and its title is one that Crossref would find here."""
    comparison = view.bound.comparison
    is_the_same = all(comparison.outcome(it) == "same" for it in ("title", "authors", "year"))
    if not is_the_same or not view.bound.tells_where:
        return False
    if view.field.outcome != "different" or not _is_series(view.field.recorded):
        return False
    title = comparison.field("title").cited
    year = comparison.field("year").cited
    return len(words(title)) >= _SEARCHABLE_WORDS and venues.is_registered(view.field.cited, int(year))


def _is_series(name: str) -> bool:
    """A series of conferences that is known by its name, itself and not a workshop or a volume beside it."""
    venue = venues.identify(name)
    return bool(venue.series) and not venue.satellite and venues.form(name) == "conference"


def _is_telling(pages: str) -> bool:
    """Pages that few works have: not those that begin an issue, nor numbers of two digits."""
    return len(pages) > 4 and not re.match(r"1\b", pages)
