import json

import pytest
import yaml

from citelsp.base.text import Document, apply
from citelsp.bibliography import item_writers

NEW = {"csl-json": '{"id": "k"}', "csl-yaml": "- id: k"}


def added(text, language):
    document = Document("r", text, language)
    return apply(text, [item_writers.insertion(document, NEW[language])]) if item_writers.takes(document) else None


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("", ["k"]),
        ("[]", ["k"]),
        ('{"references": [\n  {"id": "a"}, {"id": "b", "x": [1]}\n]}\n', ["a", "b", "k"]),
        ('{"items": [], "x": []}', ["k"]),
        ('[{"id": "a"}, {"title": "T"}]', ["a", "k", None]),
        ('{"id": "a"}', None),
        ("garbage", None),
    ],
)
def test_into_json(text, keys):
    found = added(text, "csl-json")
    items = json.loads(found) if found else None
    items = next(iter(items.values())) if isinstance(items, dict) else items
    assert keys == (items and [it.get("id") for it in items])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[\n{"id": "a"}\n]\n', '[\n{"id": "a"},\n{"id": "k"}\n]\n'),
        ('[{"id": "a"}]', '[{"id": "a"},\n{"id": "k"}\n]'),
        ("[]", '[\n{"id": "k"}\n]'),
        ('{"items": [{"id": "a"}], "y": 1}', '{"items": [{"id": "a"},\n{"id": "k"}\n], "y": 1}'),
    ],
)
def test_the_list_is_closed_as_before(before, after):
    assert added(before, "csl-json") == after


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("- id: a\n  title: T", ["a", "k"]),
        ("---\n- id: a\n...\n", ["a", "k"]),
        ("x: 1\n", ["k"]),
        ("references: [{id: a}]\n", None),
    ],
)
def test_into_yaml(text, keys):
    found = added(text, "csl-yaml")
    items = next(yaml.safe_load_all(found)) if found else None
    items = items["references"] if isinstance(items, dict) else items
    assert keys == (items and [it["id"] for it in items])
