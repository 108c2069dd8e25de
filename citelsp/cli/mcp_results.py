"""What the tools of `citelsp mcp` answer, as the types that their schemas are made of.

They name what `check --format json`, `suggest --format json` and `evidence --format json` print.
"""

from dataclasses import dataclass, field


@dataclass
class Position:
    """A place in a document; both numbers begin at 0, characters are UTF-16 units."""

    line: int
    character: int


@dataclass
class Range:
    start: Position
    end: Position


@dataclass
class TextEdit:
    path: str
    range: Range
    new_text: str


@dataclass
class FindingFix:
    title: str
    safety: str  # safe or review
    edits: list[TextEdit]


@dataclass
class FoundFinding:
    """What is wrong, where, and how to fix it."""

    code: str
    severity: str
    path: str
    key: str | None
    field: str | None
    cited: str | None
    recorded: str | None
    message: str
    line: int  # counted from 1
    range: Range
    fixes: list[FindingFix]


@dataclass
class DescribedWork:
    """A work as a service or a bibliography describes it; null is unknown."""

    title: str
    authors: list[str]
    year: int | None
    venue: str | None
    doi: str | None
    arxiv: str | None
    sources: list[str] = field(default_factory=list)


@dataclass
class AskedSources:
    asked: list[str]
    unavailable: list[str]


@dataclass
class JudgedEntry:
    """An entry that is not verified, why, and the work that was found for it."""

    path: str
    key: str
    verdict: str
    reason: str
    checked: str | None  # the day on which services were asked; a cached verdict may be months old
    work: DescribedWork | None
    sources: AskedSources


@dataclass
class ReadExtent:
    manuscripts: int
    citations: int
    bibliographies: int
    entries: int
    of: int
    cut: bool


@dataclass
class CheckResult:
    """Findings, and the entries that are not verified; `pages` are resources with what did not fit here."""

    version: int
    read: ReadExtent
    verdicts: dict[str, int]  # how many entries have each; only "verified" says that a work exists as described
    notes: list[str]
    findings: list[FoundFinding]
    entries: list[JudgedEntry]
    left_out: dict[str, int]
    pages: list[str]
    explanation: str = ""


@dataclass
class LookUpResult:
    certain: bool
    reason: str
    works: list[DescribedWork]


@dataclass
class QuotedPassage:
    """A sentence of the work, quoted to the letter."""

    quote: str
    where: str
    source: str
    verdict: str | None = None


@dataclass
class RankedWork:
    rank: int
    id: str
    key: str | None
    title: str
    authors: list[str]
    year: int | None
    venue: str | None
    doi: str | None
    arxiv: str | None
    origins: list[str]
    evidence: list[QuotedPassage]
    probability: float | None = None
    why: str = ""


@dataclass
class PlaceAnswer:
    """Works for one place; if `abstained`, nothing fits, whatever is listed."""

    id: str
    path: str | None
    range: Range | None
    abstained: bool
    reason: str
    candidates: list[RankedWork]


@dataclass
class SuggestResult:
    answers: list[PlaceAnswer]
    notes: list[str]


@dataclass
class EvidenceOfWork:
    """What a work says nearest to a sentence; without passages `reason` says why there are none."""

    sentence: str
    key: str | None
    work: DescribedWork
    passages: list[QuotedPassage]
    reason: str


@dataclass
class EvidenceResult:
    answers: list[EvidenceOfWork]
    notes: list[str]


@dataclass
class AddResult:
    keys: list[str]
    notes: list[str]


@dataclass
class FixResult:
    """A change that is not made yet: show the diff to the author, then call apply_fix with its name."""

    name: str  # "" if there is nothing to fix
    fixes: int
    files: list[str]
    diff: str
    notes: list[str]


@dataclass
class ApplyResult:
    """The files that were written now; none if this change was applied before."""

    written: list[str]
    already_applied: bool


@dataclass
class ExportResult:
    """The entries as BibTeX, exactly as they stand in the bibliographies; `written` if a file was named."""

    text: str
    written: str
    notes: list[str]
