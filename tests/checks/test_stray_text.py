import pytest

from citelsp.checks.stray_text import CHECK
from citelsp.knowledge import Knowledge
from finding_fixtures import check, fixed
from fixture_projects import project_of
from reading_programs import MAIN

ENTRY = "@misc{k, title = {T}}\n"


@pytest.mark.parametrize("reader", ["biber", "bibtex", ""])
def test_an_address_and_a_lost_brace(reader):
    fixture = f"""{MAIN[reader]}Contact: jane@uni.example.org for errors.
             ^^^^ stray-text
@article one, title = {{A}}}}
^^^^^^^^ stray-text
{ENTRY}"""
    mail, lost = check(CHECK, fixture)
    assert mail.severity == "error"
    assert "lacks its opening brace" in lost.message
    assert "@article{one, title" in fixed(fixture, lost, "Insert “{”")


@pytest.mark.parametrize(
    ("line", "mark", "readers"),
    [
        ("@Comment text", "^^^^^^^^", {"biber"}),
        ("@{x}", "^", {"biber", "bibtex", ""}),
        ("x @ y", "  ^^^", {"biber", "bibtex", ""}),
        ("@article, one", "^^^^^^^^", {"biber", "bibtex", ""}),
        ("@12{x}", "^^^", {"biber", "bibtex", ""}),
        ("@1misc{k, title = {T}}", "^^^^^^", {"bibtex"}),
        ("% jane@example.org", "      ^^^^^^^^", {"bibtex"}),
        ("@comment{jane@example.org}", "             ^^^^^^^^", {"bibtex"}),
        ("@@misc{z, title = {T}}", "", set()),
        ("% @misc{z, title = {Z}}", "", set()),
        ("@comment{x}", "", set()),
        ("not 10 % of them", "", set()),
    ],
)
@pytest.mark.parametrize("reader", MAIN)
def test_to_whom_it_matters(reader, line, mark, readers):
    marked = f"{mark} stray-text\n" if reader in readers else ""
    check(CHECK, f"{MAIN[reader]}{line}\n{marked}{ENTRY}")


@pytest.mark.parametrize(
    ("line", "mark", "message"),
    [
        (
            "Contact: jane@example.org",
            "             ^^^^^^^^",
            "Typst takes an @ between entries for the start of an entry: ",
        ),
        ("@{x}", "^", "Typst takes an @ between entries for the start of an entry: no entry type follows."),
        ("@Comment text", "^^^^^^^^", "Typst needs braces around the text of an @comment."),
        ("@1misc{z, title = {T}}", "", ""),
        ("@12{z, title = {T}}", "", ""),
        ("% jane@example.org", "", ""),
    ],
)
def test_what_typst_minds(line, mark, message):
    """What it reads and refuses was compared with Typst 0.15."""
    marked = f"{mark} stray-text\n" if mark else ""
    found = check(CHECK, f'%% m.typ\n@k #bibliography("r.bib")\n%% r.bib\n{line}\n{marked}{ENTRY}')
    assert all(finding.message.startswith(message) for finding in found)


def test_entries_behind_percent_with_bibtex():
    fixture = """
        %% m.tex
        \\documentclass{x}\\bibliographystyle{plain}\\bibliography{r}
        %% r.bib
        %@misc{Two, title = {Old}}
               ^^^ stray-text
        @misc{two, title = {New}}
        % @misc{three,
                ^^^^^ stray-text
        % @misc{four, title = {Nothing else has the key}}
        % @misc{two, title = {Older}}
                ^^^ stray-text
    """
    first, _, last = check(CHECK, fixture)
    assert "uses this one, not the other" in first.message
    assert "uses the other, and reports this one as repeated" in last.message


def test_a_line_without_a_break_at_the_end_lacks_its_brace_too():
    text = f"{ENTRY}@article one,"
    [lost] = CHECK.run(project_of({"r.bib": text}), Knowledge())
    assert fixed(f"%% r.bib\n{text}", lost, "Insert “{”").endswith("@article{one,\n")


def test_nothing_but_comments():
    check(CHECK, f"{MAIN['biber']}% Encoding: x @misc{{a, title = {{T}}}}\n              ^ stray-text\n")
    check(CHECK, f"{MAIN['biber']}% Encoding: x\n")


def test_the_last_line():
    fixture = f"{MAIN['bibtex']}@misc{{a, title = {{A}}}} @misc{{b, title = {{B}}}}"
    text = fixture.partition("%% r.bib\n")[2]
    project = project_of({"m.tex": fixture.split("\n")[1], "r.bib": text})
    [finding] = CHECK.run(project, Knowledge())
    assert finding.key == "b"
    own_line = text.replace("} @misc", "}\n@misc")
    for read_whole in (text + "\n", own_line, f"{own_line} and a remark"):
        assert not CHECK.run(project_of({"m.tex": fixture.split("\n")[1], "r.bib": read_whole}), Knowledge())
