"""What services are asked with at a place of a manuscript."""

import pytest

from citelsp.candidates.search_words import choose_words, common_words
from citelsp.corpus.place_query import Query
from citelsp.workspace.question import Question

HYPHENATED = """out-of-distribution off-policy in-context on-device over-smoothing self-supervised few-shot zero-shot
    state-of-the-art gradient-free mixture-of-experts chain-of-thought cross-lingual low-rank sim-to-real covid-19
    t-sne all-optical meta-analysis two-sample""".split()


def asked(before, after=".", hint=""):
    return choose_words(Query(Question(before, after, hint=hint)))


@pytest.mark.parametrize("term", HYPHENATED)
def test_hyphenated_terms_reach_the_services_whole(term):
    assert term in asked(f"Models are known to need {term} methods to generalise").split()
    assert term in asked("", hint=f"{term} methods").split()


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("Models generalise poorly out-of-distribution", "models generalise poorly out-of-distribution"),
        ("Table two fallacy means that coefficients mislead", "table two fallacy means coefficients mislead"),
        ("As Table 2 and Fig.~3 show, learning under shift is hard", "learning under shift hard"),
        ("Results in Table and Section show the one-way effect", "results one-way effect"),
        ("Type 2 diabetes needs two drugs", "type 2 diabetes needs two drugs"),
        ("The method of Sections 3 and 4 uses Équations différentielles", "method equations differentielles"),
    ],
)
def test_words_keep_their_meaning(before, words):
    assert asked(before) == words


def test_how_rare_a_word_is_decides_which_go_out():
    words = asked(
        "We show that people who work in the same large group make new and very good use of stochastic "
        "heteroscedastic transformers for photometric galaxies in their daily life at home and on the road"
    )
    assert {"stochastic", "heteroscedastic", "transformers", "photometric", "galaxies"} <= set(words.split())
    assert len(words.split()) == 8


def test_what_the_author_typed_goes_out_and_nothing_else():
    assert asked("Glaciers calve", hint="table 2 fallacy") == "table 2 fallacy"
    assert asked("Glaciers calve", hint="Attention is all you need") == "attention is all you need"
    assert asked("Glaciers calve", hint="the of") == "the of"


def test_the_table_of_common_words_says_where_it_is_from():
    assert {"the", "people", "network"} <= common_words()
    assert "SCOWL" not in common_words()
