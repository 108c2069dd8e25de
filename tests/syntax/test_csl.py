"""Bibliographies in CSL-JSON and CSL-YAML, and what metadata files say."""

import time

import pytest

from citelsp.base.text import Document, Span
from citelsp.syntax import parse, reparse

JSON = """[
  {"id": "smith99", "type": "article-journal", "title": "Cats & <i>Dogs</i> {x}", "container-title": "J",
   "author": [{"family": "Smith", "given": "Jo"}, {"literal": "WHO"},
              {"family": "Berg", "non-dropping-particle": "van"}],
   "issued": {"date-parts": [[1999, 2], [2000]]}, "DOI": "10.1/x_y", "page": "1-5", "issue": 3},
  {"type": "paper-conference", "author": [{"id": "no"}], "id": 17, "container-title": "Proc"},
  {"author": [{"id": "no"}], "title": "broken" "id": "so", "type": "book"},
  {"title": "broken" "author": [{"id": "no"}]},
  {"id": "caf\\u00e9", "type": "thesis", "note": "the id is \\"x\\""}
]
"""
YAML = """references:
  - id: smith99
    type: article-journal
    author:
      - family: Smith
        given: Jo
    issued: 2020-01-02
    DOI: 10.1/x_y
  # - id: no
  - title: "A: b"
    id: "q:1"
  - {id: flow, type: book, title: T}
"""


def entries_of(text, language):
    return parse(Document("a", text, language)).entries


def nodes_of(text, language):
    entries = entries_of(text, language)
    return [entries.node(index) for index in range(len(entries))]


def test_json_items():
    nodes = nodes_of(JSON, "csl-json")
    assert [(it.key, it.kind) for it in nodes] == [
        ("smith99", "article"),
        ("17", "inproceedings"),
        ("so", "book"),
        ("café", "thesis"),
    ]
    assert [it.key_span.within(it.source) for it in nodes] == ["smith99", "17", "so", "caf\\u00e9"]


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ('[{"id": "a", "title": "T" "volume": 3}]', "expecting ',' delimiter", '"volume"'),
        ('[{"id": "a", "title": T}]', "expecting value", "T"),
        ('[{"id": "a", "title": "T\n}, {"id": "b"}]', "unterminated string", '"T'),
        ('[{"id": "a", "title": "T",}]', "expecting property name enclosed in double quotes", "}"),
        ('[{"id": "a", "x": "\\q"}]', "invalid \\escape", "\\"),
        ('[{"id": "a", "title": "T"', "the end of the item is not found", "{"),
        (
            '[{"id": "a", "author": [{"family": "x"}], "title": "T" "volume": 3]',
            "the end of the item is not found",
            "{",
        ),
        (f'[{{"id": "a", "abstract": "{"x" * 30_000}", "title" "T"}}]', "the end of the item is not found", "{"),
    ],
)
def test_a_broken_item_in_json_has_its_key_and_says_what_is_wrong(text, message, at):
    node = nodes_of(text, "csl-json")[0]
    assert node.key == "a"
    [problem] = node.problems()
    assert (problem.message, problem.span.within(node.source)) == (f"This is not JSON ({message})", at)


@pytest.mark.parametrize("value", ["[" * 9000 + "]" * 9000, "1" * 5000])
def test_an_item_that_the_reader_gives_up_on_says_so(value):
    [node] = nodes_of(f'[{{"id": "a", "x": {value}}}]', "csl-json")
    assert node.key == "a"
    [problem] = node.problems()
    assert problem.message.endswith("to be read")


def test_a_broken_item_in_yaml_says_what_is_wrong():
    text = 'references:\n  - id: a\n    title: T\n  - id: b\n    title: "T\n    author: [\n  - id: c\n'
    whole, broken, last = nodes_of(text, "csl-yaml")
    assert not whole.problems() and not last.problems()
    [problem] = broken.problems()
    assert problem.message.startswith("This is not YAML (")
    assert problem.span.within(broken.source) == "author: ["


def test_a_control_character_in_yaml_is_told():
    whole, broken = nodes_of("references:\n- id: a\n  title: Gärung\n- id: b\n  title: Gärung \x0c und\n", "csl-yaml")
    assert not whole.problems()
    [problem] = broken.problems()
    assert problem.message == "This is not YAML (it has a control character, U+000C)"
    assert problem.span.within(broken.source) == "title: Gärung \x0c und"


