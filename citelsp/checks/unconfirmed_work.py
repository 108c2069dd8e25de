"""A work that was looked for everywhere and found nowhere, of which that proves nothing: the author is told so."""

from citelsp.bibliography import write_entry
from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import NOT_LISTED, find_judged, likely_meant, name_services
from citelsp.knowledge import Knowledge, Verdict
from citelsp.workspace.project import Place, Project

CODE = "unconfirmed-work"
_LONGEST_REASON = 90  # characters; of a longer one the end is left out


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [
        _make_finding(place, verdict)
        for place, verdict in find_judged(project, knowledge)
        if verdict.kind == "unconfirmed"
    ]


def _make_finding(place: Place, verdict: Verdict) -> Finding:
    """Say at the entry's key why nobody listing it proves nothing, who was asked and when, and the closest match.

    `verdict`: what was found out about the entry at `place`, and whom it was asked of.
    """
    reason = verdict.reason
    if len(reason) > _LONGEST_REASON:
        reason = reason[: _LONGEST_REASON - 1] + "…"
    message = f"{NOT_LISTED}, which proves nothing: {reason}. Asked: {name_services(verdict.asked)}"
    message += f" (checked {verdict.date})."
    closest = likely_meant(place.entry, verdict)
    if closest:
        message += f" Closest match: {write_entry.format_work(closest[0])}"
    return Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        message,
        key=place.node.key,
        cited=place.entry.title,
    )


CHECK = Check(
    CODE,
    "information",
    "The services were asked for this work, and none of them lists it. That proves nothing, and the message says why.",
    check,
)
