"""A work that was looked for everywhere and found nowhere, of which that proves nothing: the author is told so."""

from citelsp.bibliography import render
from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import asked, judged
from citelsp.knowledge import Knowledge, Verdict
from citelsp.workspace.project import Place, Project

CODE = "unconfirmed-work"
_LONGEST = 90  # characters of a reason


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [_finding(*it) for it in judged(project, knowledge) if it[1].kind == "unconfirmed"]


def _finding(place: Place, verdict: Verdict) -> Finding:
    reason = verdict.reason if len(verdict.reason) <= _LONGEST else verdict.reason[: _LONGEST - 1] + "…"
    nearest = f" Closest match: {render.formatted(verdict.alternatives[0])}" if verdict.alternatives else ""
    return Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        f"{asked(verdict, 'does', 'do')} not list this work, which proves nothing: {reason} (checked {verdict.date})."
        f"{nearest}",
        key=place.node.key,
        cited=place.entry.title,
    )


CHECK = Check(
    CODE,
    "information",
    "The services were asked for this work, and none of them lists it. That proves nothing, and the message says why.",
    check,
)
