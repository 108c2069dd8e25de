"""The few words in which a reader is told of works, places and lengths."""

import pytest

from citelsp.base.text import Span
from citelsp.bibliography.names import Name
from citelsp.features import values

PEOPLE = [Name("Curry"), Name(""), Name("Howard"), Name("Lee")]


@pytest.mark.parametrize(
    ("count", "year", "full", "short"),
    [
        (0, None, "", ""),
        (0, 2001, "2001", ""),
        (1, 2001, "Curry 2001", "Curry"),
        (2, None, "Curry", "Curry"),
        (3, 2001, "Curry and Howard 2001", "Curry+"),
        (4, 2001, "Curry et al. 2001", "Curry+"),
    ],
)
def test_authors_are_named_in_few_words(count, year, full, short):
    assert values.author_year(PEOPLE[:count], year) == full
    assert values.short_people(PEOPLE[:count]) == short


def test_authors_that_an_entry_leaves_out_are_said_to_be_more():
    assert values.author_year(PEOPLE[:1], 2001, truncated=True) == "Curry et al. 2001"
    assert values.author_year([], 2001, truncated=True) == "2001"


def test_where_a_work_was_found_is_said_once():
    assert values.places(("library", "corpus", "openalex", "corpus", "lab")) == "your .bib, your corpus, OpenAlex, lab"


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("Attention is all", 16, "Attention is all"),
        ("Attention is all", 15, "Attention is…"),
        ("Attention – is all", 14, "Attention…"),
        ("Attention: is all", 13, "Attention…"),
        ("Attention", 5, "Atte…"),
        ("深度学习在图像识别中的应用", 7, "深度学习在图…"),
        ("摘要: 深度学习在图像识别中的应用研究", 13, "摘要: 深度学习在图像识…"),
    ],
)
def test_what_is_too_long_is_cut_at_a_word(text, limit, shown):
    assert values.shorten(text, limit) == shown


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (40, "Attention is all you need"),
        (25, "Attention is all you need"),
        (18, "Attention is all…"),
        (3, "Attention is…"),
    ],
)
def test_a_title_fills_its_row(width, shown):
    assert values.fit_title("Attention is all you need", width) == shown


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ((0, 2), (1, 3), True),
        ((0, 2), (2, 3), False),
        ((2, 2), (0, 2), True),
        ((0, 2), (0, 0), True),
        ((3, 3), (0, 2), False),
        ((1, 1), (1, 1), True),
        ((1, 1), (2, 2), False),
    ],
)
def test_a_cursor_touches_what_it_stands_at(one, other, shared):
    assert values.overlap(Span(*one), Span(*other)) is values.overlap(Span(*other), Span(*one)) is shared
