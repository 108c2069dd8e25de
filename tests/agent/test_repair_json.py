import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.agent.one_question import read_choice
from citelsp.agent.repair_json import UnreadableError, value, values
from malformed_answers import MISWRITTEN


@pytest.mark.parametrize("text", MISWRITTEN.values(), ids=MISWRITTEN)
def test_malformed_answers_are_read(text):
    found = read_choice(text, {"W1": "Adam"})
    assert (found.handle, found.sure) == ("W1", "clear")


def test_a_list_is_read_as_one():
    assert values('[{"a": 1}, {"a": 2}] {"b": 3}') == [[{"a": 1}, {"a": 2}], {"b": 3}]


def test_a_value_that_is_no_object_is_called_so():
    with pytest.raises(UnreadableError, match=r"^it holds no JSON object$"):
        value('["a", "b"]')


def test_an_answer_of_nothing_is_called_empty():
    with pytest.raises(UnreadableError, match=r"^it was empty$"):
        values("<think>well</think> ")


def test_a_sign_that_two_escapes_write_is_one():
    assert value(r"{title: 'Joy \ud83d\ude00!', half: '\ud83d'}")["title"] == "Joy 😀!"


def test_numbers_and_words_without_quotes_are_read_whole():
    assert value("{order: [12, 3, none], sure: likely}") == {"order": [12, 3, None], "sure": "likely"}


@pytest.mark.parametrize(
    "text", ["", "   ", "I do not know.", "[]", "{}", "null", "42", '"text"', "{" * 500, "[" * 99999]
)
def test_what_holds_nothing_says_so(text):
    with pytest.raises(UnreadableError, match=r"empty|no JSON|choice is missing"):
        read_choice(text, {"W1": "Adam"})


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (r'{"quote": "a \beta and \frac{1}{2} of \theta"}', r"a \beta and \frac{1}{2} of \theta"),
        (r'{"quote": "a \\beta"}', r"a \beta"),
        (r'{"quote": "an \alpha \in \mathbb{R}"}', r"an \alpha \in \mathbb{R}"),
        (r'{"quote": "two\nlines"}', "two\nlines"),
        (r'{"quote": "say \"so\""}', 'say "so"'),
        (r'{"quote": "caf\u00e9"}', "café"),
        ('{"quote": "it is {braced} and [bracketed]"}', "it is {braced} and [bracketed]"),
        ("{'quote': 'it's here'}", "it's here"),
        (r"{'quote': 'caf\u00e9'}", "café"),
    ],
)
def test_strings_keep_their_words(text, quote):
    assert value(text)["quote"] == quote


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    try:
        assert all(isinstance(it, dict | list) for it in values(text))
    except UnreadableError as error:
        assert str(error)


@given(st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(max_size=20) | st.lists(st.booleans())))
def test_sound_json_is_read_as_it_is(found):
    import json

    if isinstance(found, dict):
        text = json.dumps(found)
        if "\\" not in text and "<" not in text and "`" not in text:
            assert values(text) == [found]
