"""What metadata says of bibliographies and chapters, half typed and hostile too."""

import time

import pytest

from citelsp.base.text import Span
from citelsp.syntax.languages.markdown import yaml_metadata


def targets(text):
    return [it.target for it in yaml_metadata.read(text, Span(0, len(text))).links]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a.bib", ["a.bib"]),
        ("a b.bib  # no", ["a b.bib"]),
        ("a#b.bib \r", ["a#b.bib"]),
        ('"a \\" # b.bib" # no', ['a " # b.bib']),
        ("-a.bib", ["-a.bib"]),
        (r'"\u00e9\ud83d.bib"', [r"é\ud83d.bib"]),
        ("a", ["a"]),
        ("[a b.bib, 'c d.bib' , \"e\", f # no\n g.bib]", ["a b.bib", "c d.bib", "e", "f", "g.bib"]),
        ("[a.bib, b", ["a.bib", "b"]),
        ('["a.bib, b.bib', ["a.bib", "b.bib"]),
        ("\n - a b.bib # no\n- 'c.bib'\n -   d.bib\t\r\n - # no\n", ["a b.bib", "c.bib", "d.bib"]),
        ("\n x: a b.bib # no\n y: [c, d.bib]\n z:\n  - e.bib\n", ["a b.bib", "c", "d.bib", "e.bib"]),
    ],
)
def test_the_bibliographies_that_a_value_names(value, expected):
    assert targets(f"bibliography: {value}") == expected


def test_the_chapters_of_a_book():
    text = "book:\n  chapters:\n    - index.qmd\n    - part: one.qmd\n    - 'a b.qmd'\n   -three.md\n"
    assert targets(text) == ["index.qmd", "one.qmd", "three.md"]


@pytest.mark.parametrize(
    "value",
    ["a{}x", "a{}x\0", "\n - a{}x[", "\n b: a{}x[", "[a{}x[", "[a,{}[", "\n{}x", "\n-{}x", '"a{}', "\n b: [{}["],
)
@pytest.mark.parametrize("name", ["bibliography", "book", "title"])
def test_a_line_of_spaces_takes_no_time(name, value):
    text = f"{name}: {value.format(' ' * 50_000)}"
    began = time.thread_time()
    yaml_metadata.read(text, Span(0, len(text)))
    assert time.thread_time() - began < 1
