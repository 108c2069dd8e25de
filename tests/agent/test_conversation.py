"""All that a model is shown of one run, word for word: its answers rest on nothing else, and every word is paid for."""

import json

import pytest

from citelsp.agent.chat import Chat
from citelsp.agent.habits import Memory
from citelsp.agent.loop import resolve
from citelsp.agent.searching import Searching
from citelsp.agent.steps import Limits
from citelsp.base.settings import LanguageModel
from model_server import completion, failure, serving

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<>, for ten epochs. Café fish saw no harm."
OPENING = """Manuscript: «Training deep networks» «2016»
Place: «We train with the Adam optimizer, which needs little memory [CITE] , for ten epochs. Café fish saw no harm.»

Found so far:
W1 «Adam: A Method for Stochastic Optimization» «Kingma & Ba 2014»
W2 «Long Short-Term Memory» «1997»
W3 «Divide the Gradient by a Running Average» «2012» †
W4 «Feeding Habits of Freshwater Fish» «1980»
W5 «A Stochastic Approximation Method» «1951» †"""
NAMES = "search_library, search, read, ask_for_more_context, select, give_up"
TURNS = [  # (action, its arguments, what is said of it)
    [
        ("search", {"query": "café fish"}, "shown above: W4 W1 W2 W3 W5\nno title holds all of these words"),
        ("read", {"id": "W3", "part": "Algorithm"}, "only its title is known"),
    ],
    [
        (
            "find_in_text",
            {"id": "W1", "query": "CIFAR"},
            "W1 «Experiments»: «Dropout was combined with Adam on the CIFAR images, and it converged within forty"
            " epochs.»",
        ),
        ("find_in_text", {"id": "W1", "query": "quasars"}, "its text says nothing of these words"),
    ],
    [
        ("expand_references", {"id": "W3"}, "no links of it are known"),
        ("search", {"query": "?"}, "shown above: W1 W2 W3 W4 W5"),
        ("search", {"query": "Cafe Fish"}, "this was asked before and brings nothing new: select a work, or give_up"),
        ("search_text_snippet", {"query": "quasars"}, "nothing was found"),
    ],
    [
        ("ask_for_more_context", {}, "«There is no more context.»"),
        ("read", {"id": "W99"}, "there is no work 'W99'; choose one that was shown"),
        ("search", {}, "search needs query; query is missing"),
        ("fly", {}, f"there is no action 'fly'; there are {NAMES}"),
    ],
    [("select", {"id": "W1", "quote": "no"}, "the quote is not in W1; copy one sentence from it word for word")],
    [("give_up", {"reason": "no"}, "")],
]
LAST = "This is your last turn: select the work that fits best, or give_up."
PLAIN = """Answer with one JSON object and nothing else:
{"thought": "one short sentence", "actions": [{"action": "search", "query": "residual network"}]}
Actions and their fields:
- search: query, sort (optional). Works by words; sort: relevance or citations.
- read: id, part (optional). A work's text; part: abstract, a section or a page.
- select: id, sure, why, quote (optional). The answer: a handle, or the title of a work not shown, to be looked up.
- give_up: reason. No work fits."""


@pytest.fixture
def conversation(environment, tmp_path):
    """conversation(answers, turns) → the question before the last answer"""

    async def run(answers, *turns):
        async with serving(*turns) as server:
            chat = Chat(LanguageModel(server.url, "m", answers=answers), Memory(tmp_path / "e.json"))
            await resolve(environment(TEXT, date="2016"), Searching(chat, demonstration=False), Limits(turns=7))
            await chat.aclose()
        return server.asked[-1]

    return run


async def test_with_tools(conversation):
    calls = [[(name, json.dumps(fields)) for name, fields, _ in turn] for turn in TURNS]
    asked = await conversation("auto", *(completion(calls=it) for it in calls))
    _, *messages = asked["messages"]
    assert [it["content"] for it in messages if it["role"] == "user"] == [OPENING, LAST]
    assert [it["content"] for it in messages if it["role"] == "tool"] == [it for turn in TURNS[:-1] for *_, it in turn]
    offered = [it["function"] for it in asked["tools"]]
    described = (f"{it['name']}: {', '.join(it['parameters']['properties'])}. {it['description']}" for it in offered)
    assert [f"- {it}" for it in described] == PLAIN.replace(" (optional)", "").splitlines()[3:]


async def test_an_endpoint_without_system_messages_gets_the_same_in_the_first_question(conversation):
    calls = [[(name, json.dumps(fields)) for name, fields, _ in turn] for turn in TURNS]
    refusal = failure("the system role is not supported by this model")
    asked = await conversation("auto", refusal, *(completion(calls=it) for it in calls))
    first, *messages = asked["messages"]
    assert first["role"] == "user" and first["content"].endswith(f"\n\n{OPENING}")
    assert [it["content"] for it in messages if it["role"] == "tool"] == [it for turn in TURNS[:-1] for *_, it in turn]


async def test_what_was_called_as_a_tool_is_shown_as_text_once_tools_are_refused(conversation):
    (name, fields, said), _ = TURNS[0]
    call, refusal = completion(calls=[(name, json.dumps(fields))]), failure("tools are not supported by this model")
    asked = await conversation("auto", call, refusal, completion('{"actions": [{"action": "give_up"}]}'))
    *_, answer, seen = asked["messages"]
    assert json.loads(answer["content"]) == {"thought": "", "actions": [{"action": name} | fields]}
    assert seen["content"] == f"{name}: {said}"


async def test_without_tools(conversation):
    actions = [[{"action": name} | fields for name, fields, _ in turn] for turn in TURNS]
    asked = await conversation("plain", *(completion(json.dumps({"actions": it})) for it in actions))
    prompt, *messages = asked["messages"]
    assert prompt["content"].endswith(f"\n\n{PLAIN}")
    answered = ["\n\n".join(f"{name}: {said}" for name, _, said in turn) for turn in TURNS[:-1]]
    assert [it["content"] for it in messages if it["role"] == "user"] == [
        OPENING,
        *answered[:-1],
        f"{answered[-1]}\n\n{LAST}",
    ]
