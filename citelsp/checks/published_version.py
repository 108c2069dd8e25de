"""A preprint is cited that has been published since."""

from citelsp.bibliography import record_quality, venues
from citelsp.bibliography.record import Record
from citelsp.checks.finding import Check, Finding, Fix
from citelsp.checks.verdicts import find_address, find_judged, make_edit
from citelsp.knowledge import AGGREGATORS, Knowledge, Verdict
from citelsp.workspace.project import Place, Project

CODE = "published-version"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    findings = []
    for place, verdict in find_judged(project, knowledge):
        record = verdict.record
        if verdict.kind == "verified" and record and _is_preprint(place) and _is_published(place, record):
            findings.append(_make_finding(place, verdict, record))
    return findings


def _is_preprint(place: Place) -> bool:
    """Only an entry that claims to be a preprint is told of the publication."""
    entry = place.entry
    return venues.is_preprint_server(entry.venue) or (not entry.venue and bool(entry.identifiers.arxiv))


def _is_published(place: Place, record: Record) -> bool:
    """True if the record names a venue, and a year not before the preprint's: one before it is a wrong date."""
    is_since = not (record.year and place.entry.year) or record.year >= place.entry.year
    names_venue = record_quality.is_name_of_a_venue(record.venue) and not venues.is_preprint_server(record.venue)
    return is_since and names_venue and bool(record.venue) and record.type != "preprint"


def _make_finding(place: Place, verdict: Verdict, record: Record) -> Finding:
    """Report a preprint that has since been published; `record` is of the published version, which the fix cites.

    There is no fix if none of the fields can be written.
    """
    edits = [make_edit(place, field, record) for field in ("venue", "year", "volume", "number", "pages", "doi")]
    possible = tuple(edit for edit in edits if edit)
    venue_and_year = _tell_where(place, record)
    fixes: tuple[Fix, ...] = ()
    if possible:
        fixes = (Fix(f"Cite the published version: {' '.join(venue_and_year)}", "review", possible),)
    message = f"This preprint has since been published: {', '.join(venue_and_year)} (checked {verdict.date})."
    address = find_address(record)
    if address:
        message += f" See {address}"
    return Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        message,
        key=place.node.key,
        recorded=record.venue,
        fixes=fixes,
    )


def _tell_where(place: Place, record: Record) -> list[str]:
    """Venue and year; not the preprint's own year if an aggregator alone knows the venue, as these keep that year."""
    sources = set(record.origins.get("venue", ())) or {record.source}
    is_of_the_preprint = record.year == place.entry.year and sources <= AGGREGATORS
    year = "" if is_of_the_preprint or not record.year else str(record.year)
    return [it for it in (record.venue, year) if it]


CHECK = Check(CODE, "information", "The entry cites a preprint that has since been published.", check)
