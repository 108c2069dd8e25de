"""A toast without buttons shows one line: what does not fit is behind a button."""

import pytest

from editors.test_vscode_setup import called, node

pytestmark = pytest.mark.editors
__all__ = ["node"]  # a fixture
FITS = 70
NOTICE = "citelsp looks up the references that you cite. Their titles, authors and identifiers go to Crossref and DBLP."


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("Added knuth84 to refs.bib.", "Added knuth84 to refs.bib."),
        (NOTICE, "citelsp looks up the references that you cite."),
        ("word " * 30, "word " * 13 + "word…"),
        ("x" * 200, "x" * 35 + "…"),
    ],
)
def test_a_long_message_is_its_first_sentence_or_the_words_that_fit(node, message, shown):
    assert len(shown) <= FITS
    assert called(node, "shorten.ts", "shortened", [message])["answer"] == shown
