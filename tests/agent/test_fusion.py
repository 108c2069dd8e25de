import math

from hypothesis import given
from hypothesis import strategies as st

from citelsp.agent.fusion import pooled

CHANCES = st.floats(0, 1)
OWN = st.lists(CHANCES | st.none(), max_size=6).map(lambda them: [(f"own{at}", it) for at, it in enumerate(them)])
FOUND = st.dictionaries(st.sampled_from(["own0", "own1", "a", "b", "c"]), CHANCES)


@given(OWN, FOUND, st.integers(0, 10**9), st.booleans())
def test_probabilities_of_everything_known(own, found, works, said):
    chances = pooled(own, found, works, said=said)
    assert chances.keys() == {name for name, _ in own} | found.keys()
    assert all(0 <= it <= 1 for it in chances.values())
    assert sum(chances.values()) < 1 or math.isclose(sum(chances.values()), 1)


def test_an_entry_that_the_corpus_finds_too_comes_first_the_more_surely_the_larger_the_corpus():
    small, large = (pooled([("x", 0.3), ("y", 0.3)], {"y": 0.2, "z": 0.2}, it, said=False) for it in (500, 500_000))
    assert max(small, key=small.__getitem__) == max(large, key=large.__getitem__) == "y"
    assert large["y"] > small["y"]


def test_each_list_keeps_its_order():
    chances = pooled([("x", 0.3), ("y", 0.1)], {"a": 0.3, "b": 0.1}, 1000, said=False)
    assert chances["x"] > chances["y"]
    assert chances["a"] > chances["b"]
    named = pooled([("x", None), ("y", None)], {}, 1000, said=True)
    assert named["x"] > named["y"]


def test_where_the_author_says_what_is_meant_his_entry_for_it_counts_more():
    unsaid, said = (pooled([("x", None)], {"a": 0.3}, 1000, said=it)["x"] for it in (False, True))
    assert said > 0.5 > unsaid
