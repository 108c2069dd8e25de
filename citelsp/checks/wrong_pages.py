"""Volume, number, pages or publisher differ from the record."""

from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import find_differing, wrong_field
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Project

CODE = "wrong-pages"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [
        wrong_field(CODE, *difference)
        for difference in find_differing(project, knowledge, "volume", "number", "pages", "publisher")
    ]


CHECK = Check(CODE, "warning", "Volume, number, pages or publisher differ from the record of this publication.", check)
