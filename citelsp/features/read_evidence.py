"""The citations of a manuscript to read through: each with its sentence and what the cited work says of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from citelsp.base.text import Span, write_count
from citelsp.features import popup_of_work
from citelsp.features.popup_markdown import ShownLink
from citelsp.features.values import file_name, label, places
from citelsp.knowledge import Evidence, Knowledge
from citelsp.workspace import cited_claims
from citelsp.workspace.cited_claims import Claim
from citelsp.workspace.project import Project

# What is told instead of a verdict.
_NO_PASSAGE = "no passage found"
_NOT_LOOKED_FOR = "not looked for yet"
_NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class CitationRead:
    """A citation at `span` of a document, and at which line of the text it is told of."""

    path: str
    span: Span
    key: str
    line: int
    verdict: str  # or that there is none
    why_none: str  # why no passage was found; "" if there is one, or if it was not looked for
    sentence: str
    work: str
    links: tuple[ShownLink, ...]
    passages: tuple[tuple[str, str], ...]  # each with where it stands


@dataclass(frozen=True, slots=True)
class EvidencePage:
    text: str
    citations: tuple[CitationRead, ...]


def find(
    project: Project, knowledge: Knowledge, path: str, why_none: Mapping[str, str] = MappingProxyType({})
) -> EvidencePage:
    """One plain text about all citations of the document that have an entry, and at which line each is told of.

    `why_none` says why no passage was found for some of them, by the content of their claims.
    """
    every = list(cited_claims.find_claims(project, path))
    lines = [f"Evidence for {write_count(len(every), 'citation')} in {file_name(path)}", ""]
    citations = []
    for number, claim in enumerate(every, 1):
        passages = knowledge.evidence.get(claim.content)
        why = "" if passages else why_none.get(claim.content, "")
        citation = _read_citation(project, claim, passages, line=len(lines), why_none=why)
        citations.append(citation)
        lines += _write_lines(citation, f"{number} of {len(every)}")
    return EvidencePage("\n".join(lines), tuple(citations))


def _read_citation(
    project: Project, claim: Claim, passages: tuple[Evidence, ...] | None, *, line: int, why_none: str
) -> CitationRead:
    """Return a citation with its passages as shown at `line` of the page.

    `claim`: the citation, with its document and the entry that it cites.  `passages`: None if they have not been looked
    for yet, empty if there are none, for which `why_none` is the reason.
    """
    entry = claim.entry.entry
    if passages is None:
        verdict = _NOT_LOOKED_FOR
    elif not passages:
        verdict = _NO_PASSAGE
    else:
        # Only a model judges passages.
        verdict = next((passage.verdict for passage in passages if passage.verdict), _NOT_JUDGED)
    quotes = []
    for passage in passages or ():
        where = ", ".join(filter(None, (passage.where, _name_source(passage))))
        quotes.append((passage.quote, where))
    return CitationRead(
        claim.source.document.path,
        claim.citation.span,
        claim.citation.key,
        line,
        verdict=verdict,
        why_none=why_none,
        sentence=cited_claims.mark_sentence(project, claim).strip(),
        work=": ".join(filter(None, (label(entry), entry.title))),
        links=popup_of_work.links(entry.identifiers),
        passages=tuple(quotes),
    )


def _write_lines(citation: CitationRead, number: str) -> list[str]:
    return [
        f"{number} · {citation.key} · {citation.verdict}",
        f"  {citation.sentence}",
        f"  {citation.work}",
        *(f"  {it.url}" for it in citation.links[:1]),
        *(f"    “{quote}” ({where})" for quote, where in citation.passages),
        *([f"    {citation.why_none}"] if citation.why_none else []),
        "",
    ]


def _name_source(item: Evidence) -> str:
    return places([item.source]) if item.source else ""
