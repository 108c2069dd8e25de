"""A work that was retracted or withdrawn; concerns and corrections are only told."""

import re
from collections.abc import Iterator

from citelsp.bibliography.record import WITHDRAWN, Update
from citelsp.checks.finding import Check, Finding, Severity
from citelsp.checks.verdicts import at_citations, judged, named
from citelsp.knowledge import Knowledge, Verdict
from citelsp.workspace.project import Place, Project

CODE = "retracted-work"
_ID = re.compile(r"[a-z]+(?:-[a-z]+)*")
_HAPPENED = {
    "retraction": "was retracted",
    "withdrawal": "was withdrawn",
    "removal": "was removed by its publisher",
    "concern": "has an expression of concern",
    "correction": "was corrected",
}


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    found = [finding for place, verdict in judged(project, knowledge) for finding in _findings(place, verdict)]
    return [*found, *at_citations(project, found)]


def _findings(place: Place, verdict: Verdict) -> Iterator[Finding]:
    """The gravest notice alone."""
    notices: dict[str, Update] = {}
    for record in verdict.records:
        notices |= {notice.kind: notice for notice in record.updates}
    gravest = next((notices[kind] for kind in _HAPPENED if kind in notices), None)
    if gravest is None:
        return
    is_retracted = verdict.kind == "retracted"
    if (gravest.kind in WITHDRAWN) != is_retracted:
        return
    severity: Severity = "usual" if is_retracted else "information"
    yield Finding(
        CODE, place.source.document.path, place.key_span, _message(gravest), place.node.key, severity=severity
    )


def _message(notice: Update) -> str:
    when = f" on {notice.date}" if notice.date else ""
    where = f" See https://doi.org/{notice.doi}" if notice.doi else ""
    return f"This work {_HAPPENED[notice.kind]}{when}, says {named((notice.source,))}{_noted(notice.note)}.{where}"


def _noted(note: str) -> str:
    """What a source adds: a sentence, or the id of whom it has it from, such as `retraction-watch`."""
    if _ID.fullmatch(note):
        return f" ({note.replace('-', ' ').title()})"
    return f": {note}" if note else ""


CHECK = Check(
    CODE,
    "error",
    "The cited work was retracted, withdrawn or removed. An expression of concern or a correction is reported "
    "as information.",
    check,
)
