"""No source knows the work under this year: neither print, online nor preprint."""

from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import differing, wrong_field
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Project

CODE = "wrong-year"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [wrong_field(CODE, *it) for it in differing(project, knowledge, "year")]


CHECK = Check(
    CODE, "warning", "No service knows the work under this year: neither in print, online, nor as a preprint.", check
)
