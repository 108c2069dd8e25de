"""A URL in the doi field, before which biblatex and many other styles print https://doi.org/ once more."""

from citelsp.checks import identifier_forms
from citelsp.checks.complaints import is_left_out
from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Project

CODE = "url-as-doi"


def check(project: Project, _: Knowledge) -> list[Finding]:
    found = identifier_forms.findings(project, CODE, urls=True)
    return [it for it in found if not is_left_out(project, it)]


CHECK = Check(
    CODE,
    "warning",
    "The doi field contains a URL; many styles turn it into a broken link.",
    check,
    facts=lambda *_: [identifier_forms.wrongs],
)
