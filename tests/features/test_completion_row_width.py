"""Rows of lists: what a person reads of a work before choosing it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.features.completion_row_width import (
    BAD,
    Shown,
    lay_out_behind_key,
    lay_out_in_columns,
    lay_out_in_one_width,
)

TITLE = "Bayesian Model Choice via Markov Chain Monte Carlo"
LONG = "Causal Inference in Statistics: An Overview of Methods and Their Assumptions"
WORKS = [
    Shown(LONG, "Pearl", "2009", "39%"),
    Shown("The Table 2 Fallacy: Presenting and Interpreting Confounder Effects", "Westreich+", "2013", "7%", new=True),
    Shown("Four Types of Effect Modification", "VanderWeele+", "2007", "<1%", new=True),
    Shown("Short", "Bundesministerium für Bildung und Forschung", "2020", "6%"),
]


def test_a_row_of_one_width_shows_thirty_letters_of_a_title_then_people_year_and_chance():
    assert lay_out_in_one_width(WORKS, 47) == [
        ("Causal Inference in Statistics…", "Pearl 2009 39%"),
        ("The Table 2 Fallacy: Presenti…", "Westre… 2013 7%+"),
        ("Four Types of Effect Modifica…", "Vande… 2007 <1%+"),
        ("Short", "Bundesministerium für Bildung und Fo… 2020 6%"),
    ]


def test_columns_say_all_in_words():
    assert lay_out_in_columns(WORKS, 47)[1:3] == [
        ("The Table 2 Fallacy: Presenting and Interpreti…", "Westreich+ 2013 · 7% · new"),
        ("Four Types of Effect Modification", "VanderWeele+ 2007 · <1% · new"),
    ]


def test_what_should_not_be_cited_is_marked():
    work = Shown("On Growth", "Thompson", "1917", "7%", BAD)
    assert lay_out_in_one_width([work], 47)[0].beside == "Thompson 1917 ✗7%"
    assert lay_out_in_columns([work], 47)[0].beside == "Thompson 1917 · 7% · ✗"


@pytest.mark.parametrize("layout", [lay_out_in_one_width, lay_out_in_columns])
def test_titles_that_begin_alike_are_told_apart(layout):
    same = "Variational Inference for Gaussian Process Models of Large and Heterogeneous Data"
    titles = [f"{same} in Medicine", f"{same} in Physics: a Review", f"{same} by Splitting", "Variational Inference"]
    rows = layout([Shown(it, "Lloyd+", "2014") for it in titles], 46)
    assert len({it.title for it in rows}) == 4
    assert rows[0].title.startswith("Variational I")
    assert rows[0].title.endswith("…Medicine")
    assert rows[3].title == "Variational Inference"


TITLES = st.lists(st.text(min_size=1, max_size=120), min_size=1, max_size=6)


@given(TITLES, st.integers(30, 90), st.text(max_size=60), st.sampled_from(["", "7%", "✓>99%"]), st.booleans())
def test_a_row_never_outgrows_its_width(titles, width, people, chance, new):
    works = [Shown(it, people, "1999", chance, new=new) for it in titles]
    for work, (title, beside) in zip(works, lay_out_in_one_width(works, width), strict=True):
        assert len(title) + 3 + 0.85 * len(beside) <= max(width, 38)
        assert beside.endswith("".join([chance, "+" * new]))
        assert title == work.title or "…" in title
    assert all(len(it.title) <= width for it in lay_out_in_columns(works, width))


@pytest.mark.parametrize(
    ("key", "who", "title", "beside"),
    [
        ("carlin1995bayesian", "Carlin and Chib, 1995", "Bayesian Model Choice via…", ""),
        ("carlin95", "Carlin et al., 1995", "Bayesian Model Choice via Markov Cha…", ""),
        ("wood-mgcv", "Wood, 2017", "Bayesian Model Choice vi…", "Wood 2017"),
        ("mgcv", "✗ Wood 2017", "Bayesian Model Choice via M…", "✗ Wood 2017"),
        ("carlin1995bayesian", "✗ Carlin+ 1995", "Bayesian Mo…", "✗ Carlin+ 1995"),
    ],
)
def test_a_title_behind_a_citekey_has_the_room_of_what_the_key_says(key, who, title, beside):
    assert lay_out_behind_key(key, TITLE, who, 47, fitted=True) == (
        title,
        beside,
    )


def test_behind_a_citekey_in_columns_of_their_own_people_stay_however_the_key_is_made():
    row = lay_out_behind_key("carlin95", TITLE, "Carlin and Chib, 1995", 22, fitted=False)
    assert row == ("Bayesian Model Choice…", "Carlin+ 1995")
