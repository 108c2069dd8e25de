import json
from contextlib import closing
from dataclasses import astuple, replace

import pytest

from agent_works import Shelf, candidate
from citelsp.agent import claim_judge, wording
from citelsp.agent.chat import Chat
from citelsp.agent.claim_verdict_cache import Judgements
from citelsp.agent.habits import Memory
from citelsp.base.settings import LanguageModel
from citelsp.bibliography.record import Record
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.knowledge import Evidence
from citelsp.sources.answer_cache import Cache
from model_server import completion, failure, serving

TEXT = r"Adam needs little memory \cite<>."
RECORD = Record("corpus", "adam", "Adam: A Method for Stochastic Optimization")


@pytest.fixture
def judging(environment, tmp_path):
    async def run(*answers, record=RECORD, **more):
        async with serving(*answers) as server:
            chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"), patience=0.001)
            found = await claim_judge.judge_claims(environment(TEXT, **more), record, chat)
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
        await claim_judge.judge_claims(environment(text), RECORD, chat)
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
    assert "verdict must be supported, partially, unsupported or uncertain" in lost.notes[-1]


async def test_a_model_that_cannot_be_asked_gives_no_verdict(judging):
    found = await judging(failure("bad key", 401))
    assert found.verdict is None
    assert found.evidence[0].quote
    assert "401" in found.notes[-1]


async def test_without_a_model_the_nearest_passages(environment):
    found = await claim_judge.judge_claims(environment(TEXT), RECORD)
    assert found.verdict is None
    assert "little memory" in found.evidence[0].quote


async def test_a_work_without_a_text_says_why(environment):
    services = Shelf(notes=("no open-access full text is known of",))
    found = await claim_judge.judge_claims(environment(TEXT, services=services), candidate("Unknown").record)
    assert found.evidence == ()
    assert "no open-access" in found.notes[0]


async def test_text_from_services_is_judged_too(judging):
    services = Shelf(passages=[Evidence("Adam needs a great deal of memory.", "section 2", "arxiv.org")])
    said = says("unsupported", "Adam needs a great deal of memory.")
    found = await judging(said, record=candidate("Adam revisited").record, services=services)
    assert found.evidence[0] == Evidence(
        "Adam needs a great deal of memory.", "section 2", "arxiv.org", "unsupported", "so"
    )


async def test_a_verdict_once_given_is_not_asked_for_again(environment, tmp_path):
    quote = "needs only first-order gradients with little memory requirement"
    cache = Cache(tmp_path / "answers")
    async with serving(says("unsupported", quote)) as server:
        endpoint = LanguageModel(server.url, "m")
        chat, known = Chat(endpoint, Memory(tmp_path / "e.json")), Judgements(cache, endpoint)
        first, again = [await claim_judge.judge_claims(environment(TEXT), RECORD, chat, known) for _ in range(2)]
        await chat.aclose()
    cache.close()
    assert len(server.asked) == 1
    assert (again.verdict, again.evidence, again.reasoning) == ("unsupported", first.evidence, "so")
    assert (first.usage.calls, again.usage.calls) == (1, 0)


async def test_a_verdict_without_a_reason_gives_none(judging):
    said = completion(json.dumps({"verdict": "unsupported", "quote": "Adam"}))
    assert (await judging(said)).reasoning == ""


LONG = [Evidence(f"Adam needs memory {it} {'x' * 30}.", f"section {it}", "x.org") for it in range(9)]


async def test_without_a_verdict_the_three_nearest_passages_are_shown(environment, judging):
    services = Shelf(passages=LONG, notes=("x: slow",))
    found = await claim_judge.judge_claims(environment(TEXT, services=services), candidate("Adam revisited").record)
    assert (found.evidence, found.notes, found.reasoning) == (tuple(LONG[:3]), ("x: slow",), "")
    found = await judging(failure("bad key", 401), record=candidate("Adam revisited").record, services=services)
    assert (found.evidence, found.notes) == (tuple(LONG[:3]), ("x: slow", "the model's endpoint says: 401 bad key"))
    assert found.usage.calls == 1


