"""The citations of a manuscript to read through: each with its sentence and what the cited work says of it."""

from dataclasses import dataclass

from citelsp.base.text import Span
from citelsp.features import reference_popup
from citelsp.features.popup import ShownLink
from citelsp.features.values import file_name, label, places
from citelsp.knowledge import Evidence, Knowledge
from citelsp.workspace import claims
from citelsp.workspace.claims import Claim
from citelsp.workspace.project import Project

_NONE = "no passage found"
_UNREAD = "not looked for yet"
_UNJUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class CitationRead:
    """A citation at `span` of a document, and at which line of the text it is told of."""

    path: str
    span: Span
    key: str
    line: int
    verdict: str  # or why there is none
    sentence: str
    work: str
    links: tuple[ShownLink, ...]
    passages: tuple[tuple[str, str], ...]  # each with where it stands


@dataclass(frozen=True, slots=True)
class EvidencePage:
    text: str
    citations: tuple[CitationRead, ...]


def find(project: Project, knowledge: Knowledge, path: str) -> EvidencePage:
    """One plain text about all citations of the document that have an entry."""
    found = list(claims.find_claims(project, path))
    lines = [f"Evidence for {len(found)} citation{'' if len(found) == 1 else 's'} in {file_name(path)}", ""]
    citations = []
    for number, claim in enumerate(found, 1):
        citation = _read(project, claim, knowledge.evidence.get(claim.content), len(lines))
        citations.append(citation)
        lines += _lines(citation, f"{number} of {len(found)}")
    return EvidencePage("\n".join(lines), tuple(citations))


def _read(project: Project, claim: Claim, passages: tuple[Evidence, ...] | None, line: int) -> CitationRead:
    """`passages`: None if nobody has looked for them yet."""
    entry = claim.entry.entry
    quotes: list[tuple[str, str]] = []
    verdict = _UNREAD
    if passages is not None:
        verdict = _UNJUDGED if passages else _NONE
        verdict = next((it.verdict for it in passages if it.verdict), verdict)
        quotes = [(it.quote, ", ".join(filter(None, (it.where, _source(it))))) for it in passages]
    return CitationRead(
        claim.source.document.path,
        claim.citation.span,
        claim.citation.key,
        line,
        verdict=verdict,
        sentence=claims.marked_sentence(project, claim).strip(),
        work=": ".join(filter(None, (label(entry), entry.title))),
        links=reference_popup.links(entry.identifiers),
        passages=tuple(quotes),
    )


def _lines(citation: CitationRead, number: str) -> list[str]:
    return [
        f"{number} · {citation.key} · {citation.verdict}",
        f"  {citation.sentence}",
        f"  {citation.work}",
        *(f"  {it.url}" for it in citation.links[:1]),
        *(f"    “{quote}” ({where})" for quote, where in citation.passages),
        "",
    ]


def _source(item: Evidence) -> str:
    return places([item.source]) if item.source else ""
