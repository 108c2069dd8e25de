"""Every bound is named on the page `limits`."""

import re

import pytest

from citelsp.base import bounds, docs

PAGE = docs.read(docs.DOCS / "limits.md")
BYTES = {
    "BIBLIOGRAPHY": 1 << 20,
    "MANUSCRIPT": 1 << 20,
    "SETTINGS": 1 << 10,
    "STYLE": 1 << 20,
    "CACHED_TEXT": 1 << 20,
    "ANSWER": 10**6,
}
NAMED = {name: value for name, value in vars(bounds).items() if name.isupper() and not name.startswith("_")}


@pytest.mark.parametrize("name", NAMED)
def test_the_page_names_the_bound(name):
    value = NAMED[name] // BYTES.get(name, 1)
    assert f"| {value:,.0f}" in PAGE


def test_the_page_names_no_other_bound():
    assert len(re.findall(r"^\| (?!limit)", PAGE, re.MULTILINE)) == len(NAMED)
