"""The author's own entries that the words in a placeholder name."""

import pytest

from citelsp.bibliography.library.libraries import Libraries
from citelsp.candidates import entries
from citelsp.corpus.query import Query
from citelsp.workspace import question as questions
from fixture_projects import world

LONG = (
    "Either bootstrapping value-function methods, which take advantage of the recursive temporal decomposition of the"
    " expected free energy, or alternatively Monte-Carlo techniques, which approximate it through a random sampling of"
    " trajectories, correspond to classical model-predictive algorithms"
)
REFS = """%% refs.bib
@misc{kappen, title = {Optimal control as a graphical model inference problem}}
@misc{calvin, title = {How Glaciers Calve}}
"""


@pytest.mark.parametrize("words", ["optimal", "optimal control gra", "graphical model inference proble", "kappen"])
def test_what_the_words_find_stays_however_long_the_sentence_is(words):
    it = world(f"%% a.tex\n{LONG} \\cite<{words}|>\n{REFS}")
    question = questions.of(it.project, it.cursor[0], it.project.placeholder_at(*it.cursor))
    assert [own.key for own in entries.near(it.project, Libraries(), Query(question))] == ["kappen"]


def nearest(text, refs):
    it = world(f"%% a.tex\n{text}\n%% refs.bib\n{refs}")
    query = Query(questions.of(it.project, it.cursor[0], it.project.placeholder_at(*it.cursor)))
    return [own.key for own in entries.near(it.project, Libraries(), query)]


def test_an_entry_that_inherits_its_title_is_found_by_its_key():
    refs = "@misc{part, xdata = {whole}}\n@xdata{whole, title = {How Glaciers Calve}}"
    assert "part" in nearest(r"It is said \cite<part|>", refs)


def test_words_of_the_key_answer_words_in_the_placeholder():
    refs = "@misc{b, title = {An LSTM Study}}\n@misc{hochreiter_lstm, title = {Long Short-Term Memory}}"
    assert nearest(r"It is said \cite<hochreiter lstm|>", refs)[0] == "hochreiter_lstm"


def test_an_entry_of_many_is_found_by_the_words_of_the_sentence():
    others = "".join(f"@misc{{k{at}, title = {{Harps and Oars, Volume {at}}}}}\n" for at in range(100))
    text = r"Tidewater glaciers calve where they float \cite<|>."
    assert nearest(text, f"{others}@misc{{ice, title = {{How Tidewater Glaciers Calve}}}}") == ["ice"]


def test_what_an_abstract_shares_with_the_words_before_the_place_counts_more():
    text = r"As for harps, of which much was said before, it is in storms that oars break \cite<|>."
    refs = "@misc{one, title = {One}, abstract = {Harps}}\n@misc{two, title = {Two}, abstract = {Oars}}"
    assert nearest(text, refs) == ["two", "one"]


def test_an_entry_speaks_with_a_passage_of_its_own():
    it = world(f"%% a.tex\n{LONG} \\cite<glaciers|>\n{REFS}")
    query = Query(questions.of(it.project, it.cursor[0], it.project.placeholder_at(*it.cursor)))
    [found] = entries.candidates(it.project, Libraries(), query, None)
    assert (found.key, found.record.id, found.record.source, found.origins) == (
        "calvin",
        "calvin",
        "library",
        ("library",),
    )
    assert [(it.quote, it.where, it.source) for it in found.evidence] == [("How Glaciers Calve", "title", "library")]
