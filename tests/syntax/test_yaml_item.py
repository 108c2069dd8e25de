"""One item's YAML: as deep as anyone writes, whatever the C loader's stack would bear."""

import pytest

from citelsp.syntax.formats import yaml_item


@pytest.mark.parametrize("opener", ["[", "{a: ", "- ", "? ", "[{"])
def test_what_is_too_deep_is_no_yaml(opener):
    assert yaml_item.load("a:\n  " + opener * 100_000) is None


def test_many_lines_are_not_deep():
    authors = "".join(f"  - family: A{it}\n    given: B\n" for it in range(500))
    assert len(yaml_item.load(f"id: k\nauthor:\n{authors}")["author"]) == 500


@pytest.mark.parametrize("text", ["a: [", "a: b: c", "\x00", "a: *b"])
def test_what_is_no_yaml(text):
    assert yaml_item.load(text) is None
