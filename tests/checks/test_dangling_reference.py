import pytest

from citelsp.checks.dangling_reference import CHECK
from finding_fixtures import check
from reading_programs import MAIN


def test_biber():
    fixture = f"""{MAIN["biber"]}@misc{{parent, ids = {{alias}}}}
@misc{{a, crossref = {{parent}}, xdata = {{parent, nox}}, related = {{gone}}}}
                                               ^^^ dangling-reference
                                                                ^^^^ dangling-reference
@misc{{b, crossref = {{ Parent }}}}
                      ^^^^^^ dangling-reference
@misc{{c, xref = {{noxref}}, crossref = {{alias}}}}
                 ^^^^^^ dangling-reference
@set{{d, entryset = {{a,b,no set}}}}
                        ^^^^^^ dangling-reference
"""
    found = {it.cited: it.severity for it in check(CHECK, fixture)}
    assert found == {"nox": "error", "gone": "warning", "Parent": "error", "noxref": "warning", "no set": "error"}


def test_an_entry_that_has_its_own_book_loses_nothing_to_biber():
    entries = "@inproceedings{a, booktitle = {B}, crossref = {gone}}\n" + " " * 47 + "^^^^ dangling-reference\n"
    severities = {reader: check(CHECK, MAIN[reader] + entries)[0].severity for reader in ("biber", "bibtex")}
    assert severities == {"biber": "warning", "bibtex": "error"}


def test_values_that_stand_for_those_of_no_entry():
    fixture = f"""{MAIN["biber"]}@book{{a, title = {{xdata=none-title}}, note = "xdata=names-note"}}
                        ^^^^ dangling-reference
@book{{b, author = {{Doe, J. and xdata=people-author-2}}, publisher = {{xdata=names-publisher and P}}}}
                                     ^^^^^^ dangling-reference
@book{{c, title = {{Of xdata=none-title and others}}}}
@book{{d, note = {{see {{xdata=none-note}}}}, author = {{{{xdata=no-author}}}}}}
@xdata{{names, publisher = {{P}}, note = {{N}}}}
"""
    message = check(CHECK, fixture)[0].message
    assert message == "No entry has the key “none”: biber prints this value as it is, or leaves it out."
    check(CHECK, f"{MAIN['bibtex']}@book{{a, title = {{xdata=none-title}}}}\n")


def test_bibtex_knows_crossref_alone():
    fixture = f"""{MAIN["bibtex"]}@misc{{a, crossref = {{PARENT}}, xdata = {{nox}}}}
@misc{{parent, ids = {{alias}}}}
@misc{{c, crossref = {{alias}}}}
                     ^^^^^ dangling-reference
"""
    check(CHECK, fixture)


@pytest.mark.parametrize("value", ["conf # {2020}", "{conf} # {2020}", '"conf" # year'])
def test_what_a_macro_or_parts_come_to_is_not_looked_for(value):
    check(CHECK, f"{MAIN['biber']}@misc{{a, crossref = {value}}}\n")


@pytest.mark.parametrize("reader", ["biber", "bibtex"])
def test_an_entry_that_is_being_written_names_nothing_yet(reader):
    check(CHECK, f"{MAIN[reader]}@misc{{a, title = {{A}}, crossref = {{con\n\n@misc{{conf, title = {{C}}}}\n")


def test_bibtex_reads_once():
    head = "%% m.tex\n\\documentclass{x}\\bibliographystyle{plain}\\bibliography{r}\\cite{child,cited,other,last}\n"
    fixture = f"""{head}%% r.bib
@book{{above}}
@book{{cited}}
@inbook{{child, crossref = {{above}}}}
                           ^^^^^ dangling-reference
@inbook{{other, crossref = {{cited}}}}
@inbook{{last, crossref = {{below}}}}
@inbook{{uncited, crossref = {{nowhere}}}}
                             ^^^^^^^ dangling-reference
@book{{below}}
@inbook{{cited, crossref = {{below}}}}
"""
    messages = [it.message for it in check(CHECK, fixture)]
    assert messages[0].startswith("“above” must come after this entry")


def test_silence_if_something_is_unknown():
    check(CHECK, f"{MAIN['']}@misc{{a, crossref = {{gone}}}}\n")
    check(CHECK, f"{MAIN['pandoc']}@misc{{a, crossref = {{gone}}}}\n")
    missing = "%% m.tex\n\\documentclass{x}\\addbibresource{more.bib}\\addbibresource{r.bib}\n"
    check(CHECK, f"{missing}%% r.bib\n@misc{{a, crossref = {{gone}}}}\n")


def test_a_parent_that_stands_again_behind_its_child():
    head = "%% m.tex\n\\documentclass{x}\\bibliographystyle{plain}\\bibliography{r}\\cite{child}\n%% r.bib\n"
    check(CHECK, head + "@book{parent}\n@inbook{child, crossref = {parent}}\n@book{parent}\n")
