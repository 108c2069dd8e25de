"""Works written into Typst's bibliographies."""

from dataclasses import replace

import pytest
import yaml

from citelsp.base.text import Document, apply
from citelsp.bibliography import write_entry
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.syntax import parse

WORK = Record(
    "merged", "1", "Bees in {Winter}", (Name("Doe", "Jane", "Jr."), Name("Bee Team", literal=True)), years=(2019,),
    date="2019-03-01", venue="Apidologie", type="article-journal", volume="7", issue="2", pages="12-34",
    publisher="North Press", identifiers=Identifiers(doi="10.1/a"),
)  # fmt: skip


def added(text="", key="k", **changes):
    document = Document("refs.yaml", text, "csl-yaml")
    written = write_entry.write_work(replace(WORK, **changes), key, write_entry.style_of(document, mapping=True))
    return apply(text, [write_entry.insertion(document, written)])


def test_an_article():
    assert (
        added()
        == """\
k:
  type: article
  title: "Bees in Winter"
  author: ["Doe, Jr., Jane", "Bee Team"]
  date: 2019-03-01
  page-range: "12-34"
  publisher: "North Press"
  serial-number:
    doi: "10.1/a"
  parent:
    type: periodical
    title: "Apidologie"
    volume: "7"
    issue: "2"
"""
    )


@pytest.mark.parametrize("before", ["", "# Works\n", "---\n", "\ufeff# Works\r\n\r\n  # more\r\n"])
def test_the_first_work_of_a_file(before):
    assert added(before).replace("\r", "").startswith(f"{before}\nk:\n".replace("\r", "").lstrip("\n"))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("breaks", "more"), [(0, 2), (1, 1), (2, 0), (3, 0)])
def test_a_blank_line_is_between_two_works(breaks, more, newline):
    before = f"a:{newline}  title: T{newline}  type: book" + newline * breaks
    assert added(before).startswith(before + newline * more + "k:")


@pytest.mark.parametrize(
    ("changes", "values"),
    [
        ({"date": "2018-05", "years": (2019,)}, {"date": 2019}),  # that of the preprint
        ({"date": "", "years": ()}, {"date": None}),
        ({"type": "paper-conference", "venue": "ICML"}, {"type": "article", "parent": {"type": "proceedings"}}),
        ({"type": "chapter", "venue": "Great Papers"}, {"type": "chapter", "parent": {"type": "book"}}),
        ({"type": "book", "venue": ""}, {"type": "book", "parent": None}),
        ({"type": "thesis", "venue": "MIT"}, {"type": "thesis", "parent": {"type": "periodical", "title": "MIT"}}),
        (
            {"type": "preprint", "venue": "arXiv", "identifiers": Identifiers(arxiv="1706.03762")},
            {"parent": None, "serial-number": {"arxiv": "1706.03762"}},
        ),
        ({"type": "preprint", "venue": "bioRxiv"}, {"parent": {"title": "bioRxiv"}}),
        ({"type": "webpage", "url": "https://a.org"}, {"type": "web", "url": "https://a.org"}),
        ({"type": "speech"}, {"type": "misc"}),
    ],
)
def test_what_a_work_is_and_where_it_appeared(changes, values):
    found = yaml.safe_load(added(**changes))["k"]
    for name, value in values.items():
        inner = found.get(name)
        assert {it: inner[it] for it in value} == value if isinstance(value, dict) else inner == value


def test_a_key_that_yaml_would_read_as_something_else_is_quoted():
    assert [added(key=it).partition("\n")[0] for it in ("a-1", "1984", "a: b")] == ["a-1:", '"1984":', '"a: b":']


def test_no_text_holds_code_of_typst():
    hostile = r"a $#read('x')$ {b} \c"
    made = added(title=hostile, venue=hostile, publisher=hostile)
    found = yaml.safe_load(made)["k"]
    for text in (found["title"], found["publisher"], found["parent"]["title"]):
        assert text == r"a \$#read('x')\$ b \\c"
    parsed = parse(Document("refs.yaml", made, "csl-yaml"))
    assert Entry(parsed.entries.node(0), parsed.strings).title == r"a $#read('x')$ b \c"
