"""What an answer cost, as far as an endpoint says; how often and how it is asked before it is given up."""

import json
import os

import pytest

from citelsp.agent import failure as refusals
from citelsp.agent.ask import shape
from citelsp.agent.chat import Chat, Refused
from citelsp.agent.failure import Failure
from citelsp.agent.habits import Habits, Memory
from citelsp.agent.steps import Usage
from citelsp.base.settings import LanguageModel
from model_server import Answer, completion, failure, serving

QUESTION = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Which?"}]
SHAPE = shape("answer", choice={"type": "integer"})


@pytest.fixture
def asking(tmp_path):
    """asking(answers, …) → what a chat makes of them, one question after another, and the server"""

    async def ask(*answers, times=1, form=SHAPE, name="m", messages=QUESTION, **endpoint):
        async with serving(*answers) as server:
            chat = Chat(LanguageModel(server.url, name, **endpoint), Memory(tmp_path / "e.json"), patience=0.001)
            found = [await chat.ask(messages, form) for _ in range(times)]
            await chat.aclose()
        return found, server.asked

    return ask


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        ({"prompt_tokens": 100, "completion_tokens": 10}, (100, 0, 10, 100 * 2 + 10 * 8)),
        (
            {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 60}},
            (100, 60, 10, 40 * 2 + 60 * 1 + 10 * 8),
        ),
        (
            {"prompt_tokens": 100, "completion_tokens": 10, "prompt_cache_hit_tokens": 300},
            (100, 100, 10, 100 * 1 + 10 * 8),
        ),
        ({"prompt_tokens": 0, "completion_tokens": 0, "cost": 0}, (0, 0, 0, 0)),
        ({"prompt_tokens": 100, "completion_tokens": 10, "cost": 0.5}, (100, 0, 10, 500_000)),
        ({"prompt_tokens": 100, "completion_tokens": 10, "cost": True}, (100, 0, 10, 280)),
        ({"prompt_tokens": 10**9, "completion_tokens": 10**9 - 1}, None),
    ],
)
async def test_tokens_and_money_are_as_the_endpoint_says(asking, usage, cost):
    answer = {**completion("W1 it is, I think."), "usage": usage}
    ((reply,), _) = await asking(answer, price_in=2.0, price_cached=1.0, price_out=8.0)
    if cost is None:
        assert (reply.usage.estimated, reply.usage.tokens_out) == (True, 10**9 - 1)
        return
    read, cached, written, usd = cost
    assert reply.usage == Usage(read, cached, written, pytest.approx(usd / 1e6), 1, 0, False)


async def test_cached_tokens_cost_as_others_where_no_price_is_set_for_them(asking):
    usage = {"prompt_tokens": 100, "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": 60}}
    ((reply,), _) = await asking({**completion("so"), "usage": usage}, price_in=2.0)
    assert reply.usage.usd == pytest.approx(200e-6)


async def test_what_is_not_counted_is_estimated_by_four_characters_a_token(asking):
    ((reply,), _) = await asking({**completion("x" * 41), "usage": None})
    expected = sum(len(str(it)) for it in QUESTION) // 4
    assert reply.usage == Usage(expected, 0, 10, 0.0, 1, 0, True)
    unread = failure("tool use failed", code="tool_use_failed", failed_generation="y" * 80)
    ((reply,), _) = await asking(unread)
    assert reply.text == "y" * 80
    assert reply.usage == Usage(expected, 0, 20, 0.0, 1, 0, True)


@pytest.mark.parametrize(
    ("answer", "times"),
    [
        (failure("oops", 500), 3),
        (failure("busy", 503), 3),
        (Answer("", 529), 3),
        (Answer({"error": {"message": "Rate limit"}}, 429, {"retry-after-ms": "1"}), 6),
        (Answer({"error": {"message": "Rate limit"}}, 429, {"retry-after": "21"}), 1),
        (failure("no money", 429, code="insufficient_quota"), 1),
        (failure("teapot", 418), 1),
        (Answer({"error": {"message": "Loading model", "code": 503}}), 3),
        (Answer({"error": {"message": "no such model", "code": "404"}}), 1),
        (failure("wrong", 401), 1),
    ],
)
async def test_who_may_answer_later_is_asked_again_some_times(asking, answer, times):
    ((refused,), asked) = await asking(answer)
    assert isinstance(refused, Refused) and len(asked) == times
    assert refused.usage == Usage(calls=1)


