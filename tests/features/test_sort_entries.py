from collections import Counter
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from citelsp.base.text import Document, apply
from citelsp.features import sort_entries
from citelsp.syntax.bibtex import parsing
from fixture_projects import project_of


def ordered(text, by="key"):
    text = dedent(text)
    return apply(text, sort_entries.edits(project_of({"r.bib": text}), "r.bib", by))


def test_comments_travel_and_the_header_stays():
    text = """\
        % My library

        % about c
        @misc{c, year = 2001}

        @misc{a, author = {Z. Zed}, year = 2000} % behind a
        % about b
        @misc{b, author = {A. Ahn}, year = 1999}
        """
    assert ordered(text) == dedent("""\
        % My library

        @misc{a, author = {Z. Zed}, year = 2000} % behind a

        % about b
        @misc{b, author = {A. Ahn}, year = 1999}
        % about c
        @misc{c, year = 2001}
        """)
    assert [it.key for it in entries(ordered(text, "year"))] == ["b", "a", "c"]
    assert [it.key for it in entries(ordered(text, "author"))] == ["b", "a", "c"]


def entries(text):
    return parsing.parse(Document("r.bib", text)).entries


def test_parents_stay_behind_their_children():
    text = "@proceedings{a}\n@inproceedings{z, crossref = {a}}\n@inproceedings{c, crossref = {a}}\n"
    assert [it.key for it in entries(ordered(text))] == ["c", "z", "a"]


def test_macros_stay_before_what_uses_them():
    text = "@misc{b}\n@misc{a}\n@string{x = {y}}\n@misc{d}\n@misc{c}\n"
    assert ordered(text) == "@misc{a}\n@misc{b}\n@string{x = {y}}\n@misc{c}\n@misc{d}\n"


def test_what_jabref_keeps_stays_as_it_is():
    head, meta = (
        "% Encoding: UTF-8\n\n",
        (
            "\n@Comment{jabref-meta: databaseType:bibtex;}\n\n@Comment{jabref-meta: grouping:\n0 AllEntriesGroup:;\n"
            "1 StaticGroup:Mine\\;0\\;1\\;\\;\\;\\;;\n}\n"
        ),
    )
    entries = ["@Misc{b,\n  groups = {Mine},\n}\n", "@Misc{a,\n  groups = {Mine},\n}\n"]
    assert ordered(head + "\n".join(entries) + meta) == head + "\n".join(reversed(entries)) + meta


def test_of_several_with_one_key_the_first_stays_first():
    text = "@misc{x, year = 2020}\n@misc{a, year = 2010}\n@misc{X, year = 1999}\n"
    assert [it.raw("year") for it in entries(ordered(text, "year"))] == ["2010", "2020", "1999"]


def test_open_entries_forbid_sorting():
    assert ordered("@misc{b\n@misc{a}\n") == "@misc{b\n@misc{a}\n"


PIECES = st.sampled_from(
    [
        "@m{b, t={1}}",
        "@m{a}",
        "@m{c,crossref={a}}",
        "\n",
        "\n\n",
        " ",
        "% x\n",
        "%y",
        "@string{s={1}}",
        "junk ",
        ",",
        "}",
        "\r\n",
    ]
)


@given(st.lists(PIECES, max_size=20).map("".join))
def test_nothing_is_lost_and_sorting_twice_changes_nothing(text):
    once = ordered(text)
    assert Counter("".join(once.split())) == Counter("".join(dedent(text).split()))
    assert Counter(it.source for it in entries(once)) == Counter(it.source for it in entries(dedent(text)))
    assert [it.key for it in entries(ordered(once))] == [it.key for it in entries(once)]


def test_a_comment_never_comes_to_swallow_an_entry():
    swallowing = "@misc{b} % about b\n@misc{a}"
    assert ordered(f"{swallowing} @misc{{c}}\n") == f"{swallowing} @misc{{c}}\n"
    assert ordered(f"{swallowing} % {{\n") == "@misc{a} % {\n@misc{b} % about b\n"
    assert ordered(f"{swallowing} junk\n") == f"{swallowing} junk\n"
    assert ordered("@misc{b}@misc{a} junk\n") == "@misc{a}@misc{b} junk\n"
    assert ordered(f"{swallowing}\r\n") == "@misc{a}\n@misc{b} % about b\r\n"


def test_a_stray_sign_stays_behind_its_entry():
    assert ordered("@misc{b},\n\n@misc{a}\\ % of a\n@misc{c}\n") == "@misc{a}\\ % of a\n\n@misc{b},\n@misc{c}\n"


def test_why_a_file_is_not_sorted_is_said():
    open_ = project_of({"r.bib": "@misc{b\n@misc{a}\n"})
    assert sort_entries.obstacle(open_, "r.bib") == "it is not sorted, because the entry “b” is never closed"
    macro = project_of({"r.bib": "@string{s = {x}\n\n@misc{b}\n@misc{a}\n"})
    assert sort_entries.obstacle(macro, "r.bib").endswith("a @string or another block is never closed")
    assert sort_entries.edits(macro, "r.bib") == []
    silenced = project_of({"r.bib": "% citelsp: ignore[missing-field]\n@misc{b}\n@misc{a}\n"})
    assert sort_entries.obstacle(silenced, "r.bib") == ""
    closed = project_of({"r.bib": "@misc{b}\n", "a.tex": "x"})
    assert [sort_entries.obstacle(closed, it) for it in ("r.bib", "a.tex")] == ["", ""]


def test_by_author_and_year_what_is_unknown_comes_last():
    text = "@misc{d}\n@misc{c, year = 2001}\n@misc{b, author = {Zed, A.}}\n"
    text += "@misc{a, author = {{\\'E}mile, B.}, year = 2001}\n"
    assert [it.key for it in entries(ordered(text, "author"))] == ["a", "b", "c", "d"]
    assert [it.key for it in entries(ordered(text, "year"))] == ["c", "a", "d", "b"]
    two = "@misc{a, author = {Lee, A. and Zed, B.}}\n"
    two += "@misc{b, author = {Lee, A. and Roe, B.}}\n@misc{c, author = {Lee, A.}}\n"
    assert [it.key for it in entries(ordered(two, "author"))] == ["c", "b", "a"]


def test_parents_stay_behind_children_that_spell_their_keys_otherwise():
    text = "@inproceedings{c, crossref = {A}}\n@inproceedings{b, crossref = {B2}}\n@proceedings{a}\n@proceedings{b2}\n"
    assert [it.key for it in entries(ordered(text))] == ["b", "c", "a", "b2"]


def test_parents_of_parents_come_last_of_all():
    text = "@a{x}\n@b{m, crossref = {x}}\n@c{a, crossref = {m}}\n@c{z, crossref = {x}}\n@d{y}\n"
    assert [it.key for it in entries(ordered(text))] == ["a", "y", "z", "m", "x"]
