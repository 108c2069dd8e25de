"""What endpoints and models are known to do beside the wire format, and what many runs at once do to one of them."""

import asyncio
import json
import subprocess
import sys
import time
from email.utils import formatdate
from itertools import pairwise

import pytest

from citelsp.agent import failure as refusals
from citelsp.agent.chat import Chat
from citelsp.agent.habits import Memory
from citelsp.agent.loop import find_works
from citelsp.agent.model import Model
from citelsp.agent.steps import Limits
from citelsp.base import extras
from citelsp.base.settings import LanguageModel
from model_server import Answer, completion, failure, serving

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."
SELECTED = completion(json.dumps({"choice": "W1", "sure": "clear", "why": "It is Adam."}))
RIGHT = ("adam", False, "")


@pytest.fixture
def running(environment, tmp_path):
    """running(server, …) → Suggestions of so many runs with that server's model, at the same time"""

    async def run(server, count=1, *, limits=Limits(), **endpoint):  # noqa: B008
        chat = Chat(LanguageModel(server.url, "m", **endpoint), Memory(tmp_path / "endpoints.json"), patience=0.001)
        try:
            return await asyncio.gather(*(find_works(environment(TEXT), Model(chat), limits) for _ in range(count)))
        finally:
            await chat.aclose()

    return run


def first(found):
    one = found.candidates[0]
    return one.record.id, found.abstained, found.reason


def tokens(body):
    return len(json.dumps(body["messages"])) // 4


def without_schemas(body):
    strict = body.get("response_format", {}).get("type") == "json_schema"
    return failure("response_format json_schema is not supported") if strict else SELECTED


def newer(body):
    unknown = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    return failure(unknown) if "max_tokens" in body else SELECTED


def google(body):
    """An error comes as a list."""
    said = [{"error": {"code": 400, "message": "Invalid JSON schema for models/x", "status": "INVALID"}}]
    return Answer(said, 400) if "response_format" in body else SELECTED


def small(body):
    """As vLLM with a short context."""
    most, asked = tokens(body) + 600, body["max_tokens"]
    said = f"'max_tokens' or 'max_completion_tokens' is too large: {asked}. The maximum context length is {most}"
    return failure(said) if asked > 600 else SELECTED


def alternating(body):
    """As Gemma's chat template."""
    roles = [it["role"] for it in body["messages"] if it["role"] != "system"]
    if any(one == other for one, other in pairwise(roles)):
        return failure("Conversation roles must alternate user/assistant/user/assistant/...")
    return SELECTED if len(roles) > 1 else completion("I cannot say.")


def thoughtful(body):
    """Thinks longer than the answer may be."""
    return SELECTED if body["max_tokens"] > 4000 else completion("", finish="length", reasoning_content="hm " * 900)


@pytest.mark.parametrize("model", [without_schemas, newer, google, small, thoughtful])
async def test_runs_at_once_all_learn_how_an_endpoint_is_asked(running, model):
    async with serving(model) as server:
        assert [first(it) for it in await running(server, 8)] == [RIGHT] * 8


async def test_no_two_messages_of_one_role_in_a_row(running):
    async with serving(alternating) as server:
        (found,) = await running(server, answers="plain")
    assert first(found) == RIGHT
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "The input token count (5000) exceeds the maximum number of tokens allowed (4096)."),
        (413, "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7000"),
        (400, "the request exceeds the available context size. try increasing the context size"),
        (400, "The number of tokens to keep from the initial prompt is greater than the context length."),
        (400, "max_tokens is too large: 2000. This model supports at most 1000 completion tokens"),
    ],
)
async def test_what_is_too_long_is_asked_for_in_less(running, status, message):
    async with serving(failure(message, status), SELECTED) as server:
        assert first((await running(server))[0]) == RIGHT
    assert server.asked[1]["max_tokens"] < server.asked[0]["max_tokens"]


DEEP = "[" * 600 + '"a"' + "]" * 600
STRANGE = {
    "nesting": f'{{"choice": {DEEP}, "title": ""}}',
    "numbers": f'{{"choice": 1{"0" * 400}, "title": {"9" * 4000}}}',
    "a long number": f'{{"choice": "{"9" * 5000}"}}',
    "half a character": '{"choice": "", "words": "\\ud800 \\u0000 memory"}',
    "no numbers": '{"choice": NaN, "title": Infinity}',
    "lists": '{"choice": ["W1", "W2"], "title": {"a": 1}, "others": "W3", "sure": []}',
}


