from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.base.text import Document, Span, apply
from citelsp.features import format_entries
from citelsp.syntax.bibtex import parsing
from fixture_projects import project_of


def formatted(text, within=None, indent=""):
    text = dedent(text)
    return apply(text, format_entries.edits(project_of({"r.bib": text}), "r.bib", within, indent))


def test_layout():
    text = """\
        junk
        @Article{a , Title={A  {B}} ,year = 2000
          , note = "x" # jan}
        @misc{b}
        """
    assert formatted(text, indent="  ") == dedent("""\
        junk
        @Article{a,
          Title = {A  {B}},
          year  = 2000,
          note  = "x" # jan
        }
        @misc{b}
        """)


def test_macros_preambles_and_entries_without_fields():
    text = """\
        @ String ( acm="A" # " B" )
        @preamble { "\\newcommand{\\x}{, }"
        }
        @misc { b ,
        }
        @comment{ jabref-meta: x; }
        """
    assert formatted(text) == dedent("""\
        @String(acm = "A" # " B")
        @preamble{"\\newcommand{\\x}{, }"}
        @misc{b,}
        @comment{ jabref-meta: x; }
        """)


@pytest.mark.parametrize(
    ("text", "indent"), [("@misc{a, t={1}}", "        "), ("@misc{b,\n\tt={1}}\n@misc{a, t={1}}", "\t")]
)
def test_the_indent_asked_for_is_for_files_that_show_none(text, indent):
    assert formatted(text, indent=" " * 8).endswith(f"@misc{{a,\n{indent}t = {{1}}\n}}")


def test_one_entry_alone():
    text = "@misc{a, t={1}}\n@misc{b, t={2},}\n"
    assert formatted(text, Span(20, 20)) == "@misc{a, t={1}}\n@misc{b,\n  t = {2},\n}\n"


def test_an_entry_at_which_a_selection_ends_or_begins_is_touched():
    text = "@misc{a,t=1}@misc{b,t=2}"
    between = text.index("}@") + 1
    touched = formatted(text, Span(between, between))
    assert "@misc{a,\n" in touched
    assert "@misc{b,\n" in touched


def test_what_cannot_be_read_stays():
    for text in ("@misc{a, t={1} u={2}}", "@misc{a, t={1", "@misc{a,\n % no\n t={1}}"):
        assert formatted(text) == text


PIECES = st.sampled_from(
    [
        "@a{k,",
        " x = {1 \n 2}",
        ' y="q"',
        "z=3#jan",
        ",",
        "}",
        "\n",
        " ",
        "%c\n",
        "{",
        "\r\n",
        "@b(l, u=1)",
        "@string{m = ",
        "@preamble{ ",
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_only_white_space_changes_and_only_once(text):
    once = formatted(text)
    assert "".join(once.split()) == "".join(text.split())
    assert formatted(once) == once

    def contents(text):
        return [
            (it.kind, it.key, it.values() if isinstance(it, object) else None)
            for it in parsing.parse(Document("r.bib", text)).entries
        ]

    assert contents(once) == contents(dedent(text))


def test_blocks_that_say_something_wrong_or_are_never_closed_stay():
    for text in (
        '@preamble{ "x" y }',
        "@ string { x y }",
        "@string{ x = {1}",
        "@misc{a, t = {1}, t2 {2}}",
        "@ comment { x }",
    ):
        assert formatted(text) == text


def test_line_breaks_are_those_of_the_file():
    assert formatted("@misc{a, t={1}}\r\n") == "@misc{a,\r\n  t = {1}\r\n}\r\n"
    assert formatted("@misc(a,t={1},)\n") == "@misc(a,\n  t = {1},\n)\n"


def test_edits_are_of_the_document_at_hand():
    project = project_of({"r.bib": "@misc{a, t={1}}\n", "a.tex": "x"})
    assert {it.path for it in format_entries.edits(project, "r.bib")} == {"r.bib"}
    assert format_entries.edits(project, "a.tex") == format_entries.edits(project, "none.bib") == []
