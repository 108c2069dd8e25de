"""The report of citelsp check for people: in a pipe, on terminals of some width, and its last lines."""

import re
from dataclasses import replace

import pytest

import marks
from citelsp import checks
from citelsp.base.text import Span, quote_name
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Record
from citelsp.checks.finding import Finding
from citelsp.cli import exits, main
from citelsp.cli.check_outcome import Extent
from citelsp.cli.report_parts import Checked
from citelsp.cli.reports import summary, text
from citelsp.knowledge import Knowledge, Ruling, Traced, Verdict
from citelsp.verification import decide
from citelsp.verification.excuses import fitness, unknown

FIXTURE = r"""
    %% main.tex
    \documentclass{article}
    \cite{b, nope}
    \bibliography{refs}
    %% refs.bib
    @book{a, title = {Alone in the World}}
    @article{b, author = {Doe, Ann and Roe, Bo and Poe, Cy}, year = 2001, doi = {https://doi.org/10.1000/182},
      journal = {J}, title = {A Long Title that Says in Many Words What Others Would Have Said in Few}}
    @misc{c}
"""
B = "b (Doe et al. 2001, “A Long Title that Says in Many Words What Others Would…”)"


@pytest.fixture
def checked():
    project = marks.project(marks.parse(FIXTURE), "refs.bib")
    return [Checked(project, Knowledge(), checks.run(project, Knowledge()), ())]


def test_a_line_in_a_pipe_says_everything(checked):
    assert text.render(checked).splitlines() == [
        "main.tex:2:10: warning: No entry has the key “nope”. [undefined-citation]",
        "refs.bib:1:7: information: a (“Alone in the World”): @book needs author or editor. [missing-field]",
        "refs.bib:1:7: information: a (“Alone in the World”): @book needs publisher. [missing-field]",
        "refs.bib:1:7: information: a (“Alone in the World”): @book needs year or date. [missing-field]",
        "refs.bib:1:7: hint: a (“Alone in the World”): No manuscript cites “a”. [unused-entry]",
        f"refs.bib:2:78: warning: {B}: The doi field contains a URL: biblatex and other styles put https://doi.org/ "
        "before it again. [url-as-doi]",
        "refs.bib:4:7: hint: c: No manuscript cites “c”. [unused-entry]",
    ]


def test_a_terminal_shows_each_reference_once_and_cuts_between_words(checked):
    assert (
        text.render(checked, 64)
        == """\
main.tex:2:10: warning: No entry has the key “nope”.
    [undefined-citation]

a (“Alone in the World”)
refs.bib:1:7: information: @book needs author or editor.
    [missing-field]
refs.bib:1:7: information: @book needs publisher.
    [missing-field]
refs.bib:1:7: information: @book needs year or date.
    [missing-field]
refs.bib:1:7: hint: No manuscript cites “a”. [unused-entry]

b (Doe et al. 2001, “A Long Title that Says in Many Words…”)
refs.bib:2:78: warning: The doi field contains a URL: biblatex
    and other styles put https://doi.org/ before it again.
    [url-as-doi]

c
refs.bib:4:7: hint: No manuscript cites “c”. [unused-entry]"""
    )


def test_addresses_stay_whole(checked):
    address = f"https://example.org/{'long/' * 20}"
    found = Finding("wrong-year", "refs.bib", Span(40, 41), f"See {address} for more.", "b", severity="warning")
    lines = text.render([replace(checked[0], findings=[found])], 40).splitlines()
    assert lines[-2:] == [f"    {address}", "    for more. [wrong-year]"]


def test_findings_of_several_projects_on_one_file_stand_together(checked):
    one, two = ([it for it in checked[0].findings if it.key == key] for key in "ca")
    rows = text.render([replace(checked[0], findings=it) for it in (one, two)]).splitlines()
    assert [it.partition(":")[2].partition(":")[0] for it in rows] == ["1", "1", "1", "1", "4"]


def test_many_entries_that_nobody_cites_are_one_line(checked):
    entries = "".join(f"    @misc{{k{it}}}\n" for it in range(7))
    project = marks.project(marks.parse(FIXTURE + entries), "refs.bib")
    found = [it for it in checks.run(project, Knowledge()) if it.code == "unused-entry"]
    every = [Checked(project, Knowledge(), found, ())]
    told = "9 entries are not cited: a, c, k0, k1, k2 and 4 more (--verbose lists them)"
    assert text.render(every) == f"refs.bib: hint: {told} [unused-entry]"
    assert text.render(every, verbose=True).count("No manuscript cites") == 9