@pytest.mark.parametrize("name", STRANGE)
async def test_strange_answers_are_survived(running, name):
    async with serving(completion(STRANGE[name]), SELECTED) as server:
        (found,) = await running(server)
    assert found.candidates[0].record.id == "adam"


async def test_an_answer_nested_too_deep_is_no_answer(running):
    deep = json.loads('{"a":' * 600 + "1" + "}" * 600)
    async with serving({**SELECTED, "extra": deep}) as server:
        (found,) = await running(server)
    assert found.reason == "the model's endpoint: the answer is nested too deep"


@pytest.mark.parametrize("said", [0.99, True, 1e9, "0.9"])
async def test_a_model_says_no_probabilities(running, said):
    async with serving(completion(json.dumps({"choice": "W1", "probability": said}))) as server:
        (found,) = await running(server)
    assert first(found) == RIGHT
    assert found.candidates[0].probability is None


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -5, "completion_tokens": 3},
        {"prompt_tokens": 10**400, "completion_tokens": 3},
        {"prompt_tokens": 9, "completion_tokens": 3, "cost": float("nan")},
        {"prompt_tokens": 9, "completion_tokens": 3, "cost": -1},
        {"prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": -7}},
    ],
)
async def test_impossible_counts_are_passed_over(running, usage):
    async with serving({**SELECTED, "usage": usage}) as server:
        (found,) = await running(server, price_out=1.0)
    counted = found.usage
    assert counted["tokens_in"] == 9 or 100 < counted["tokens_in"] < 3000
    assert (counted["tokens_out"], counted["usd"], counted["tokens_cached"]) == (3, 3e-6, 0)


async def test_an_unfinished_thought_decides_nothing(running):
    thought = '<think>Is it {"choice": "W2", "sure": "clear"}? Or'
    async with serving(completion(thought, finish="length"), SELECTED) as server:
        assert first((await running(server))[0]) == RIGHT
    async with serving(completion(f"{thought}\n{SELECTED['choices'][0]['message']['content']}")) as server:
        assert first((await running(server))[0]) == RIGHT


async def test_keys_are_never_told(running):
    echo = failure("wrong key AIzaSyDOES-NOT-EXIST or my-own-key-77\x1b[2J", 401)
    async with serving(echo) as server:
        (found,) = await running(server, key="my-own-key-77")
    assert found.reason == "the model's endpoint says: 401 wrong key … or … [2J"


async def test_a_command_tells_the_key_once_to_runs_at_once(running, tmp_path):
    told = tmp_path / "told"
    told.touch()
    command = (sys.executable, "-c", f"open({str(told)!r}, 'a').write('x'); print('key')")
    async with serving(SELECTED) as server:
        found = await running(server, 4, key_command=command)
    assert {first(it) for it in found} == {RIGHT}
    assert told.read_text() == "x"


async def test_a_key_that_no_header_can_carry(running):
    async with serving(SELECTED) as server:
        (found,) = await running(server, key="schlüssel")
    assert "no header can carry" in found.reason
    assert not server.asked


@pytest.mark.parametrize("status", [401, 403])
async def test_an_endpoint_that_turned_us_away_is_left_alone_for_a_while(environment, tmp_path, status):
    async with serving(failure("wrong key", status)) as server:
        chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"), patience=0.001)
        found = [await find_works(environment(TEXT), Model(chat)) for _ in range(3)]
        await chat.aclose()
    assert [it.reason for it in found] == [f"the model's endpoint says: {status} wrong key"] * 3
    assert len(server.asked) == 1


async def test_who_takes_too_long_is_not_asked_the_same_again(running):
    async with serving(Answer(SELECTED, delay=5)) as server:
        (found,) = await running(server, seconds=0.2)
    assert found.reason == "the model's endpoint: no answer within 0.2 s"
    assert len(server.asked) == 1


async def test_rules_go_on_where_no_form_brings_an_answer(running):
    async with serving(completion("我认为应该引用第一篇论文")) as server:
        (found,) = await running(server)
    assert found.reason == "the model's answers could not be used: it holds no JSON object; name one handle, such as W3"
    assert found.candidates[0].probability is not None
    assert len(server.asked) == 2


