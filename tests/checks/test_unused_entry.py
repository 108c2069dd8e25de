from dataclasses import replace

import pytest

import marks
from citelsp import checks
from citelsp.base.settings import Checks, Settings
from citelsp.checks.finding import Note
from citelsp.checks.unused_entry import CHECK
from citelsp.knowledge import Knowledge
from finding_fixtures import check, fixed
from fixture_projects import world

FIXTURE = r"""
    %% main.tex
    \documentclass{article}
    \cite{used} \bibliography{refs}
    %% refs.bib
    @book{used, title = {A}, crossref = {parent}}

    @book{idle, title = {B}}
          ^^^^ unused-entry

    @book{parent, title = {C}, xdata = {shared, more}}
    @xdata{shared, publisher = {P}, author = {Doe, J. and xdata=names-author-2}}
    @xdata{more, publisher = {xdata=houses-publisher}}
    @xdata{houses, publisher = {P}}
    @xdata{names, author = {Doe, J. and Roe, R.}}
"""


def test_only_the_key_is_faded():
    [finding] = check(CHECK, FIXTURE)
    assert finding.faded and finding.severity == CHECK.severity
    assert fixed(FIXTURE, finding, "Remove the entry").startswith(
        "@book{used, title = {A}, crossref = {parent}}\n\n@book{parent"
    )


@pytest.mark.parametrize(
    ("items", "after"),
    [
        ('[\n{"id": "a"},\n{"id": "b"}\n]\n', '[\n{"id": "a"}\n]\n'),
        ('[{"id": "b"}, {"id": "a"}]\n', '[ {"id": "a"}]\n'),
        ('[\n{"id": "b"}\n, {"id": "a"}\n]\n', '[\n {"id": "a"}\n]\n'),
        ('[\n{"id": "a"},\n{"id": "b"},\n{"id": "a"}\n]\n', '[\n{"id": "a"},\n{"id": "a"}\n]\n'),
        ('[{"id": "b"}]\n', "[]\n"),
    ],
)
def test_an_item_of_json_goes_with_its_comma(items, after):
    fixture = f"%% a.md\n---\nbibliography: r.json\n---\n[@a]\n%% r.json\n{items}"
    [finding] = CHECK.run(marks.project(marks.parse(fixture)), Knowledge())
    assert fixed(fixture, finding, "Remove the entry") == after


def test_an_item_of_json_stays_if_nobody_knows_where_it_ends():
    items = '[{"id": "a"}, {"id": "b", "author": [{"family": "x"}], "title": "T" "volume": 3]'
    project = marks.project(marks.parse(f"%% a.md\n---\nbibliography: r.json\n---\n[@a]\n%% r.json\n{items}\n"))
    [finding] = CHECK.run(project, Knowledge())
    assert finding.key == "b" and not finding.fixes


def test_macros_that_nothing_uses():
    fixture = r"""
        %% main.tex
        \documentclass{article} \cite{a} \bibliography{strings,refs}
        %% strings.bib
        @string{list = {Of journals for many manuscripts}}
        %% refs.bib
        @string{acm = {ACM}} @string{Idle = {Nobody}} @string{press = acm # { Press}} @string{pre = {x}}
                                     ^^^^ unused-entry
        @preamble{pre # "y"}
        @book{a, title = {A}, publisher = Press}
    """
    [finding] = check(CHECK, fixture)
    assert finding.message == "No entry uses the macro “Idle”."
    check(CHECK, fixture.replace("\\cite{a}", "\\nocite{*}"))


def test_months_that_a_file_defines_are_used():
    head = "%% main.tex\n\\documentclass{x} \\cite{a} \\bibliography{refs}\n%% refs.bib\n"
    check(CHECK, head + "@string{jan = {Januar}, Feb = {Februar}}\n@book{a, title = {A}, month = jan # feb}\n")


def test_everything_is_cited():
    check(CHECK, "%% main.tex\n\\cite{a} \\nocite{*}\n%% refs.bib\n@book{a, title={A}}\n@book{b, title={B}}\n")


def test_an_input_that_is_not_there_may_cite_it():
    check(CHECK, "%% main.tex\n\\documentclass{x}\\input{gone}\\bibliography{refs}\n%% refs.bib\n@book{b, title={B}}\n")


def test_a_shared_bibliography_and_a_large_one_are_left_out_aloud():
    shared = r"""
        %% main.tex
        \documentclass{article} \cite{a} \bibliography{refs,big}
        %% talk.tex
        \documentclass{beamer} \bibliography{refs}
        %% refs.bib
        @book{a, title = {A}}
        @book{b, title = {B}}
        %% big.bib
        @book{c, title = {C}}
        @book{d, title = {D}}
    """
    settings = Settings(checks=Checks(unused_limit=1))
    check(CHECK, shared, settings)
    assert checks.notes(marks.project(marks.parse(shared), settings=settings)) == [
        Note("refs.bib", "unused entries are not reported, because other manuscripts share {it|them}"),
        Note(
            "big.bib",
            "unused entries are not reported, because {it has|they have} more than 1 entry (checks.unused_limit)",
        ),
    ]


def test_a_bibliography_that_a_shared_preamble_names():
    check(
        CHECK,
        r"""
        %% figure.tex
        \documentclass{standalone} \input{preamble}
        %% thesis.tex
        \documentclass{book} \input{preamble} \cite{a}
        %% preamble.tex
        \bibliography{refs}
        %% refs.bib
        @book{a, title = {A}}
        """,
    )


def test_two_papers_with_bibliographies_of_the_same_name():
    check(
        CHECK,
        r"""
        %% one/main.tex
        \documentclass{article} \cite{a} \bibliography{refs}
        %% one/refs.bib
        @book{a, title = {A}}
        @book{b, title = {B}}
              ^ unused-entry
        %% two/main.tex
        \documentclass{article} \bibliography{refs}
        %% two/refs.bib
        @book{c, title = {C}}
        """,
    )


def test_nothing_is_unused_in_a_bibliography_that_is_a_guess():
    text = "%% a.md\nSo [@used].\n%% refs.bib\n@misc{used}\n@misc{idle}\n"
    named = world(text).project
    assert [it.key for it in CHECK.run(named, Knowledge())] == ["idle"]
    assert not CHECK.run(replace(named, unnamed=frozenset({"refs.bib"})), Knowledge())


@pytest.mark.parametrize(
    "cites",
    [
        '#let prose(key) = cite(key, form: "prose")\n#prose(<a>)',
        "#show cite.where(key: <a>): emph\n@a",
        "#show cite: it => if it.key == <a> { emph(it) } else { it }\n@a",
        "#for key in (<a>, <x>) { cite(key) }",
        '#let both(key) = cite(key)\n#both(label("a"))',
    ],
)
def test_what_code_of_typst_names_by_its_label_is_cited(cites):
    bibliography = "%% refs.bib\n@book{a, title = {A}}\n@book{b, title = {B}}\n      ^ unused-entry\n"
    check(CHECK, f'%% main.typ\n{cites}\n#bibliography("refs.bib")\n{bibliography}')
