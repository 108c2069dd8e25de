import math
from dataclasses import replace

import pytest

from agent_works import candidate
from citelsp.agent import work_scores
from citelsp.agent.environment import Desk, Environment
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.corpus.fitted_weights import scale_odds
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.knowledge import Candidate, Evidence
from citelsp.workspace.question import read_marked

PLACE = read_marked(
    r"Sparse adapters are tuned for low resource languages \cite<>.", title="Sparse adapters for low resource parsing"
)


def laid(*works):
    desk = Desk()
    records = (Record("corpus", title, title=title, abstract=abstract) for title, abstract in works)
    return desk, desk.lay([Candidate(it) for it in records])


def column(name, *works):
    desk, handles = laid(*works)
    rows = work_scores.make_feature_rows(Environment(PLACE), desk, dict.fromkeys(handles, 0.1), {})
    return [row[work_scores.NAMES.index(name)] for row in rows]


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
    found = work_scores.weigh_works(Environment(PLACE), desk, {handles[0]: 0.6, handles[1]: None}, {})
    assert 1 > found[handles[0]] > found[handles[1]] > 0


def test_what_speaks_for_a_work_is_counted_in_each_feature():
    question = read_marked(
        r"As Lee and Roe say, sparse adapters are tuned for low resource languages \cite<>.", title="On parsing"
    )
    authors = (Name("Roe"), Name("Lee"), Name("Roe"))
    desk = Desk()
    (told, bare) = desk.lay(
        [
            candidate("Sparse adapters", abstract="Tuned for low resource languages. Of parsing.", authors=authors),
            candidate("Unheard of at all", abstract="Nothing."),
        ]
    )
    found = work_scores.make_feature_rows(Environment(question), desk, {told: 0.5, bare: None}, {told: 3})
    one, other = (dict(zip(work_scores.NAMES, row, strict=True)) for row in found)
    assert one["prior"] == 0
    assert other["prior"] == pytest.approx(math.log(0.002 / 0.998))
    assert one["cover_clause"] == 1 and other["cover_clause"] == 0
    assert one["cover_manuscript"] == other["cover_manuscript"] == 0.5
    assert one["pairs"] == pytest.approx(math.log1p(5)) and other["pairs"] == 0
    assert one["cited_by_near"] == pytest.approx(math.log(4)) and other["cited_by_near"] == 0
    assert (one["found"], other["found"]) == (1 / 61, 1 / 62)
    assert (one["author"], other["author"]) == (2, 0)


def test_what_was_read_of_a_work_counts_as_its_abstract_does():
    desk, (one, other) = laid(("Trout in rivers", ""), ("Salmon in rivers", ""))
    desk.read(one, [Evidence("Tuned for low resource languages.", "2", "x")])
    covered = [row[1] for row in work_scores.make_feature_rows(Environment(PLACE), desk, {one: 0.1, other: 0.1}, {})]
    assert covered[0] > 0 and covered[0] == covered[1]


@pytest.mark.parametrize(("title", "offset"), [("On parsing", -0.80), ("", -0.46)])
def test_two_works_of_which_the_same_is_known_share_what_probability_there_is(title, offset):
    desk, handles = laid(("Trout in rivers", ""), ("Salmon in rivers", ""))
    desk.seen = dict.fromkeys(handles, 0.1)
    place = Environment(read_marked(r"Adapters are sparse \cite<>.", title=title))
    found = work_scores.weigh_works(place, desk, dict.fromkeys(handles, 0.3), {})
    assert list(found.values()) == [pytest.approx(1 / (1 + math.exp(-offset)))] * 2
    assert work_scores.weigh_works(place, desk, {}, {}) == {}


def test_rules_are_as_unsure_as_the_corpus_of_a_manuscript_whose_works_it_lacks(tmp_path):
    desk, handles = laid(("Sparse adapters", ""), ("Salmon in rivers", ""))
    priors = {handles[0]: 0.3, handles[1]: None}
    with Corpus(tmp_path, create=True) as corpus:
        corpus.add([Work(f"w{it}", f"Another {it}") for it in range(2500)])
        whole = work_scores.weigh_works(Environment(PLACE, corpus), desk, priors, {})
        lacking = Environment(replace(PLACE, cites=("Another 7", "Of Kings", "Of Queens")), corpus)
        assert lacking.coverage == 0.5
        # What the corpus said of the work was lowered already.
        lowered = priors | {handles[0]: scale_odds(0.3, 0.5)}
        found = work_scores.weigh_works(lacking, desk, lowered, {})
    assert found == pytest.approx({it: scale_odds(chance, 0.5) for it, chance in whole.items()})


def test_what_the_corpus_here_lacks_says_nothing_of_works_that_others_have(tmp_path):
    desk = Desk()
    [handle] = desk.lay([Candidate(Record("crossref", "1", title="Sparse adapters"), origins=("crossref",))])
    with Corpus(tmp_path, create=True) as corpus:
        corpus.add([Work(f"w{it}", f"Another {it}") for it in range(2500)])
        lacking = Environment(replace(PLACE, cites=("Another 7", "Of Kings", "Of Queens")), corpus)
        for prior in (None, 0.3):  # by a service; by a corpus on a server
            found = work_scores.weigh_works(lacking, desk, {handle: prior}, {})
            assert found == work_scores.weigh_works(Environment(PLACE, corpus), desk, {handle: prior}, {})


@pytest.mark.parametrize(
    ("hint", "work", "share"),
    [
        ("", candidate("Adapters", abstract="Sparse."), 1.0),
        ("", candidate("Adapters"), 5 / 10),
        ("", candidate("Other things", authors=(Name("Sparse"),)), 5 / 10),
        ("trout", candidate("Trout"), 1.0),
        ("trout", candidate("Adapters"), 5 / 15),
        ("", candidate("Salmon"), 0.0),
    ],
)
def test_a_work_is_as_near_as_it_holds_the_hint_or_the_sentence(hint, work, share):
    place = Environment(read_marked(r"Adapters are sparse \cite<>.", hint=hint))
    assert work_scores.covered_share(place, work) == pytest.approx(share)
