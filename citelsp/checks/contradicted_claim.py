"""A claim of which the cited work says the opposite, in a sentence that is quoted."""

from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Evidence, Knowledge, Support
from citelsp.workspace import cited_claims
from citelsp.workspace.project import Project

CODE = "contradicted-claim"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return report_claims(project, knowledge, "unsupported", CODE, "seems to say otherwise")


def report_claims(project: Project, knowledge: Knowledge, verdict: Support, code: str, message: str) -> list[Finding]:
    """Report the claims with this verdict, once for each sentence of the work that decided."""
    if not knowledge.evidence:
        return []
    findings: list[Finding] = []
    for claim in cited_claims.find_claims(project):
        passages = knowledge.evidence.get(claim.content, ())
        decisive = [passage for passage in passages if passage.verdict == verdict and passage.quote]
        beginning = f"{claim.citation.key} {message}"
        findings += [make_finding(claim, code, f"{beginning}: {_quote_decisive(passage)}") for passage in decisive]
    return findings


def _quote_decisive(passage: Evidence) -> str:
    """The judge's reason, then the sentence that decided, with its place."""
    why = f"{passage.why.rstrip('.')}. " if passage.why else ""
    return f"{why}“{passage.quote}” ({passage.where}, {passage.source})"


def make_finding(claim: cited_claims.Claim, code: str = CODE, message: str = "") -> Finding:
    citation = claim.citation
    return Finding(code, claim.source.document.path, citation.span, message, citation.key)


CHECK = Check(
    CODE,
    "information",
    "A sentence of the cited paper contradicts the sentence that cites it. citelsp looks for this only if you "
    "set up a language model.",
    check,
)
