"""Authors are left out, added, replaced or in another order than on record."""

from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import differing, wrong_field
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Project

CODE = "wrong-authors"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [wrong_field(CODE, *it) for it in differing(project, knowledge, "authors")]


CHECK = Check(CODE, "warning", "Authors are missing, added, replaced or in another order than on record.", check)
