"""A claim that goes beyond what the cited work says, in a sentence that is quoted."""

from citelsp.checks import contradicted_claim
from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Project

CODE = "overclaimed"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return contradicted_claim.report_claims(project, knowledge, "partially", CODE, "says less than this sentence")


CHECK = Check(
    CODE,
    "information",
    "The cited paper says a part of what your sentence claims of it, or something weaker. citelsp looks for "
    "this only if you set up a language model.",
    check,
)
