"""Works for a placeholder from the services, beside what this machine has."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from citelsp.candidates import candidate_set, entries, search_words
from citelsp.candidates.gather import Here
from citelsp.corpus import dense
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.corpus.ranking_endpoints import Helpers
from citelsp.corpus.servers import Servers
from citelsp.corpus.words import title_key
from citelsp.knowledge import Answers, Lookup, Meaning, Nearness
from citelsp.meaning.local_embedder import AnyEmbedder, LocalEmbedder
from citelsp.sources.ask_services import Sources
from citelsp.workspace.question import Question

_ROWS = 15  # works of each service


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One service has answered; `left` have not yet."""

    service: str
    answers: Answers  # so far
    left: tuple[str, ...]


async def search(here: Here, sources: Sources) -> AsyncGenerator[SearchStep, None]:
    """Ask all services that search by words; each time that one has answered, yield all answers so far.

    `here`: the question, with what this machine has found for it.  The answers of the last step are complete.  Nothing
    is yielded if the question has no words that may be sent, or no service may be asked.  Cancel at any time.
    """
    began = time.perf_counter()
    left = sources.browsed()  # a list of our own, of the services that `browse` yields, each once
    lookups: list[Lookup] = []
    wording = search_words.choose_words(here.query)
    if not wording:
        return
    async with aclosing(sources.browse(wording, _ROWS)) as browsing:
        async for name, lookup in browsing:
            left.remove(name)
            lookups.append(lookup)
            usage = {"requests": float(len(lookups)), "seconds": time.perf_counter() - began}
            yield SearchStep(name, Answers(tuple(lookups), complete=not left, usage=usage), tuple(left))


async def ask_everybody(
    here: Here,
    sources: Sources | None,
    report: Callable[[SearchStep], None] = lambda _: None,
    helpers: Helpers = Helpers(),  # noqa: B008  a frozen value
    servers: Servers = Servers(),  # noqa: B008  a frozen value
) -> Answers:
    """Ask every service and every corpus on a server; return all answers, reranked if there is a reranker.

    `here`: the question, with what this machine has found for it.  `report` is called after each service with the
    answers so far.  Without `sources` only the servers are asked.  `helpers` has the reranker, a model that orders
    works anew, if there is one.  Cancel at any time.
    """
    question = here.query.question
    answers = Answers()
    # In parallel; a server that fails says why in its answer.  Works that the sentence cites already (`beside`) are not
    # asked for.
    asking_servers = asyncio.ensure_future(servers.answers(question, sorted(question.beside), helpers=helpers))
    try:
        if sources:
            async with aclosing(search(here, sources)) as steps:
                async for step in steps:
                    of_servers = asking_servers.result() if asking_servers.done() else ()
                    answers = replace(step.answers, servers=of_servers)
                    report(replace(step, answers=answers))
        answers = replace(answers, servers=await asking_servers)
    finally:
        asking_servers.cancel()
    return await _add_reranking(here, answers, helpers)


async def find_meaning(question: Question, corpus: Corpus | None, helpers: Helpers) -> Meaning:
    """What a question means to those who make vectors; nothing if works of the corpus have none to compare with."""
    vector = await helpers.vector(corpus, Query(question).meant) if corpus else None
    return Meaning((vector.name, tuple(vector.values)) if vector else None)


async def learn_near(
    questions: Sequence[Question], titles: Sequence[str], helpers: Helpers, ready: Callable[[], None] = lambda: None
) -> Nearness | None:
    """Compute the vectors of these questions and titles, and return how near the titles lie to the first question.

    A model on this machine (`helpers.embedder`) does that, which takes long for many titles; None if there is no such
    model, if it fails, or if its vectors do not fit into memory.  `ready` is called once the questions are done: from
    then on `known_near` answers, with the titles that were known before.
    """
    embedder = helpers.embedder
    model = embedder.remote if embedder else None
    if embedder is None or not isinstance(model, LocalEmbedder):
        return None
    # Each question is several texts, its views: the sentence, its clause, and the text around it.
    texts = [view for question in questions for view in entries.views(Query(question))]

    async def learn(_: AnyEmbedder) -> Nearness | None:  # the embedder that is handed in is `model`
        await model.learn(texts, titles, ready)
        texts_of_first = texts[: len(entries.VIEWS)]
        return model.near(texts_of_first)

    return await embedder.ask(learn, seconds=None)  # without a limit


def known_near(question: Question, helpers: Helpers) -> Nearness | None:
    """How near the titles lie that were learnt already, at once; None if the question was not learnt, or no model is.

    Learning is `learn_near`'s.
    """
    remote = helpers.embedder.remote if helpers.embedder else None
    return remote.near(entries.views(Query(question))) if isinstance(remote, LocalEmbedder) else None


async def _add_reranking(here: Here, answers: Answers, helpers: Helpers) -> Answers:
    """The answers with a reranker's scores of the works in the list; as they are if it is not there or fails."""
    records = [it.record for it in candidate_set.suggest(here, answers).candidates] if helpers.reranker else []
    scores = await helpers.scores(here.query.wording, list(map(dense.text, records)))
    if scores is None:
        return answers
    score_by_title = {title_key(it.title): score for it, score in zip(records, scores, strict=True)}
    # 1 if the reranker is on another machine; no vector was asked for.
    requests_of_reranker = helpers.requests(vector=None, scores=scores)
    requests = answers.usage.get("requests", 0.0) + requests_of_reranker
    return replace(answers, scores=score_by_title, usage={**answers.usage, "requests": requests})
