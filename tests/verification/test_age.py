"""When indexes may still lack a work, in months since it appeared."""

from datetime import date

import pytest

from citelsp.verification.age import is_new, is_recent
from written_references import cited

NEURIPS = "Advances in Neural Information Processing Systems"
ARTICLE = {"kind": "article", "booktitle": None, "journal": "Journal of Vision"}


@pytest.mark.parametrize(
    ("fields", "today", "new"),
    [
        ({"booktitle": NEURIPS, "year": "2025"}, date(2026, 4, 20), True),  # it met in December
        ({"booktitle": NEURIPS, "year": "2025"}, date(2026, 9, 1), False),
        ({"booktitle": NEURIPS, "year": "2025", "month": "may"}, date(2026, 4, 20), False),
        ({"booktitle": "CVPR", "year": "2025"}, date(2026, 5, 1), True),
        ({"booktitle": "CVPR", "year": "2025"}, date(2026, 6, 1), False),  # registered with Crossref
        ({**ARTICLE, "year": "2025"}, date(2026, 3, 1), True),
        ({**ARTICLE, "year": "2025"}, date(2026, 4, 1), False),
        ({**ARTICLE, "year": "2026", "month": "1"}, date(2026, 4, 1), True),
        ({**ARTICLE, "year": "2026", "month": "1"}, date(2026, 5, 1), False),
        ({**ARTICLE, "year": "2026"}, date(2026, 11, 1), True),
        ({**ARTICLE, "year": "2028"}, date(2026, 11, 1), False),  # wrong, not new
        ({"year": None}, date(2026, 11, 1), False),
    ],
)
def test_what_indexes_may_not_list_yet(fields, today, new):
    assert is_new(cited(**fields), today) == new


@pytest.mark.parametrize(("year", "recent"), [("2027", True), ("2025", True), ("2024", True), ("2023", False)])
def test_how_long_a_preprint_may_stand_for_its_publication(year, recent):
    assert is_recent(cited(year=year), date(2026, 11, 26)) == recent
