"""A claim of which the cited work says the opposite, in a sentence that is quoted."""

from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Knowledge
from citelsp.workspace import claims
from citelsp.workspace.project import Project

CODE = "contradicted-claim"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [
        finding(
            claim, f"{claim.citation.key} seems to say otherwise: “{passage.quote}” ({passage.where}, {passage.source})"
        )
        for claim in (claims.of(project) if knowledge.evidence else ())
        for passage in knowledge.evidence.get(claim.content, ())
        if passage.verdict == "unsupported" and passage.quote
    ]


def finding(claim: claims.Claim, message: str = "") -> Finding:
    citation = claim.citation
    return Finding(CODE, claim.source.document.path, citation.span, message, "information", citation.key)


CHECK = Check(CODE, "information", "A sentence of the cited work contradicts the claim (needs a language model)", check)
