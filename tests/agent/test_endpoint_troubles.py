import asyncio
import json

import pytest

from agent_works import Shelf, candidate
from citelsp.agent.chat import Chat
from citelsp.agent.environment import Answer
from citelsp.agent.habits import Habits, Memory
from citelsp.agent.loop import find_works
from citelsp.agent.model import Model
from citelsp.agent.steps import Limits
from citelsp.base.settings import LanguageModel
from malformed_answers import MISWRITTEN
from model_server import Answer as Response
from model_server import completion, failure, serving

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."
SELECTED = completion(json.dumps({"choice": "W1", "sure": "clear", "why": "It is Adam."}))


@pytest.fixture
def running(environment, tmp_path):
    """running(server, …) → the Suggestion of a run with that server's model"""

    async def run(server, *, limits=Limits(), services=None, **endpoint):  # noqa: B008
        chat = Chat(LanguageModel(server.url, "m", **endpoint), Memory(tmp_path / "endpoints.json"), patience=0.001)
        try:
            return await find_works(environment(TEXT, services=services), Model(chat), limits)
        finally:
            await chat.aclose()

    return run


def first(found):
    return found.candidates[0].record.id, found.candidates[0].probability, found.abstained


RIGHT = ("adam", 0.93, False)


async def test_plain_where_nothing_else_is_taken_and_it_is_remembered(running, tmp_path):
    def old(body):
        return failure("failed to parse grammar") if "response_format" in body else SELECTED

    async with serving(old) as server:
        assert first(await running(server)) == RIGHT
        assert first(await running(server)) == RIGHT
    forms = [it.get("response_format", {}).get("type") for it in server.asked]
    assert forms == ["json_schema", "json_object", None, None]
    assert Memory(tmp_path / "endpoints.json").get(server.url, "m").form == "plain"


async def test_the_error_goes_back_to_the_model(running):
    async with serving(completion("Let me think about it."), SELECTED) as server:
        assert first(await running(server)) == RIGHT
    assert "could not be used: it holds no JSON object" in server.messages[1][-1]["content"]
    assert "response_format" in server.asked[1]


@pytest.mark.parametrize("name", MISWRITTEN)
async def test_no_malformed_answer_loses_the_run(running, name):
    async with serving(completion(MISWRITTEN[name])) as server:
        assert first(await running(server)) == RIGHT
    assert len(server.asked) == 1


ODD = {
    "unknown members": lambda it: it.update(thought_signature="x", reasoning="y", extra_content={"google": {}}),
    "content in parts": lambda it: it.update(content=[{"type": "text", "text": it["content"]}]),
}


@pytest.mark.parametrize("name", ODD)
async def test_oddities_of_endpoints(running, name):
    odd = json.loads(json.dumps(SELECTED))
    ODD[name](odd["choices"][0]["message"])
    odd["usage"] = {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 99, "prompt_tokens_details": None}
    async with serving(odd) as server:
        assert first(await running(server)) == RIGHT


@pytest.mark.parametrize(
    "answer",
    [
        Response("<html>busy</html>"),
        Response({}),
        Response({"choices": []}),
        Response({"choices": None, "usage": None}),
        Response({"choices": [{"message": None, "finish_reason": "stop"}]}),
        Response({"error": {"code": 429, "message": "Provider returned error", "metadata": {"raw": "slow"}}}),
        Response({"error": {"message": "overloaded"}}, 503),
        Response({"error": {"message": "Loading model", "code": 503}}, 503),
        Response({"error": {"message": "Rate limit"}}, 429, {"retry-after": "0.01"}),
        Response({"error": {"message": "Rate limit"}}, 429, {"retry-after-ms": "5"}),
        Response("gateway timeout", 504, {"content-type": "text/plain"}),
        completion(None, refusal="I cannot help."),
        completion('{"choi', finish="length"),
        completion("", usage=None),
        failure("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        failure("'temperature' does not support 0 with this model."),
        failure("Unsupported value: 'messages[0].role' does not support 'system' with this model."),
        failure("This model's maximum context length is 4096 tokens.", code="context_length_exceeded"),
        failure("validation failed", code="json_validate_failed", failed_generation='{"name": "fly"}'),
    ],
)
async def test_troubles_are_survived(running, answer):
    async with serving(answer, SELECTED) as server:
        assert first(await running(server)) == RIGHT
    assert len(server.asked) >= 2


async def test_what_the_endpoint_could_not_read_may_be_read_here(running):
    written = 'So be it. {"choice": "W1", "sure": "clear"'
    async with serving(failure("no JSON", code="json_validate_failed", failed_generation=written)) as server:
        assert first(await running(server)) == RIGHT
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        failure("Incorrect API key provided: sk-abc123456789", 401),
        failure("model 'm' not found", 404),
        failure("You exceeded your current quota", 429, code="insufficient_quota"),
        failure("no", 403),
        Response({"error": {"message": "Rate limit"}}, 429, {"retry-after": "86400"}),
        Response("", 302, {"location": "http://127.0.0.1:9/elsewhere"}),
    ],
)
async def test_rules_go_on_where_the_model_cannot_be_asked(running, answer):
    async with serving(answer) as server:
        found = await running(server)
    assert found.candidates[0].record.id == "adam"
    assert "the model's endpoint says" in found.reason
    assert "sk-abc" not in found.reason
    assert len(server.asked) == 1


