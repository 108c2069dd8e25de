"""The citations of a manuscript to read through: each with its sentence and what the cited work says of it."""

from dataclasses import dataclass

from citelsp.base.text import Span
from citelsp.features.values import file_name, label, places
from citelsp.knowledge import Evidence, Knowledge
from citelsp.workspace import claims
from citelsp.workspace.claims import Claim
from citelsp.workspace.project import Project

_NONE = "    no passage found"
_UNREAD = "    not looked for yet"


@dataclass(frozen=True, slots=True)
class CitationRead:
    """A citation at `span` of a document, and at which line of the text it is told of."""

    path: str
    span: Span
    key: str
    line: int


@dataclass(frozen=True, slots=True)
class EvidencePage:
    text: str
    citations: tuple[CitationRead, ...]


def find(project: Project, knowledge: Knowledge, path: str) -> EvidencePage:
    """One plain text about all citations of the document that have an entry."""
    found = list(claims.find_claims(project, path))
    lines = [f"Evidence for {len(found)} citations in {file_name(path)}", ""]
    citations = []
    for number, claim in enumerate(found, 1):
        citations.append(CitationRead(path, claim.citation.span, claim.citation.key, len(lines)))
        lines += _lines(claim, knowledge.evidence.get(claim.content), f"{number} of {len(found)}")
    return EvidencePage("\n".join(lines), tuple(citations))


def _lines(claim: Claim, known: tuple[Evidence, ...] | None, number: str) -> list[str]:
    entry = claim.entry.entry
    verdict = next((it.verdict for it in known or () if it.verdict), None)
    quoted = [f"    “{it.quote}” ({', '.join(filter(None, (it.where, _source(it))))})" for it in known or ()]
    return [
        f"{number} · {claim.citation.key} · {verdict or ('no verdict' if known else 'no evidence')}",
        f"  {claim.sentence.strip()}",
        f"  {': '.join(filter(None, (label(entry), entry.title)))}",
        *(quoted or [_UNREAD if known is None else _NONE]),
        "",
    ]


def _source(item: Evidence) -> str:
    return places([item.source]) if item.source else ""
