"""Publishers' names that mean one house, and those that stand where a venue should."""

import pytest

from citelsp.bibliography import publishers


@pytest.mark.parametrize(
    ("cited", "recorded", "same"),
    [
        ("Springer", "Springer Science and Business Media LLC", True),
        ("IEEE", "Institute of Electrical and Electronics Engineers (IEEE)", True),
        ("ACM", "Association for Computing Machinery", True),
        ("Kluwer", "Springer", True),
        ("AIP Publishing", "American Institute of Physics", True),
        ("ACL", "Association for Computational Linguistics", True),
        ("AAAI Press", "Association for the Advancement of Artificial Intelligence (AAAI)", True),
        ("Springer", "Association for Computational Linguistics", False),
        ("IOP Publishing", "The American Astronomical Society", True),  # whose journals that house prints
        ("MSP", "Mathematical Sciences Publishers", True),
        ("", "ACM", None),
    ],
)
def test_houses(cited, recorded, same):
    assert publishers.same(cited, recorded) is same


@pytest.mark.parametrize("name", ["Springer Netherlands", "MIT Press", "IEEE", "Oxford University Press"])
def test_a_publisher_is_no_venue(name):
    assert publishers.is_house(name)


@pytest.mark.parametrize("name", ["IEEE Access", "ACM Computing Surveys", "Nature", "Press Studies"])
def test_names_that_begin_like_a_publisher(name):
    assert not publishers.is_house(name)
