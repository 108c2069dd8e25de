"""Hayagriva's YAML, read as Typst reads it and written so that Typst reads it again."""

import pytest
import yaml

import marks
from citelsp.base.text import Document, apply
from citelsp.bibliography import write_entry
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


def test_a_type_behind_that_of_the_parent_is_the_works_own():
    [node] = nodes("a:\n  parent:\n    - type: periodical\n      title: J\n  type: article\n  title: T\n")
    assert node.kind == "article" and values(node) == {"title": "T", "journal": "J"}


def test_a_work_of_unknown_type_does_not_have_that_of_its_parent():
    [node] = nodes("a:\n  # no\n  type: blurb\n  title: T\n  parent:\n    type: book\n    title: B\n")
    assert node.kind == "misc"


@pytest.mark.parametrize(
    "parent",
    [
        "{type: proceedings, title: P}",
        "[{title: P, 'type': \"Conference\"}, {title: Q}]",
        "\n    - {type: proceedings, title: P}",
    ],
)
def test_the_type_of_what_a_work_appeared_in_may_stand_in_braces(parent):
    [node] = nodes(f"a:\n  type: article\n  title: T\n  parent: {parent}\n")
    assert node.kind == "inproceedings" and values(node) == {"title": "T", "booktitle": "P"}


@pytest.mark.parametrize(
    "written",
    [
        'title: "Notes {on, type: proceedings}"',
        "title: 'It''s, type: proceedings'",
        "title: T # {type: conference}",
        "title: T\n  parent: {title: 'J, type: proceedings', 'type': periodical}",
        'title: T\n  parent: [{"title": "A \\"J\\", type: conference"}]',
    ],
)
def test_no_type_stands_within_quotes_or_a_comment(written):
    [node] = nodes(f"a:\n  type: article\n  {written}\n")
    assert node.kind == "article"


@pytest.mark.parametrize(
    ("title", "written"),
    [
        (r"'a \{ b'", r"a \{ b"),
        (r"'{NATO} \} and \\{x}'", r"{NATO} \} and \textbackslash{}{x}"),
        (r"'cost \$5 & \x'", r"cost \$5 \& \textbackslash{}x"),
    ],
)
def test_signs_that_mean_something_to_hayagriva_stand_behind_a_backslash(title, written):
    [node] = nodes(f"a:\n  type: book\n  title: {title}\n")
    assert values(node) == {"title": written}


def test_a_field_stands_where_the_works_own_does():
    [node] = nodes("a:\n  url: {value: https://a.org, date: 2020}\n  type: web\n  date: 2019\n  title: T\n")
    [date] = [field for field in node.fields() if field.name == "date"]
    assert date.span.within(node.source) == "date: 2019" == f"date: {node.raw('date')}"


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


def test_a_key_may_have_colons():
    text = "prekas:2017:\n  type: article\n  title: A\nb c : \n  type: book\n  title: B\ndoi:10.1000/x:\n  title: C\n"
    assert [it.key for it in nodes(text)] == ["prekas:2017", "b c", "doi:10.1000/x"]


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
    written = write_entry.write_work(RECORD, "k", write_entry.style_of(document, mapping=True))
    after = apply(document.text, [write_entry.insertion(document, written)])
    assert [it["id"] for it in yaml.safe_load(after)["references"]] == ["a", "k"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("author: Li, X.", {"author": "Li, X."}),
        ("author: [Plato, 'Li, Jr., X.']", {"author": "{Plato} and Li, Jr., X."}),
        ("author: {name: Berg, prefix: van, suffix: Jr., given-name: A.}", {"author": "van Berg, Jr., A."}),
        ("editor: [{name: Li}, {}, '']", {"editor": "Li"}),
        ("serial-number: {DOI: 10.1/x_y, arxiv: 2001.1, mine: 5}",
         {"doi": "10.1/x_y", "eprint": "2001.1", "eprinttype": "arxiv"}),
        ("serial-number: 978", {}),
        ("publisher: {name: P, location: L}", {"publisher": "P"}),
        ("title: {short: S}", {}),
        ("issue: 3\n  volume: 2\n  genre: G\n  runtime: 5", {"number": "3", "volume": "2", "type": "G"}),
        ("parent: {type: book, title: P, serial-number: {isbn: 978}, editor: Li, date: 2001, volume: 2, note: no}",
         {"isbn": "978", "booktitle": "P", "volume": "2", "editor": "{Li}", "date": "2001"}),
        ("date: 2000\n  volume: 1\n  serial-number: {doi: 10.1/a}\n"
         "  parent: [{type: blog, title: P, date: 2001, volume: 2, serial-number: {doi: 10.1/b}}, {title: Q}]",
         {"date": "2000", "volume": "1", "doi": "10.1/a", "booktitle": "P"}),
        ("date:\n  parent: {type: book, title: P, date: 2001}", {"booktitle": "P", "date": "2001"}),
        ("parent: P", {}),
    ],
)  # fmt: skip
def test_values_of_an_item_and_of_what_holds_it(written, expected):
    node, _ = nodes(f"k:\n  type: chapter\n  {written}\nz:\n  type: misc\n  title: T\n")
    assert values(node) == expected


