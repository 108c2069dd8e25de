"""Entries that are due: authors append entries to a bibliography in the order in which they cite them."""

import pytest

from citelsp.base.text import Span
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.candidates import entries
from citelsp.candidates.due_entries import EntryPlace, find_due, measure_order
from citelsp.corpus.place_query import Query
from citelsp.workspace import question as questions
from fixture_projects import project_of, world


def at(positions, bibliography="refs.bib"):
    """Entries of one bibliography, by a digit for each position."""
    return [EntryPlace(bibliography, int(it)) for it in positions]


def due_positions(before, behind="", bibliography="refs.bib"):
    """The positions that are due in one bibliography between citations, most due first."""
    due = find_due(at(before, bibliography), at(behind, bibliography))
    return [it.position for it in sorted(due, key=due.__getitem__, reverse=True)]


def test_the_entry_behind_those_cited_last_is_due_then_those_further_on():
    assert due_positions("0123") == [4, 5, 6, 7, 8]


def test_what_is_cited_elsewhere_is_not_due():
    due = find_due(at("012"), at("3567"))
    assert EntryPlace("refs.bib", 4) in due
    assert not set(at("0123567")) & set(due)


def test_between_its_neighbours_an_entry_is_due_most():
    """It is the next one behind what is cited last and furthest, before what is cited next, and the only one between.

    Behind the last citation but one it is the second.
    """
    assert due_positions("0124", "67")[0] == 5
    due = find_due(at("0124"), at("67"))
    assert due[EntryPlace("refs.bib", 5)] == pytest.approx(measure_order(at("012467")) * (4 + 1 / 2**1.5))


def test_behind_a_work_that_is_cited_again_the_furthest_so_far_leads_on():
    assert due_positions("012340", "")[0] == 5


def test_without_an_order_nothing_is_due():
    assert find_due(at("5180"), at("94")) == {}


def test_at_the_beginning_only_what_stands_before_the_work_cited_next_is_due():
    assert due_positions("", "34567") == [2, 1, 0]


def test_where_nothing_is_cited_nothing_is_due():
    assert find_due([], []) == {}


def test_each_bibliography_has_a_furthest_entry_of_its_own():
    before = [*at("012", "one.bib"), *at("456", "other.bib")]
    due = find_due(before, [])
    assert due[EntryPlace("other.bib", 7)] > due[EntryPlace("one.bib", 3)] > 0
    assert EntryPlace("one.bib", 7) in due and EntryPlace("other.bib", 3) not in due


@pytest.mark.parametrize(
    ("cited", "order"),
    [
        ("", 0.0),
        ("0", 0.0),
        ("01", 0.9 / 6),  # little is known yet
        ("0123456789", 8.1 / 14),
        ("0112233", 2.7 / 8),  # once more says nothing
        ("0369", 2.7 / 8),
        ("0362", 1.7 / 8),
        ("048", 0.0),  # too far ahead
        ("9876543210", 0.0),  # backwards
    ],
)
def test_steps_ahead_by_a_few_entries_are_in_order(cited, order):
    assert measure_order(at(cited)) == pytest.approx(order)


def test_a_step_from_one_bibliography_to_another_says_nothing_of_their_order():
    assert measure_order([*at("0", "one.bib"), *at("1", "other.bib"), *at("2", "one.bib")]) == 0


KEYS = "abcdefghijklmnopqrst"
WORDS = ["harps", "oars", "seals", "moss", "kelp", "ravens", "sledges", "whales", "drums", "furs"]


def bibliography(keys):
    return "".join(f"@misc{{{key}, title = {{On {WORDS[at % 10]} {key * 3}}}}}\n" for at, key in enumerate(keys))


def cite(keys):
    return " ".join(rf"It is said \cite{{{key}}}." for key in keys)


def asked(text, refs):
    """The project of a manuscript, and what is asked at the cursor."""
    it = world(f"%% a.tex\n{text}\n%% refs.bib\n{refs}")
    placeholder = it.project.placeholder_at(*it.cursor)
    return it.project, Query(questions.placeholder_question(it.project, it.cursor[0], placeholder))


def offered(text, refs):
    """The keys of the entries that are offered at the cursor, best first."""
    project, query = asked(text, refs)
    return [own.key for own in entries.find_answering(project, Libraries(), query)]


def test_in_a_bibliography_in_the_order_of_citing_the_next_entry_is_first_at_the_end_of_a_draft():
    assert offered(cite("abcdefgh") + r" Nobody knows why \cite<|>.", bibliography(KEYS))[0] == "i"


def test_and_where_one_was_left_out_in_the_middle_that_one():
    text = cite("abcdef") + r" Nobody knows why \cite<|>. " + cite("hijkl")
    assert offered(text, bibliography(KEYS))[0] == "g"


def test_the_words_of_a_sentence_say_more_than_the_order():
    text = cite("abcdefgh") + r" The song of whales is long: whales sing \cite<|>."
    refs = bibliography(KEYS) + "@misc{z, title = {How Whales Sing}}\n"
    assert offered(text, refs)[0] == "z"


def test_in_a_sorted_bibliography_nothing_is_due():
    """Works are cited in no order there: none of its entries is likelier for where it stands behind another."""
    project, query = asked(cite("mbtfqaohslcr") + r" Moss is as old as kelp \cite<|>.", bibliography(KEYS))
    weighed = entries.weigh_entries(project, project.libraries(Libraries()), query)
    assert {row[entries.FEATURES.index("due")] for row in weighed.rows} == {0.0}


def test_an_entry_that_is_due_is_weighed_though_nothing_else_leads_to_it():
    keys = [f"k{number}" for number in range(200)]
    refs = "".join(f"@misc{{{key}, title = {{Harps {number}}}}}\n" for number, key in enumerate(keys))
    project, query = asked(cite([*keys[:90], *keys[:20]]) + r" Oars break \cite<|>.", refs)
    weighed = entries.weigh_entries(project, project.libraries(Libraries()), query)
    assert "k90" in {place.node.key for place in weighed.places}


def test_citations_of_earlier_parts_count_as_cited_before():
    files = {
        "main.tex": r"\documentclass{article}\begin{document}\input{one}\input{two}\bibliography{refs}\end{document}",
        "one.tex": cite("abc"),
        "two.tex": cite("d") + r" Here \cite<>. " + cite("e"),
        "refs.bib": bibliography(KEYS),
    }
    project = project_of(files)
    path = next(it for it in project.sources if it.endswith("two.tex"))
    offset = files["two.tex"].index(r"\cite<>")
    assert questions.place_question(project, path, Span(offset, offset + 7)).cited_before == 4


def test_keys_of_the_citation_itself_count_as_cited_before():
    text = cite("ab") + r" Here \cite{c,}. " + cite("d")
    project = project_of({"main.tex": text, "refs.bib": bibliography(KEYS)})
    start = text.index(r"\cite{c,}")
    path = next(it for it in project.sources if it.endswith("main.tex"))
    assert questions.place_question(project, path, Span(start, start + 9)).cited_before == 3
