"""A list with what corpora on servers answered: their works among the others, and who is missing."""

import pytest

from citelsp.bibliography.record import Record
from citelsp.candidates import candidate_set, gather
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.knowledge import Answers, Candidate, ServerAnswer
from citelsp.workspace.question import Question

QUESTION = Question(before="The calving of tidewater glaciers has been measured for decades", after="")
HERE = "Calving of tidewater glaciers"
THERE = "Measured for decades: tidewater glaciers and their calving"


def answered(title, chance, name="lab", **more):
    record = Record("corpus", id=title, title=title)
    return ServerAnswer(name, (Candidate(record, chance, (name,)),), works=100_000, **more)


@pytest.fixture
def here(tmp_path):
    with Corpus(tmp_path, create=True) as corpus:
        corpus.add([Work("here", HERE)])
        yield gather.gather_locally(QUESTION, corpus)


def titles(suggestion):
    return {it.record.title: it.origins for it in suggestion.candidates}


def test_works_of_a_server_stand_beside_those_of_this_machine(here):
    found = candidate_set.suggest(here, Answers(servers=(answered(THERE, 0.6),)))
    assert titles(found) == {HERE: ("corpus",), THERE: ("lab",)}
    assert sum(it.probability for it in found.candidates) <= 1


def test_a_work_of_two_corpora_is_listed_once_with_its_better_chance(here):
    found = candidate_set.suggest(here, Answers(servers=(answered(HERE, 0.7), answered(HERE, 0.2, "library2"))))
    assert list(titles(found)) == [HERE]
    assert found.candidates[0].probability == pytest.approx(0.7)


def test_the_list_names_the_server_that_did_not_answer_and_stays_as_it_is(here):
    alone = candidate_set.suggest(here)
    found = candidate_set.suggest(here, Answers(servers=(ServerAnswer("lab", why="no connection"),)))
    assert found.candidates == alone.candidates
    assert found.reason.endswith("the corpus lab did not answer: no connection")
