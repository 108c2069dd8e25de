"""The actions: plain functions that only read, each under the date-and-source rule of its environment."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from citelsp.agent import on_servers, quotes, service_queries
from citelsp.agent.environment import Answer, Environment, cut_texts, join_candidates
from citelsp.agent.quotes import Rarity
from citelsp.bibliography.record import Record
from citelsp.corpus import compounds, search_place
from citelsp.corpus.index import Corpus
from citelsp.corpus.words import names_one_work, stems, title_key
from citelsp.corpus.work import are_one_work
from citelsp.knowledge import Candidate, Evidence, Suggestion

SHOWN = 10  # works
_ROW = 50  # works looked at before `_admit` drops those that may not be offered
_MOST_BY_PLACE = 200  # works of each order by the place, which are fused with the order by words
_MOST_BY_WORDS = 100  # works of the order by words alone
_RANK_OFFSET = 60  # by which the first ranks count for little more than those that follow (Cormack et al. 2009)
_PASSAGES = 3  # quoted from one text
_PASSAGES_PER_WORK = 3  # passages looked for, for each work that is wanted: several may be of one
_LONG_TITLE = 20  # characters, from which on a title may stand without its subtitle
_MOST_LINKED = 300  # references or citing works weighed


async def match_place(environment: Environment, limit: int = 30) -> Answer:
    """Return works of all corpora that fit the place where a citation is missing, the most probable ones first.

    At most `limit` come back, each with the probability that it is meant.  Corpora on servers are asked while the one
    on this machine is searched; the answer's notes name servers that did not answer, or say that there is no corpus.
    """
    if not environment.has_corpus:
        return Answer(notes=("there is no local corpus",))
    asking_servers = asyncio.ensure_future(on_servers.search(environment, limit=limit))
    try:
        local = Suggestion()
        if environment.corpus:
            local = await search_place.suggest_with_helpers(
                environment.corpus,
                environment.question,
                environment.helpers,
                k=limit,
                exclude=sorted(environment.exclude),
            )
        remote = await asking_servers
    finally:
        asking_servers.cancel()  # if the search here failed or was cancelled; after an answer this does nothing
    works = on_servers.join_rankings(local.candidates, remote.works)
    requests = int(local.usage.get("requests", 0)) + remote.requests  # to models that help to rank, and to servers
    # Works that may not be offered, such as later ones than the manuscript, go before the limit counts.
    return replace(remote, works=tuple(_admit(environment, works)[:limit]), requests=requests)


async def recall(environment: Environment) -> Answer:
    """Return what earlier runs for the place had found and read."""
    return Answer(tuple(replace(it, probability=None) for it in _admit(environment, environment.earlier)))


async def search_library(environment: Environment, query: str, limit: int = SHOWN) -> Answer:
    """Find among the author's own entries."""
    if environment.library is None:
        return Answer(notes=("the author has no library",))
    found = await asyncio.to_thread(environment.library, query, limit)
    return Answer(tuple(_admit(environment, found)[:limit]))


async def search(environment: Environment, query: str, limit: int = 2 * SHOWN) -> Answer:
    """Find works by words that say what is meant at the place, in corpora and services; at most `limit`.

    A corpus weighs the place as well as the words; services see only the words.  So in the order that comes back each
    two works of corpora are followed by one that only services found.
    """
    corpus = environment.corpus
    local = await asyncio.to_thread(_rank_in_corpus, environment, corpus, query) if corpus else []
    served, remote = await asyncio.gather(on_servers.search(environment, query), _search_outside(environment, query))
    of_corpora = _interleave(_admit(environment, local), _admit(environment, served.works))
    works = _put_every_third(of_corpora, _admit(environment, remote.works))
    return replace(
        remote,
        works=tuple(works[:limit]),
        notes=(*served.notes, *remote.notes),
        requests=served.requests + remote.requests,
    )