@pytest.mark.parametrize(
    "value", ['"T\n    and: more"', '"T\n\tU"', '"T\nU"', "[\n{id: no}\n]", ">\n      T\n\n       - U: V"]
)
def test_lines_of_a_value_in_yaml_may_begin_at_the_left_edge(value):
    nodes = nodes_of(f"references:\n  - id: a\n    title: {value}\n    volume: 3\n  - id: b\n", "csl-yaml")
    assert [(it.key, it.raw("volume"), list(it.problems())) for it in nodes] == [("a", "3", []), ("b", "", [])]


def test_json_values_are_bibtex():
    first, second, *_ = nodes_of(JSON, "csl-json")
    assert first.raw("title") == r"Cats \& Dogs \{x\}"
    assert first.raw("author") == "Smith, Jo and {WHO} and {van Berg}"
    assert (first.raw("date"), first.raw("doi"), first.raw("pages"), first.raw("number")) == (
        "1999-02/2000", "10.1/x_y", "1-5", "3",
    )  # fmt: skip
    assert (first.raw("journal"), second.raw("booktitle"), first.raw("absent")) == ("J", "Proc", "")


def test_a_list_of_no_dates_is_none():
    assert nodes_of('[{"id": "a", "issued": []}]', "csl-json")[0].raw("date") == ""


def test_json_fields_have_places():
    first = nodes_of(JSON, "csl-json")[0]
    doi = next(it for it in first.fields() if it.name == "doi")
    assert (doi.name_span.within(first.source), doi.value_span.within(first.source)) == ('"DOI"', '"10.1/x_y"')


@pytest.mark.parametrize("text", ["", "[", "{}", "null", '[{"id": ""}]', '[{"a": [', "[1, 2]", '{"name": "package"}'])
def test_json_without_items(text):
    assert entries_of(text, "csl-json") is None


def test_json_in_an_object():
    assert [it.key for it in nodes_of('{"references": [{"id": "a"}, {"id": "b"}]}', "csl-json")] == ["a", "b"]


def test_yaml_items():
    first, second, third = nodes_of(YAML, "csl-yaml")
    assert (first.key, first.kind, first.raw("author"), first.raw("date")) == (
        "smith99",
        "article",
        "Smith, Jo",
        "2020-01-02",
    )
    assert (second.key, second.raw("title"), third.key, third.kind) == ("q:1", "A: b", "flow", "book")
    assert [it.key_span.within(it.source) for it in (first, second, third)] == ["smith99", "q:1", "flow"]


def test_yaml_list_without_a_name():
    assert [it.key for it in nodes_of("- id: a\n- id: b\n", "csl-yaml")] == ["a", "b"]


def test_places_in_the_document():
    entries = entries_of(YAML, "csl-yaml")
    assert entries.entry_at(YAML.index("10.1")) == 0 and entries.by_key("flow") == [2] and entries.entry_at(0) is None


def test_unchanged_entries_stay_the_same():
    old = parse(Document("a", YAML, "csl-yaml"))
    new = reparse(old, Document("a", "# c\n" + YAML, "csl-yaml"), Span(0, 0), "# c\n")
    assert new.entries.node(0) is old.entries.node(0) and new.entries.start(0) == old.entries.start(0) + 4


def test_quarto_project():
    text = """project:
  type: book
book:
  chapters:
    - index.qmd
    - part: "Two"
      chapters:
        - a/intro.qmd
        - text: "X"
          href: b.Rmd
bibliography: [refs.bib, more.bib]
metadata-files: [_m.yml]
"""
    links = parse(Document("_quarto.yml", text, "csl-yaml")).links
    assert [(it.kind, it.target) for it in links] == [
        ("part", "index.qmd"), ("part", "a/intro.qmd"), ("part", "b.Rmd"),
        ("bibliography", "refs.bib"), ("bibliography", "more.bib"), ("metadata", "_m.yml"),
    ]  # fmt: skip
    assert all(it.span.within(text) == it.target for it in links)


