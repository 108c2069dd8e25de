"""A claim of which the cited work says the opposite, in a sentence that is quoted."""

from citelsp import claims
from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Evidence, Knowledge
from citelsp.project import Project

CODE = "contradicted-claim"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [
        _finding(claim, it)
        for claim in (claims.of(project) if knowledge.evidence else ())
        for it in knowledge.evidence.get(claim.content, ())
        if it.verdict == "unsupported" and it.quote
    ]


def _finding(claim: claims.Claim, said: Evidence) -> Finding:
    key, path = claim.citation.key, claim.source.document.path
    message = f"{key} seems to say otherwise: “{said.quote}” ({said.where}, {said.source})"
    return Finding(CODE, path, claim.citation.span, message, "information", key)


CHECK = Check(CODE, "information", "A sentence of the cited work contradicts the claim (needs a language model)", check)