async def look_up(environment: Environment, title: str, limit: int = SHOWN) -> Answer:
    """Find works by a title; at most `limit`, those that bear the title first.

    The author's entries and the corpus here are looked at first; servers and services only if neither has the title.
    """
    own = await asyncio.to_thread(environment.library, title, limit) if environment.library else ()
    local = await asyncio.to_thread(_find_titled, environment.corpus, title) if environment.corpus else []
    here = _put_titled_first(_admit(environment, [*own, *local]), title)  # without works that may not be offered
    if here and is_titled(here[0].record, title):
        return Answer(tuple(here[:limit]))
    served, remote = await asyncio.gather(
        on_servers.search(environment, title), _search_outside(environment, title, is_title=True)
    )
    elsewhere = _put_titled_first(_admit(environment, [*served.works, *remote.works]), title)
    # Taken in turn, those from elsewhere first: nothing here has the title.
    works = _put_titled_first(_interleave(elsewhere, here), title)
    return Answer(
        tuple(works[:limit]),
        notes=(*served.notes, *remote.notes),
        requests=served.requests + remote.requests,
    )


def is_titled(record: Record, title: str) -> bool:
    """Whether a work bears this title; either of the two titles may lack its subtitle."""
    shorter, longer = sorted((title_key(record.title), title_key(title)), key=len)
    if shorter == longer:
        return bool(shorter)
    return names_one_work(shorter) and len(shorter) > _LONG_TITLE and longer.startswith(f"{shorter} ")


def _put_titled_first(works: Sequence[Candidate], title: str) -> list[Candidate]:
    """Reorder works: first those with exactly this title, then those that differ by a subtitle, then all others."""
    key = title_key(title)
    return sorted(works, key=lambda it: (title_key(it.record.title) != key, not is_titled(it.record, title)))


def _find_titled(corpus: Corpus, title: str) -> list[Candidate]:
    near = corpus.engine.search("title", dict.fromkeys(stems(title), 1.0), SHOWN)
    numbers = dict.fromkeys([*corpus.store.by_title(title), *(n for n, _ in near)])
    return [Candidate(it.work.record(), origins=("corpus",)) for it in corpus.rows(list(numbers))]


async def search_words(environment: Environment, query: str, limit: int = SHOWN) -> Answer:
    """Find works by words alone, not by the place; corpus and services interleaved."""
    corpus = environment.corpus
    local = await asyncio.to_thread(corpus.search, query, _ROW) if corpus else []
    remote = await _search_outside(environment, query)
    found = _interleave(_admit(environment, local), _admit(environment, remote.works))
    return replace(remote, works=tuple(found[:limit]))


