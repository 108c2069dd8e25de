import pytest

import marks
from citelsp.base.text import apply
from citelsp.checks.malformed_name import CHECK
from citelsp.knowledge import Knowledge
from finding_fixtures import check
from fixture_projects import project_of
from reading_programs import MAIN

TEX = {"biber", "bibtex", ""}


def found(reader, value, marks, field="author"):
    """The findings in this list of names, marked by lines of `^`, each with the readers to whom it matters."""
    head = f"@misc{{k, {field} = {{"
    marked = "".join(f"{' ' * (len(head) + at)}{'^' * width} malformed-name\n" for at, width in marks)
    return check(CHECK, f"{MAIN[reader]}{head}{value}}}}}\n{marked}")


@pytest.mark.parametrize(
    ("value", "marks", "readers"),
    [
        ("John Smith, Jane Doe, Bob Roe, Ann Poe", [(0, 38)], TEX),
        ("Roe, R. and Smith, Jr., A., B.", [(12, 18)], TEX),
        ("Lexing Ying, George Biros, Denis Zorin", [(0, 38)], TEX),
        ("Smith, J. and and Doe, A.", [(10, 3)], TEX),
        ("and Smith, J.", [(0, 4)], TEX),
        ("Smith, J. and", [(9, 4)], TEX),
        (", J.", [(0, 4)], TEX),
        ("Smith, J.; Doe, A.", [(9, 2)], TEX),
        ("Smith, J. & Doe, A.", [(9, 3)], TEX),
        ("Smith, J. et al.", [(9, 7)], TEX),
        ("Wei Wang 0001 and Doe, A.", [(9, 4)], TEX),
        ("Doe, A. and 0012, Bin Chen", [(12, 4)], TEX),
        ("Smith,, J.", [(0, 10)], {"biber"}),
        ("Smith, {A, B, C}", [(0, 16)], {"biber"}),
        ("Smith,", [(0, 6)], {"bibtex"}),
        ("family=Smith, given=Ann", [(0, 23)], {"bibtex"}),
    ],
)
@pytest.mark.parametrize("reader", MAIN)
def test_to_whom_it_matters(reader, value, marks, readers):
    found(reader, value, marks if reader in readers else [])


@pytest.mark.parametrize(
    "value",
    [
        "Smith, Jr., A. and von der Heide, B. and others",
        "Smith Roe, Ph. D., Ann Bea and Smith Roe, Jr. MD, Ann Bea and Smith Roe, Ann Bea, J. R. and Roe, Ann Bea, Jr.",
        "{Barnes, Noble, Sons, and Company} and {A; B & C}",
        "Smith, J. \n AND Doe, {A}",
        "{\\'E}mile Zola and Nguy{\\~{\\^e}}n, V. and O'Neil, S\\'ean",
        "AT\\&T and {}",
        "M&#252;ller, A.",
        "Plato",
        "",
    ],
)
@pytest.mark.parametrize("reader", MAIN)
def test_right_names(reader, value):
    found(reader, value, [])


def test_only_biber_reads_a_translator():
    found("biber", "A, B, C, D", [(0, 10)], field="translator")
    found("bibtex", "A, B, C, D", [], field="translator")
    found("biber", ", Ada", [(0, 5)], field="translator")
    found("bibtex", ", Ada", [], field="translator")
    for value in ("A B; C D", "A B & C D", "A B et al.", "Wei Wang 0001"):  # read as names, and seldom printed
        found("biber", value, [], field="translator")


def test_of_an_entry_that_is_never_closed_something_else_is_said():
    assert CHECK.run(project_of({"r.bib": "@misc{k, author = {A B; C D},\n"}), Knowledge()) == []


@pytest.mark.parametrize(("reader", "severity"), [("biber", "usual"), ("bibtex", "warning"), ("", "warning")])
def test_an_empty_name_is_an_error_to_biber_alone(reader, severity):
    [finding] = found(reader, "Smith, J. and and Doe, A.", [(10, 3)])
    assert finding.severity == severity.replace("usual", "error")


def test_an_entry_that_is_lost_is_an_error():
    [finding] = found("biber", "A, B, C, D", [(0, 10)])
    assert (finding.severity, finding.message) == (
        "error",
        "Separate names by “and”, not by commas: biber drops the entry.",
    )
    [finding] = found("biber", "Al Bo, Cy Do, Ed Fu", [(0, 19)])
    said = "Separate names by “and”, not by commas: all is read as one name."
    assert (finding.severity, finding.message) == ("warning", said)
    [finding] = found("bibtex", "A B; C D", [(3, 2)])
    assert finding.severity == "warning"


@pytest.mark.parametrize(
    ("value", "better"),
    [
        ("John Smith, Jane Doe, Bob Roe, Ann Poe", "John Smith and Jane Doe and Bob Roe and Ann Poe"),
        ("Smith, J., Doe, A. B., Roe, C.-D., Poe, E.", "Smith, J. and Doe, A. B. and Roe, C.-D. and Poe, E."),
        ("Smith, J.; Doe, A.; Roe, B.; Poe, C.;", "Smith, J. and Doe, A. and Roe, B. and Poe, C."),
        ("Smith, J. & Doe, A.", "Smith, J. and Doe, A."),
        ("Smith, J. and and Doe, A.", "Smith, J. and Doe, A."),
        ("Smith, J., et al.", "Smith, J. and others"),
        ("Smith, J. and et al.", "Smith, J. and others"),
        ("Smith, J. and", "Smith, J."),
    ],
)
def test_fixes(value, better):
    text = f"@misc{{k, author = {{{value}}}}}\n"
    project = project_of({"m.tex": "\\documentclass{x}\\addbibresource{r.bib}", "r.bib": text})
    [finding] = CHECK.run(project, Knowledge())
    [fix] = finding.fixes
    assert apply(text, fix.edits) == f"@misc{{k, author = {{{better}}}}}\n"


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("Wei Wang 0001 and Doe, A.", "Wei Wang and Doe, A."),
        ("Wang 0001, Wei", "Wang, Wei"),
        ("0012, Bin Chen and Doe, A.", "Bin Chen and Doe, A."),
    ],
)
def test_numbers_of_namesakes_are_removed(value, after):
    bib = f"@misc{{k, author = {{{value}}}}}\n"
    [finding] = CHECK.run(project_of({"r.bib": bib}), Knowledge())
    assert finding.severity == "warning"
    assert finding.fixes[0].title == "Remove the number"
    assert apply(bib, finding.fixes[0].edits) == f"@misc{{k, author = {{{after}}}}}\n"


