"""What speaks for each work at a place: the author's entries, the corpus, and services, each work once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from citelsp.bibliography import entry_record
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.bibliography.merge_records import fuse
from citelsp.bibliography.record import Record
from citelsp.bibliography.same_work import group_records, without_copies
from citelsp.candidates import entries, word_coverage
from citelsp.candidates.admitted_works import Rule
from citelsp.candidates.entries import Own
from citelsp.corpus import passages
from citelsp.corpus import search_place as corpora
from citelsp.corpus.dense import Vector
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.knowledge import Candidate, Evidence, Found, Lookup, Meaning, ServerAnswer
from citelsp.sources import find_work
from citelsp.workspace import present_works
from citelsp.workspace.project import Project
from citelsp.workspace.question import Question

LISTED = 10  # works of a list, and after a search as many that only services know
_SPARE = 2  # works of the corpus beyond the list, as some turn out to be copies of one
_LOSS_BY_RANK = 0.25  # power by which a place in a service's list loses worth: services order by words alone


@dataclass(frozen=True, slots=True)
class Here:
    """What this machine has for a question, each list best first."""

    query: Query
    own: tuple[Own, ...] = ()
    found: tuple[Candidate, ...] = ()  # of the corpus, under the keys of their entries
    corpus: Corpus | None = None
    project: Project | None = None
    size: int = 0  # works of the largest corpus that answered
    listed: int = LISTED  # works that are wanted


@dataclass(frozen=True, slots=True)
class Gathered:
    """A work with all that speaks for it, not weighed yet: `pool_opinions` does that."""

    candidate: Candidate
    place: int | None = None  # among the author's entries, from 0
    own: float | None = None  # its chance among them
    lift: float | None = None  # how many times as likely as any of them is that
    corpus: float | None = None  # its probability by the corpus
    services: float = 0.0  # from 0, if no service has it, to 1, if it is the first of each
    share: float = 0.0  # of the words asked for
    meant: bool = False  # the author wrote its title into the placeholder

    @property
    def is_here(self) -> bool:
        return self.place is not None or self.corpus is not None


def gather_locally(
    question: Question,
    corpus: Corpus | None,
    project: Project | None = None,
    libraries: Libraries | None = None,
    meaning: Meaning = Meaning(),  # noqa: B008  a frozen value
    listed: int = LISTED,
) -> Here:
    """Search the corpus and the author's entries, in some ten milliseconds and without a network.

    Without a `corpus`, or without `project` and `libraries`, there are no works of that kind.  `meaning` is the
    question as a model of meaning reads it, empty without a model: works that lie near to it count more.  `listed` is
    how many works are wanted.
    """
    query = Query(question)
    vector = Vector(*meaning.vector) if meaning.vector else None
    of_corpus: tuple[Candidate, ...] = ()
    size = 0
    if corpus:
        of_corpus = corpora.found(corpus, question, k=listed + _SPARE, exclude=question.beside, vector=vector)
        size = corpus.engine.size
    here = Here(query, found=of_corpus, corpus=corpus, size=size, listed=listed)
    if project is None or libraries is None:
        return here
    own = tuple(entries.find_answering(project, libraries, query, meaning.near))
    return replace(here, own=own, found=tuple(add_own_key(project, it) for it in of_corpus), project=project)


def joined_by(here: Here, servers: Sequence[ServerAnswer]) -> Here:
    """Add to `here` what corpora on servers answered; their works and probabilities count as the corpus's own.

    Those that could not be asked (`why` says so) are left out.  `size` becomes that of the largest corpus.
    """
    answers = [it for it in servers if not it.why]
    candidates = [candidate for it in answers for candidate in it.candidates]
    if here.project:
        candidates = [add_own_key(here.project, it) for it in candidates]
    size = max([here.size, *(it.works for it in answers)])
    return replace(here, found=(*here.found, *candidates), size=size)


def add_own_key(project: Project, candidate: Candidate) -> Candidate:
    """Give the candidate the key of its entry, and "library" as an origin, if the project has an entry of the work.

    People, year and venue that its record lacks, as that of a PDF may, are taken from the entry.  A candidate that has
    a key already stays as it is.
    """
    place = None if candidate.key else present_works.find(project, candidate.record)
    if place is None:
        return candidate
    record = candidate.record
    if not (record.authors and record.year and record.venue):
        own = entry_record.from_entry(place.entry)
        record = replace(
            record,
            authors=record.authors or own.authors,
            years=record.years or own.years,
            venue=record.venue or own.venue,
        )
    origins = tuple(dict.fromkeys(("library", *candidate.origins)))
    return replace(candidate, record=record, key=place.node.key, origins=origins)


def works(here: Here, lookups: Sequence[Lookup] = ()) -> list[Gathered]:
    """Join what is here with what services found, every work once, and say what speaks for each.

    Works are joined if they share an identifier, or title and people, also if a reference list misprinted these.  Of
    what services found, left out is what is later than the manuscript, the manuscript itself, and what is cited beside
    the question.  `lookups`: what services answered.
    """
    local = _gather_here(here)
    lists = [_filter_admitted(here.query.question, lookup) for lookup in lookups if isinstance(lookup, Found)]
    of_services = [record for records in lists for record in records]
    groups = without_copies(group_records([*(it.candidate.record for it in local), *of_services]))
    # As in the first list that is shown, before any service was asked: merging would only cost time.  What `join` adds
    # for comparison with services, `share` and `meant`, is not filled in then.
    has_nothing_to_merge = len(groups) == len(local) and not of_services
    if has_nothing_to_merge:
        return local
    texts = [" ".join(map(word_coverage.text_of, group)) for group in groups]
    sought = word_coverage.weigh_sought_words(here.query, texts, here.corpus)
    # By object (`id`), as two services may give equal records of one work, and each of them counts.
    local_of = {id(it.candidate.record): it for it in local}
    worth_of = _value_by_rank(lists)

    def join(group: Sequence[Record], text: str) -> Gathered:
        """Make one work of a group of records; `text` are their titles and abstracts.

        A work found here stays what it is here; services add how they rank it, and may complete its record.
        """
        found_here = [local_of[id(record)] for record in group if id(record) in local_of]
        by_services = [record for record in group if id(record) not in local_of]
        work = _join_copies(found_here) if found_here else Gathered(_make_candidate(here, by_services))
        origins = dict.fromkeys([*work.candidate.origins, *(record.source for record in by_services)])
        # Of services it counts how far up each had the work, on average.
        return replace(
            work,
            candidate=replace(_fill_from_services(work.candidate, by_services), origins=tuple(origins)),
            services=sum(worth_of[id(record)] for record in by_services) / max(1, len(lists)),
            share=sought.share(text),
            meant=_is_meant(here.query, group),
        )

    return [join(group, text) for group, text in zip(groups, texts, strict=True)]


def _value_by_rank(lists: Iterable[Sequence[Record]]) -> dict[int, float]:
    """Return what each record of the services' lists is worth, by `id`: 1 if it is the first, and less further down."""
    worth: dict[int, float] = {}
    for records in lists:
        for rank, record in enumerate(records, 1):
            worth[id(record)] = rank**-_LOSS_BY_RANK
    return worth