async def _search_outside(environment: Environment, query: str, *, is_title: bool = False) -> Answer:
    """Ask services; works whose title is the query stand first, wherever a service ranks them."""
    services = environment.services
    if services is None:
        return Answer()
    words = await asyncio.to_thread(service_queries.limit_query, environment, query, is_title=is_title)
    found = await services.search(words, _ROW // 2) if words else Answer()
    return replace(found, works=tuple(_put_titled_first(found.works, query)))


def _rank_in_corpus(environment: Environment, corpus: Corpus, query: str) -> list[Candidate]:
    """Order works of the corpus, best first: those whose title is the query, then all others by three rankings.

    The rankings are by the place that needs a citation with the query as its hint, by this place alone, and by the
    query alone, so that of works with these words the one comes first that the sentence is about.  They are fused: a
    work at rank r of a ranking gets 1 / (_RANK_OFFSET + r) from it.  Works that may not be offered are dropped by the
    caller.
    """
    question = environment.question
    excluded = sorted(environment.exclude)
    stems_sought = compounds.spread(corpus.engine, corpus.store, query)  # with the parts of compound words
    orders = [
        search_place.order(corpus, replace(question, hint=query), excluded, _MOST_BY_PLACE),
        search_place.order(corpus, question, excluded, _MOST_BY_PLACE),
        [number for number, _ in corpus.engine.search("text", stems_sought, _MOST_BY_WORDS)],
    ]
    worth: dict[int, float] = defaultdict(float)  # by number of a work
    for order in orders:
        for rank, number in enumerate(order, 1):
            worth[number] += 1 / (_RANK_OFFSET + rank)
    best_first = sorted(worth, key=lambda number: -worth[number])
    numbers = dict.fromkeys([*corpus.store.by_title(query), *best_first])
    return [Candidate(row.work.record(), origins=("corpus",)) for row in corpus.rows(list(numbers))]


async def search_text_snippet(environment: Environment, query: str, limit: int = 6) -> Answer:
    """Find works by a passage of their text, each with that passage."""
    corpus = environment.corpus
    services = environment.services
    local = await asyncio.to_thread(_find_passages, corpus, query, limit) if corpus else []
    words = await asyncio.to_thread(service_queries.limit_query, environment, query) if services else ""
    remote = await services.snippets(words, 2 * limit) if services and words else Answer()
    found = _interleave(_admit(environment, local), _admit(environment, remote.works))
    return replace(remote, works=tuple(found[:limit]))


def _find_passages(corpus: Corpus, query: str, limit: int) -> list[Candidate]:
    """Find works of the corpus whose full text has a passage on the words of `query`, best first.

    Each comes with the sentence that shares most with them as its evidence; works without one are left out.  More than
    `limit` may come back: the caller drops works that may not be offered, and cuts to the limit then.
    """
    engine = corpus.engine
    weights = dict.fromkeys(stems(query), 1.0)  # every word counts the same, but for its rarity
    # It looks at so many passages, of which several may be of one work, and names each work once.
    hits = engine.search("passage", weights, _PASSAGES_PER_WORK * limit)
    numbers = [number for number, _ in hits]
    text_of = corpus.store.fulltext(numbers)
    works = []
    for row in corpus.rows(numbers):
        passages = quotes.split_sections(text_of.get(row.n, ""), "corpus")
        # A stem counts as rare as it is in titles and abstracts, for too few works have a full text to count it there.
        nearest = quotes.nearest_sentences(weights, passages, lambda stem: engine.rarity("text", stem))
        if nearest:
            works.append(Candidate(row.work.record(), origins=("corpus",), evidence=tuple(nearest)))
    return works


async def read_text(environment: Environment, work: Candidate) -> Answer:
    """Return the abstract and the full text of a work as passages, as far as there are any.

    The full text comes from the corpus, or else from where it may be read freely.  Of several abstracts the longest
    is taken, since services cut them short.
    """
    record = work.record
    stored: list[Evidence] = []
    if environment.corpus:
        stored = await asyncio.to_thread(_read_from_corpus, environment.corpus, record)
    abstracts = [it for it in stored if it.where == "abstract"]
    if record.abstract:
        abstracts.insert(0, Evidence(record.abstract, "abstract", record.source))
    longest_abstract = sorted(abstracts, key=lambda it: len(it.quote), reverse=True)[:1]
    full_text = [it for it in stored if it.where != "abstract"]
    if full_text:
        return Answer(passages=(*longest_abstract, *full_text))
    fetched = await environment.services.text(record) if environment.services else Answer()
    return replace(fetched, passages=(*longest_abstract, *fetched.passages))


def _read_from_corpus(corpus: Corpus, record: Record) -> list[Evidence]:
    """Return the texts of a work in the corpus: abstract, then passages of its full text; empty if there are none."""
    number = _find_number(corpus, record)
    if number is None:
        return []
    works = (it.work for it in corpus.rows([number]))
    texts = corpus.store.fulltext([number])
    abstract = [Evidence(it.abstract, "abstract", "corpus") for it in works if it.abstract]
    return [*abstract, *quotes.split_sections(texts.get(number, ""), "corpus")]


async def find_in_text(environment: Environment, work: Candidate, query: str) -> Answer:
    """Find the sentences of a work that are nearest to the words; `silent` if there is a text and no such sentence."""
    whole = await read_text(environment, work)
    question = dict.fromkeys(stems(query), 1.0)
    near = await asyncio.to_thread(quotes.nearest_sentences, question, whole.passages, environment.rarity, _PASSAGES)
    return replace(whole, passages=tuple(near), silent=bool(whole.passages) and not near)


async def expand_references(environment: Environment, work: Candidate, limit: int = SHOWN) -> Answer:
    """Return the works that a work cites, the nearest to the place first."""
    return await _follow_citations(environment, work, limit, cited=True)


async def expand_citations(environment: Environment, work: Candidate, limit: int = SHOWN) -> Answer:
    """Return the works that cite a work, the nearest to the place first."""
    return await _follow_citations(environment, work, limit, cited=False)


async def _follow_citations(environment: Environment, work: Candidate, limit: int, *, cited: bool) -> Answer:
    """Return the works that `work` cites if `cited`, else those that cite it; at most `limit`.

    First come those that share most words with the place that needs a citation.  They come from the corpus; services
    are asked only if the corpus has none.
    """
    corpus = environment.corpus
    services = environment.services
    local = await asyncio.to_thread(_find_linked, corpus, work.record, cited) if corpus else []
    remote = Answer()
    if services and not local:
        ask = services.references if cited else services.citations
        remote = await ask(work.record, _MOST_LINKED)
    admitted = _admit(environment, [*local, *remote.works])
    ranked = await asyncio.to_thread(_order_by_place, environment, admitted, environment.rarity)
    return replace(remote, works=tuple(ranked[:limit]))


def _find_linked(corpus: Corpus, record: Record, cited: bool) -> list[Candidate]:
    """Return what a work cites, or if not `cited` what cites it, in the corpus; empty if the corpus lacks the work."""
    number = _find_number(corpus, record)
    if number is None:
        return []
    numbers = (
        list(corpus.store.cites([number]).get(number, ())) if cited else corpus.store.cited_by(number, _MOST_LINKED)
    )
    return [Candidate(it.work.record(), origins=("corpus",)) for it in corpus.rows(numbers[:_MOST_LINKED])]


def _order_by_place(environment: Environment, works: Sequence[Candidate], rarity: Rarity) -> list[Candidate]:
    sought = environment.sought
    return sorted(works, key=lambda it: -quotes.score_shared(sought, f"{it.record.title} {it.record.abstract}", rarity))


def _find_number(corpus: Corpus, record: Record) -> int | None:
    """Return the number of a work in the corpus, by id, identifier or title; None if the corpus lacks it.

    The id counts only of a record that is from the corpus, as each source has ids of its own; a short title only if
    people agree (`are_one_work`).  If several have the identifier or the title, the first counts.
    """
    if record.source == "corpus" and record.id:
        number_of = corpus.store.numbers([record.id])
        if number_of:
            return number_of[record.id]
    names = record.identifiers
    identified = corpus.store.by_identifier(doi=names.doi, arxiv=names.arxiv)
    if identified:
        return identified[0]
    titled = corpus.rows(corpus.store.by_title(record.title))
    return next((row.n for row in titled if are_one_work(row.work.record(), record)), None)


def _admit(environment: Environment, works: Iterable[Candidate]) -> list[Candidate]:
    return [it for it in map(cut_texts, works) if environment.rule.admits(it.record)]


def _put_every_third(local: Sequence[Candidate], remote: Sequence[Candidate]) -> list[Candidate]:
    """Mix two rankings: after each two works of `local` one that only `remote` has; each work once, by its title.

    What `remote` knows of a work of `local`, such as identifiers, is added to it.
    """
    remote_by_title: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in remote:
        remote_by_title[title_key(candidate.record.title)].append(candidate)
    completed: list[Candidate] = []
    for candidate in local:
        of_title = remote_by_title[title_key(candidate.record.title)]
        same = next((it for it in of_title if are_one_work(candidate.record, it.record)), None)
        completed.append(join_candidates(candidate, same) if same else candidate)
    distinct_local = _interleave(local, ())
    others = _interleave([*distinct_local, *remote], ())[len(distinct_local) :]  # each once, and none of the local ones
    mixed: list[Candidate] = []
    while completed or others:
        mixed += [*completed[:2], *others[:1]]
        completed = completed[2:]
        others = others[1:]
    return _interleave(mixed, ())  # drops works that come twice within `local`


def _interleave(left: Sequence[Candidate], right: Sequence[Candidate]) -> list[Candidate]:
    """Take from two rankings in turn, first from `left`; each work once, by its title.

    If a work is in both, the candidate that comes first stays, and what the other one says of it is left out.
    """
    works: list[Candidate] = []
    records_by_title: dict[str, list[Record]] = defaultdict(list)
    for rank in range(max(len(left), len(right))):
        for ranking in (left, right):
            if rank < len(ranking):
                record = ranking[rank].record
                same_title = records_by_title[title_key(record.title)]
                if not any(_may_be_one_work(record, it) for it in same_title):
                    same_title.append(record)
                    works.append(ranking[rank])
    return works


def _may_be_one_work(one: Record, other: Record) -> bool:
    """True for two records with the same title, unless it is a short one and they name different people."""
    return are_one_work(one, other) or not (one.authors and other.authors)


BY_WORDS: Mapping[str, Callable[[Environment, str], Awaitable[Answer]]] = {
    "search_library": search_library,
    "search": search,
    "search_words": search_words,
    "search_text_snippet": search_text_snippet,
}
LINKS: Mapping[str, Callable[[Environment, Candidate], Awaitable[Answer]]] = {
    "expand_references": expand_references,
    "expand_citations": expand_citations,
}
