"""The actions in a model's answer, in whatever form it wrote them, and how its message is shown to it again."""

import json

import pytest

from citelsp.agent import searching
from citelsp.agent.chat import Reply
from citelsp.agent.repair import UnreadableError, arguments, value, values, visible


def acts(text):
    return [(it.name, dict(it.arguments)) for it in searching.read(Reply(text, {}))[0]]


def call(name, inputs="{}", **more):
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": inputs}, **more}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"name": "read", "args": {"id": "W1"}, "part": "2", "sort": ""}', [("read", {"id": "W1", "part": "2"})]),
        ('{"tool_name": " read ", "tool_input": "W1"}', [("read", {"query": "W1"})]),
        ('{"command": "search", "action_input": {"query": "a"}, "query": "b"}', [("search", {"query": "a"})]),
        ('{"action": "search", "arguments": {}, "parameters": {"query": "a"}}', [("search", {"query": "a"})]),
        ('{"action": {"name": "search", "input": {"query": "a"}}}', [("search", {"query": "a"})]),
        ('{"steps": [{"read": {"id": "W1"}}, {"search": "a"}]}', [("read", {"id": "W1"}), ("search", {"query": "a"})]),
        ('{"calls": {"give_up": {"reason": "no"}}}', [("give_up", {"reason": "no"})]),
        ('{"tools": [{"action": "search", "query": "a", "by_rules": 1, "x": 1}]}', [("search", {"query": "a"})]),
        ('{"read": {"id": "W1"}, "search": 7}', [("read", {"id": "W1"}), ("search", {})]),
        ('{"id": "W1", "quote": "So."}', [("select", {"id": "W1", "quote": "So."})]),
        ('{"id": "W1", "quote": "So.", "probability": 1}', [("select", {"id": "W1", "quote": "So."})]),
        ('[[[[[[[{"action": "read"}]]]]]]]', [("read", {})]),
        ('search("a b")\nread("W1")', [("search", {"query": "a b"}), ("read", {"query": "W1"})]),
        ("  read(id='W1', part=\"2\")  ", [("read", {"id": "W1", "part": "2"})]),
        ('<function=read> {"id": "W1"} </function>', [("read", {"id": "W1"})]),
        ('Action: give_up\n\nAction Input: {"reason": "no"}', [("give_up", {"reason": "no"})]),
        ("match_place()\ngive_up()", [("give_up", {"query": ""})]),
    ],
)
def test_actions_are_understood_in_many_forms(text, found):
    assert acts(text) == found


@pytest.mark.parametrize(
    "text", ['{"id": "W1"}', '{"action": ""}', '{"thought": "so"}', "[[[[[[{}]]]]]]", '{"actions": []}', "[1]"]
)
def test_what_names_no_action_is_none(text):
    with pytest.raises(UnreadableError):
        acts(text)


def test_more_calls_than_a_turn_may_have_are_no_calls():
    text = "\n".join(f'search("{it}")' for it in range(9))
    assert len(acts(text.partition("\n")[2])) == 8
    with pytest.raises(UnreadableError):
        acts(text)


def test_native_calls_come_before_what_is_written_beside_them():
    calls = (call("search", '{"query": "a", "probability": 1}'), {"name": "read", "parameters": '{"id": "W1"}'})
    actions, thought = searching.read(Reply('<think>hm</think>search("b")', {}, calls))
    found = [(it.name, it.arguments, it.id) for it in actions]
    assert (found, thought) == ([("search", {"query": "a"}, "c1"), ("read", {"id": "W1"}, "")], 'search("b")')
    nameless = ({"function": {"arguments": "{}"}}, {"id": 7})
    assert searching.read(Reply('search("b")', {}, nameless))[0][0].arguments == {"query": "b"}


def test_the_first_thought_counts():
    text = '{"reason": 1, "rationale": "first", "action": "read"} {"thought": "second", "action": "read"}'
    assert searching.read(Reply(text, {}))[1] == "first"


