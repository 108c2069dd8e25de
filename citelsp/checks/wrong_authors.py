"""Authors are left out, added, replaced or in another order than on record."""

from dataclasses import replace

from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import find_differing, wrong_field
from citelsp.knowledge import Difference, Knowledge, Verdict
from citelsp.workspace.project import Place, Project

CODE = "wrong-authors"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [_make_finding(*it) for it in find_differing(project, knowledge, "authors")]


def _make_finding(place: Place, verdict: Verdict, difference: Difference) -> Finding:
    """A title that exists, under people who have no part in it, is no slip."""
    finding = wrong_field(CODE, place, verdict, difference)
    return replace(finding, severity="error") if difference.are_all_others else finding


CHECK = Check(
    CODE,
    "warning",
    "Authors are missing, added, replaced or in another order than on record. It is an error if all are other people.",
    check,
)
