"""What is known of a bibliography in one line, the gravest first: `✗ lee20: …`, or else `118 verified, 2 unchecked`."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from citelsp.base.text import Span
from citelsp.checks import verdicts
from citelsp.features.list_rows import BAD
from citelsp.knowledge import Knowledge, Verdict, VerdictKind
from citelsp.workspace import claims
from citelsp.workspace.claims import Claim
from citelsp.workspace.project import Place, Project

_BLANK = re.compile(r"\n[ \t]*\n")
_LONGEST = 20_000  # characters of a paragraph
_GRAVITY: tuple[VerdictKind, ...] = ("retracted", "not-found", "conflict")
_LIMIT = 1000  # entries looked at; a shared library of 50,000 is judged by what is cited from it


@dataclass(frozen=True, slots=True)
class Summary:
    counts: Mapping[VerdictKind, int]
    pending: int  # entries that nothing is known of yet
    date: str = ""  # of the latest verdict
    gravest: str = ""  # which entry should not be cited as it is, and why; how many more

    def __str__(self) -> str:
        if self.gravest:
            return f"{BAD} {self.gravest}"  # alone: another line stands beside it, for which there must be room
        parts = [f"{self.counts[kind]} {kind}" for kind in get_args(VerdictKind) if self.counts.get(kind)]
        if self.pending:
            parts.append(f"{self.pending} not yet checked")
        return ", ".join(parts) + (f" ({self.date})" if self.date and self.counts else "")


def find(project: Project, knowledge: Knowledge, path: str) -> Summary | None:
    """The verdicts of a bibliography's entries, or of the entries that a manuscript cites; None if nothing is known.

    Of a bibliography with more than 1,000 entries only the cited ones count.
    """
    places = list(_places(project, path)) if knowledge.verdicts else []
    return replace(summary(knowledge, places), gravest=_gravest(knowledge, places)) if places else None


def _gravest(knowledge: Knowledge, places: Sequence[Place]) -> str:
    known = ((place.node.key, verdict) for place in places if (verdict := _verdict(knowledge, place)))
    grave = [(_GRAVITY.index(verdict.kind), key, why) for key, verdict in known if (why := verdicts.gravest(verdict))]
    if not grave:
        return ""
    _, key, why = min(grave)
    more = f", and {len(grave) - 1} more need a look" if len(grave) > 1 else ""
    return f"{key}: {why}{more}"


def summary(knowledge: Knowledge, places: Iterable[Place]) -> Summary:
    places = list(places)
    known = [verdict for place in places if (verdict := _verdict(knowledge, place))]
    return Summary(
        Counter(it.kind for it in known),
        pending=len(places) - len(known),
        date=max((it.date for it in known), default=""),
    )


def _verdict(knowledge: Knowledge, place: Place) -> Verdict | None:
    return knowledge.verdicts.get(place.content)


def _places(project: Project, path: str) -> Iterable[Place]:
    source = project.sources.get(path)
    if source is None:
        return ()
    entries = source.syntax.entries
    if entries is not None and 0 < len(entries) <= _LIMIT:
        return [Place(source, index, project) for index in range(len(entries))]
    cited = filter(None, map(project.find_first, sorted(project.cited)))
    return [it for it in cited if entries is None or it.source.document.path == path]


@dataclass(frozen=True, slots=True)
class EvidenceLens:
    """The evidence for the citations of a paragraph in a few words, above it; `span` is the first citation."""

    above: int
    span: Span
    text: str


def evidence(project: Project, knowledge: Knowledge, path: str) -> list[EvidenceLens]:
    """A line for every paragraph of a manuscript in which passages for a citation are known."""
    source = project.sources.get(path)
    if source is None or not knowledge.evidence:
        return []
    text = source.document.text
    paragraphs: dict[int, list[Claim]] = {}
    for claim in claims.find_claims(project, path):
        paragraphs.setdefault(_paragraph(text, claim.citation.span.start), []).append(claim)
    found = (_lens(start, of_paragraph, knowledge) for start, of_paragraph in paragraphs.items())
    return [it for it in found if it]


def _paragraph(text: str, offset: int) -> int:
    """Where the paragraph begins."""
    return max((it.end() for it in _BLANK.finditer(text, max(0, offset - _LONGEST), offset)), default=0)


def _lens(above: int, claims: Sequence[Claim], knowledge: Knowledge) -> EvidenceLens | None:
    """A line at `above` about the claims of one paragraph; None if nobody has looked for evidence of any."""
    evidenced = [it for it in claims if knowledge.evidence.get(it.content)]
    if not evidenced:
        return None
    citation = evidenced[0].citation
    if len(claims) > 1:
        text = f"Evidence for {len(evidenced)} of {len(claims)} citations, show"
        return EvidenceLens(above, citation.span, text)
    passages = knowledge.evidence[evidenced[0].content]
    verdict = next((it.verdict for it in passages if it.verdict), None)
    shown = verdict or f"{len(passages)} passages"
    return EvidenceLens(above, citation.span, f"{citation.key}: {shown}, show evidence")


def claimed(project: Project, path: str) -> int:
    """How many citations of a manuscript have an entry, so that evidence may be looked for."""
    source = project.sources.get(path)
    return sum(project.defines(it.key) for it in source.syntax.citations) if source else 0
