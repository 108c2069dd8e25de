"""A verified work with a DOI that the entry does not give."""

from citelsp.bibliography import venues
from citelsp.bibliography.compare import PLACES
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import edit_of, fix, judged
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Place, Project

CODE = "missing-identifier"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [
        _finding(place, verdict.record)
        for place, verdict in judged(project, knowledge)
        if verdict.kind == "verified" and verdict.record and _lacks_doi(place, verdict.record)
    ]


def _lacks_doi(place: Place, record: Record) -> bool:
    own = place.entry.identifiers
    return bool(record.identifiers.doi) and not own.doi and not own.arxiv and _is_this_version(place.entry, record)


def _is_this_version(entry: Entry, record: Record) -> bool:
    """A work may have DOIs of its own in a journal, at a conference and in later editions.

    Of several venues that an aggregator names, nobody knows which the DOI belongs to; the registry knows.
    """
    if record.also_in and "crossref" not in record.origins.get("venue", ()):
        return False
    where = next((it for it in map(entry.text, PLACES) if it), "")
    place = venues.compare(where, (record.venue, *record.venue_aliases))
    apart = min((abs(entry.year - it) for it in record.years), default=0) if entry.year else 0
    return place not in ("different", "preprint") and apart <= 1


def _finding(place: Place, record: Record) -> Finding:
    doi = record.identifiers.doi
    return Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        f"This work has a DOI: {doi}",
        "information",
        key=place.node.key,
        field="doi",
        recorded=doi,
        fixes=fix(f"Add the DOI {doi}", "safe", edit_of(place, "doi", record)),
    )


CHECK = Check(CODE, "information", "The work has a DOI that the entry does not give", check)
