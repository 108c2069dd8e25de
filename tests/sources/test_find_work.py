"""Which hit is the work meant: never the first by rank alone."""

import json
from dataclasses import replace

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.sources import find_work
from citelsp.sources.reference_query import ReferenceQuery, searchable
from lab import aligned

TITLE = "Decoupled Weight Decay Regularization"
PEOPLE = (Name("Loshchilov", "Ilya"), Name("Hutter", "Frank"))
WORK = Record("dblp", "1", TITLE, PEOPLE, years=(2019,), identifiers=Identifiers(doi="10.1000/adamw"))
QUESTION = ReferenceQuery(TITLE, PEOPLE, 2019)


def first(question, *records):
    return next(iter(find_work.rank(question, [Found("crossref", records)])), None)


def test_the_last_hit_may_be_the_right_one():
    noise = [replace(WORK, id=str(n), title=f"Weight loss study {n}", identifiers=Identifiers()) for n in range(4)]
    assert first(QUESTION, *noise, WORK).record.title == TITLE


@pytest.mark.parametrize(
    ("record", "sure"),
    [
        (WORK, True),
        (replace(WORK, title=TITLE + "."), True),
        (replace(WORK, title="Decoupled weight-decay regularization: a study"), True),
        (replace(WORK, authors=(Name("Loshchilov", "I."), Name("Hutter", "F."))), True),
        (replace(WORK, years=(2017,)), True),
        (replace(WORK, authors=(Name("Someone", "Else"),), years=(2002,)), False),
        (
            replace(WORK, title="Decoupled Weight Decay Regularisation for Ships", authors=(Name("Someone", "Else"),)),
            False,
        ),
        (replace(WORK, type="review", authors=()), True),
    ],
)
def test_how_sure(record, sure):
    found = first(QUESTION, record)
    assert bool(found and found.probability >= find_work.CONFIDENT) == sure


def test_what_has_nothing_to_do_with_it_is_not_offered():
    assert first(QUESTION, replace(WORK, title="Should you ever get a puppy at Christmas?")) is None


def test_a_title_alone_of_two_words_names_no_work():
    assert (
        first(ReferenceQuery("Deep Learning"), replace(WORK, title="Deep Learning")).probability < find_work.CONFIDENT
    )


def test_a_whole_reference_holds_its_title():
    text = "I. Loshchilov and F. Hutter. Decoupled weight decay regularization. In ICLR, 2019."
    assert first(ReferenceQuery(text=text), WORK).probability >= find_work.CONFIDENT


def test_one_service_s_word_on_a_bare_title_is_not_enough_to_be_confident():
    alone = find_work.rank(ReferenceQuery(TITLE), [Found("dblp", (WORK,))])
    assert alone[0].probability < find_work.CONFIDENT
    assert find_work.is_settled(ReferenceQuery(TITLE), alone)


def test_two_works_of_one_title_leave_it_open():
    other = replace(WORK, id="2", authors=(Name("Someone", "Else"),), years=(2002,), identifiers=Identifiers())
    both = find_work.rank(ReferenceQuery(TITLE), [Found("dblp", (WORK, other))])
    assert len(both) == 2
    assert not find_work.is_settled(ReferenceQuery(TITLE), both)
    assert find_work.is_settled(QUESTION, find_work.rank(QUESTION, [Found("dblp", (WORK, other))]))


def test_agreeing_sources_count():
    alone = find_work.rank(ReferenceQuery(TITLE), [Found("dblp", (WORK,))])[0].probability
    both = find_work.rank(
        ReferenceQuery(TITLE), [Found("dblp", (WORK,)), Found("crossref", (replace(WORK, source="crossref"),))]
    )
    assert len(both) == 1
    assert both[0].probability > alone
    assert set(both[0].origins) == {"dblp", "crossref"}


def test_silence_is_no_candidate():
    assert find_work.rank(QUESTION, [Absent("dblp"), Unavailable("crossref", "429")]) == []


def test_tex_is_not_searched_for():
    assert searchable(r"{BERT}: Pre-training of~\emph{deep} $x$ models.") == "BERT: Pre-training of deep x models"


def test_aligned_recordings_are_counted(tmp_path):
    hits = [
        {"title": ["A Study of Weight Decay"], "author": [{"family": "Other"}]},
        {"title": [TITLE], "author": [{"family": "Hutter"}], "issued": {"date-parts": [[2019]]}},
    ]
    reference = {"title": TITLE, "authors": ["Ilya Loshchilov", "Frank Hutter"], "year": 2019}
    for path, content in {
        "crossref/refchecker/a.json": hits,
        "aligned/bibliography_x.json": [reference],
        "aligned/queries_by_service.json": [{"query": TITLE.lower(), "crossref": ["a.json"]}],
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(json.dumps(content), encoding="utf-8")
    (outcome,) = aligned.run(list(aligned.cases(tmp_path)), clues=False)
    assert (outcome.right, outcome.in_five, outcome.case.reference.authors) == (True, True, PEOPLE)
    assert "1  100.0%  first answer right" in aligned.report([outcome])
