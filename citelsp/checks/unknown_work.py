"""A work that every required source answered it does not have.

If nobody has anything like any work of a list, the services are likelier to be mute than the list to be invented.
"""

from citelsp.base.text import Edit
from citelsp.bibliography import render
from citelsp.bibliography.record import Record
from citelsp.checks.finding import Check, Finding, Fix
from citelsp.checks.verdicts import asked, doubtful, is_doubted, judged
from citelsp.knowledge import Knowledge, Verdict
from citelsp.workspace.project import Place, Project, Source

CODE = "unknown-work"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    every = list(judged(project, knowledge))
    unknown = [it for it in every if it[1].kind == "not-found"]
    doubted = doubtful(verdict for _, verdict in every)
    return [_doubt(unknown)] if unknown and is_doubted(unknown[0][1], doubted) else [_finding(*it) for it in unknown]


def _doubt(unknown: list[tuple[Place, Verdict]]) -> Finding:
    place, verdict = unknown[0]
    return Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        f"{asked(verdict, 'lists', 'list')} none of {len(unknown)} works of this list, nor any like them. This points"
        f" to a mistake of the services, so none is reported (checked {verdict.date}).",
        key=place.node.key,
        severity="information",
    )


def _finding(place: Place, verdict: Verdict) -> Finding:
    nearest = f" Closest match: {render.formatted(verdict.alternatives[0])}" if verdict.alternatives else ""
    who = asked(verdict, "lists", "list")
    return Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        f"{who} no work with this title and these authors (checked {verdict.date}).{nearest}",
        key=place.node.key,
        cited=place.entry.title,
        fixes=tuple(_replacement(place, it) for it in verdict.alternatives[:3]) if _is_written(place.source) else (),
        # Nobody need know what appeared who knows where.
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
