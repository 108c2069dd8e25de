"""What is known of a bibliography in one line, the gravest first: `✗ lee20: …`, or else `118 verified, 2 unchecked`."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from citelsp.base.text import Span, write_count
from citelsp.checks import verdicts
from citelsp.features import settled_verdicts
from citelsp.features.completion_row_width import BAD
from citelsp.knowledge import Knowledge, Verdict, VerdictKind
from citelsp.workspace import cited_claims
from citelsp.workspace.cited_claims import Claim
from citelsp.workspace.project import Place, Project

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_LONGEST = 20_000  # characters of a paragraph
# The gravest first; other verdicts are no reason not to cite a work.
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
    """Sum up the verdicts on a bibliography's entries, or on the entries that a manuscript cites.

    None if no verdict is known of any entry at all, or if there are no such entries.
    Of a bibliography with more than 1,000 entries only the cited ones count.
    """
    if not knowledge.verdicts:
        return None
    places = list(_find_places(project, path))
    return replace(summary(knowledge, places), gravest=_tell_gravest(knowledge, places)) if places else None


def _tell_gravest(knowledge: Knowledge, places: Sequence[Place]) -> str:
    """Return `lee20 (and 2 more): This work was retracted`; "" if no entry has a grave verdict.

    What the author has settled is left out.  Of several entries the one with the gravest verdict is named; of equally
    grave ones, the first by key.
    """
    grave: list[tuple[int, str, str]] = []  # the rank of the verdict (0 is the gravest), the key, and why
    for place in places:
        verdict = _read_verdict(knowledge, place)
        why = verdicts.tell_gravest(place.entry, verdict) if verdict else ""  # "" of all kinds but those of _GRAVITY
        if verdict and why and not settled_verdicts.is_settled(place, verdict):
            grave.append((_GRAVITY.index(verdict.kind), place.node.key, why))
    if not grave:
        return ""
    _, key, why = min(grave)
    # The number stands first: the line is cut at the editor's edge, and `why` may be long.
    more = f" (and {len(grave) - 1} more)" if len(grave) > 1 else ""
    return f"{key}{more}: {why}"


def summary(knowledge: Knowledge, places: Iterable[Place]) -> Summary:
    """How many of these entries have each verdict, and how many none; `gravest` is not looked for."""
    verdicts_by_place = [_read_verdict(knowledge, place) for place in places]
    known = [verdict for verdict in verdicts_by_place if verdict]
    return Summary(
        Counter(verdict.kind for verdict in known),
        pending=len(verdicts_by_place) - len(known),
        date=max((verdict.date for verdict in known), default=""),
    )


def _read_verdict(knowledge: Knowledge, place: Place) -> Verdict | None:
    return knowledge.verdicts.get(place.content)


def _find_places(project: Project, path: str) -> Iterable[Place]:
    """Return the entries that a document is judged by.

    These are the entries of a bibliography or list, or only the cited ones if it is too large; for any other manuscript
    they are the entries that the whole manuscript cites, wherever they stand.
    """
    source = project.sources.get(path)
    if source is None:
        return ()
    entries = source.syntax.entries
    if entries is not None and 0 < len(entries) <= _LIMIT:
        return [Place(source, index, project) for index in range(len(entries))]
    cited = filter(None, map(project.find_first, sorted(project.cited)))
    # `entries` is None in a manuscript without a list, whose cited entries may stand anywhere.
    return [place for place in cited if entries is None or place.source.document.path == path]


@dataclass(frozen=True, slots=True)
class EvidenceLens:
    """The evidence for the citations of a paragraph in a few words, above it; `span`: the first one with evidence."""

    above: int
    span: Span
    text: str


def evidence(project: Project, knowledge: Knowledge, path: str) -> list[EvidenceLens]:
    """A line for every paragraph of a manuscript in which passages for a citation are known."""
    source = project.sources.get(path)
    if source is None or not knowledge.evidence:
        return []
    text = source.document.text
    paragraphs: dict[int, list[Claim]] = {}  # by where they begin
    for claim in cited_claims.find_claims(project, path):
        paragraphs.setdefault(_find_paragraph(text, claim.citation.span.start), []).append(claim)
    lenses = [_make_lens(start, of_paragraph, knowledge) for start, of_paragraph in paragraphs.items()]
    return [lens for lens in lenses if lens]


def _find_paragraph(text: str, offset: int) -> int:
    """Where the paragraph around an offset begins; 0 if no blank line is near before it."""
    blank_lines = _BLANK_LINE.finditer(text, max(0, offset - _LONGEST), offset)
    return max((blank_line.end() for blank_line in blank_lines), default=0)


def _make_lens(above: int, claims: Sequence[Claim], knowledge: Knowledge) -> EvidenceLens | None:
    """Return the line about the claims of one paragraph, to be shown above the offset `above`; None without passages.

    A single claim is told with what the judge said of it, such as “partially”, or with the number of its passages if it
    was not judged: `key: partially, show evidence`.  Of several claims only the number with passages is told.
    """
    evidenced = [claim for claim in claims if knowledge.evidence.get(claim.content)]
    if not evidenced:
        return None
    citation = evidenced[0].citation
    if len(claims) > 1:
        text = f"Evidence for {len(evidenced)} of {len(claims)} citations, show"
        return EvidenceLens(above, citation.span, text)
    passages = knowledge.evidence[evidenced[0].content]
    # The judge's verdict on the claim stands with one passage: the one quoted, or the nearest if no quote was found.
    verdict = next((passage.verdict for passage in passages if passage.verdict), None)
    shown = verdict or write_count(len(passages), "passage")
    return EvidenceLens(above, citation.span, f"{citation.key}: {shown}, show evidence")


def count_cited(project: Project, path: str) -> int:
    """How many citations of a manuscript have an entry, so that evidence may be looked for."""
    source = project.sources.get(path)
    cited = [it for it in source.syntax.citations if cited_claims.is_in_sentence(it)] if source else []
    return sum(project.defines(citation.key) for citation in cited)
