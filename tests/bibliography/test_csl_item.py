import json

import pytest
import yaml

from citelsp.base.text import Document, apply
from citelsp.bibliography import item_writers, write_entry
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.syntax import parse

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
        # Not within a broken item, whose end may not be known.
        ('[{"id": "a"}, {"id": "b", "x": [{"y": 1}]]', '[{"id": "a"},\n{"id": "k"}, {"id": "b", "x": [{"y": 1}]]'),
        ('[{"id": "b", "x": [{"y": 1}]]', '[\n{"id": "k"},{"id": "b", "x": [{"y": 1}]]'),
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


def test_texts_in_yaml_are_escaped_as_pandoc_reads_them():
    title = r"On `\input{x}`{=latex}, <b>*a_b*</b>, [1](2), $5^2$ and ~@doe"
    habits = write_entry.style_of(Document("refs.yaml", "", "csl-yaml"))
    written = write_entry.write_work(Record("crossref", "1", title, (Name("*Doe*", "J."),), venue="<i>"), "k", habits)
    item = yaml.safe_load(written)[0]
    assert item["title"] == r"On \`\\input{x}\`{=latex}, \<b\>\*a\_b\*\</b\>, \[1\](2), \$5\^2\$ and \~\@doe"
    assert item["author"][0]["family"] == r"\*Doe\*"
    parsed = parse(Document("refs.yaml", f"references:\n{written}\n", "csl-yaml"))
    entry = Entry(parsed.entries.node(0), parsed.strings)
    assert entry.title.startswith(r"On `\input{x}`{=latex}, a_b, [1](2), $5^2$ and ~@doe".replace("a_b", "*a_b*"))
    assert entry.authors[0].family == "*Doe*"