async def test_reasons_of_a_model_are_plain(running):
    reason = "no\x1b[2J\n<b>work</b>\u202e fits"
    async with serving(completion(json.dumps({"choice": "", "why": reason}))) as server:
        (found,) = await running(server)
    assert found.reason == "no [2J ‹b›work‹/b› fits"


async def test_counts_that_are_estimates_say_so(running):
    async with serving({**SELECTED, "usage": None}) as server:
        (found,) = await running(server)
    assert found.usage["estimated"] == 1


def test_what_the_provider_behind_an_endpoint_says_counts():
    """As OpenRouter passes it on."""
    said = {"message": "Provider returned error", "metadata": {"raw": "maximum context length is 8192 tokens"}}
    assert refusals.read_failure(400, json.dumps({"error": said}), {}).too_long


async def test_an_answer_in_parts_is_one_text(running):
    text = json.loads(json.dumps(SELECTED))["choices"][0]["message"]["content"]
    parts = [{"type": "text", "text": it} for it in (text[:20], text[20:])]
    async with serving(completion(parts)) as server:
        assert first((await running(server))[0]) == RIGHT


def test_waits_are_read_in_every_form():
    def wait(headers, **error):
        return refusals.read_failure(429, json.dumps([{"error": error}]), headers).wait

    soon = formatdate(time.time() + 30, usegmt=True)
    assert wait({"retry-after": "7"}) == 7
    assert wait({"retry-after-ms": "120"}) == pytest.approx(0.12)
    assert 25 < wait({"retry-after": soon}) < 31
    assert wait({"retry-after": "1m30.5s"}) == 90.5
    assert wait({}, message="Please try again in 7.66s. Visit") == 7.66
    assert wait({}, message="Please retry in 34.07s.") == 34.07
    assert wait({}, details=[{"@type": "x"}, {"retryDelay": "21s"}]) == 21
    assert wait({"retry-after": "soon"}, message="try again later", details=[{"retryDelay": {}}, 3]) is None


async def test_many_runs_share_what_an_endpoint_takes_at_once(running):
    answered = []

    def limited(_):
        if len([it for it in answered if time.monotonic() - it < 0.2]) >= 2:
            return Answer({"error": {"message": "Rate limit reached"}}, 429, {"retry-after": "0.1"})
        answered.append(time.monotonic())
        return SELECTED

    async with serving(limited) as server:
        assert [first(it) for it in await running(server, 10)] == [RIGHT] * 10
    assert len(server.asked) < 40


async def test_who_is_cancelled_gives_the_place_to_others(environment, tmp_path):
    async with serving(Answer(SELECTED, delay=60), *[SELECTED] * 9) as server:
        chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"))
        stuck = asyncio.ensure_future(find_works(environment(TEXT), Model(chat)))
        await server.reached.wait()
        others = [asyncio.ensure_future(find_works(environment(TEXT), Model(chat))) for _ in range(9)]
        stuck.cancel()
        assert [first(it) for it in await asyncio.gather(*others)] == [RIGHT] * 9
        await chat.aclose()


@pytest.mark.parametrize("at_once", [pytest.param(1, marks=pytest.mark.slow), 16])
async def test_sixteen_runs_over_a_slow_endpoint_all_end_with_the_models_choice(running, at_once):
    """A fortieth of each: a model that answers in 12 s, and the limit of 120 s."""
    served = asyncio.Semaphore(at_once)

    async def answer(server, writer, found):
        async with served:
            await asyncio.sleep(0.3)
        await send(writer, found)

    async with serving(SELECTED) as server:
        await running(server)  # loads the client of endpoints, a second of CPU that is no run's
        send = server.send
        server.send = lambda writer, found: answer(server, writer, found)
        found = await running(server, 16, limits=Limits(seconds=3.0))
    assert [first(it) for it in found] == [RIGHT] * 16
    assert max(it.usage["seconds"] for it in found) < 3.0


WITHOUT = """
import asyncio, sys
sys.modules["openai"] = None  # as where it is not installed
from citelsp.agent.chat import Chat, Shape
from citelsp.base.settings import LanguageModel
print(asyncio.run(Chat(LanguageModel("http://127.0.0.1:9", "m")).ask([], Shape("answer", {}))).why)
"""


def test_without_the_package_that_asks_a_sentence_says_how_to_get_it():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, encoding="utf-8", timeout=60)
    assert done.stdout.strip() == f"the model's endpoint: the package openai is missing: run {extras.command('model')}"
