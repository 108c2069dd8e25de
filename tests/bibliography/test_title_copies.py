"""Titles as reference lists misprint them."""

import pytest

from citelsp.bibliography.tolerant_comparison import titles

COPIES = [
    ("Adam: A methodfor stochastic optimization", "Adam: A Method for Stochastic Optimization"),
    ("Adam: A method for tochastic optimization", "Adam: A Method for Stochastic Optimization"),
    ("Adam: a method for stochastic optimization (2014)", "Adam: A Method for Stochastic Optimizations"),
    ("Adam: A method for stochastic optimization [c]", "Adam: A method for stochastic optimization"),
    ("A theory of trouts in northern rivers", "A theory of trout in northern rivers"),
    ("MNIST handwritten digit database. at&t labs", "MNIST handwritten digit database, 2010"),
    ("Active inference: A process theory", "Active inference: a process theory Active inference: a process theory."),
    ("daptive moment estimation for networks", "Adaptive moment estimation for networks"),
    ("Neural Machine Translaton", "Neural Machine Translation"),
    ("Scipy: Open source scientific tools for python", "SciPy: Open source scientific tools for Python, 2001–"),
]
NO_COPIES = [
    ("A survey on transfer learning", "A survey of transfer learning"),
    ("Learning to rank from data", "Learning to rank from data, revisited"),
    ("Supervised learning of sentences", "Unsupervised learning of sentences"),
    ("The SMT-LIB Standard: Version 2.0", "The SMT-LIB Standard: Version 2.6"),
    ("Information theory and statistical mechanics", "Information theory and statistical mechanics. II"),
    ("The curse of dimensionality", "The curse of dimensionality for local kernel machines"),
    ("Machine Translaton", "Machine Translation"),
    ("Deep learning", "Deep learning. A review"),
    ("A theory of 2D shapes in vision", "A theory of 3D shapes in vision"),
]


def test_a_space_and_a_letter_are_two_misprints():
    one, other = "Life under the bark of old trees", "Life un dertthe bark of old trees"
    assert not titles.are_copies(one, other)
    assert not titles.are_copies(other, one)


def test_a_lost_space_in_a_short_title_tells_nothing_in_either_order():
    one, other = "Electroencephalography today", "Electro encephalography to day"
    assert not titles.are_copies(one, other)
    assert not titles.are_copies(other, one)


@pytest.mark.parametrize(("one", "other"), COPIES)
def test_what_reference_lists_misprint_is_a_copy(one, other):
    assert titles.are_copies(one, other)
    assert titles.are_copies(other, one)


@pytest.mark.parametrize(
    ("title", "code"),
    [
        ("Über die Grundlagen der Logik", "de"),
        ("On the Grounds of Logic", "en"),
        ("The Laws of des Sur", ""),
        ("Logik", ""),
    ],
)
def test_the_language_of_a_title_is_that_of_most_of_its_small_words(title, code):
    assert titles.tongue(title) == code


@pytest.mark.parametrize(("one", "other"), NO_COPIES)
def test_another_title_is_none(one, other):
    assert not titles.are_copies(one, other)
    assert not titles.are_copies(other, one)
