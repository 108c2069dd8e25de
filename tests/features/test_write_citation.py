"""Works cited at the cursor: the command that a manuscript uses, both forms, a locator, the space before."""

import pytest

from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.features import write_citation
from citelsp.features.values import Refused
from citelsp.knowledge import Candidate
from citelsp.syntax.languages.language import Form
from fixture_projects import world

ADAM = Candidate(Record("corpus", "1", "Adam Optimizes", (Name("Kingma", "D."),), years=(2014,), type="article"))
SGD = Candidate(Record("library", "sgd51", "Gradient"), origins=("library",), key="sgd51")
BIB = "%% refs.bib\n@misc{sgd51, title = {Gradient}}\n"
END = "\n\\bibliography{refs}\n"


def forms(fixture, *works, locator=""):
    it = world(fixture + BIB)
    path, offset = it.cursor
    at = write_citation.place(it.project, path, offset)
    shown = write_citation.preview(it.project, path, at, works or (SGD,), locator)
    return shown if isinstance(shown, Refused) else [form.text for form in shown.forms]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["\\cite{sgd51}"]),
        ("\\usepackage{natbib}\n", ["\\citep{sgd51}", "\\citet{sgd51}"]),
        ("\\usepackage[style=apa]{biblatex}\n", ["\\autocite{sgd51}", "\\textcite{sgd51}"]),
        (
            "\\usepackage{biblatex}\n\\parencite{a}\\parencite{b}\\cite{c}\n",
            ["\\parencite{sgd51}", "\\textcite{sgd51}"],
        ),
        ("\\usepackage{natbib}\n\\cite{a}\n", ["\\cite{sgd51}", "\\citet{sgd51}"]),
        ("\\citet{a}\n", ["\\citep{sgd51}", "\\citet{sgd51}"]),
    ],
    ids=["plain", "natbib", "biblatex", "the command used most", "natbib's own \\cite", "a class that loads natbib"],
)
def test_the_commands_are_those_of_the_manuscript(text, expected):
    assert forms(f"%% a.tex\n{text}So |.{END}") == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.md", ["[@kingma2014adam; @sgd51, chap. 3]", "@kingma2014adam, @sgd51 [chap. 3]"]),
        ("a.org", ["[cite:@kingma2014adam;@sgd51 chap. 3]", "[cite/t:@kingma2014adam;@sgd51 chap. 3]"]),
        (
            "a.typ",
            [
                "@kingma2014adam @sgd51[chap. 3]",
                '#cite(<kingma2014adam>, form: "prose") #cite(<sgd51>, supplement: [chap. 3], form: "prose")',
            ],
        ),
    ],
)
def test_each_language_has_both_forms(name, expected):
    declared = {"a.md": "---\nbibliography: refs.bib\n---\n", "a.org": "#+bibliography: refs.bib\n\n"}
    bibliography = declared.get(name, '#bibliography("refs.bib")\n\n')
    assert forms(f"%% {name}\n{bibliography}So |.\n", ADAM, SGD, locator="chap. 3") == expected


@pytest.mark.parametrize(("before", "space"), [("So", " "), ("So ", ""), ("(", ""), ("so~", "")])
def test_a_space_stands_before_it_if_a_word_does(before, space):
    assert forms(f"%% a.tex\n{before}|.{END}") == [f"{space}\\cite{{sgd51}}"]


def test_a_placeholder_among_other_keys_is_only_filled():
    assert forms(f"%% a.tex\n\\usepackage{{natbib}}\n\\citep[see][]{{sgd51,?gra|d}}{END}", ADAM) == ["kingma2014adam"]


def test_what_nothing_can_write_is_refused():
    it = world(f"%% a.tex\nSo |.{END}" + BIB)
    path, offset = it.cursor
    at = write_citation.place(it.project, path, offset)
    found = write_citation.edits_for(it.project, path, at, [SGD], Form(textual=True))
    assert found == Refused("This document loads no package that cites as a part of the sentence.")
