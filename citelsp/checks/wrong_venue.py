"""Another venue is on record, or every source knows the work as a preprint alone."""

from dataclasses import replace

from citelsp.bibliography import venues
from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import find_differing, name_asked, wrong_field
from citelsp.knowledge import Difference, Knowledge, Verdict
from citelsp.workspace.project import Place, Project

CODE = "wrong-venue"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [_make_finding(*it) for it in find_differing(project, knowledge, "venue")]


def _make_finding(place: Place, verdict: Verdict, difference: Difference) -> Finding:
    found = wrong_field(CODE, place, verdict, difference)
    if not venues.is_preprint_server(difference.recorded) or venues.is_preprint_server(difference.cited):
        return found
    # What is wrong comes first, and then who was asked: lists of findings cut long lines.
    contradiction = f"Known only as a preprint, but cited as published in {difference.cited}"
    who_says_so = f"{name_asked(verdict, 'lists', 'list')} nothing else"
    return replace(found, message=f"{contradiction}: {who_says_so} (checked {verdict.date}).")


CHECK = Check(
    CODE,
    "warning",
    "Another journal or conference is on record. Or the entry names a venue, and every service lists the work "
    "as a preprint only.",
    check,
)
