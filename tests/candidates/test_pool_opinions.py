import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.bibliography.record import Record
from citelsp.candidates.gather import Gathered
from citelsp.candidates.pool_opinions import compute_probabilities, rank_works, rerank_works
from citelsp.knowledge import Candidate

CHANCES = st.floats(0, 1)
WORKS = st.lists(
    st.builds(
        Gathered,
        st.just(Candidate(Record("corpus", "W", "A"))),
        place=st.none() | st.integers(0, 9),
        own=st.none() | CHANCES,
        corpus=st.none() | CHANCES,
        services=CHANCES,
        share=CHANCES,
        meant=st.booleans(),
    ),
    max_size=8,
)


def work(name, **opinions):
    return Gathered(Candidate(Record("corpus", name, name)), **opinions)


def titles(found):
    return [it.record.title for it in found]


def order(*works, corpus=1000, said=False):
    return titles(rank_works(works, corpus, hinted=said))


@given(WORKS, st.integers(0, 10**9), st.booleans())
def test_probabilities_of_everything_known(works, size, said):
    chances = compute_probabilities(works, size, hinted=said)
    assert len(chances) == len(works)
    assert all(0 <= it <= 1 for it in chances)


@given(WORKS, st.integers(1, 10**9), st.booleans())
def test_a_list_of_this_machine_never_rises(works, size, said):
    works = [it for it in works if it.is_here]
    chances = [it.probability for it in rank_works(works, size, hinted=said) if it.probability is not None]
    assert chances == sorted(chances, reverse=True)


def test_a_search_gives_what_was_found_ten_places_beside_own_entries_for_which_something_speaks():
    online = [work(f"online {it}", services=1 / (1 + it), share=0.3) for it in range(12)]
    own = [
        work(f"own {it}", place=it, own=chance, lift=40 * chance) for it, chance in enumerate((0.4, 0.2, 0.1, 0.001))
    ]
    assert order(*own, *online, corpus=0) == [
        *("own 0", "own 1"),
        *(f"online {it}" for it in range(10)),
        "own 2",
    ]
    assert order(*own, corpus=0) == ["own 0", "own 1", "own 2", "own 3"]  # nothing was found: as before the search


def test_an_entry_that_holds_the_words_typed_stays_before_what_was_found():
    works = [work("typed", place=1, share=0.9), work("near", place=0, share=0.2), work("online", share=0.6)]
    assert order(work("first", place=0), *works, corpus=0, said=True) == ["first", "typed", "online", "near"]


def test_pooled_they_leave_room_for_none_of_these():
    works = [work("x", place=0, own=0.9), work("a", corpus=0.9), work("b", services=1.0, share=1.0)]
    total = math.fsum(compute_probabilities(works, 1000, hinted=False))
    assert 0 < total < 1


def test_one_opinion_alone_stays_as_it_is():
    assert compute_probabilities([work("a", corpus=0.3), work("b", corpus=0.1)], 10, hinted=False) == [0.3, 0.1]
    assert compute_probabilities([work("x", place=0, own=0.3)], 0, hinted=False) == [0.3]


@pytest.mark.parametrize("opinion", ["corpus", "own"])
def test_the_likelier_for_the_one_who_knows_it_the_likelier_of_all(opinion):
    place = {"place": 0} if opinion == "own" else {}
    voices = [work("s", services=1.0, share=1.0), work("t", place=1, own=0.1), work("u", corpus=0.1)]
    chances = [
        compute_probabilities([work("a", **place, **{opinion: it}), *voices], 1000, hinted=False)[0]
        for it in (0.1, 0.4, 0.6, 0.9)
    ]
    assert chances == sorted(set(chances))


def test_an_entry_that_the_corpus_finds_too_comes_first_the_more_surely_the_larger_the_corpus():
    works = [work("x", place=0, own=0.3), work("y", place=1, own=0.3, corpus=0.2), work("z", corpus=0.2)]
    small, large = (compute_probabilities(works, it, hinted=False) for it in (500, 500_000))
    assert max(small) == small[1]
    assert large[1] > small[1]


def test_each_list_keeps_its_order():
    own, found = (
        [work("x", place=0, own=0.3), work("y", place=1, own=0.1)],
        [work("a", corpus=0.3), work("b", corpus=0.1)],
    )
    listed = order(*own, *found)
    assert listed.index("x") < listed.index("y") and listed.index("a") < listed.index("b")
    assert order(work("x", place=0), work("y", place=1), corpus=0, said=True) == ["x", "y"]


