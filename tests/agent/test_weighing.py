import pytest

from citelsp.agent import weighing
from citelsp.agent.environment import Desk, Environment
from citelsp.bibliography.record import Record
from citelsp.knowledge import Candidate
from citelsp.workspace.question import marked

PLACE = marked(
    r"Sparse adapters are tuned for low resource languages \cite<>.", title="Sparse adapters for low resource parsing"
)


def laid(*works):
    desk = Desk()
    records = (Record("corpus", title, title=title, abstract=abstract) for title, abstract in works)
    return desk, desk.lay([Candidate(it) for it in records])


def column(name, *works):
    desk, handles = laid(*works)
    rows = weighing.features(Environment(PLACE), desk, dict.fromkeys(handles, 0.1), {})
    return [row[weighing.NAMES.index(name)] for row in rows]


def test_a_longer_abstract_does_not_hold_more_of_the_manuscripts_subject():
    short = ("Tuning adapters", "Adapters are sparse.")
    long = ("A survey of parsing", "Low and high resource parsing, sparse and dense adapters, and all else.")
    assert len(set(column("cover_manuscript", short, long))) == 1


def test_abstracts_are_told_apart_by_the_clause():
    near, far = ("On adapters", "Tuned for low resource languages."), ("More adapters", "Something else.")
    found = column("cover_clause", near, far)
    assert found[0] > found[1]


@pytest.mark.parametrize("name", ["cover_clause", "cover_manuscript", "pairs"])
def test_a_title_alone_counts_no_less_than_the_mean_of_those_with_abstracts(name):
    told = ("Tuning adapters", "Sparse adapters for low resource languages."), ("Other things", "Nothing of it.")
    *others, silent = column(name, *told, ("A title", ""))
    assert silent == pytest.approx(sum(others) / 2)


def test_a_title_that_holds_more_than_the_mean_keeps_it():
    told, silent = ("Tuning adapters", "Nothing else."), ("Sparse adapters for low resource parsing", "")
    assert column("cover_manuscript", told, silent) == [pytest.approx(column("cover_manuscript", told)[0]), 1.0]


def test_chances_rise_with_what_the_corpus_says_and_stay_probabilities():
    desk, handles = laid(("Tuning adapters", ""), ("Tuning adapters twice", ""))
    found = weighing.probabilities(Environment(PLACE), desk, {handles[0]: 0.6, handles[1]: None}, {})
    assert 1 > found[handles[0]] > found[handles[1]] > 0