@pytest.mark.parametrize(
    ("verdict", "quote", "shown"),
    [
        ("supported", LONG[4].quote, [(4, "supported"), (0, None), (1, None)]),
        ("supported", LONG[1].quote, [(1, "supported"), (0, None)]),
        ("Not_Supported", LONG[0].quote, [(0, "unsupported"), (1, None)]),
        ("supported", "Nothing of the kind is said.", [(0, "uncertain"), (1, None), (2, None)]),
    ],
)
async def test_the_deciding_passage_comes_before_two_others(judging, verdict, quote, shown):
    services = Shelf(passages=LONG)
    found = await judging(says(verdict, quote), record=candidate("Adam revisited").record, services=services)
    assert [(LONG.index(replace(it, verdict=None, why="")), it.verdict) for it in found.evidence] == shown
    assert (found.reasoning, found.usage.calls) == ("so", 1)


async def test_the_model_is_shown_six_passages_in_the_order_of_the_text(environment, tmp_path):
    far = Evidence("Of other things. Adam needs little memory. Adam needs memory too.", "section 0", "x.org")
    services = Shelf(passages=[*reversed(LONG), far])
    async with serving(says("uncertain")) as server:
        chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"))
        record = candidate("Adam revisited", abstract="We introduce it.").record
        await claim_judge.judge_claims(environment(TEXT, services=services), record, chat)
        await chat.aclose()
    system, question = server.messages[0]
    assert system["content"] == wording.read_prompt("judge")
    shown = question["content"].partition("The cited work: «Adam revisited»\nIts passages:\n")[2].splitlines()
    assert shown[0] == "1. «abstract»: «We introduce it.»"
    assert [it.split(" ")[0] for it in shown] == [f"{it}." for it in range(1, 7)]
    assert shown[-2:] == ["5. «section 0»: «Adam needs little memory.»", "6. «section 0»: «Adam needs memory too.»"]
    assert [it.partition("section ")[2][0] for it in shown[1:4]] == ["8", "7", "6"]


async def test_a_work_of_which_no_text_speaks_of_the_sentence_says_so(environment):
    services = Shelf(passages=[Evidence("Trout eat many flies.", "1", "x")], notes=("x: slow",))
    found = await claim_judge.judge_claims(environment(TEXT, services=services), candidate("Trout").record)
    assert found == claim_judge.Judgement(notes=("x: slow", claim_judge.NO_PASSAGE))


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ({"verdict": " Partially_Supported ", "quote": "So.", "reasoning": "a\nb"}, ("partially", "So.", "a b")),
        ({"verdict": "NEUTRAL", "quote": None, "reasoning": None}, ("uncertain", "", "")),
        ({"verdict": "supports", "quote": ["So."], "reasoning": "x" * 600}, ("supported", "", "x" * 499 + "…")),
    ],
)
def test_a_judgement_is_read_in_other_words_too(answer, read):
    assert astuple(claim_judge._read_answer(json.dumps(answer))) == read


async def test_of_two_abstracts_the_longer_one_is_judged_and_nothing_of_it_is_shown_twice(environment, tmp_path):
    whole = "We introduce Adam. Unlike others it needs little memory, as only two averages are stored."
    repeated = Evidence("Unlike others it needs little memory, as only two averages are stored.", "1", "x.org")
    further = Evidence("Memory grows with the number of parameters alone.", "2", "x.org")
    services = Shelf(passages=[repeated, further])
    with closing(Corpus(tmp_path / "corpus", create=True)) as corpus:
        corpus.add([Work("w1", "Adam in Brief, With Memory", whole, year=2014)])
        cut = candidate("Adam in Brief, With Memory", abstract="We introduce Adam. Unlike oth…").record
        place = replace(environment(TEXT, services=services), corpus=corpus)
        async with serving(says("uncertain", "")) as server:
            chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"))
            await claim_judge.judge_claims(place, cut, chat)
            await chat.aclose()
    listed = server.messages[0][1]["content"].partition("Its passages:\n")[2].splitlines()
    assert listed == [f"1. «abstract»: «{whole}»", f"2. «2»: «{further.quote}»"]
