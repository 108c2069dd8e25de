"""What publishers put around a title is no part of it."""

import pytest

from citelsp.bibliography import titles


@pytest.mark.parametrize(
    "recorded",
    [
        "Chapter 3 The Choice Problem",
        "Chapter 3. The Choice Problem",
        "The Choice Problem**This work was supported by the Board. It was read in Rome in 1975.",
        "The Choice Problem☆Supported by the Board",
    ],
)
def test_numbers_of_chapters_and_footnotes(recorded):
    assert titles.compare("The choice problem", recorded) == titles.compare(recorded, "The choice problem") == "looser"
    assert titles.compare("The problem of choosing", recorded) == "different"


def test_stars_that_are_no_footnotes():
    assert titles.compare("Decays to D** Mesons", "Decays to D** mesons and more") == "different"
    assert titles.compare("Chapter and Verse in Prose", "Verse in Prose") == "different"