def verdict(kind, *leads, date="2026-01-02"):
    return Verdict(kind, traced=tuple(Traced("doi", "10.1/x", it, "doi") for it in leads), date=date)


@pytest.mark.parametrize(
    ("verdicts", "told"),
    [
        (["verified"], "1 entry: 1 verified (checked 2026-01-02)"),
        (
            ["mismatch", "not-found", "not-found"],
            "3 entries: 1 different from the record, 2 not found (checked 2026-01-02)",
        ),
        (["unchecked"], "1 entry: 1 unchecked"),
        (["unchecked", "retracted"], "2 entries: 1 retracted, 1 unchecked (checked 2026-01-02)"),
        (["conflict nowhere", "conflict nowhere"], "2 entries: 2 with an unknown identifier (checked 2026-01-02)"),
        (
            ["conflict nowhere elsewhere", "verified", ""],
            "3 entries: 1 verified, 1 with the identifier of another work, 1 not looked up (checked 2026-01-02)",
        ),
        (["", ""], "2 entries: not looked up"),
    ],
)
def test_verdicts_are_counted_in_plain_words(checked, verdicts, told):
    places = list(checked[0].project.entries())[: len(verdicts)]
    known = {place.content: verdict(*it.split()) for place, it in zip(places, verdicts, strict=True) if it}
    assert summary.verdicts([replace(checked[0], knowledge=Knowledge(known), places=places)]) == [told]


def test_verdicts_of_several_days_are_told_from_the_oldest_on(checked):
    days = ("2026-01-02", "2026-03-04", "2026-02-03")
    places = list(checked[0].project.entries())[:3]
    known = {it.content: replace(verdict("verified"), date=day) for it, day in zip(places, days, strict=True)}
    told = "3 entries: 3 verified (checked from 2026-01-02 to 2026-03-04)"
    assert summary.verdicts([replace(checked[0], knowledge=Knowledge(known), places=places)]) == [told]


def test_what_is_verified_without_its_registry_is_counted(checked):
    found = Record("semantic_scholar", "1", "A", identifiers=Identifiers(doi="10.1000/a"))
    one = replace(verdict("verified"), record=found, asked=("semantic_scholar",), unavailable=("crossref",))
    place = next(checked[0].project.entries())
    lines = summary.verdicts([replace(checked[0], knowledge=Knowledge({place.content: one}), places=[place])])
    assert lines[1:] == ["Verified without Crossref, which did not answer and would know of retractions: 1"]


def test_why_entries_are_unchecked_is_counted(checked):
    books = replace(verdict("unchecked"), rules=(Ruling("work", "is_seldom_indexed", "excuses"),))
    found_elsewhere = replace(verdict("unchecked"), rules=(Ruling("work", "is_too_recent", "decides"),))
    places = list(checked[0].project.entries())[:3]
    known = {it.content: told for it, told in zip(places, (books, books, found_elsewhere), strict=True)}
    lines = summary.verdicts([replace(checked[0], knowledge=Knowledge(known), places=places)])
    told = "Unchecked: 2 as indexes seldom have such works, 1 found, but not where they are cited"
    assert lines == ["3 entries: 3 unchecked", told]


def test_every_rule_that_leaves_an_entry_unchecked_has_a_reason():
    listed = {rule for rules in summary.REASONS.values() for rule in rules}
    excuses = (*unknown.UNANSWERED, *fitness.UNJUDGED, *unknown.UNHEARD, *unknown.UNSETTLED)
    accusing = {"is_retracted", "its_identifier_goes_astray", "nobody_has_it", "all_records_contradict_it"}
    steps = {it.__name__ for it in decide.STEPS} - accusing - {"nothing_contradicts"}
    assert listed == steps | {it.rule.__name__ for it in excuses}


def test_nothing_is_said_of_the_verdicts_on_no_entries(checked):
    assert summary.verdicts(checked) == []


@pytest.mark.parametrize(
    ("manuscripts", "citations", "bibliographies", "looked", "of", "told"),
    [
        (3, 120, 2, 88, 340, "3 manuscript files with 120 citations and 2 bibliographies with 340 entries, "
         "of which 88 are cited; the others were skipped."),
        (1, 1, 1, 1, 2, "1 manuscript file with 1 citation and 1 bibliography with 2 entries, "
         "of which 1 is cited; the other was skipped."),
        (0, 0, 1, 2, 2, "no manuscript files and 1 bibliography with 2 entries."),
        (0, 0, 1, 1, 1, "no manuscript files and 1 bibliography with 1 entry."),
        (9, 0, 1, 0, 5, "9 manuscript files with no citations and 1 bibliography with 5 entries, "
         "none of which is cited: all were skipped."),
        (2, 4, 0, 0, 0, "2 manuscript files with 4 citations and no bibliographies."),
        (2, 4, 0, 3, 3, "2 manuscript files with 4 citations and 3 entries."),
        (1, 2, 1, 0, 0, "1 manuscript file with 2 citations and 1 bibliography with no entries."),
    ],
)  # fmt: skip
def test_the_last_line_tells_what_was_read(manuscripts, citations, bibliographies, looked, of, told):
    assert summary.read(Extent(manuscripts, citations, bibliographies, looked, of)) == f"Read {told}"