def _fill_from_services(candidate: Candidate, by_services: Sequence[Record]) -> Candidate:
    """Describe a work of the corpus that lacks people, year or venue by the services' records and its own together.

    It keeps its source, its id, and its abstract if it has one.  Any other candidate stays as it is: one with a key has
    an entry of the author's, and what is complete needs nothing.
    """
    own = candidate.record
    is_complete = own.authors and own.year and own.venue
    if candidate.key or own.source != "corpus" or is_complete or not by_services:
        return candidate
    record = fuse([*by_services, own])
    abstract = own.abstract or record.abstract  # passages are quoted from it
    return replace(candidate, record=replace(record, source=own.source, id=own.id, abstract=abstract))


def _gather_here(here: Here) -> list[Gathered]:
    """Return the author's entries, each with what the corpus says of it, and then the corpus's other works.

    Of an entry are known its rank (`place`, from 0), the chance that it is meant (`own`), and how many times as likely
    as any entry that is (`lift`); of a work in the corpus the probability by that (`corpus`).  `here.own` are the
    entries, `here.found` the works of the corpus.
    """
    # Of several records of one entry the last counts, which is that of a corpus on a server, if one has the work.
    by_key = {it.key: it for it in here.found if it.key}
    gathered = []
    for place, own in enumerate(here.own):
        # The corpus's record of a work that has an entry says more than the entry does.
        of_corpus = by_key.get(own.key)
        gathered.append(
            Gathered(
                candidate=of_corpus or entries.candidate(own),
                place=place,
                own=own.chance,
                lift=own.lift,
                corpus=of_corpus.probability if of_corpus else None,
            )
        )
    own_keys = {it.key for it in here.own}
    others = [it for it in here.found if it.key not in own_keys]
    # 0 if it has no probability: with None, a work that is no entry either would count as known to services alone.
    return [*gathered, *(Gathered(it, corpus=it.probability or 0.0) for it in others)]


def _join_copies(same: Sequence[Gathered]) -> Gathered:
    """Make one of several that turn out to be one work: copies, or an entry and a work under another title.

    The candidate is the one that has an entry (a key), or else people.  Of each number (rank, chance and lift among the
    entries, probability by the corpus) the first that is known counts, of the corpus's the highest.
    """
    best = max(same, key=lambda it: (bool(it.candidate.key), bool(it.candidate.record.authors)))
    return replace(
        same[0],
        candidate=best.candidate,
        place=next((it.place for it in same if it.place is not None), None),
        own=next((it.own for it in same if it.own is not None), None),
        lift=next((it.lift for it in same if it.lift is not None), None),
        corpus=max((it.corpus for it in same if it.corpus is not None), default=None),
    )


def _make_candidate(here: Here, by_services: Sequence[Record]) -> Candidate:
    """Make a work that only services know, of their records."""
    record = fuse(by_services)
    candidate = Candidate(record, evidence=(_choose_quote(here, record, by_services),))
    return add_own_key(here.project, candidate) if here.project else candidate


def _choose_quote(here: Here, fused_record: Record, by_services: Sequence[Record]) -> Evidence:
    """Choose the passage of a work that answers the question best, and name the first service that has it."""
    best = passages.best(fused_record, here.query, word_coverage.rarity(here.corpus))
    for record in by_services:
        text = record.title if best.where == "title" else record.abstract
        if best.quote in text:
            return replace(best, source=record.source)
    return replace(best, source=fused_record.source)


def _filter_admitted(question: Question, found: Found) -> list[Record]:
    """The records that may be offered: nothing later than the manuscript, the manuscript itself, or cited beside it."""
    rule = Rule(question.date, question.title, question.beside)
    return [record for record in found.records if rule.admits(record)]


def _is_meant(query: Query, group: Iterable[Record]) -> bool:
    hint = query.question.hint.strip()
    return bool(hint) and any(find_work.is_titled(hint, it) for it in group)
