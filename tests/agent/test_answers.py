"""What is read of a model's answer: without its thoughts, mended, and no deeper than can be walked."""

import json

import pytest

from citelsp.agent.repair_json import UnreadableError, value, values, visible


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
    assert values("<think>```json\n{a: 1} {b: 2}\n``` or ```json\n{c: 3} {d: 4}\n``` or") == [{"d": 4}]
    assert values("so <think>{a: 1} {b: 2}") == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize("depth", [40, 41, 600])
def test_answers_are_read_so_deep(depth):
    for text in ('{"a": ' * depth + "1" + "}" * depth, "{a: " * depth + "1" + "}" * depth):
        if depth <= 40:
            assert json.dumps(value(text)).count("{") == depth
        else:
            with pytest.raises(UnreadableError):
                value(text)