def test_if_the_author_says_what_is_meant_an_entry_for_it_counts_more():
    works = [work("x", place=0), work("a", corpus=0.3)]
    unsaid, said = (compute_probabilities(works, 1000, hinted=it)[0] for it in (False, True))
    assert said > 0.5 > unsaid


@pytest.mark.parametrize("heard", [0.0, 0.4, 1.0])
def test_the_order_changes_by_new_evidence_alone(heard):
    """What services say of none of the works, or of all alike, changes nothing between them."""
    local = [work("x", place=0, own=0.3), work("a", corpus=0.4), work("b", corpus=0.1)]
    before = order(*local)
    after = order(*(replace(it, services=heard) for it in local), work("new", services=0.1, share=0.1))
    assert [it for it in after if it != "new"] == before


def test_what_a_service_finds_too_rises():
    assert order(work("a", corpus=0.3), work("b", corpus=0.25)) == ["a", "b"]
    assert order(work("a", corpus=0.3), work("b", corpus=0.25, services=1.0)) == ["b", "a"]


def test_a_reranker_orders_what_it_scored_and_places_keep_their_probabilities():
    found = rank_works([work("a", corpus=0.5), work("b", corpus=0.3), work("c", corpus=0.1)], 1000, hinted=False)
    again = rerank_works(found, {"a": 0.1, "b": 0.9}, [])
    assert [(it.record.title, it.probability) for it in again] == [("b", 0.5), ("a", 0.3), ("c", 0.1)]
    assert titles(rerank_works(found, {"a": 0.1, "b": 0.9}, [found[2]])) == ["c", "b", "a"]


def odds(chance):
    return math.log(chance / (1 - chance))


@pytest.mark.parametrize(
    ("opinions", "hinted", "expected"),
    [
        ({"corpus": 0.5}, False, -0.25),
        ({"corpus": 0.9}, True, 2.0 + 1.25 * odds(0.9)),
        ({"place": 2}, False, 0.15 - 0.9 * 2),
        ({"place": 2, "own": 0.9}, True, 1.5 + 0.1 * odds(0.9)),
        ({"place": 0, "own": 0.5, "corpus": 0.5}, False, 0.15 - 0.25 + 1.35 + 0.16 * math.log(10_000)),
        ({"corpus": 0.0}, False, -0.25 + odds(1e-4)),
        ({"corpus": 1.0}, False, -0.25 + odds(1 - 1e-4)),
        ({"services": 1.0, "share": 0.5}, False, -8.0 + 2.5 + 1.5),
        ({"corpus": 0.5, "services": 0.5}, False, -0.25 + 0.75),
        ({"corpus": 0.5, "meant": True}, False, -0.25 + 4.0),
        (
            {"place": 0, "own": 0.5, "corpus": 0.5, "services": 1.0},
            True,
            1.5 + 2.0 + 0.5 + 0.08 * math.log(10_000) + 1.5,
        ),
    ],
)
def test_opinions_are_added_up_in_log_odds_against_none_of_these(opinions, hinted, expected):
    works = [work("a", **opinions), work("s", services=1e-9)]
    first, second = compute_probabilities(works, 10_000, hinted=hinted)
    assert math.log(first / (1 - first - second)) == pytest.approx(expected)


def test_beside_a_collection_its_works_count_more_and_entries_less():
    entry, of_collection = work("entry", place=0, own=0.3), work("new", corpus=0.3)
    assert titles(rank_works([entry, of_collection], 500, hinted=False)) == ["new", "entry"]
    assert titles(rank_works([entry, of_collection], 500_000, hinted=False)) == ["entry", "new"]


def test_of_two_corpora_together_no_more_than_everything_is_said():
    assert compute_probabilities([work("a", corpus=0.9), work("b", corpus=0.6)], 10, hinted=False) == pytest.approx(
        [0.6, 0.4]
    )
    assert compute_probabilities([work("a", corpus=0.9), work("b", corpus=None)], 10, hinted=False) == [0.9, 0.0]


def test_ten_works_are_listed_and_only_what_is_here_has_a_probability():
    works = [work(f"w{it}", corpus=0.01 * it) for it in range(12)]
    assert order(*works) == [f"w{it}" for it in range(11, 1, -1)]
    here, elsewhere = rank_works([work("a", corpus=0.5), work("s", services=0.1)], 1000, hinted=False)
    assert here.probability is not None and elsewhere.probability is None
    assert rank_works([work("a", place=0)], 0, hinted=False)[0].probability is None
    assert rank_works([work("a", corpus=0.5)], 1, hinted=False)[0].probability == 0.5
