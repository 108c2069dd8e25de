"""Which journals of those that a registry lists are called as an entry's."""

import pytest

from citelsp.bibliography.registered_journal import Journal, find_journals


@pytest.mark.parametrize(
    ("name", "titles", "found"),
    [
        ("Journal of Bees", ["International Journal of Bees"], []),
        ("Journal of Bees", ["The Journal of Bees", "International Journal of Bees"], ["The Journal of Bees"]),
        ("Int. J. Bees", ["International Journal of Bees"], ["International Journal of Bees"]),
        ("J. Mach. Learn. Res.", ["Journal of Machine Learning Research"], ["Journal of Machine Learning Research"]),
    ],
)
def test_a_journal_is_known_by_its_name(name, titles, found):
    assert [it.title for it in find_journals(name, [Journal("crossref", "1", it) for it in titles])] == found


def test_names_without_a_telling_word_are_passed_over():
    journal = Journal("crossref", "1", "The", names=("Journal of Bees",))
    assert find_journals("J. Bees", [journal]) == (journal,)
