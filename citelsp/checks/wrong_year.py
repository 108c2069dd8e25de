"""No source knows the work under this year: neither print, online nor preprint."""

from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import find_differing, wrong_field
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Project

CODE = "wrong-year"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [wrong_field(CODE, *it) for it in find_differing(project, knowledge, "year")]


CHECK = Check(
    CODE,
    "warning",
    "The year is off by more than one: no service knows the work in print, online or as a preprint near it.",
    check,
)
