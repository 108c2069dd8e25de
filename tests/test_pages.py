"""Every finding has a page, and the page's example yields the finding."""

import re

import pytest

import page_examples
from citelsp.base import docs
from citelsp.checks import ALL

SECTIONS = ["Example", "Why it matters", "What to do", "When citelsp says nothing"]


@pytest.mark.parametrize("check", ALL, ids=lambda it: it.code)
def test_a_page_for_each_finding(check):
    page = docs.read(docs.finding_page(check.code))
    assert page.startswith(f"# {check.code}\n")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == SECTIONS
    assert f"citelsp: ignore[{check.code}] reason" in page
    marked, found = page_examples.found(page, check.code)
    assert marked == found and found


def test_no_page_for_what_is_not_found():
    assert {it.stem for it in docs.finding_page("x").parent.glob("*.md")} == {it.code for it in ALL}
