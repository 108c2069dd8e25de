"""What has been learnt from outside, keyed by content and never by position.

Absent (asked, not there) is not unavailable (could not ask).  Values are frozen; a Knowledge is a snapshot, and
learning gives a new one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from citelsp.base.settings import SERVICES
from citelsp.base.text import enumerate_names
from citelsp.bibliography.fold import fold
from citelsp.bibliography.record import Record
from citelsp.bibliography.registered_journal import Journal

PREPRINT_SERVERS = frozenset({"arxiv", "datacite"})  # services that know their own preprints alone
AGGREGATORS = frozenset({"openalex", "semantic_scholar"})  # make their records of what registries and servers have
VerdictKind = Literal["verified", "mismatch", "conflict", "not-found", "unconfirmed", "retracted", "unchecked"]
Effect = Literal[
    "binds", "keeps apart", "agrees", "leaves open", "not compared", "excuses", "weakens", "is not enough", "reports",
    "decides",
]  # fmt: skip
# binds: these records are the work
# keeps apart: this record, the nearest, is another work
# agrees: these sources confirm the field
# leaves open: the entry states the field, and nothing that was found could be compared with it
# not compared: what they say is not held against what the entry states, by a rule of comparison
# excuses: what they say against it says nothing of the cited work
# weakens: they are no witnesses
# is not enough, reports: what is left does not suffice, or does
# decides: of the whole reference
Support = Literal["supported", "partially", "unsupported", "uncertain"]


@dataclass(frozen=True, slots=True)
class Found:
    """An answer with at least one record, best first by the source's own ranking (never trusted for identity).

    Of a question for a journal the answer is journals instead; of whether a DOI exists, who registered it.
    """

    source: str
    records: tuple[Record, ...]
    asked: str = ""
    journals: tuple[Journal, ...] = ()
    agency: str = ""  # "Crossref", "DataCite", "mEDRA", …


@dataclass(frozen=True, slots=True)
class Absent:
    """The source answered: no such work."""

    source: str
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """The source could not be asked; says nothing about the work."""

    source: str
    why: str  # for people: "429 Too Many Requests", "bot page instead of JSON", "switched off"
    until: float | None = None  # seconds since the epoch, if known
    lost: float = field(default=0.0, compare=False)  # seconds waited in vain
    status: int = field(default=0, compare=False)  # of HTTP, if it answered with one

    def __str__(self) -> str:
        return f"{SERVICES.get(self.source, self.source)}: {self.why}"


Lookup = Found | Absent | Unavailable


def tell_why_silent(reasons: Iterable[tuple[str, str]]) -> str:
    """Say why services did not answer: `Crossref and arXiv: no connection; OpenAlex: 429 Too Many Requests`.

    `reasons`: the id of a service with its reason, for each.  Services with the same reason stand together.
    """
    services_by_reason: dict[str, dict[str, None]] = {}  # in their order, each once
    for service, reason in reasons:
        services_by_reason.setdefault(reason, {})[SERVICES.get(service, service)] = None
    return "; ".join(f"{enumerate_names(services)}: {reason}" for reason, services in services_by_reason.items())


@dataclass(frozen=True, slots=True)
class Ruling:
    """A rule of verification that spoke of a reference, and whose records it spoke of."""

    subject: str  # a field, "identifier", or "work"
    rule: str  # the name of the function that is the rule; "" for plain agreement
    effect: Effect
    sources: tuple[str, ...] = ()
    sentence: str = ""  # what the rule says, without a full stop


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage quoted character by character from a work."""

    quote: str
    where: str  # "abstract", "introduction", "section 3.2, page 5"
    source: str
    verdict: Support | None = None
    why: str = ""  # the judge's reason for the verdict, in a sentence


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record offered for a placeholder or a reference."""

    record: Record
    probability: float | None = None  # calibrated, that this is the work meant
    origins: tuple[str, ...] = ()  # "library", "corpus", "openalex"
    key: str = ""  # its citekey, if the library holds it
    evidence: tuple[Evidence, ...] = ()
    why: str = ""  # a model chose it, in one sentence


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The answer to one placeholder."""

    candidates: tuple[Candidate, ...] = ()
    abstained: bool = False
    reason: str = ""
    complete: bool = True  # False while services are still being asked
    usage: Mapping[str, float] = field(default_factory=dict)
    together: int = 1  # so many of the first candidates are to be cited at once
    further: bool = False  # more could fit: the search ended before nothing did
    trajectory: str = ""  # the file in which the search is written down
    silent: tuple[str, ...] = ()  # services that were asked and did not answer
    undecided: str = ""  # why the model that searched did not choose, so that rules did
    meant: str = ""  # the title that a model named where nothing fits, and under which no work was found

    @property
    def chosen(self) -> int:
        """How many of the first works a model chose."""
        return self.together if self.usage.get("tokens_in") and not (self.abstained or self.undecided) else 0

    @property
    def is_refused(self) -> bool:
        """Whether a model was asked and chose nothing."""
        return self.abstained and bool(self.usage.get("tokens_in"))

    @property
    def cost(self) -> str:
        """What a search by a model took, for people; "" if no model was asked."""
        return spent(self.usage)


