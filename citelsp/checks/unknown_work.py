"""A work that every required source answered it does not have."""

from citelsp.base.text import Edit
from citelsp.bibliography import render
from citelsp.bibliography.record import Record
from citelsp.checks.finding import Check, Finding, Fix
from citelsp.checks.verdicts import asked, at_citations, judged, title
from citelsp.knowledge import Knowledge, Verdict
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

CODE = "unknown-work"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    found = [_finding(*it) for it in judged(project, knowledge) if it[1].kind == "not-found"]
    return [*found, *at_citations(project, found)]


def _finding(place: Place, verdict: Verdict) -> Finding:
    message = f"{asked(verdict, 'lists', 'list')} no work with this title and these authors"
    holding = verdict.holding
    if holding:
        of_journal = f"{holding.count} works of {holding.year} from {holding.title}, but not this one"
        message += f". {title(holding.service)} has {of_journal}"
    message += f" (checked {verdict.date})."
    if verdict.alternatives:
        message += f" Closest match: {render.formatted(verdict.alternatives[0])}"
    fixes: tuple[Fix, ...] = ()
    if _is_written(place.source):
        fixes = tuple(_replacement(place, it) for it in verdict.alternatives[:3])
    return Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        message,
        key=place.node.key,
        cited=place.entry.title,
        fixes=fixes,
        # If no venue is named, that nobody has the work proves less.
        severity="usual" if place.entry.venue else "warning",
    )


def _is_written(source: Source) -> bool:
    """True if entries are written into this bibliography at all."""
    return source.writable and source.language.written


def _replacement(place: Place, record: Record) -> Fix:
    """The author picks: the whole entry becomes that work's, under the same key."""
    document = place.source.document
    text = render.render(record, place.node.key, render.style_of(document))
    return Fix(
        f"Replace by {render.formatted(record)[:80]}", "review", (Edit(document.path, place.span, text.strip()),)
    )


CHECK = Check(
    CODE,
    "error",
    "None of the services that should list this work does. It is a warning if the entry names no venue.",
    check,
)
