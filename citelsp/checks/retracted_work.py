"""A work that was retracted or withdrawn; concerns and corrections are only told."""

import re
from collections.abc import Iterator

from citelsp.bibliography.record import Update
from citelsp.bibliography.retractions import is_retraction
from citelsp.checks.finding import Check, Finding, Severity
from citelsp.checks.verdicts import at_citations, find_judged, name_services
from citelsp.knowledge import Knowledge, Verdict
from citelsp.workspace.project import Place, Project

CODE = "retracted-work"
_ID = re.compile(r"[a-z]+(?:-[a-z]+)*")
_WHAT_HAPPENED = {  # by the kind of a notice, the gravest first
    "retraction": "was retracted",
    "withdrawal": "was withdrawn",
    "removal": "was removed by its publisher",
    "concern": "has an expression of concern",
    "correction": "was corrected",
}


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    found = [
        finding for place, verdict in find_judged(project, knowledge) for finding in _make_findings(place, verdict)
    ]
    return [*found, *at_citations(project, found)]


def _make_findings(place: Place, verdict: Verdict) -> Iterator[Finding]:
    """Report the gravest notice (`Update`) about the work, of several of one kind the last; nothing if there is none.

    Also nothing if only one of the two, the gravest notice and the verdict, says that the work is retracted: a
    retraction beside another verdict may be of another work.
    """
    notices: dict[str, Update] = {}  # by kind
    for record in verdict.records:
        notices |= {notice.kind: notice for notice in record.updates}
    gravest = next((notices[kind] for kind in _WHAT_HAPPENED if kind in notices), None)
    if gravest is None:
        return
    verdict_is_retracted = verdict.kind == "retracted"
    notice_says_retracted = is_retraction(gravest)
    if notice_says_retracted != verdict_is_retracted:
        return
    # A correction or an expression of concern is no reason not to cite.
    severity: Severity = "usual" if verdict_is_retracted else "information"
    path = place.source.document.path
    yield Finding(CODE, path, place.key_span, _write_message(gravest), key=place.node.key, severity=severity)


def _write_message(notice: Update) -> str:
    """`This work was retracted on 2020-01-02, says Crossref (Retraction Watch). See https://doi.org/…`."""
    when = f" on {notice.date}" if notice.date else ""
    where = f" See https://doi.org/{notice.doi}" if notice.doi else ""
    source = f"{name_services((notice.source,))}{_write_note(notice.note)}"
    return f"This work {_WHAT_HAPPENED[notice.kind]}{when}, says {source}.{where}"


def _write_note(note: str) -> str:
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