@pytest.mark.parametrize(("status", "asked"), [(401, 1), (403, 1), (418, 2)])
async def test_only_who_turns_everybody_away_is_left_alone(asking, status, asked):
    (first, second), questions = await asking(failure("no", status), times=2)
    assert first.why == second.why == f"the model's endpoint says: {status} no"
    assert len(questions) == asked


async def test_an_endpoint_that_complains_for_ever_is_not_asked_for_ever(asking):
    length = failure("max_tokens is not supported, use max_completion_tokens")
    ((refused,), asked) = await asking(length)
    assert refused.why == "the model's endpoint refuses every way of asking"
    assert len(asked) == 8 and refused.usage == Usage(calls=1)
    assert {"max_tokens" in it for it in asked} == {True, False}


async def test_a_question_longer_than_the_context_is_asked_for_ever_shorter_answers_and_then_refused(asking):
    ((refused,), asked) = await asking(failure("This model's maximum context length is 16 tokens."))
    assert refused == Refused("the question is longer than the model's context", too_long=True, usage=Usage(calls=1))
    assert [it["max_tokens"] for it in asked] == [2000, 1000, 500]


async def test_how_a_question_is_asked_at_first(asking):
    _, (body,) = await asking(completion("so"))
    schema = {"name": "answer", "schema": SHAPE.schema, "strict": True}
    assert body == {
        "model": "m",
        "messages": QUESTION,
        "max_tokens": 2000,
        "temperature": 0,
        "response_format": {"type": "json_schema", "json_schema": schema},
    }


@pytest.mark.parametrize("name", ["gpt-5", "openai/o3-mini", "o1", "azure/gpt-5-nano"])
async def test_newer_models_are_asked_as_they_want_it(asking, name):
    _, (body,) = await asking(completion("so"), name=name)
    assert body["max_completion_tokens"] == 2000
    assert not {"max_tokens", "temperature"} & set(body)


@pytest.mark.parametrize(("answers", "form"), [("json", "json_schema"), ("plain", None), ("auto", "json_schema")])
async def test_the_settings_may_say_how_answers_come(asking, answers, form):
    _, (body,) = await asking(completion("so"), answers=answers)
    assert body.get("response_format", {}).get("type") == form


@pytest.mark.parametrize(
    ("message", "text", "problem", "cut"),
    [
        (completion("so"), "so", "", False),
        (completion("so", finish="length"), "so", "it was cut off; be brief", True),
        (completion("<think>so", finish="length"), "", "it was cut off; be brief", True),
        (completion("<think>so"), "<think>so", "", False),
        (completion("so", finish="length", refusal="No."), "so", "the model refused", True),
        ({"choices": []}, "", "it was empty", False),
    ],
)
async def test_what_was_wrong_with_an_answer_is_told(asking, message, text, problem, cut):
    ((reply,), _) = await asking(message)
    assert (reply.text, reply.problem, reply.cut) == (text, problem, cut)


@pytest.mark.parametrize(
    ("message", "habits"),
    [
        ("This model's maximum context length is 4096 tokens.", {"length": 1000}),
        ("max_tokens is too large: 2000. At most 900 are allowed.", {"length": 1000}),
        ("Use max_completion_tokens instead.", {"length_field": "max_completion_tokens"}),
        ("'temperature' does not support 0.", {"temperature": False}),
        ("System messages are not supported.", {"system": False}),
        ("The role must not be system.", {"system": False}),
        ("Please give another thought to it.", None),
    ],
)
def test_an_endpoint_s_complaint_changes_how_it_is_asked(message, habits):
    found = refusals.adapt_habits(Habits(), Failure(400, message))
    assert found == (None if habits is None else Habits(**habits))
    if found and "length" not in habits and "length_field" not in habits:
        assert refusals.adapt_habits(found, Failure(400, message)) is None


def test_the_name_of_a_limit_is_the_other_one_that_there_is():
    newer = Habits(length_field="max_completion_tokens")
    unknown = Failure(400, "Unknown field max_completion_tokens")
    assert refusals.adapt_habits(newer, unknown) == Habits(length_field="max_tokens")