def test_each_field_has_its_place():
    holder = "parent:\n  - type: book\n    title: P\n    volume: 3"
    [node] = nodes(f"k:\n  type: chapter\n  'title': A\n  serial-number: {{doi: 10.1/x}}\n  {holder}")
    found = {
        it.name: [part.within(node.source) for part in (it.name_span, it.value_span, it.span)] for it in node.fields()
    }
    assert found == {
        "title": ["title", " A", "title': A"],
        "doi": ["doi", " 10.1/x}", "doi: 10.1/x}"],
        "booktitle": ["parent", "", "parent:"],
        "volume": ["volume", " 3", "volume: 3"],
    }


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a:\n  type: Article\n  title: T", [("a", "article")]),
        (
            "'a b':\n  type: article\n  title: T\n  parent: {type: x}\n  x:\n    - type: conference",
            [("a b", "inproceedings")],
        ),
        (
            "a:\n  title: T\n  type: article\n\nb: # c\n  type: scene\n\n\nc:\n  type: nothing\nd: 5\ne:\n",
            [("a", "article"), ("b", "misc"), ("c", "misc")],
        ),
        (
            "a:\n  title: T\nb:\n  type: Site\n  title: U\nc:\n  type: web\n  title: V",
            [(it, "misc") for it in "ab"] + [("c", "online")],
        ),
        ("a:\r\n  type: blog\r\n  title: T\r\nb:\r\n  'type': book\r\n", [("a", "online"), ("b", "book")]),
    ],
)
def test_items_and_their_kinds(text, found):
    assert [(it.key, it.kind) for it in nodes(text)] == found
    entries = read(text)
    assert all(text.startswith(entries.node(at).source, entries.start(at)) for at in range(len(entries)))
    assert all(it.source.count("title: T") <= 1 for it in nodes(text))
    assert all(it.key_span.within(it.source) == it.key and it.source == it.source.rstrip() for it in nodes(text))


def faults(values):
    [node, *_] = nodes(f"a:\n  type: article\n  title: T\n{values}")
    return [(problem.message, problem.span.within(node.source)) for problem in node.problems()]


# What Typst accepts and refuses was compared with Typst 0.15.
@pytest.mark.parametrize(
    "values",
    [
        "  date: 2019-5", "  date: ~2019", "  date: -44", "  date:", "  date: '2019'", "  type: Article", "  title: No",
        "  title: '1984'", "  title: 007", "  title: {value: A}", "  volume: 12", "  author: *people",
        "  parent: {type: periodical, title: J}", "  url: {value: 'http://a.org', date: 2020-01-01}",
        "  date: 2019 - 05",
    ],
)  # fmt: skip
def test_values_that_typst_accepts(values):
    assert not faults(values)


@pytest.mark.parametrize(
    ("values", "fault", "place"),
    [
        ("  date: May 2019", "“May 2019” is not a date, such as 2020-05-31", "May 2019"),
        ("  date: ''", "The date is empty", "''"),
        ("  date: n.d.", "“n.d.” is not a date, such as 2020-05-31", "n.d."),
        ("  date: ２０１９", "“２０１９” is not a date, such as 2020-05-31", "２０１９"),
        ("  date: 2019-13", "“2019-13” is not a date, such as 2020-05-31", "2019-13"),
        ("  parent: {type: Jörnal, title: J}", "“Jörnal” is none of Hayagriva's types", "Jörnal"),
        ("  parent:\n  - title: 1984", 'title must be text: write "1984"', "1984"),
        ("  note: true", 'note must be text: write "true"', "true"),
        ("  note: True", 'note must be text: write "True"', "True"),
        ("  note: B\b", "This is not YAML (it has a control character, U+0008)", "note: B\b"),
        (" author: B", "This is not YAML (did not find expected key)", "author: B"),
        ("  note: B: C", "This is not YAML (mapping values are not allowed in this context)", "note: B: C"),
    ],
)
def test_values_for_which_typst_refuses_the_file(values, fault, place):
    assert faults(values) == [(f"{fault}: Typst refuses the whole file", place)]


@pytest.mark.parametrize("values", ["title: T", "type:", "type: ~", "title: T\n  parent: {type: book, title: B}"])
def test_a_work_without_a_type(values):
    [_, work, _] = nodes(f"a:\n  type: article\n  title: T\nb:\n  {values}\nc:\n  type: ''\n")
    assert [(problem.message, problem.span.within(work.source)) for problem in work.problems()] == [
        ("The work has no type, such as book: Typst refuses the whole file", "b:")
    ]


def test_what_a_work_appeared_in_needs_no_type():
    assert not faults("  parent: {title: J}")


def test_a_key_with_an_anchor():
    assert [node.key for node in nodes("a: &a\n  type: article\n  title: T\nb:\n  <<: *a\n")] == ["a", "b"]
