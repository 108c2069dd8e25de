import json

import pytest

from agent_works import Shelf, candidate
from citelsp.agent import judge
from citelsp.agent.chat import Chat
from citelsp.agent.habits import Memory
from citelsp.agent.judgements import Judgements
from citelsp.base.settings import LanguageModel
from citelsp.bibliography.record import Record
from citelsp.knowledge import Evidence
from citelsp.sources.cache import Cache
from model_server import completion, failure, serving

TEXT = r"Adam needs little memory \cite<>."
RECORD = Record("corpus", "adam", "Adam: A Method for Stochastic Optimization")


@pytest.fixture
def judging(environment, tmp_path):
    async def run(*answers, record=RECORD, **more):
        async with serving(*answers) as server:
            chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"), patience=0.001)
            found = await judge.support(environment(TEXT, **more), record, chat)
            await chat.aclose()
        return found

    return run


def says(verdict, quote=""):
    return completion(json.dumps({"reasoning": "so", "verdict": verdict, "quote": quote}))


@pytest.mark.parametrize("verdict", ["supported", "partially", "unsupported", "uncertain"])
async def test_a_verdict_stands_on_a_quote_of_the_text(judging, verdict):
    found = await judging(says(verdict, "needs only first-order gradients with little memory requirement"))
    first = found.evidence[0]
    assert found.verdict == verdict
    assert first.quote == "needs only first-order\ngradients with little memory requirement."
    assert first.where == "Introduction"
    assert all(it.verdict is None for it in found.evidence[1:])


@pytest.mark.parametrize("quote", ["", "Adam needs no memory whatsoever.", "memory"])
async def test_without_a_quote_in_the_text_it_is_uncertain(judging, quote):
    found = await judging(says("unsupported", quote))
    assert found.verdict == "uncertain"
    assert found.evidence[0].quote != quote


async def test_the_model_sees_the_sentence_marked_and_the_abstract_in_its_order(environment, tmp_path):
    text = r"Memory is scarce. Adam needs little memory \cite<> and is popular. Others need more."
    async with serving(says("uncertain")) as server:
        chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"))
        await judge.support(environment(text), RECORD, chat)
        await chat.aclose()
    asked = server.messages[0][1]["content"].splitlines()
    assert "The sentence: «Adam needs little memory [CITE] and is popular.»" in asked
    assert "Before it: «Memory is scarce.»" in asked
    assert "After it: «Others need more.»" in asked
    passages = asked[asked.index("Its passages:") + 1 :]
    assert passages[0] == (
        "1. «abstract»: «We introduce Adam, an algorithm for gradient-based optimization. It needs little memory.»"
    )
    assert [it.split("»")[0] for it in passages[1:]] == ["2. «Introduction", "3. «Experiments"]


async def test_other_words_for_a_verdict_and_none_at_all(judging):
    quote = "We introduce Adam, which needs only first-order"
    assert (await judging(says("Contradicted", quote))).verdict == "unsupported"
    lost = await judging(says("perhaps", quote))
    assert lost.verdict is None
    assert lost.evidence
    assert "could not be used" in lost.notes[-1]


async def test_a_model_that_cannot_be_asked_gives_no_verdict(judging):
    found = await judging(failure("bad key", 401))
    assert found.verdict is None
    assert found.evidence[0].quote
    assert "401" in found.notes[-1]


async def test_without_a_model_the_nearest_passages(environment):
    found = await judge.support(environment(TEXT), RECORD)
    assert found.verdict is None
    assert "little memory" in found.evidence[0].quote


async def test_a_work_without_a_text_says_why(environment):
    services = Shelf(notes=("no open-access full text is known of",))
    found = await judge.support(environment(TEXT, services=services), candidate("Unknown").record)
    assert found.evidence == ()
    assert "no open-access" in found.notes[0]


async def test_text_from_services_is_judged_too(judging):
    services = Shelf(passages=[Evidence("Adam needs a great deal of memory.", "section 2", "arxiv.org")])
    said = says("unsupported", "Adam needs a great deal of memory.")
    found = await judging(said, record=candidate("Adam revisited").record, services=services)
    assert found.evidence[0] == Evidence("Adam needs a great deal of memory.", "section 2", "arxiv.org", "unsupported")


async def test_a_verdict_once_given_is_not_asked_for_again(environment, tmp_path):
    quote = "needs only first-order gradients with little memory requirement"
    cache = Cache(tmp_path / "answers")
    async with serving(says("unsupported", quote)) as server:
        endpoint = LanguageModel(server.url, "m")
        chat, known = Chat(endpoint, Memory(tmp_path / "e.json")), Judgements(cache, endpoint)
        first, again = [await judge.support(environment(TEXT), RECORD, chat, known) for _ in range(2)]
        await chat.aclose()
    cache.close()
    assert len(server.asked) == 1
    assert (again.verdict, again.evidence, again.reasoning) == ("unsupported", first.evidence, "so")
    assert (first.usage.calls, again.usage.calls) == (1, 0)


async def test_a_verdict_without_a_reason_gives_none(judging):
    said = completion(json.dumps({"verdict": "unsupported", "quote": "Adam"}))
    assert (await judging(said)).reasoning == ""