@pytest.mark.parametrize(
    ("issued", "date"),
    [
        ('{"date-parts": [[2020]]}', "2020"),
        ('{"date-parts": [["2020", "5", "3"]]}', "2020-05-03"),
        ('{"date-parts": [[2020, 5, 3, 9]]}', "2020-05-03"),
        ('{"date-parts": [[800, 12], [801]]}', "0800-12/0801"),
        ('{"date-parts": [[2020, null, ""], []]}', "2020"),
        ('{"date-parts": [], "raw": " 2020 "}', "2020"),
        ('{"date-parts": 2020, "literal": "May 2020"}', "May 2020"),
        ('{"raw": "2020", "literal": "May"}', "2020"),
        ('{"year": 2020, "month": 5, "day": 1}', "2020-05-01"),
        ('{"year": 2020, "day": ""}', "2020"),
        ('[{"year": 2020}, {"year": 2021}]', "2020/2021"),
        ('{"year": 2020, "day": 5}', "2020"),
        ('{"date-parts": [[-44, 3, 15]]}', "-0044-03-15"),
        ('{"date-parts": [[null, 5]]}', ""),
        ('" 2020-05 "', "2020-05"),
        ("2020", "2020"),
        ("null", ""),
        ("{}", ""),
        ('{"date-parts": [3]}', ""),
    ],
)
def test_dates_in_every_form(issued, date):
    assert nodes_of(f'[{{"id": "a", "issued": {issued}}}]', "csl-json")[0].raw("date") == date


@pytest.mark.parametrize(
    ("people", "names"),
    [
        ('[{"family": "Li", "given": "X."}, {"family": "Wu", "given": "Y."}]', "Li, X. and Wu, Y."),
        ('[{"family": "Berg", "given": "A.", "non-dropping-particle": "van"}]', "van Berg, A."),
        ('[{"family": "Bach", "given": "J.", "dropping-particle": "von", "suffix": "Jr."}]', "Bach, Jr., J. von"),
        ('[{"family": "Plato"}, {"given": "Madonna"}]', "{Plato} and Madonna"),
        ('[{"literal": "A and B"}, {"name": "C & D"}]', r"{A and B} and {C \& D}"),
        ('[{}, "Jane Li", {"family": "Wu"}]', "{Jane Li} and {Wu}"),
        ('{"family": "Wu"}', "{Wu}"),
        ('"Jane Li"', "{Jane Li}"),
        ('""', ""),
        ("5", ""),
    ],
)
def test_people_in_every_form(people, names):
    assert nodes_of(f'[{{"id": "a", "editor": {people}}}]', "csl-json")[0].raw("editor") == names


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (r'"A  b\n\tc"', "A b c"),
        ('"<sub class=x>a</sub> < b <p>"', "a < b <p>"),
        (r'"\\ ^ ~ $ % & # _ { }"', r"\textbackslash{} \textasciicircum{} \textasciitilde{} \$ \% \& \# \_ \{ \}"),
        ("3.5", "3.5"),
        ("[1]", ""),
    ],
)
def test_texts_become_tex(value, written):
    assert nodes_of(f'[{{"id": "a", "title": {value}}}]', "csl-json")[0].raw("title") == written


@pytest.mark.parametrize(
    ("kind", "name"),
    [("chapter", "booktitle"), ("paper-conference", "booktitle"), ("entry-dictionary", "booktitle"),
     ("article-journal", "journal"), ("", "journal"), (" Article ", "journal")],
)  # fmt: skip
def test_what_holds_a_work_is_named_by_its_type(kind, name):
    [node] = nodes_of(f'[{{"id": "a", "type": "{kind}", "container-title": "C", "unknown": "x"}}]', "csl-json")
    assert [it.name for it in node.fields()] == [name] and node.raw(name) == "C"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('[{"id": "a"}, {"id": "b" "c"}, {"id": "d"}]', ["a", "b", "d"]),
        ('[{"id": "a"}, {"x": {"y": "b" "c"}}, {"id": "d"}] {"id": "no"}', ["a", "d"]),
        ('[{"id": "a"} {"id": "b"},, {"id": "c"}, "d", 5, {"id": "e"', ["a", "b", "c", "e"]),
        ('[{"id": "a"}, {"id": "c", "author": [{"id": "x"}],, "note": "}\\""}, {"id": "b"}]', ["a", "c", "b"]),
        ('[{"id": "a"}, {"author": [{"family": "x"}], "note": "y},\n{"id": "b"}]', ["a", "b"]),
        ('[{"id": "a"}, {"id": "c",, "note": "\\\\"}, {"id": "b"}]', ["a", "c", "b"]),
        ('[{"id": "a\\q"}, {"id": "b"}]', ["b"]),
        ('[{"id": "a"}, {"author": [{"family": "x"}], "note": "y \\"z},\n{"id": "b"}]', ["a", "b"]),
        ('\ufeff [{"id": "a"}]', ["a"]),
        ('\ufeff{"id": "a"}, {"id": "b"}', ["a", "b"]),
        ('{"version": 1, "items" : [ {"id": "a"}]}', ["a"]),
        ('[{"author": {"id": "x"}, "id": "a"}]', ["a"]),
        ('[{"id": -1.5}, {"title": "line\nbreak", "id": "b"}]', ["-1.5", "b"]),
    ],
)
def test_items_of_json_that_can_be_read(text, keys):
    entries = entries_of(text, "csl-json")
    nodes = [entries.node(index) for index in range(len(entries))]
    assert [it.key for it in nodes] == keys
    assert all(text.startswith(it.source, entries.start(index)) for index, it in enumerate(nodes))
    assert all(it.source[0] + it.source[-1] == "{}" or it.problems() for it in nodes)
    assert all(it.key_span.within(it.source) == it.key for it in nodes)


