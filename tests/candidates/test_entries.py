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
