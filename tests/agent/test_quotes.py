import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.agent import quotes
from citelsp.knowledge import Evidence

TEXT = "We present BERT.  It is deeply\nbidirectional, and state-of-the-art (in 2018). Nothing else matters here."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("It is deeply\nbidirectional", "It is deeply\nbidirectional"),
        ("it is deeply bidirectional", "It is deeply\nbidirectional"),
        ("“It is deeply bidirectional and state of the art”", "It is deeply\nbidirectional, and state-of-the-art"),
        ("We present ... It is deeply bidirectional", "It is deeply\nbidirectional"),
        ("It is shallow and unidirectional", ""),
        ("It is deeply unidirectional", ""),
        ("bidirectional", ""),
        ("", ""),
        (".* It is .*", ""),
        ("nothing else matter", ""),
    ],
)
def test_a_quote_means_the_words_of_the_text(quote, found):
    assert quotes.verbatim(quote, TEXT) == found


@given(st.text(max_size=80), st.text(max_size=200))
def test_what_comes_back_stands_in_the_text(quote, text):
    assert quotes.verbatim(quote, text) in text


@given(st.text(min_size=40, max_size=600))
def test_nearest_sentences_stand_in_the_text(text):
    question = {"a": 1.0, "b": 1.0, "0": 1.0}
    assert all(it.quote in text for it in quotes.nearest(question, [Evidence(text, "x", "y")], lambda _: 1.0, 5))


def test_the_nearest_sentence_shares_the_rarest_words():
    said = [Evidence("Trees are green in summer. The zeppelin carried hydrogen for lift.", "abstract", "corpus")]
    (best,) = quotes.nearest({"hydrogen": 1.0, "zeppelin": 1.0, "tree": 0.1}, said, lambda _: 2.0)
    assert best == Evidence("The zeppelin carried hydrogen for lift.", "abstract", "corpus")
    assert quotes.nearest({"quasar": 1.0}, said, lambda _: 2.0) == []


def test_a_quote_names_the_place_it_stands_in():
    said = [Evidence("Nothing here at all.", "abstract", "a"), Evidence("But the moon is here, too.", "section 2", "b")]
    assert quotes.checked("the moon is here", said) == Evidence("the moon is here", "section 2", "b")
    assert quotes.checked("the sun is here", said) is None