def test_fields_of_yaml_have_places():
    text = "- id: a\n  title: 'A'\n  DOI: 10.1/x\n- {id: b, title: B}\n"
    first, second = nodes_of(text, "csl-yaml")
    spans = [(it.name_span.within(first.source), it.value_span.within(first.source)) for it in first.fields()]
    assert spans == [("title", " 'A'"), ("DOI", " 10.1/x")]
    assert [it.span.within(second.source) for it in second.fields()] == ["title: B}"]


def test_names_of_yaml_in_maps_and_in_other_names_are_not_the_items():
    text = (
        "- container-title: J\n  custom:\n    id: b\n    type: book\n  id: a\n  title: T\n"
        "  type: article-journal\n- custom: {id: d}\n  id: c\n"
    )
    first, second = nodes_of(text, "csl-yaml")
    assert (first.key, first.kind, second.key) == ("a", "article", "c")
    assert [it.span.within(first.source) for it in first.fields()] == ["container-title: J", "title: T"]


def test_an_item_in_braces_has_its_own_name_first():
    text = "- {id: a, title: T, type: book, custom: {\n    id: b, type: chapter\n  }}\n"
    entries = parse(Document("a.yaml", text, "csl-yaml")).entries
    assert [(entries.node(it).key, entries.node(it).kind) for it in range(len(entries))] == [("a", "book")]


@pytest.mark.parametrize(
    "text",
    [
        "references:\n    - title: T\n      id: a\n      note: |\n        N\n    - id: b",
        "references:\n-   id: a\n    title: T\n    note: >\n     N\n# c\n-   id: b",
        "- title: T\n\n  # c\n  id: a\n  note: N\n- id: b",
    ],
)
def test_items_of_yaml_however_they_are_indented(text):
    found = nodes_of(text, "csl-yaml")
    assert [it.key for it in found] == ["a", "b"]
    assert (found[0].raw("title"), found[0].raw("note").strip()) == ("T", "N")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("csl-json", '[{"id": "a"}, {"id": "b"}]'),
        ("csl-yaml", "k:\n  type: book\n  title: T\nl:\n  type: misc\n"),
        ("ris", "TY - BOOK\nID - a\nER -\n"),
        ("endnote", "<xml><records><record></record>"),
        ("markdown", "---\nreferences:\n- id: a\n---\n@doi:10.1/x"),
        ("latex", "\\bibitem{a} A\n\\bibitem{b}"),
    ],
)
def test_items_stay_the_same_objects_if_something_is_written_behind_them(language, text):
    old = parse(Document("a", text, language))
    new = reparse(old, Document("a", f"{text}\n", language), Span(len(text), len(text)), "\n")
    assert old.entries and all(old.entries.node(at) is new.entries.node(at) for at in range(len(old.entries)))


def test_a_text_of_json_that_is_not_closed_is_looked_through_once():
    start = time.process_time()
    assert entries_of("[" + '{"a": ' * 20 + '"' + '\\"' * 9_000 + "\n", "csl-json") is None
    assert time.process_time() - start < 3
