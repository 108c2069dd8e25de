"""A work that every required source answered it does not have."""

from citelsp.base.text import Edit
from citelsp.bibliography import write_entry
from citelsp.bibliography.record import Record
from citelsp.checks.finding import Check, Finding, Fix
from citelsp.checks.verdicts import at_citations, find_judged, likely_meant, tell_not_listed, title
from citelsp.knowledge import Knowledge, Verdict
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

CODE = "unknown-work"
_MOST_REPLACEMENTS = 3  # as many of the closest matches are offered as fixes
_LONGEST_IN_TITLE = 80  # characters of a work in the title of a fix


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    """A finding at each entry whose verdict is that no service has the work, and one at each of its citations."""
    at_entries = [
        _make_finding(place, verdict)
        for place, verdict in find_judged(project, knowledge)
        if verdict.kind == "not-found"
    ]
    return [*at_entries, *at_citations(project, at_entries)]


def _make_finding(place: Place, verdict: Verdict) -> Finding:
    """Say at the entry's key who was asked and when, what its journal has instead, and the closest match if any.

    It is an error by default, but a warning if the entry names no venue: that nobody lists the work proves less then.
    The fixes replace the entry by one of the closest matches, if this bibliography may be written.  `verdict`: what was
    found out about the entry at `place`.
    """
    message = tell_not_listed(verdict)
    holding = verdict.holding  # how much the service has of the same journal and year
    if holding:
        of_journal = f"{holding.count} works of {holding.year} from {holding.title}, but not this one"
        message += f". {title(holding.service)} has {of_journal}"
    message += f" (checked {verdict.date})."
    closest = likely_meant(place.entry, verdict)
    if closest:
        message += f" Closest match: {write_entry.format_work(closest[0])}"
    fixes: tuple[Fix, ...] = ()
    if _is_written(place.source):
        fixes = tuple(_replace_entry(place, record) for record in closest[:_MOST_REPLACEMENTS])
    return Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        message,
        key=place.node.key,
        cited=place.entry.title,
        fixes=fixes,
        severity="usual" if place.entry.venue else "warning",
    )


def _is_written(source: Source) -> bool:
    """True if entries are written into this bibliography at all."""
    return source.writable and source.language.written


def _replace_entry(place: Place, record: Record) -> Fix:
    """The whole entry becomes that work's, under the same key; to be reviewed, since only the author knows which."""
    document = place.source.document
    text = write_entry.write_work(record, place.node.key, write_entry.style_of(document))
    work = write_entry.format_work(record)[:_LONGEST_IN_TITLE]
    return Fix(f"Replace by {work}", "review", (Edit(document.path, place.span, text.strip()),))


CHECK = Check(
    CODE,
    "error",
    "None of the services that should list this work does. It is a warning if the entry names no venue.",
    check,
)
