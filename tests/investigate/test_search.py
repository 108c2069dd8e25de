"""Works for a placeholder from the services, joined with what the machine has."""

import asyncio
import time
from dataclasses import replace

import pytest

from citelsp.base.settings import Rerank, Settings
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.candidates import candidate_set, search_words
from citelsp.candidates.entries import Own
from citelsp.candidates.gather import Here
from citelsp.corpus.place_query import Query
from citelsp.corpus.ranking_endpoints import helpers
from citelsp.corpus.work import Work
from citelsp.investigate import search
from citelsp.knowledge import Absent, Answers, Evidence, Found, Unavailable
from citelsp.sources.ask_services import Sources
from citelsp.workspace.question import Question
from function_network import QUICK, Web, local, page, reply
from model_endpoints import Meanings, Transport

PLACE = Question(
    "We measure how tidewater glaciers calve", "in winter.", "Field Notes", "glacier calving", date="2020-06"
)


def record(source, title, abstract="", **more):
    return Record(source, f"{source} {title}", title, (Name("Ice"),), abstract=abstract, years=(2009,), **more)


GLACIERS = record("crossref", "Measuring Glacier Flow", "How tidewater glaciers move and calve.")
RATES = record("openalex", "Calving Rates of Glaciers")
SAME = record("openalex", "Measuring glacier flow")
FISH = record("crossref", "Feeding Habits of Fish")


def titles(suggestion):
    return [it.record.title for it in suggestion.candidates]


def merged(*lookups, place=PLACE, own=()):
    """The list of what the services answered, beside these entries of the author's own."""
    return candidate_set.suggest(Here(Query(place), tuple(own)), Answers(lookups))


def entry(title, chance=None):
    return Own("ice09", Work("ice09", title, authors=("Ice",), year=2009), chance)


def test_lists_are_fused_and_weighed_by_words():
    found = merged(Found("crossref", (FISH, GLACIERS)), Found("openalex", (RATES, SAME)))
    assert titles(found)[:2] == ["Measuring Glacier Flow", "Calving Rates of Glaciers"]
    assert found.candidates[0].origins == ("crossref", "openalex")
    assert found.candidates[0].evidence == (Evidence("How tidewater glaciers move and calve.", "abstract", "crossref"),)
    assert not found.abstained


def test_the_author_s_own_entry_stays_his():
    found = merged(Found("crossref", (FISH, GLACIERS)), own=[entry("Measuring Glacier Flow", 0.4)])
    first = found.candidates[0]
    assert (first.key, first.record.source, first.origins) == ("ice09", "library", ("library", "crossref"))
    assert titles(found).count("Measuring Glacier Flow") == 1


@pytest.mark.parametrize(("hint", "chance"), [("", 0.3), ("glacier flow", None)])
def test_what_is_probable_here_is_not_buried_under_works_with_abstracts(hint, chance):
    abstract = "We measure how tidewater glaciers calve in winter: glacier flow."
    others = [record("crossref", f"Ice, Part {number}", abstract) for number in range(12)]
    own = entry("Measuring Glacier Flow", chance)
    found = merged(Found("crossref", others), own=[own], place=replace(PLACE, hint=hint))
    assert found.candidates[0].key == "ice09"


@pytest.mark.parametrize(
    "left_out",
    [
        record("crossref", "Field Notes"),
        Record("crossref", "y", "Glacier Calving of Late", date="2020-07"),
        Record("crossref", "x", "Glacier Calving of Late", years=(2022,)),
    ],
)
def test_nothing_later_than_the_manuscript_and_never_itself(left_out):
    assert titles(merged(Found("crossref", (left_out, GLACIERS)))) == ["Measuring Glacier Flow"]


def test_nothing_fits():
    found = merged(Found("crossref", (FISH,)), Unavailable("openalex", "429"))
    assert found.abstained
    assert "“glacier calving”" in found.reason
    away = Unavailable("openalex", "429")
    assert merged(away).reason == "no service answered (OpenAlex: 429)"
    assert merged(Absent("crossref"), away).reason == "the services that answered found no work on this (OpenAlex: 429)"