def test_a_bibliography_that_was_not_read_to_its_end_is_told():
    told = "Read 2 manuscript files with 4 citations and 9 entries; the rest was not read."
    assert summary.read(Extent(2, 4, 0, 9, 9, cut=True)) == told


@pytest.mark.parametrize("looked", [0, 3])
def test_that_it_was_not_read_to_its_end_is_told_whatever_is_cited(looked):
    assert "; the rest was not read" in summary.read(Extent(2, 4, 1, looked, 9, cut=True))


def test_of_what_changed_so_much_is_told():
    told = "Read 1 manuscript file with 2 citations and 1 bibliography with 9 entries, of which 1 changed."
    assert summary.read(Extent(1, 2, 1, 9, 9), 1) == told
    assert summary.read(Extent(1, 2, 1, 9, 9, cut=True), 1) == f"{told.removesuffix('.')}; the rest was not read."


@pytest.mark.parametrize(
    ("safe", "review", "told"),
    [
        ({}, {}, []),
        ({"url-as-doi": 2}, {}, ["Fixable with --fix safe: 2 url-as-doi"]),
        ({}, {"malformed-name": 3}, ["Fixable with --fix review: 3 malformed-name"]),
        (dict.fromkeys(("a", "b", "c", "d"), 1), {}, ["Fixable with --fix safe: 1 a, 1 b, 1 c, 1 other"]),
        (
            {"url-as-doi": 1, "malformed-name": 2},
            {"wrong-title": 1, "wrong-year": 1, "malformed-date": 1, "wrong-venue": 3, "wrong-pages": 1},
            [
                "Fixable with --fix safe: 2 malformed-name, 1 url-as-doi; more with --fix review "
                "(may change which work is cited): 3 wrong-venue, 1 malformed-date, 1 wrong-pages, 2 others"
            ],
        ),
    ],
)
def test_what_a_command_fixes_is_counted(safe, review, told):
    fixes = {("safe", it): count for it, count in safe.items()}
    fixes |= {("review", it): count for it, count in review.items()}
    assert summary.fixable(fixes) == told


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a b.bib", "a b.bib"),
        ("Ünïcode.bib", "Ünïcode.bib"),
        ("m\x1b[31m.tex", r'"m\x1b[31m.tex"'),
        ("two\nlines\t.bib", r'"two\nlines\t.bib"'),
        ("odd\udcff.bib", r'"odd\xff.bib"'),
        ('"\u202e\\.bib', r'"\"\u202e\\.bib"'),
    ],
)
def test_names_that_would_move_the_cursor_are_quoted(name, shown):
    assert quote_name(name) == shown


def test_a_report_fits_its_terminal(terminal):
    lines = [re.sub(r"\x1b\[[\d;]*m", "", it) for it in terminal(52)]
    assert lines[0] == "main.tex:6:28: warning: No entry has the key “nope”."
    assert max(map(len, lines)) <= 52
    assert lines[-2:] == [
        "Read 1 manuscript file with 3 citations and 1",
        "    bibliography with 2 entries.",
    ]


def test_colours_and_layout_are_for_people(terminal):
    assert "\x1b[33mwarning\x1b[0m" in terminal(200)[0]
    assert terminal(200, NO_COLOR="1")[0].startswith("main.tex:6:28: warning: ")
    for lines in (terminal(30, TERM="dumb"), terminal(0, NO_COLOR="1")):  # as Emacs and pre-commit read it
        assert "main.tex:6:28: warning: No entry has the key “nope”. [undefined-citation]" in lines


def test_annotations_do_not_say_no_findings_of_what_could_not_be_read(tmp_path, capsys):
    (tmp_path / "refs.bib").write_bytes(b"\0")
    assert main(["check", str(tmp_path / "refs.bib"), "--offline", "--format", "github"]) == exits.UNFINISHED
    assert capsys.readouterr().out.splitlines()[0] == "Nothing was checked"