def test_a_message_goes_back_as_the_endpoint_wants_it():
    signed = call("web search!", '{"query": "café"}', extra_content={"google": "x"}, index=0)
    message = {"content": "so", "reasoning_content": "hm", "reasoning_details": [], "refusal": None, "audio": 1}
    calls = (signed, {**call("x" * 70), "id": ""}, {**call(""), "id": "c1"})
    assert searching._echo(Reply("<think>hm</think>" + "s" * 3000, message, calls), 3) == {
        "role": "assistant",
        "content": "s" * 2000,
        "reasoning_content": "hm",
        "tool_calls": [
            {
                "id": "call03000",
                "type": "function",
                "function": {"name": "web_search_", "arguments": '{"query": "café"}'},
                "extra_content": {"google": "x"},
            },
            {"id": "call03001", "type": "function", "function": {"name": "x" * 64, "arguments": "{}"}},
            {"id": "call03002", "type": "function", "function": {"name": "unknown", "arguments": "{}"}},
        ],
    }
    assert searching._echo(Reply("", {}, (call("read"),)), 1)["content"] is None
    assert searching._echo(Reply("<think>hm</think>so", {}), 1) == {"role": "assistant", "content": "so"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<think>a</think>b<reasoning>c</reasoning> d ", "b d"),
        ("<THOUGHT>a</THOUGHT>b", "b"),
        ("a</analysis>b", "b"),
        ("<think>a</thinking>b", "b"),
        ("<|channel|>final<|message|>a<|end|>", "a"),
        ('<|channel|>commentary to=x <|constrain|>json<|message|>{"a": 1}', '{"a": 1}'),
        ("<|channel|>analysis<|message|>a<|channel|>commentary to=x<|message|>b", "b"),
        ("a<|end|>b", "a b"),
        ("a < b", "a < b"),
    ],
)
def test_thoughts_and_signs_of_a_model_are_taken_out(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1, "b": [1.5, -2, 3e2, true, False, nan]}x', {"a": 1, "b": [1.5, -2, 300.0, True, False, None]}),
        ("{a: 'x'; b: 2,, c: }", {"a": "x", "b": 2, "c": None}),
        ("{a = 1, b => 'x', “c”: ‘y’, `d`: `z`}", {"a": 1, "b": "x", "c": "y", "d": "z"}),
        ("{a: [1, [2], {b: 3}], d: 4}", {"a": [1, [2], {"b": 3}], "d": 4}),
        ("{a: [1, 2}, b: 3}", {"a": [1, 2]}),
        ("{a: 1 # so\n, b: 2 // and\n /* so */, c: 3}", {"a": "1 # so", "b": "2 // and", "c": 3}),
        (r"{'a': 'x\n\t\/\"\\ \q \u00e9 \u00g'}", {"a": 'x\n\t/"\\ \\q é \\u00g'}),
        ("{'a': 'it's', 'b': 'don't\n'}", {"a": "it's", "b": "don't\n"}),
        ("{'a': 'x' 'b': 'y'\n c: 1}", {"a": "x", "b": "y", "c": 1}),
        ("{! 'a': 1}", {"a": 1}),
        ("{a:1,b=2,c=>3,d:: 4}", {"a": 1, "b": 2, "c": 3, "d": ": 4"}),
        ("{-1: 2}", {"-1": 2}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('"[{\\"a\\": 1}]"', {"a": 1}),
        ("[1, {'a': 1}]", {"a": 1}),
        ("so [1, 2] and {} then {a: 1}", {"a": 1}),
        ("```json\nno\n```\n```\n{a: 1}\n```", {"a": 1}),
        ('{"a": "' + "9" * 400 + '", "b": ' + "9" * 400 + "}", {"a": "9" * 400, "b": int("9" * 400)}),
        ("{b: " + "9" * 400 + "}", {"b": int("9" * 300)}),
        ('{"a": "x', {"a": "x"}),
        ('{"a": "x\\', {"a": "x\\"}),
        ('{"a', {}),
    ],
)
def test_objects_are_mended(text, found):
    if found:
        assert value(text) == found
    else:
        with pytest.raises(UnreadableError, match="no JSON object"):
            value(text)


def test_of_a_thought_that_does_not_end_the_last_object_counts():
    assert values("<think>{a: 1} {b: 2}") == [{"b": 2}]
    assert values("<think>x</think><think>{a: 1} {b: 2}") == [{"b": 2}]
    assert values("so <think>{a: 1} {b: 2}") == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize("depth", [40, 41, 600])
def test_answers_are_read_so_deep(depth):
    for text in ('{"a": ' * depth + "1" + "}" * depth, "{a: " * depth + "1" + "}" * depth):
        if depth <= 40:
            assert json.dumps(value(text)).count("{") == depth
        else:
            with pytest.raises(UnreadableError):
                value(text)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ("{a: 1}", {"a": 1}),
        ("", {}),
        (" ", {}),
        ("a", {}),
        (None, {}),
        (7, {}),
    ],
)
def test_arguments_come_as_an_object_or_as_its_text(written, found):
    assert arguments(written) == found