@pytest.mark.parametrize(
    ("place", "wording"),
    [
        (Question("Much is said", hint="reciprocal rank fusion"), "reciprocal rank fusion"),
        (Question("We train it with adaptive moments", hint="Adam"), "adam"),
        (Question("As it was. We use SGD, momentum and adaptive learning rates"), "adaptive learning rates"),
        (Question("Much is said of glaciers", hint="the who"), "the who"),
        (Question(""), ""),
    ],
)
def test_the_words_that_are_sent(place, wording):
    assert search_words.choose_words(Query(place)) == wording


@pytest.fixture
async def sources(tmp_path):
    opened = []

    def start(handler):
        opened.append(Sources(local(), directory=tmp_path, transport=Web(handler)))
        opened[-1].client.retry = QUICK
        return opened[-1]

    yield start
    for it in opened:
        await it.aclose()


def crossref(request):
    if not request.url.path.startswith("/crossref"):
        return page(status=503)
    work = {"DOI": "10.1000/ice", "title": ["Measuring Glacier Calving"], "issued": {"date-parts": [[2009]]}}
    return reply({"message": {"items": [work]}})


def here(place=PLACE, *own):
    return Here(Query(place), own)


async def test_each_answer_gives_a_list_the_last_one_whole(sources):
    steps = [it async for it in search.search(here(), sources(crossref))]
    lists = [candidate_set.suggest(here(), it.answers) for it in steps]
    assert [it.complete for it in lists] == [False] * (len(steps) - 1) + [True]
    assert titles(lists[-1]) == ["Measuring Glacier Calving"]
    assert lists[-1].usage["requests"] == len(steps)


async def test_cancelling_frees_everything_at_once(sources):
    reached = asyncio.Event()

    async def hang():
        reached.set()
        await asyncio.Event().wait()

    async def ask():
        async for _ in search.search(here(), sources(lambda _: hang())):
            pass

    task = asyncio.create_task(ask())
    await asyncio.wait_for(reached.wait(), 10)
    before = asyncio.all_tasks() - {asyncio.current_task(), task}
    began = time.process_time()
    task.cancel()
    await asyncio.wait([task])
    assert time.process_time() - began < 0.1
    assert before
    assert all(it.done() for it in before)


async def test_all_answers_at_once_and_each_service_named(sources):
    heard = []
    answers = await search.ask_everybody(here(), sources(crossref), report=lambda it: heard.append(it.service))
    assert titles(candidate_set.suggest(here(), answers)) == ["Measuring Glacier Calving"]
    assert answers.complete
    assert len(heard) == answers.usage["requests"]
    assert await search.ask_everybody(here(Question("")), sources(crossref)) == Answers()


GLACIERS_THAT = entry("Glaciers that calve, and whatever else they do")


async def test_what_the_services_found_is_reranked(sources):
    helping = helpers(
        Settings(rerank=Rerank(base_url="http://models.test/v1", name="small")), pytest.fail, Transport(Meanings())
    )
    asked = here(PLACE, GLACIERS_THAT)
    answers = await search.ask_everybody(asked, sources(crossref), helpers=helping)
    found = titles(candidate_set.suggest(asked, answers))
    assert len(found) == 2
    assert found == sorted(found, key=len, reverse=True)
    alone = await search.ask_everybody(asked, sources(crossref))
    assert answers.usage["requests"] == alone.usage["requests"] + 1


async def test_a_work_named_by_its_title_stays_first(sources):
    helping = helpers(Settings(rerank=Rerank(base_url="http://models.test/v1")), pytest.fail, Transport(Meanings()))
    asked = here(replace(PLACE, hint="Measuring Glacier Calving"), GLACIERS_THAT)
    answers = await search.ask_everybody(asked, sources(crossref), helpers=helping)
    assert titles(candidate_set.suggest(asked, answers))[0] == "Measuring Glacier Calving"
