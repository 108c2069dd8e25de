"""A DOI, arXiv id, ISBN or PubMed id that is not one, or is written in another form than its field wants."""

from citelsp.checks import identifier_forms
from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Project

CODE = "malformed-identifier"


def check(project: Project, _: Knowledge) -> list[Finding]:
    return identifier_forms.findings(project, CODE, urls=False)


CHECK = Check(
    CODE,
    "information",
    "A DOI, arXiv id, ISBN or PubMed id is mistyped, or is written with a prefix that its field does not expect.",
    check,
    facts=lambda *_: [identifier_forms.wrongs],
)
