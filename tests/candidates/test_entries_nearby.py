"""Entries that stand near a place: cited there, cited elsewhere beside those, or next to those in the bibliography."""

import pytest

from citelsp.candidates import entries
from citelsp.workspace.question import Question
from fixture_projects import project_of

KEYS = "abcdefghijklm"
REFS = "".join(f"@misc{{{it}, title = {{Title {it}}}}}\n" for it in KEYS)


def around(cited, *near):
    """What stands near a place with these citations around it, in a manuscript that cites these keys in this order."""
    text = " ".join(rf"Word \cite{{{it}}}." for it in cited)
    project = project_of({"main.tex": text, "refs.bib": REFS})
    return project, entries.find_neighbours(project, Question("", "", near=near))


def test_what_is_cited_nearer_weighs_more_and_each_key_by_its_nearest_citation():
    _, found = around("ab", ("a", 3), ("b", 2), ("a", 1))
    assert found.cited == {"a": 1.0, "b": 1 / 2}


def test_what_is_cited_elsewhere_within_three_of_a_work_cited_here():
    _, found = around("mbcdaefghi", ("a", 1))
    assert found.together == dict.fromkeys("bcdefg", 1.0)


def test_near_the_same_works_again_adds_up_and_the_best_company_comes_first():
    project, found = around("bac", ("a", 1))
    assert found.together == {"b": 1.0, "c": 1.0}
    project, found = around("bacac", ("a", 2))
    assert found.together == {"b": 1.0, "c": 2.0}
    assert entries.standing_near(project, found)[:3] == ["a", "c", "b"]


def test_entries_that_stand_beside_one_that_is_cited_here():
    project, found = around("f", ("f", 1))
    place = {it: project.find_first(it) for it in KEYS}
    assert found.written(place["g"]) == found.written(place["e"]) == pytest.approx(1 / 2)
    assert found.written(place["h"]) == pytest.approx(1 / 3)
    assert found.written(place["f"]) == 0.0  # of itself it says nothing
    assert entries.standing_near(project, found) == list("fcdeghi")


def test_at_the_end_of_a_bibliography_there_are_fewer():
    project, found = around("a", ("a", 1))
    assert entries.standing_near(project, found) == list("abcd")
    project, found = around("m", ("m", 1))
    assert entries.standing_near(project, found) == list("mjkl")


def test_if_nothing_is_cited_nothing_is_near():
    project, found = around("abc")
    assert (found.cited, found.together, found.places, entries.standing_near(project, found)) == ({}, {}, {}, [])
    assert found.written(project.find_first("a")) == 0.0