def spent(usage: Mapping[str, float]) -> str:
    """Say what a search by a model took: turns, tokens, money, requests, time; "" if no model was asked.

    `usage`: numbers by name; `estimated` is there if the model's server did not count the tokens.
    """
    if not usage.get("tokens_in"):
        return ""

    def count(name: str, noun: str = "") -> str:
        number = f"{usage.get(name, 0):,.0f}"
        ending = "" if number == "1" else "s"
        return f"{number} {noun}{ending}" if noun else number

    about = "about " if usage.get("estimated") else ""
    cached = f" ({count('tokens_cached')} from its cache)" if usage.get("tokens_cached") else ""
    parts = [
        count("turns", "turn"),
        f"{about}{count('tokens_in')} tokens read{cached} and {count('tokens_out')} written",
    ]
    if usage.get("usd"):
        parts.append(f"{100 * usage['usd']:.2g} US cents")
    if usage.get("requests"):
        parts.append(f"{count('requests', 'request')} to services")
    if usage.get("seconds"):
        parts.append(count("seconds", "second"))
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """What a corpus on a server answered to a question."""

    name: str
    candidates: tuple[Candidate, ...] = ()
    works: int = 0  # in the corpus
    why: str = ""  # it could not be asked; "" if it was


Lists = Mapping[str, Suggestion]  # what authors are offered now, by question.Question.key


class Nearness(Protocol):
    """How near titles lie to what a place says, by a model on this machine; equal if it says the same of each."""

    def compare(self, titles: Sequence[str]) -> Sequence[Sequence[float]]:
        """For each title, how near it lies to the sentence, the clause and the window of the place, beside the others.

        In units of how far titles lie apart, 0 in the middle.
        """


@dataclass(frozen=True, slots=True)
class Meaning:
    """What models say that a question means."""

    vector: tuple[str, tuple[float, ...]] | None = None  # for the corpus: the vectors' name, and the values
    near: Nearness | None = None  # for the author's entries


@dataclass(frozen=True, slots=True)
class Answers:
    """What came from outside for one placeholder."""

    lookups: tuple[Lookup, ...] = ()  # of the services
    servers: tuple[ServerAnswer, ...] = ()  # of the corpora on servers
    scores: Mapping[str, float] = field(default_factory=dict)  # of a reranker, by title (corpus.words.title_key)
    meaning: Meaning = Meaning()
    search: Suggestion | None = None  # what an agent's search came to
    complete: bool = True  # False while services are still being asked
    usage: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Traced:
    """Where one of an entry's own identifiers leads."""

    name: str  # "doi", "arxiv", "pmid", "isbn"
    value: str
    leads: Literal["here", "elsewhere", "nowhere"]
    source: str
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A field in which an entry departs from everything that was found of its work."""

    field: str  # "title", "authors", "year", "venue", "volume", "number", "pages", "publisher"
    cited: str
    recorded: str
    sources: tuple[str, ...]  # that record it so
    detail: str = ""  # "left out: …; not an author: …; in another order"
    are_all_others: bool = False  # of authors: nobody who is cited is on record


@dataclass(frozen=True, slots=True)
class Holding:
    """A registry has so many works of one year of a journal."""

    service: str
    title: str
    year: int
    count: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of one entry's truth, by the entry's content."""

    kind: VerdictKind
    reason: str = ""
    record: Record | None = None  # the work it was compared with, merged over the sources
    records: tuple[Record, ...] = ()  # what each source says of that work
    traced: tuple[Traced, ...] = ()
    is_unknown: bool = False  # of a conflict: nobody who should has the work of this title either
    differences: tuple[Difference, ...] = ()
    alternatives: tuple[Record, ...] = ()  # for a not-found entry: the nearest real works, best first
    asked: tuple[str, ...] = ()
    unavailable: tuple[str, ...] = ()
    date: str = ""
    holding: Holding | None = None  # of the journal in which nobody has the work
    rules: tuple[Ruling, ...] = ()  # that decided, field by field, and in the end of the whole

    def call_other(self, traced: Traced) -> str:
        """What to call the work to which an identifier leads that is not the entry's own: it may have its title."""
        if self.record is None or traced.record is None or any(it.field == "title" for it in self.differences):
            return "another work"
        has_the_title = fold(traced.record.title) == fold(self.record.title)
        return "a work of this title by other people" if has_the_title else "another work"


@dataclass(frozen=True, slots=True)
class DeadLink:
    """A page that its server says is not there."""

    status: int  # 404 or 410
    copy: str = ""  # the moment of the Internet Archive's copy, as 14 digits; "" if none is known


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Keys are contents: an entry's fingerprint (bibliography.entry.fingerprint), a question's key, for evidence either
    an entry's fingerprint or a claim's content (workspace.cited_claims.Claim)."""

    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    answers: Mapping[str, Answers] = field(default_factory=dict)
    evidence: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)
    records: Mapping[str, Record] = field(default_factory=dict)
    references: Mapping[str, str] = field(default_factory=dict)  # as the manuscript's own style prints entries
    links: Mapping[str, DeadLink] = field(default_factory=dict)  # those that are dead, by address