def test_answers_are_asked_to_be_shorter_down_to_five_hundred_tokens():
    habits, lengths = Habits(length=3000), []
    while (changed := refusals.adapt_habits(habits, Failure(413, "no"))) is not None:
        habits, lengths = changed, [*lengths, changed.length]
    assert lengths == [1500, 750, 500]
    assert [Habits(length=it).longer().length for it in (500, 4000, 4001)] == [2000, 16_000, 16_000]


@pytest.mark.parametrize(
    ("body", "message", "code", "failed"),
    [
        ({"error": "so"}, "so", "", ""),
        ({"error": {"message": "so", "code": 7}}, "so", "7", ""),
        ({"error": {"message": "so", "type": "busy", "failed_generation": "x"}}, "so", "busy", "x"),
        ({"error": {"message": "so", "metadata": {"raw": "more"}}, "detail": "yet"}, "so more yet", "", ""),
        ({"message": "so", "failed_generation": 7}, "so", "", ""),
        ([{"error": {"message": "so"}}], "so", "", ""),
        ("busy", "no reason given", "", ""),
    ],
)
def test_why_an_endpoint_refuses_stands_in_many_places(body, message, code, failed):
    found = refusals.read_failure(418, json.dumps(body), {})
    assert (found.status, found.message, found.code, found.failed) == (418, message, code, failed)
    assert refusals.read_failure(418, "<html>", {}).message == "no reason given"


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("2h", 7200), ("1h2m3s", 3723), ("6m0s", 360), ("120ms", 0.12), ("7.5", 7.5), ("x", None), ("", None)],
)
def test_waits_are_written_in_hours_minutes_and_seconds(written, seconds):
    error = {"details": [{"retryDelay": written}]}
    assert refusals.read_failure(429, json.dumps({"error": error}), {}).wait == (seconds and pytest.approx(seconds))


@pytest.mark.parametrize(
    ("key", "message", "shown"),
    [
        ("abc", "the abc of it", "the abc of it"),
        ("abcd", "the abcd of it", "the … of it"),
        ("", "gsk_abcdefgh and Bearer xyz", "… and …"),
    ],
)
def test_no_key_is_shown_that_an_endpoint_repeats(key, message, shown):
    assert Failure(0, message).explained(key) == f"the model's endpoint: {shown}"
    assert Failure(500, message).explained(key) == f"the model's endpoint says: 500 {shown}"


def test_habits_are_those_of_one_model_at_one_address(tmp_path):
    path, habits = tmp_path / "e.json", Habits("plain", "n", 700, temperature=False, system=False)
    Memory(path).put("http://a:1/v1", "m", habits)
    Memory(path).put("http://b/v1", "m", Habits())
    known = Memory(path)
    assert known.get("http://key@a:1/v1/", "m") == habits
    others = ("http://a:2/v1", "m"), ("http://a:1/v2", "m"), ("http://a:1/v1", "n"), ("http://a/v1", "m")
    assert [known.get(*it) for it in others] == [None] * 4


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the user's folders private by itself")
def test_nobody_else_can_look_where_habits_are_kept(tmp_path):
    Memory(tmp_path / "endpoints" / "e.json").put("http://a:1/v1", "m", Habits())
    assert (tmp_path / "endpoints").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("written", "habits"),
    [
        ({"form": "schema"}, Habits()),
        ({"form": "schema", "length": 1, "system": "no", "more": 1}, Habits(length=500)),
        ({"form": "schema", "length": 10**6}, Habits(length=16_000)),
        ({"form": "letters"}, None),
        ({"length": 900}, None),
        ({"form": "schema", "since": 10_001.0}, None),
        ({"form": "schema", "since": "now"}, None),
        ([], None),
    ],
)
def test_of_a_file_only_what_fits_is_taken_over(tmp_path, written, habits):
    if isinstance(written, dict):
        written = {"since": 10_000.0, **written}
    (tmp_path / "e.json").write_text(json.dumps({"a/v1 m": written}), encoding="utf-8")
    memory = Memory(tmp_path / "e.json", lambda: 10_000.0)
    assert memory.get("http://a/v1", "m") == habits


def test_a_file_that_is_nested_without_end_holds_no_habits(tmp_path):
    (tmp_path / "e.json").write_text("[" * 200_000, encoding="utf-8")
    assert Memory(tmp_path / "e.json").get("http://a/v1", "m") is None
