"""What publishers put around a title is no part of it."""

import pytest

from citelsp.bibliography.tolerant_comparison import titles


@pytest.mark.parametrize(
    "recorded",
    [
        "Chapter 3 The Choice Problem",
        "Chapter 3. The Choice Problem",
        "The Choice Problem**This work was supported by the Board. It was read in Rome in 1975.",
        "The Choice Problem☆Supported by the Board",
        "The Choice Problem: Figure 1.",
    ],
)
def test_numbers_of_chapters_and_footnotes(recorded):
    assert titles.compare("The choice problem", recorded) == titles.compare(recorded, "The choice problem") == "looser"
    assert titles.compare("The problem of choosing", recorded) == "different"


def test_stars_that_are_no_footnotes():
    assert titles.compare("Decays to D** Mesons", "Decays to D** mesons and more") == "different"
    assert titles.compare("Chapter and Verse in Prose", "Verse in Prose") == "different"


def test_an_archive_names_software_by_its_repository():
    archived = "ada-b/engine-notes: Notes of the engine"
    for cited in ("Engine notes", "Notes of the Engine", "engine-notes: Notes of the engine"):
        assert titles.compare(cited, archived) == titles.compare(archived, cited) == "looser"
    assert titles.compare("Engine", archived) == titles.compare("Notes", archived) == "different"
    assert titles.names_a_repository(archived)
    assert not titles.names_a_repository("TCP/IP: notes and / or letters") or titles.compare("IP", "TCP/IP") == "looser"


def test_titles_that_are_symbols_alone_are_those_of_other_works():
    assert titles.compare("Omega", "Delta") == titles.compare("Delta", "Omega") == "different"
    assert titles.compare("Omega", "Ω") == "same"


def test_titles_that_lost_all_letters_cannot_be_compared():
    assert titles.compare("????", "???????") == titles.compare("???????", "????") == "unknown"
    assert titles.compare("????", "????") == "same"
    assert titles.compare("????", "Bees") == "different"


def test_a_notice_that_names_nothing_is_about_no_work():
    assert (
        titles.compare("Erratum to: {.", "Correction") == titles.compare("Correction", "Erratum to: {.") == "different"
    )
