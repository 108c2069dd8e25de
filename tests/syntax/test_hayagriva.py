"""Hayagriva's YAML, read as Typst reads it and written so that Typst reads it again."""

import pytest
import yaml

import marks
from citelsp.base.text import Document, apply
from citelsp.bibliography import render
from citelsp.features import insert_entry, rename
from citelsp.knowledge import Candidate
from citelsp.syntax import parse
from language_walk import RECORD

TEXT = """\
# works
zygos:
    type: Article
    author: ["Prekas, George", {name: Kogias, given-name: Marios}]
    title:
        value: "ZygOS: Achieving {Low} Tail Latency"
        verbatim: true
    date: 2017
    page-range: 325-341
    serial-number:
        doi: 10.1145/3132747.3132780
    parent:
        - type: Proceedings
          title: Proceedings of the 26th Symposium
          publisher: {name: ACM, location: New York}
"a key": # quoted
  type: web
  title: A page
  author: UNICEF
  url: {value: https://a.org, date: 2020-01-01}
plain.key-1:
  title: Another
  type: article
  parent: {type: periodical, title: The Journal, volume: 5, issue: 2}
"""


def read(text):
    return parse(Document("refs.yml", text, "csl-yaml")).entries


def nodes(text):
    entries = read(text)
    return [entries.node(it) for it in range(len(entries or ()))]


def values(node):
    return {it.name: node.raw(it.name) for it in node.fields()}


def test_keys_kinds_and_values():
    found = nodes(TEXT)
    assert [(it.key, it.kind) for it in found] == [
        ("zygos", "inproceedings"),
        ("a key", "online"),
        ("plain.key-1", "article"),
    ]
    assert values(found[0]) == {
        "author": "Prekas, George and Kogias, Marios",
        "title": "ZygOS: Achieving {Low} Tail Latency",
        "date": "2017",
        "pages": "325-341",
        "doi": "10.1145/3132747.3132780",
        "booktitle": "Proceedings of the 26th Symposium",
        "publisher": "ACM",
    }
    assert values(found[1]) == {"title": "A page", "author": "{UNICEF}", "url": "https://a.org"}
    assert values(found[2]) == {"title": "Another", "journal": "The Journal", "volume": "5", "number": "2"}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("project:\n  type: book\n  output-dir: x\n", []),
        ("- id: a\n  type: book\n", ["a"]),
        ("a: b\n", []),
        ("x:\n  type: nothing\n  title: y\n", []),
        ("", []),
    ],
)
def test_other_yaml_holds_no_works(text, keys):
    assert [it.key for it in nodes(text)] == keys


MANUSCRIPT = """
%% main.typ
As @zyg|os says @<sorting>.
#bibliography("refs.yml")
%% refs.yml
"""


def test_an_address_stays_as_it_is():
    [node] = nodes("a:\n  type: Web\n  title: T\n  url: https://e.org/a_b%20c\n  note: a_b\n")
    assert values(node) == {"title": "T", "url": "https://e.org/a_b%20c", "note": r"a\_b"}


def test_rename():
    fixture = marks.parse(MANUSCRIPT + TEXT)
    edits = rename.edits_for(marks.project(fixture), *fixture.cursor, "prekas17")
    after = {path: apply(fixture.files[path], [it for it in edits if it.path == path]) for path in fixture.files}
    assert after["refs.yml"].startswith("# works\nprekas17:\n")
    assert "zygos" not in after["refs.yml"]
    assert after["main.typ"].startswith("As @prekas17 says")


@pytest.mark.parametrize("text", [TEXT, "", TEXT.rstrip("\n")])
def test_a_work_is_added(text):
    files = marks.parse(MANUSCRIPT).files | {"refs.yml": text}
    project = marks.project(marks.Marked(files), "main.typ")
    placeholder = project.sources["main.typ"].syntax.placeholders[0]
    insertion = insert_entry.edits_for(project, "main.typ", placeholder, Candidate(RECORD))
    after = apply(text, [it for it in insertion.change.edits if it.path == "refs.yml"])
    assert after.startswith(text)
    assert yaml.safe_load(after)[insertion.key] == {
        "type": "article",
        "title": "Quicksort",
        "author": ["Hoare, C. A. R."],
        "date": 1962,
        "serial-number": {"doi": "10.1000/q"},
        "parent": {"type": "periodical", "title": "The Computer Journal"},
    }
    added = marks.project(marks.Marked(files | {"refs.yml": after}), "main.typ").find(insertion.key)
    assert [(it.entry.title, it.entry.year, it.entry.venue) for it in added] == [
        ("Quicksort", 1962, "The Computer Journal")
    ]


def test_a_list_of_csl_items_stays_one():
    document = Document("refs.yaml", "references:\n- id: a\n  type: book\n", "csl-yaml")
    written = render.render(RECORD, "k", render.style_of(document, mapping=True))
    after = apply(document.text, [render.insertion(document, written)])
    assert [it["id"] for it in yaml.safe_load(after)["references"]] == ["a", "k"]