@pytest.mark.parametrize("value", ["Agent 007 and Doe, A.", "{Class of 0001}", "Jo 2001"])
def test_other_numbers_are_left(value):
    assert CHECK.run(project_of({"r.bib": f"@misc{{k, author = {{{value}}}}}\n"}), Knowledge()) == []


@pytest.mark.parametrize(
    ("value", "parted"),
    [
        ("John Smith, Jane Doe, Bob Roe, Ann Poe", "John Smith and Jane Doe and Bob Roe and Ann Poe"),
        ("Smith, J., Doe, J., Roe, B.", "Smith, J. and Doe, J. and Roe, B."),
        ("John Smith, Jane Doe, Bob Roe", "John Smith and Jane Doe and Bob Roe"),
        ("Ana García y Luis Pérez", "Ana García and Luis Pérez"),
        ("García, Ana y Pérez, Luis", "García, Ana and Pérez, Luis"),
        ("A. Müller, B. Schmidt und C. Meyer", "A. Müller and B. Schmidt and C. Meyer"),
        ("Marie Curie et Paul Langevin", "Marie Curie and Paul Langevin"),
        ("World Health Organization", "{World Health Organization}"),
        (
            "Roe, A. and B.P. Koirala Institute of Health Sciences",
            "Roe, A. and {B.P. Koirala Institute of Health Sciences}",
        ),
        (
            "Regional Office, Healthcare Bureau, Transplantation Division",
            "{Regional Office, Healthcare Bureau, Transplantation Division}",
        ),
        ("Gurobi Optimization, Inc.", "{Gurobi Optimization, Inc.}"),
        ("Smith, J. K., Doe, J.", "Smith, J. K. and Doe, J."),
        ("Smith, John, Doe, Jane", None),
        ("John Smith, Jane Doe, Bob Roe, Poe", None),
    ],
)
def test_names_between_which_commas_stand_are_parted_where_it_is_certain(value, parted):
    fixture = f"{MAIN['biber']}@misc{{k, author = {{{value}}}}}\n"
    (one,) = CHECK.run(project_of(marks.parse(fixture).files), Knowledge())
    edits = [apply(f"@misc{{k, author = {{{value}}}}}\n", it.edits) for it in one.fixes]
    assert edits == ([f"@misc{{k, author = {{{parted}}}}}\n"] if parted else [])


@pytest.mark.parametrize(("value", "severity"), [(", J.", "error"), (", Jr., J.", "warning")])
def test_a_name_without_a_family_is_as_bad_as_its_reader_takes_it(value, severity):
    fixture = f"{MAIN['biber']}@misc{{k, author = {{{value}}}}}\n"
    (one,) = CHECK.run(project_of(marks.parse(fixture).files), Knowledge())
    assert one.severity == severity


def test_an_institution_before_a_person_is_parted_from_it():
    text = "@misc{k, author = {Example Corporation, M. McRoe}}\n"
    (one,) = CHECK.run(project_of({"r.bib": text}), Knowledge())
    assert one.message == "Separate names by “and”, not by commas: all is read as one name."
    assert apply(text, one.fixes[0].edits) == "@misc{k, author = {Example Corporation and M. McRoe}}\n"


@pytest.mark.parametrize(
    "value",
    [
        "José Ortega y Gasset and Santiago Ramón y Cajal",
        "María Ruiz y Gómez de Ávila",
        "Josep Puig i Cadafalch",
        "do Couto e Silva, E. and Andrade Couto e Silva, E.",
        "{World Health Organization} and {{CMS Collaboration}}",
        "Union, Jack and Roe, A.",
        "Roe, A. and the CMS Collaboration",
        "Organization",
        "R Core Team, and Council of Europe, ",
        "Coq Development Team, The",
        "Roe, A. and O{\\&}apos;Doe, B. and D&apos;Arc, J.",
        "Nguy\\&\\#7877;n, Kim and C\\&\\#x00e9;dric Fournet and Gilbert Fil\\&\\#233;",
        "Smith, John E. and van den Berg, E.",
    ],
)
def test_people_and_institutions_that_are_read_rightly(value):
    assert CHECK.run(project_of({"r.bib": f"@misc{{k, author = {{{value}}}}}\n"}), Knowledge()) == []


def test_an_institution_that_its_own_and_parts_gets_no_braces():
    text = "@misc{k, author = {National Academies of Sciences, Engineering, and {Medicine}}}\n"
    [finding] = CHECK.run(project_of({"r.bib": text}), Knowledge())
    assert finding.fixes == ()


def test_a_committee_of_a_state_is_no_person():
    text = "@misc{k, author = {North American Bird Initiative, U.S. Committee}}\n"
    [finding] = CHECK.run(project_of({"r.bib": text}), Knowledge())
    assert finding.fixes[0].title == "Put braces around the institution"
