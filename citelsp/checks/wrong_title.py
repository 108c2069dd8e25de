"""The title is not the one on record for this work."""

from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import find_differing, wrong_field
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Project

CODE = "wrong-title"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [wrong_field(CODE, *it) for it in find_differing(project, knowledge, "title")]


CHECK = Check(CODE, "warning", "The title differs from the record of this work.", check)
