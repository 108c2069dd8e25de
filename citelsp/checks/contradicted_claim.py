"""A claim of which the cited work says the opposite, in a sentence that is quoted."""

from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Knowledge, Support
from citelsp.workspace import claims
from citelsp.workspace.project import Project

CODE = "contradicted-claim"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return judged(project, knowledge, "unsupported", CODE, "seems to say otherwise")


def judged(project: Project, knowledge: Knowledge, verdict: Support, code: str, message: str) -> list[Finding]:
    """The claims with this verdict, each with the sentence of the work that decided."""
    return [
        finding(claim, code, f"{claim.citation.key} {message}: “{passage.quote}” ({passage.where}, {passage.source})")
        for claim in (claims.of(project) if knowledge.evidence else ())
        for passage in knowledge.evidence.get(claim.content, ())
        if passage.verdict == verdict and passage.quote
    ]


def finding(claim: claims.Claim, code: str = CODE, message: str = "") -> Finding:
    citation = claim.citation
    return Finding(code, claim.source.document.path, citation.span, message, citation.key)


CHECK = Check(
    CODE,
    "information",
    "A sentence of the cited paper contradicts the sentence that cites it. citelsp looks for this only if you "
    "set up a language model.",
    check,
)
