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
    assert quotes.find_verbatim(quote, TEXT) == found


@given(st.text(max_size=80), st.text(max_size=200))
def test_what_comes_back_stands_in_the_text(quote, text):
    assert quotes.find_verbatim(quote, text) in text


@given(st.text(min_size=40, max_size=600))
def test_nearest_sentences_stand_in_the_text(text):
    question = {"a": 1.0, "b": 1.0, "0": 1.0}
    assert all(
        it.quote in text for it in quotes.nearest_sentences(question, [Evidence(text, "x", "y")], lambda _: 1.0, 5)
    )


def test_the_nearest_sentence_shares_the_rarest_words():
    said = [Evidence("Trees are green in summer. The zeppelin carried hydrogen for lift.", "abstract", "corpus")]
    (best,) = quotes.nearest_sentences({"hydrogen": 1.0, "zeppelin": 1.0, "tree": 0.1}, said, lambda _: 2.0)
    assert best == Evidence("The zeppelin carried hydrogen for lift.", "abstract", "corpus")
    assert quotes.nearest_sentences({"quasar": 1.0}, said, lambda _: 2.0) == []


def test_a_quote_names_the_place_it_stands_in():
    said = [Evidence("Nothing here at all.", "abstract", "a"), Evidence("But the moon is here, too.", "section 2", "b")]
    assert quotes.find_quote("the moon is here", said) == Evidence("the moon is here", "section 2", "b")
    assert quotes.find_quote("the sun is here", said) is None


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("  One.  ", " one. ", "one."),
        ("one two", "One two.", ""),
        ("One two three", "One two three four", "One two three"),
        ("two three", "One two three four", ""),
        ("one TWO three!", "So: One, two – three? Yes.", "One, two – three?"),
        ("a b c d ... one two three four five", "One two three four five. A b c d.", "One two three four five."),
        ("one two three […] a b", "One two three.", "One two three."),
        ("one two three … four five six seven", "One two three.", "One two three."),
        ("one two … four five six seven", "One two three.", ""),
        (" ".join(["word"] * 130), " ".join(["Word"] * 120), " ".join(["Word"] * 120)),
        (" ".join(["word"] * 130), " ".join(["Word"] * 119), ""),
    ],
)
def test_of_a_quote_with_gaps_the_longest_part_is_sought(quote, text, found):
    assert quotes.find_verbatim(quote, text) == found


def test_the_nearest_sentences_come_best_first_and_each_once():
    texts = [Evidence("Trout eat many flies. Trout swim in rivers. Short trout.", "1", "x")]
    texts += [Evidence("Trout swim in rivers. Flies are eaten by trout at dusk, they say.", "2", "x")]
    found = quotes.nearest_sentences({"trout": 1.0, "fli": 0.5}, texts, lambda _: 1.0, 3)
    assert [(it.quote, it.where) for it in found] == [
        ("Trout eat many flies.", "1"), ("Flies are eaten by trout at dusk, they say.", "2"),
        ("Trout swim in rivers.", "2"),
    ]  # fmt: skip
    assert quotes.nearest_sentences({"trout": 1.0, "fli": 0.5}, texts, lambda _: 1.0) == found[:1]


def test_what_is_shared_counts_by_weight_and_rarity_and_less_in_longer_texts():
    rarity = {"trout": 4.0, "fli": 2.0}.get
    assert quotes.score_shared({"trout": 0.5, "fli": 1.0, "x": 9.0}, "Trout, trout and flies.", rarity) == 4 / 12**0.5
    assert quotes.score_shared({"trout": 1.0}, "Flies of rivers", rarity) == 0


@pytest.mark.parametrize(
    ("sentence", "length"),
    [("trout " * 100 + "end.", 497), ("trout" * 120, 500), ("t" * 500, 500), ("Of a trout, so.", 15)],
)
def test_a_long_sentence_is_cut_at_a_word(sentence, length):
    words = dict.fromkeys(("trout", "t" * 500, "trout" * 100), 1.0)
    (found,) = quotes.nearest_sentences(words, [Evidence(sentence, "1", "x")], lambda _: 1.0)
    assert len(found.quote) == length and sentence.startswith(found.quote)


def test_sections_name_where_their_passages_stand():
    text = "Trout eat many flies at dusk in the rivers.\n\n1 Methods\n\nWe caught many trout near the old bridge there."
    found = [(it.where, it.source) for it in quotes.split_sections(text, "x.org")]
    assert found == [("full text", "x.org"), ("Methods", "x.org")]
