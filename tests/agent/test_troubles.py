"""What endpoints and models do wrong without end: a run is never worse than without a model, and soon stops paying."""

import json

import pytest

from citelsp.agent.chat import Chat
from citelsp.agent.habits import Memory
from citelsp.agent.loop import find_works
from citelsp.agent.model import Model
from citelsp.agent.rules import Rules
from citelsp.agent.steps import Limits
from citelsp.base.settings import LanguageModel
from model_server import Answer, completion, failure, serving

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."
SELECTED = completion(json.dumps({"choice": "W1", "sure": "clear"}))
EVENT = f"data: {json.dumps({'choices': [{'delta': {'content': 'W1'}}]})}\n\ndata: [DONE]\n\n"
DEEP = json.loads('{"a":' * 600 + "1" + "}" * 600)

TROUBLES = {
    "too many requests": failure("Rate limit", 429),
    "too many requests, a moment": Answer({"error": {"message": "Rate limit"}}, 429, {"retry-after": "0.01"}),
    "too many requests, a day": Answer({"error": {"message": "Rate limit"}}, 429, {"retry-after": "86400"}),
    "no money": failure("You exceeded your current quota", 429, code="insufficient_quota"),
    "internal error": failure("oops", 500),
    "bad gateway": Answer("<html>bad gateway</html>", 502, {"content-type": "text/html"}),
    "overloaded": failure("overloaded", 503),
    "gateway timeout": Answer("gateway timeout", 504, {"content-type": "text/plain"}),
    "a page": Answer("<html>log in</html>", 200, {"content-type": "text/html"}),
    "events only": Answer(EVENT, 200, {"content-type": "text/event-stream"}),
    "silence": Answer(SELECTED, delay=60),
    "a byte at a time": Answer(SELECTED, pause=0.02),
    "cut in the body": Answer(SELECTED, cut=150),
    "cut in the head": Answer(SELECTED, cut=20),
    "an empty body": Answer(""),
    "an empty object": Answer({}),
    "no choice": Answer({"choices": []}),
    "null for choices": Answer({"choices": None, "usage": None}),
    "no message": Answer({"choices": [{"message": None, "finish_reason": "stop"}]}),
    "an error under 200": Answer({"error": {"code": 503, "message": "Loading model"}}),
    "nested too deep": {**SELECTED, "extra": DEEP},
    "wrong key": failure("wrong key", 401),
    "forbidden": failure("no", 403),
    "no such model": failure("model 'm' not found", 404),
    "sent elsewhere": Answer("", 302, {"location": "http://127.0.0.1:9/elsewhere"}),
    "context too short": failure("This model's maximum context length is 16 tokens.", code="context_length_exceeded"),
    "refusal": completion(None, refusal="I cannot help."),
    "nothing said": completion(""),
    "prose": completion("I think that it is the second one."),
    "cut off": completion('{"choi', finish="length"),
    "a thought without end": completion("<think>Is it W1? Or", finish="length"),
    "numbers": completion("[1, 2]"),
    "a call of a tool": completion(calls=[("search", '{"query": "optimizer"}')]),
    "another form": completion('{"action": "search", "query": "optimizer"}'),
    "a work that nobody found": completion('{"choice": "W999", "sure": "clear"}'),
    "several works": completion("It is W1 or W2."),
}


@pytest.fixture
def running(environment, tmp_path):
    async def run(server, **limits):
        chat = Chat(LanguageModel(server.url, "m", seconds=0.5), Memory(tmp_path / "e.json"), patience=0.001)
        try:
            return await find_works(environment(TEXT), Model(chat), Limits(**{"turns": 6, "seconds": 1.5, **limits}))
        finally:
            await chat.aclose()

    return run


def listed(found):
    return [it.record.id for it in found.candidates], found.abstained


@pytest.mark.parametrize("name", TROUBLES)
async def test_rules_decide_and_the_author_hears_why(running, environment, name):
    trouble = TROUBLES[name]
    async with serving(trouble) as server:
        found = await running(server)
    assert listed(found)[1] == listed(await find_works(environment(TEXT), Rules()))[1]
    assert found.candidates[0].record.id == "adam"
    assert found.undecided
    assert found.undecided in found.reason
    if getattr(trouble, "status", 200) == 200:
        assert len(server.asked) <= 4