async def test_rules_go_on_where_nobody_answers(environment, tmp_path):
    chat = Chat(LanguageModel("http://127.0.0.1:9/v1", "m"), Memory(tmp_path / "e.json"), patience=0.001)
    found = await find_works(environment(TEXT), Model(chat))
    await chat.aclose()
    assert found.candidates[0].record.id == "adam"
    assert "no connection" in found.reason


class Endless(Shelf):
    """Has a work for whatever is searched for."""

    async def search(self, words, _limit):
        self.asked.append(words)
        number = "many " * len(self.asked)
        return Answer((candidate(f"On {number}optimizers", id=number),), requests=1)


@pytest.mark.parametrize(
    ("limits", "said"),
    [(Limits(turns=3), "3 turns"), (Limits(tokens=250), "250 tokens"), (Limits(seconds=1.0), "1 seconds")],
)
async def test_limits_end_a_model_that_never_decides(running, limits, said):
    searches = [completion(json.dumps({"choice": "", "words": f"optimizer {5 * it}"})) for it in "abcdefghij"]
    slow = [Response(it, delay=0.3) for it in searches] if limits.seconds == 1.0 else searches
    async with serving(*slow) as server:
        found = await running(server, limits=limits, services=Endless())
    assert said in found.reason
    assert found.candidates[0].record.id == "adam"


async def test_money_is_counted_by_prices_or_as_the_endpoint_says(running):
    costly = json.loads(json.dumps(SELECTED))
    costly["usage"] = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 600}}
    async with serving(costly) as server:
        found = await running(server, price_in=2.0, price_cached=0.5, price_out=10.0)
    assert found.usage["usd"] == pytest.approx((400 * 2 + 600 * 0.5 + 100 * 10) / 1e6)
    assert found.usage["tokens_cached"] == 600
    costly["usage"]["cost"] = 0.125
    async with serving(costly) as server:
        assert (await running(server, price_in=2.0)).usage["usd"] == 0.125


async def test_cancelled_while_the_model_thinks(running):
    async with serving(Response(SELECTED, delay=60)) as server:
        task = asyncio.ensure_future(running(server))
        await server.reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_twenty_runs_share_one_model(environment, tmp_path):
    async with serving(Response(SELECTED, delay=0.05)) as server:
        chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"))
        runs = [find_works(environment(TEXT), Model(chat)) for _ in range(20)]
        found = await asyncio.gather(*runs)
        await chat.aclose()
    assert [first(it) for it in found] == [RIGHT] * 20


def test_habits_are_forgotten_after_a_month(tmp_path):
    path, now, day = tmp_path / "endpoints.json", 1e9, 86400.0
    Memory(path, lambda: now).put("http://a/v1", "m", Habits(form="plain"))
    later = Memory(path, lambda: now + 20 * day)
    later.put("http://a/v1", "m", Habits(form="plain"))
    assert later.get("http://a/v1", "m") == Habits(form="plain")
    forgotten = Memory(path, lambda: now + 31 * day)
    assert forgotten.get("http://a/v1", "m") is None
    forgotten.put("http://a/v1", "m", Habits(form="plain"))
    assert Memory(path, lambda: now + 60 * day).get("http://a/v1", "m") == Habits(form="plain")


def test_habits_survive_a_broken_file(tmp_path):
    path = tmp_path / "endpoints.json"
    path.write_text("{not json", encoding="utf-8")
    memory = Memory(path)
    assert memory.get("http://a/v1", "m") is None
    memory.put("http://user:secret@a/v1", "m", Habits(form="plain"))
    assert Memory(path).get("http://a/v1/", "m") == Habits(form="plain")
    assert "secret" not in path.read_text(encoding="utf-8")
