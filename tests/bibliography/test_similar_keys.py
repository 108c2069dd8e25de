"""Keys that begin as a mistyped word does."""

import pytest

from citelsp.bibliography.similar_keys import begun_like, find_similar, group_by_length

KEYS = ["knuth84", "kant81", "turing36", "vaswani2017attention"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("knth", ["knuth84"]),  # a letter left out
        ("knuuth", ["knuth84"]),  # twice
        ("kntuh", ["knuth84"]),  # in the wrong order
        ("kmuth", ["knuth84"]),
        ("kmutt", []),  # two wrong of five
        ("vaswanni", ["vaswani2017attention"]),
        ("vsawnai2", ["vaswani2017attention"]),  # two of eight
        ("vswni201", ["vaswani2017attention"]),  # two left out of ten
        ("vaasswani2", ["vaswani2017attention"]),  # two doubled
        ("vswn2017", []),  # three left out
        ("kn", []),
        ("k" * 65, []),
        ("", []),
    ],
)
def test_one_letter_of_four_may_be_wrong(typed, found):
    assert [KEYS[place] for _, place in begun_like(typed, KEYS)] == found


def test_fewer_errors_come_first_then_the_shorter_way_to_the_whole_key():
    keys = ["knott99", "knuth1984", "knuth84", "knuth"]
    assert [keys[place] for _, place in begun_like("knuth", keys)] == ["knuth", "knuth84", "knuth1984"]


def test_whole_keys_like_an_unknown_one():
    known = group_by_length(["smith2010", "smith2011", "Smith2010a", "jones"])
    assert find_similar("smith201", known, 2) == ["smith2010", "smith2011"]
    assert find_similar("SMITH2010", known)[0] == "smith2010"
    assert find_similar("smith2010", known) == ["Smith2010a", "smith2011"]
    assert find_similar("xyz", known) == []
