import pytest

import marks
from citelsp.base.text import apply
from citelsp.checks.unescaped_character import CHECK
from citelsp.knowledge import Knowledge
from finding_fixtures import check
from fixture_projects import project_of
from reading_programs import MAIN

TEX = {"biber", "bibtex", ""}


@pytest.mark.parametrize(
    ("field", "value", "at", "readers"),
    [
        ("title", "A 50% rise", 4, TEX),
        ("title", "C# for all", 1, TEX),
        ("title", "Q & A", 2, TEX),
        ("title", "a_b", 1, TEX),
        ("title", "10^3", 2, TEX),
        ("title", "costs 5$", 7, TEX),
        ("title", "of $a_1$ & $b_1$", 9, TEX),
        ("title", r"of \(a_1\) & \(b_1\)", 11, TEX),
        ("title", r"of $$a_1$$ & $$b_1$$", 11, TEX),
        ("title", "{a_b} \\emph{c}", 2, TEX),
        ("title", "A \\\\% b", 4, {"biber"}),
        ("note", "\\url{a%20b}", 6, {"biber"}),
        ("abstract", "5% more", 1, {"biber"}),
        ("keywords", "C#", 1, {"biber"}),
        ("subtitle", "a_b", 1, {"biber"}),
    ],
)
@pytest.mark.parametrize("reader", MAIN)
def test_to_whom_it_matters(reader, field, value, at, readers):
    if value.startswith("A \\\\"):
        readers = TEX  # the second backslash protects nothing
    head = f"@misc{{k_1, {field} = {{"
    mark = f"{' ' * (len(head) + at)}^ unescaped-character\n" if reader in readers else ""
    check(CHECK, f"{MAIN[reader]}{head}{value}}}}}\n{mark}")


@pytest.mark.parametrize(
    "fields",
    [
        "title = {50\\% of C\\# \\& a\\_b \\$5}",
        "title = {$a_b^2$ and \\(x_1\\), \\ensuremath{y_2}, \\begin{math}z_3\\end{math}}",
        "note = {\\url{https://example.org/a_b&c}, \\href{https://example.org/a_b}{there}}",
        "url = {https://example.org/a%20b_c#d}, doi = {10.1000/a_b%c}, file = {a_b:c#d%e}",
        "crossref = {a_b}, related = {c_d}",
        "foo = {a_b%c#d&e}",
        "abstract = {a_b & c}",
        "author = {A & B}",
        "title = {A_B",
    ],
)
@pytest.mark.parametrize("reader", MAIN)
def test_what_tex_reads_well_or_does_not_see(reader, fields):
    check(CHECK, f"{MAIN[reader]}@misc{{k_1, {fields}}}\n")


def test_the_package_that_prints_underscores():
    tex = "\\documentclass{x}\\usepackage{underscore}\\addbibresource{r.bib}"
    found = CHECK.run(project_of({"m.tex": tex, "r.bib": "@misc{k, title = {a_b & c}}\n"}), Knowledge())
    assert [it.cited for it in found] == ["&"]


@pytest.mark.parametrize(
    ("value", "severity", "better"),
    [
        ("50% of C#, 10%", "error", "50\\% of C#, 10\\%"),
        ("Q & A & B", "warning", "Q \\& A \\& B"),
        ("(EECS), %\n  Berkeley", "error", "(EECS), \n  Berkeley"),
        ("50% or %\n more", "error", "50\\% or \n more"),
        ("A\n% once: 50%, and %\nB 5% of %\n %\nC", "error", "A\nB 5\\% of \nC"),
        ("a_b_c", "warning", "a\\_b\\_c"),
    ],
)
def test_fixes(value, severity, better):
    text = f"@misc{{k, title = {{{value}}}}}\n"
    project = project_of({"m.tex": "\\documentclass{x}\\addbibresource{r.bib}", "r.bib": text})
    finding, *_ = CHECK.run(project, Knowledge())
    assert finding.severity == severity
    assert apply(text, finding.fixes[0].edits) == text.replace(value, better)
    assert finding.fixes[0].safety == ("review" if "\n%" in value else "safe")


@pytest.mark.parametrize(
    ("value", "cited"),
    [
        (r"\(a \[b \verb|c d_e", "_"),  # none of which is closed
        (r"\verb*!a_b! c%d", "%"),
        (r"\[a_b\] \(c_d\) $$e_f$$ $g\$_h$ i%j", "%"),
        (r"\foo[a]{c_d} e%f", "%"),
        (f"{'a ' * 10_000}b%c", "%"),
    ],
)
def test_formulas_end_where_they_are_closed(value, cited):
    text = f"@misc{{k, title = {{{value}}}}}\n"
    found = CHECK.run(project_of({"r.bib": text}), Knowledge())
    assert [it.cited for it in found] == [cited]


def test_a_value_full_of_signs_is_reported_without_a_fix():
    text = f"@misc{{k, title = {{{'%' * 51}}}, note = {{{'%' * 50}}}}}\n"
    found = CHECK.run(project_of({"r.bib": text}), Knowledge())
    assert [(it.field, len(it.fixes)) for it in found] == [("title", 0), ("note", 1)]


@pytest.mark.parametrize(("kind", "cited"), [("article", []), ("book", ["&"])])
def test_a_style_that_leaves_the_field_out(kind, cited):
    files = {
        "m.tex": r"\documentclass{x}\bibliographystyle{plain}\bibliography{r}\nocite{*}",
        "r.bib": f"@{kind}{{k, publisher = {{Roe & Sons}}}}\n",
    }
    assert [it.cited for it in CHECK.run(marks.project(marks.Marked(files)), Knowledge())] == cited


def test_of_more_signs_than_slips_there_is_no_fix_without_edits():
    value = "costs %\n" * 60
    findings = CHECK.run(project_of({"refs.bib": f"@misc{{k, title = {{{value}}}}}\n"}), Knowledge())
    assert findings and not any(it.fixes for it in findings)
