"""What a run may look at, and the desk on which it lays what it found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Protocol

from citelsp.agent import quotes
from citelsp.agent.quotes import Rarity
from citelsp.bibliography.record import Record
from citelsp.candidates.admitted_works import Rule
from citelsp.candidates.gather import LISTED
from citelsp.corpus import pool
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.corpus.ranking_endpoints import Helpers
from citelsp.corpus.servers import Servers
from citelsp.corpus.words import names_one_work, title_key
from citelsp.knowledge import Candidate, Evidence
from citelsp.workspace.question import Question

_FUSION = 60  # of reciprocal ranks: the first ranks count for little more than those that follow
_LONGEST_TITLE, _LONGEST_ABSTRACT = 600, 20_000  # characters; whatever a service calls a title


@dataclass(frozen=True, slots=True)
class Answer:
    """What services said: works, or passages of one; `notes` name those that could not be asked."""

    works: tuple[Candidate, ...] = ()
    passages: tuple[Evidence, ...] = ()
    silent: bool = False  # there is a text, and it says nothing of the words that were asked for
    notes: tuple[str, ...] = ()
    requests: int = 0  # at most: questions that services had answered before, and were cached, may be counted, too


class Services(Protocol):
    """Scholarly services, as the agent asks them; nothing here raises but cancellation."""

    async def search(self, words: str, limit: int) -> Answer: ...
    async def snippets(self, words: str, limit: int) -> Answer: ...  # works, each with a passage as evidence
    async def references(self, record: Record, limit: int) -> Answer: ...
    async def citations(self, record: Record, limit: int) -> Answer: ...
    async def text(self, record: Record) -> Answer: ...  # passages of the open-access full text, in order


Library = Callable[[str, int], Sequence[Candidate]]  # words, limit → the author's own entries, best first


@dataclass(frozen=True)
class Environment:
    """Where a citation is missing, and where works may be looked for."""

    question: Question
    corpus: Corpus | None = None
    services: Services | None = None
    library: Library | None = None
    before: tuple[str, ...] = ()  # paragraphs of the manuscript before the place's own, the nearest last
    after: tuple[str, ...] = ()
    exclude: frozenset[str] = frozenset()  # ids or titles that are not to be offered
    most: int = 1  # works that are to be cited there together, at most
    listed: int = LISTED  # works of an answer
    chosen: tuple[Record, ...] = ()  # works that were chosen for the place, to which another is to be added
    earlier: tuple[Candidate, ...] = ()  # what those who chose them had found, with what they had read of it
    helpers: Helpers = Helpers()  # noqa: RUF009  a frozen value
    servers: Servers = Servers()  # noqa: RUF009  a frozen value
    rarities: Mapping[str, float] | None = None  # of the stems around the place, where a run is replayed

    @cached_property
    def rule(self) -> Rule:
        return Rule(self.question.date, self.question.title, self.exclude)

    @cached_property
    def query(self) -> Query:
        return Query(self.question)

    @property
    def has_corpus(self) -> bool:
        """Whether a corpus can be searched, on this machine or on a server."""
        return self.corpus is not None or bool(self.servers.corpora)

    @property
    def size(self) -> int:
        """Works of the largest corpus, as far as it is known; 0 if there is none."""
        return max(self.corpus.engine.size if self.corpus else 0, self.servers.size)

    @cached_property
    def coverage(self) -> float:
        """How probably the corpus on this machine has the work meant (`pool.estimate_coverage`); 1 if there is none.

        The probabilities that it gives to works are lowered by this.
        """
        if self.corpus is None:
            return 1.0
        catalogue = self.corpus.catalogue()
        return pool.estimate_coverage(catalogue, self.question, catalogue.titled(self.question.cites))

    @property
    def rarity(self) -> Rarity:
        """How rare a stem is: as it was, if a run is replayed; in the corpus; without one, longer ones are rarer."""
        rarities = self.rarities
        if rarities is not None:
            return lambda stem: rarities.get(stem, 0.0)
        if self.corpus is None:
            return lambda stem: float(min(len(stem), 10))
        engine = self.corpus.engine
        return lambda stem: engine.rarity("text", stem)

    @property
    def sought(self) -> Mapping[str, float]:
        """The stems around the place with weights, more for those in its sentence; to find what speaks to the place."""
        query = self.query
        return {**dict.fromkeys(query.view("window"), 0.5), **dict.fromkeys(query.view("sentence"), 1.0)}

    def nearest(self, passages: Sequence[Evidence], count: int = 1) -> list[Evidence]:
        """Return the `count` sentences that share most with the sentence around the place, the best first."""
        return quotes.nearest_sentences(self.sought, passages, self.rarity, count)

    def beside(self, chosen: Sequence[Record], earlier: Sequence[Candidate], most: int = 1) -> "Environment":
        """Return the same place without the `chosen` works, to look for at most `most` others for the same claim."""
        named = (name for it in chosen for name in (it.id, it.identifiers.doi, it.identifiers.arxiv, it.title))
        exclude = self.exclude | set(filter(None, named))
        return replace(self, exclude=exclude, chosen=tuple(chosen), earlier=tuple(earlier), most=most)


@dataclass
class Desk:
    """Every work a run has seen, under a short handle: the closed world that an answer must come from."""

    works: dict[str, Candidate] = field(default_factory=dict)
    texts: dict[str, list[Evidence]] = field(default_factory=dict)  # by handle: what was read of it
    seen: dict[str, float] = field(default_factory=dict)  # by handle: reciprocal ranks added up
    asked: set[str] = field(default_factory=set)  # what a model searched for
    _handles: dict[str, str] = field(default_factory=dict)

    def lay(self, works: Sequence[Candidate]) -> tuple[str, ...]:
        """Lay works on the desk, ranked best first; return their handles, for new works the next free ones."""
        handles = tuple(self._lay_one(cut_texts(it)) for it in works)
        for rank, handle in enumerate(dict.fromkeys(handles), 1):
            self.seen[handle] = self.seen.get(handle, 0.0) + 1 / (_FUSION + rank)
        return handles

    def name(self, lists: Sequence[Sequence[Candidate]]) -> None:
        """Gives handles to the new works of several lists, to those that are far up in most of them first."""
        together = Desk()
        for works in lists:
            together.lay(works)
        for handle in sorted(together.works, key=lambda it: -together.seen[it]):
            self._lay_one(together.works[handle])

    def _lay_one(self, work: Candidate) -> str:
        """Return the handle of a work, a new one if none of its names is known; complete its record."""
        names = _list_names(work)
        handle = next((self._handles[it] for it in names if it in self._handles), f"W{len(self.works) + 1}")
        self._handles |= dict.fromkeys(names, handle)
        self.works[handle] = join_candidates(self.works[handle], work) if handle in self.works else work
        return handle

    def read(self, handle: str, passages: Sequence[Evidence]) -> None:
        known = self.texts.setdefault(handle, [])
        known += [it for it in passages if it not in known]

    def quotable(self, handle: str) -> list[Evidence]:
        """Return every text of a work that a quote may come from."""
        record = self.works[handle].record
        abstract = [Evidence(record.abstract, "abstract", record.source)] if record.abstract else []
        passages = [*abstract, *self.texts.get(handle, ()), *self.works[handle].evidence]
        return [*passages, Evidence(record.title, "title", record.source)]

    def found(self) -> list[Candidate]:
        """Return every work with what was read of it, those far up in most searches first."""
        order = sorted(self.works, key=lambda it: -self.seen.get(it, 0.0))
        return [_add_texts(self.works[it], self.texts.get(it, ())) for it in order]


def _add_texts(work: Candidate, read: Sequence[Evidence]) -> Candidate:
    return replace(work, evidence=tuple(dict.fromkeys((*read, *work.evidence)))) if read else work


def cut_texts(work: Candidate) -> Candidate:
    """Cut the texts of a candidate that are too long, and replace in them what UTF-8 cannot write."""
    record = work.record
    quoted = work.evidence
    title = _limit_text(record.title, _LONGEST_TITLE)
    abstract = _limit_text(record.abstract, _LONGEST_ABSTRACT)
    passages = tuple(replace(it, quote=_limit_text(it.quote, _LONGEST_ABSTRACT)) for it in quoted) if quoted else quoted
    if (title, abstract, passages) == (record.title, record.abstract, quoted):
        return work
    return replace(work, record=replace(record, title=title, abstract=abstract), evidence=passages)


def _limit_text(text: str, longest: int) -> str:
    return text[:longest].encode("utf-8", "replace").decode("utf-8")


def _list_names(work: Candidate) -> list[str]:
    """List the names by which a work is recognised: id at its source, identifiers, and the title if it is long enough.

    A short title may be another work's, so it counts only if there is no other name.
    """
    record = work.record
    title = title_key(work.record.title)
    names = [f"{record.source}:{record.id}"] if record.id else []
    for kind in ("doi", "arxiv", "openalex", "s2", "acl", "pmid"):
        value = getattr(record.identifiers, kind)
        if value:
            names.append(f"{kind}:{value.casefold()}")
    if names_one_work(title) or not names:
        names.append(f"title:{title}")
    return names


def join_candidates(known: Candidate, again: Candidate) -> Candidate:
    """Join two candidates of one work: the record of `known`, its empty fields filled from that of `again`.

    The probability is the larger one, None if neither has any; all origins and all evidence are there, each once.
    `why` is left out: a work gets it when it is chosen.
    """
    record = known.record
    other = again.record
    empty_fields = [it.name for it in fields(Record) if getattr(record, it.name) in ("", (), {}, None)]
    changes = {name: getattr(other, name) for name in empty_fields}
    with_authors = record if record.authors else other
    changes |= {
        # Whether the list is complete and in its order goes with the list.
        "authors_complete": with_authors.authors_complete,
        "authors_ordered": with_authors.authors_ordered,
        "identifiers": record.identifiers.filled_from(other.identifiers),
        "open_access": tuple(dict.fromkeys((*record.open_access, *other.open_access))),
    }
    probabilities = [it for it in (known.probability, again.probability) if it is not None]
    return Candidate(
        record=replace(record, **changes),
        probability=max(probabilities, default=None),
        origins=tuple(dict.fromkeys((*known.origins, *again.origins))),
        key=known.key or again.key,
        evidence=tuple(dict.fromkeys((*known.evidence, *again.evidence))),
    )
