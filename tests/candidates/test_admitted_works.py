import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Record
from citelsp.candidates.admitted_works import Rule, earliest_date, is_earlier_title


def record(**more):
    return Record("openalex", "W1", "A Title of Three Words", **more)


@pytest.mark.parametrize(
    ("limit", "date", "admitted"),
    [
        ("2020-05", "2020-05-31", True),
        ("2020-05", "2020-06-01", False),
        ("2020-05", "2020", True),
        ("2020-05-10", "2020-05", True),
        ("2020", "2020-12", True),
        ("2020", "2021", True),  # only its year of print is known
        ("2020-05", "2021", True),
        ("2020", "2022", False),
        ("2020", "2021-01", False),
        ("", "2999", True),
        ("2020-05", "", True),
    ],
)
def test_nothing_later_to_the_month(limit, date, admitted):
    assert Rule(limit).admits(record(date=date)) == admitted


def test_the_earliest_date_counts_as_precisely_as_it_is_known():
    assert earliest_date(record(date="2021-03-01", years=(2021, 2019))) == "2019"
    assert earliest_date(record(years=(2020,), identifiers=Identifiers(arxiv="2001.01234"))) == "2020-01"
    assert earliest_date(record()) == ""
    assert (
        earliest_date(record(date="2020-02", years=(2020,), identifiers=Identifiers(arxiv="2003.01234"))) == "2020-02"
    )
    assert earliest_date(record(date="2020-02-03", identifiers=Identifiers(arxiv="2001.01234"))) == "2020-02-03"


def test_never_the_manuscript_nor_what_is_excluded():
    assert not Rule(title="A title of three words!").admits(record())
    for name in ("W1", "10.1/x", "a TITLE of three-words"):
        assert not Rule(exclude=frozenset({name})).admits(record(identifiers=Identifiers(doi="10.1/x")))
    assert Rule(exclude=frozenset({"W2", "other"})).admits(record())


@pytest.mark.parametrize(
    ("title", "own", "same"),
    [
        ("The Platonic Representation Hypothesis", "Position: The Platonic Representation Hypothesis", True),
        ("Position: The Platonic Representation Hypothesis", "The Platonic Representation Hypothesis", True),
        (
            "GNNAdvisor: An Efficient Runtime System for GNN Acceleration on GPUs",
            "GNNAdvisor: An Adaptive and Efficient Runtime System for GNN Acceleration on GPUs",
            True,
        ),
        (
            "Taskflow: A General-purpose Task Programming System",
            "Taskflow: A Lightweight Graph Computing System",
            False,
        ),
        ("Explanations in Data Management", "Explanations in Data Management: An Approach by Answer Sets", False),
        ("A Joint Model for Semantic Role Labeling", "A Global Joint Model for Semantic Role Labeling", False),
        ("Deep Learning: A Survey", "Deep Learning: A Review", False),
        ("Nets: Memory", "Memory", False),
        ("", "Memory: A Title", False),
    ],
)
def test_the_manuscript_under_an_earlier_title_is_known(title, own, same):
    assert is_earlier_title(title, own) is same
    assert Rule(title=own).admits(Record("corpus", "w", title)) is not same
