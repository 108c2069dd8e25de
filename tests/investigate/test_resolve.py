import pytest

from citelsp.agent import start
from citelsp.base.settings import Settings
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.investigate import resolve
from fixture_projects import world

FIXTURE = """%% a.tex
\\title{Nets}
First paragraph here.

We train with the Adam optimizer \\cite<|>.

Last paragraph here.
%% r.bib
@misc{adam, title = {Adam, the Optimizer that we Train with}}
@misc{fish, title = {Feeding Habits of Trout}}
"""


def environment(fixture, corpus=None):
    it = world(fixture)
    placeholder = it.project.placeholder_at(*it.cursor)
    reach = resolve.Reach(resolve.open_library(it.project, Libraries(), corpus), corpus)
    return resolve.make_environment(it.project, it.cursor[0], placeholder, reach)


async def test_the_author_s_own_entries_are_found_without_a_corpus():
    found = await start.suggest(environment(FIXTURE), Settings())
    [adam] = found.candidates
    assert (adam.key, adam.probability and adam.probability > 0.5, found.abstained) == ("adam", True, False)


async def test_the_sentence_tells_no_probability_where_the_placeholder_says_what_is_meant():
    fixture = FIXTURE.replace("<|>", "<quasars|>")
    found = await start.suggest(environment(fixture), Settings())
    assert [(it.key, it.probability) for it in found.candidates] == [("adam", None)]


def test_only_the_sentence_of_the_place_tells_how_probable_an_entry_is():
    around = environment(FIXTURE)
    assert around.library
    assert [it.probability for it in around.library("Optimizer that we train with", 9)] == [None]
    assert all(it.probability for it in around.library(" ".join(around.query.sentence.split()), 9))


async def test_an_entry_and_a_work_of_the_corpus_are_one(tmp_path):
    with Corpus(tmp_path, create=True) as corpus:
        abstract = "We train networks with an optimizer called Adam."
        corpus.add([Work("W1", "Adam, the Optimizer that we Train with", abstract, doi="10.1/adam")])
        found = await start.suggest(environment(FIXTURE, corpus), Settings())
    first = found.candidates[0]
    assert (first.key, first.record.identifiers.doi, set(first.origins)) == ("adam", "10.1/adam", {"library", "corpus"})


async def test_an_entry_that_shares_a_word_does_not_fit():
    fixture = FIXTURE.replace("Adam, the Optimizer that we Train with", "A Train to Nowhere")
    fixture = fixture.replace("the Adam optimizer", "stochastic gradients and little memory on large machines")
    found = await start.suggest(environment(fixture), Settings())
    assert found.abstained


def test_paragraphs_around_the_place():
    around = environment(FIXTURE)
    assert "First paragraph here." in around.before[-2]
    assert around.after[-1] == "Last paragraph here."


@pytest.mark.parametrize(("words", "key"), [("", "adam"), ("trout", "fish")])
async def test_entries_stand_beside_works_of_a_corpus_that_knows_them_not(words, key, tmp_path):
    fixture = FIXTURE.replace("<|>", f"<{words}|>")
    with Corpus(tmp_path, create=True) as corpus:
        others = (f"{it} of Trout and how we Train" for it in "Habits Lives Ways Kinds Farms Fears Songs Tales".split())
        corpus.add([Work(title, title) for title in (*others, "Nets we Train", "Adam the First", "Adam the Last")])
        found = await start.suggest(environment(fixture, corpus), Settings())
    assert key in [it.key for it in found.candidates[:3]]
    assert {it.record.source for it in found.candidates} == {"library", "corpus"}
    chances = [it.probability for it in found.candidates]
    assert chances == sorted(chances, reverse=True)
