import pytest

import marks
from citelsp.checks.undefined_string import CHECK
from finding_fixtures import check, fixed
from reading_programs import MAIN


def test_only_what_stands_above_is_defined():
    fixture = f"""{MAIN["biber"]}@string{{above = {{A}}}}
@article{{k, journal = above, publisher = below, month = jan, year = 2000, title = nowhere # {{x}}}}
                                         ^^^^^ undefined-string
                                                                                  ^^^^^^^ undefined-string
@string{{below = above # more}}
                        ^^^^ undefined-string
@preamble{{ {{x}} # Below # other }}
                         ^^^^^ undefined-string
"""
    below, nowhere, *_ = sorted(check(CHECK, fixture), key=lambda it: it.field != "publisher")
    assert below.message == "“below” is defined below: biber leaves it out."
    assert below.related[0].message == "its definition"
    assert nowhere.severity == "error"


def test_typst_reads_definitions_wherever_they_are():
    fixture = """
    %% main.typ
    @k #bibliography("r.bib")
    %% r.bib
    @article{k, journal = below, publisher = nobody}
                                             ^^^^^^ undefined-string
    @string{below = last # other}
                           ^^^^^ undefined-string
    @string{last = "x"}
    @preamble{"a" # below # any}
    """
    messages = {finding.message for finding in check(CHECK, fixture)}
    assert "No @string defines “other”: Typst refuses the whole file once an entry uses this @string." in messages


def test_macros_of_styles_with_bibtex():
    fixture = f"""{MAIN["bibtex"]}@article{{k, journal = jacm, publisher = nobody, crossref = none, abstract = unread}}
                                        ^^^^^^ undefined-string
                                                           ^^^^ undefined-string
"""
    assert {it.severity for it in check(CHECK, fixture)} == {"warning"}


def test_bibtex_warns_of_a_macro_that_is_defined_too_late():
    fixture = f"""{MAIN["bibtex"]}@article{{k, journal = below}}
                      ^^^^^ undefined-string
@string{{below = {{B}}}}
"""
    [finding] = check(CHECK, fixture)
    assert (finding.message, finding.severity) == ("“below” is defined below: BibTeX leaves it out.", "warning")


def test_months_in_full():
    fixture = f"{MAIN['bibtex']}@article{{k, month = June}}\n                    ^^^^ undefined-string\n"
    [finding] = check(CHECK, fixture)
    assert "month = jun}" in fixed(fixture, finding, "Write jun")


def test_alone_it_may_be_defined_elsewhere():
    fixture = f"{MAIN['']}@article{{k, journal = nobody}}\n                      ^^^^^^ undefined-string\n"
    [finding] = check(CHECK, fixture)
    assert finding.severity == "information"


def test_silence():
    check(CHECK, f"{MAIN['pandoc']}@article{{k, journal = nobody}}\n")
    missing = "%% m.tex\n\\documentclass{x}\\addbibresource{strings.bib}\\addbibresource{r.bib}\n"
    check(CHECK, f"{missing}%% r.bib\n@article{{k, journal = nobody}}\n")
    check(CHECK, f"{missing}%% strings.bib\n@string{{nobody = {{N}}}}\n%% r.bib\n@article{{k, journal = nobody}}\n")


def test_a_month_in_full_is_one_in_its_own_field_alone():
    fixture = f"""{MAIN["bibtex"]}@article{{k, note = June, month = juni}}
                   ^^^^ undefined-string
                                 ^^^^ undefined-string
"""
    assert [it.fixes for it in check(CHECK, fixture)] == [(), ()]


@pytest.mark.parametrize(("style", "cited"), [("plain", ["June", "nobody"]), ("apalike", ["nobody"])])
def test_bibtex_looks_up_macros_of_fields_that_the_style_reads(style, cited):
    files = {
        "m.tex": f"\\documentclass{{x}}\\bibliographystyle{{{style}}}\\bibliography{{r}}\\nocite{{*}}",
        "r.bib": "@article{k, journal = nobody, month = June}\n",
    }
    found = CHECK.run(marks.project(marks.Marked(files)), None)
    assert sorted(it.cited for it in found) == cited
