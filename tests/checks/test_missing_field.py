from dataclasses import replace

import pytest

import marks
import verdict_fixtures
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.checks.missing_field import CHECK
from citelsp.knowledge import Knowledge, Verdict
from finding_fixtures import check


def test_bibtex():
    found = check(
        CHECK,
        """
        %% r.bib
        @article{a, author = {A}, title = {T}, year = 2000}
                 ^ missing-field
        @book{b, editor = {A}, title = {T}, publisher = {P}, year = {}}
              ^ missing-field
        @inproceedings{c, author = {A}, title = {T}, crossref = {d}}
        @proceedings{d, title = {T}, year = 2000}
        @misc{e, title = {T}, url = {https://example.org}}
        @unknown{h}
    """,
    )
    assert [it.message for it in found] == [
        "@article needs journal or journaltitle.",
        "@book needs year or date.",
    ]
    assert found[0].field == "journal"


@pytest.mark.parametrize(
    ("style", "kind", "messages"),
    [
        ("plain", "article", ["@article needs volume."]),
        ("plain", "book", ["@book needs series or volume."]),
        ("plain", "techreport", []),
        ("ieeetr", "article", []),
    ],
)
def test_beside_a_number_some_styles_want_a_volume(style, kind, messages):
    needed = "author = {A}, title = {T}, year = 2000, journal = {J}, publisher = {P}, institution = {I}"
    present = ("number = 3", "number = 3, volume = 4", "")
    files = {
        "m.tex": f"\\documentclass{{x}}\\bibliographystyle{{{style}}}\\bibliography{{r}}\\nocite{{*}}",
        "r.bib": "".join(f"@{kind}{{k{at}, {needed}, {more}}}\n" for at, more in enumerate(present)),
    }
    assert [it.message for it in CHECK.run(marks.project(marks.Marked(files)), Knowledge())] == messages


@pytest.mark.parametrize(
    ("style", "messages"),
    [
        ("plain", ["@misc needs author or key."]),
        ("plainnat", ["@misc needs author or key.", "@misc needs year."]),
        ("unsrtnat", ["@misc needs year."]),
        ("unsrt", []),
        ("of-the-journal", []),
    ],
)
@pytest.mark.parametrize("kind", ["misc", "online"])
def test_of_what_it_prints_as_misc_what_the_style_in_use_warns_of(style, messages, kind):
    text = rf"""
        %% main.tex
        \documentclass{{article}}\nocite{{*}}\bibliographystyle{{{style}}}\bibliography{{r}}
        %% r.bib
        @{kind}{{a, title = {{T}}, howpublished = {{W}}}}
        @xdata{{b, title = {{T}}}}
    """
    found = CHECK.run(marks.project(marks.parse(text)), Knowledge())
    assert [it.message.replace(f"@{kind}", "@misc") for it in found] == messages


def test_what_biber_does_not_miss():
    check(
        CHECK,
        r"""
        %% main.tex
        \documentclass{article}\usepackage{biblatex}\addbibresource{r.bib}
        %% r.bib
        @misc{a, title = {T}, date = {2000}}
        @online{b, title = {T}, date = {2000}, url = {https://example.org}}
        @manual{c, title = {T}, date = {2000}}
        @software{d, title = {T}}
                  ^ missing-field
        """,
    )


def test_biblatex_where_the_manuscript_uses_it():
    check(
        CHECK,
        r"""
        %% main.tex
        \documentclass{article}\usepackage{biblatex}\addbibresource{r.bib}
        %% r.bib
        @article{a, author = {A}, title = {T}, journal = {J}, year = 2000}
        @online{b, author = {A}, title = {T}, date = {2000}}
                ^ missing-field
        @xdata{c}
        @article{d, xdata = {c}}
    """,
    )


def test_fields_that_bibtex_does_not_read():
    found = check(
        CHECK,
        r"""
        %% main.tex
        \documentclass{article}\bibliographystyle{plain}\bibliography{r}
        %% r.bib
        @article{a, author = {A}, title = {T}, journaltitle = {J}, year = 2000}
                 ^ missing-field
        @article{b, author = {A}, title = {T}, journal = {J}, journaltitle = {J}, date = {2000-01}}
                 ^ missing-field
        @phdthesis{c, author = {A}, title = {T}, school = {S}, year = 2000, date = 2000}
        @techreport{d, author = {A}, title = {T}, school = {S}, year = 2000}
                    ^ missing-field
        @phdthesis{e, author = {A}, title = {T}, institution = {S}, year = 2000}
                   ^ missing-field
    """,
    )
    assert [it.message for it in found] == [
        "@article needs journal: BibTeX does not read journaltitle.",
        "@article needs year: BibTeX does not read date.",
        "@techreport needs institution: BibTeX does not read school.",
        "@phdthesis needs school: BibTeX does not read institution.",
    ]


def test_bibtex_where_the_manuscript_names_a_style():
    check(
        CHECK,
        r"""
        %% main.tex
        \documentclass{article}\bibliographystyle{plain}\bibliography{r}
        %% r.bib
        @inbook{a, author = {A}, title = {T}, chapter = 3, publisher = {P}, year = 2000, location = {L}, urldate = {2}}
    """,
    )


ENTRY = "@manual{m, title = {T}}\n@inbook{b, author = {A}, title = {T}, chapter = 2, publisher = {P}, year = 2000}\n"


def test_a_leftover_that_no_main_document_reads_says_nothing():
    files = {
        "main.tex": r"\documentclass{article}\cite{m}\bibliographystyle{plain}\bibliography{r}",
        "back/list.tex": r"\printbibliography",
        "r.bib": ENTRY,
    }
    for path in files:
        assert not CHECK.run(marks.project(marks.Marked(files), path), Knowledge())


@pytest.mark.parametrize("cited", ["b", "alias"])
def test_each_manuscript_asks_of_what_it_cites(cited):
    files = {
        "r.bib": "@online{a, title = {T}, url = {u}}\n@online{b, title = {T}, url = {u}, ids = {alias}}\n",
        "paper.tex": r"\documentclass{article}\cite{a}\bibliographystyle{plain}\bibliography{r}",
        "thesis.tex": rf"\documentclass{{article}}\cite{{{cited}}}\usepackage{{biblatex}}\addbibresource{{r.bib}}",
    }
    found = CHECK.run(marks.project(marks.Marked(files), "r.bib"), Knowledge())
    assert {it.key for it in found} == {"b"}


def test_pandoc_needs_what_a_csl_style_prints():
    files = {
        "a.md": "---\nbibliography: r.bib\n---\n[@b; @r; @o]",
        "r.bib": ENTRY + "@report{r, title = {T}, institution = {I}, date = 2000}\n@online{o, title = {T}}\n",
    }
    assert [it.message for it in CHECK.run(marks.project(marks.Marked(files)), Knowledge())] == [
        "@inbook needs booktitle."
    ]


RECORD = Record(
    "crossref", "10.1000/x", "Fast and Deep Graph Neural Networks",
    (Name("Gallicchio", "Claudio"), Name("Micheli", "A.")),
    years=(2020,), venue="AAAI", type="paper-conference", identifiers=Identifiers(doi="10.1000/x"), pages="1-8",
)  # fmt: skip
THIN = """
%% r.bib
@misc{fastdeep,
      ^^^^^^^^ missing-field
  title = {Fast and Deep Graph Neural Networks},
  doi = {10.1000/x}
}
"""
WHOLE = """@inproceedings{fastdeep,
  title = {Fast and Deep Graph Neural Networks},
  doi = {10.1000/x},
  author = {Gallicchio, Claudio and Micheli, A.},
  year = {2020},
  pages = {1--8},
  booktitle = {AAAI}
}
"""


def test_an_entry_whose_work_is_known_is_completed():
    for finding in verdict_fixtures.check(CHECK, THIN, {"fastdeep": Verdict("verified", record=RECORD)}):
        assert finding.fixes[0].title == "Complete this entry"
        assert verdict_fixtures.after(THIN, finding) == WHOLE


def test_a_completed_entry_is_spelled_as_the_file_is():
    fixture = """
        %% r.bib
        @Misc{a,
              ^ missing-field
          Title = {Fast and Deep Graph Neural Networks},
          Year  = {2020},
        }
        @InProceedings{b, Author = {A}, Title = {T}, BookTitle = {B}, Year = {2020}}
    """
    [finding] = verdict_fixtures.check(CHECK, fixture, {"a": Verdict("verified", record=RECORD)})
    after = verdict_fixtures.after(fixture, finding)
    assert "@InProceedings{a" in after
    assert after.count("BookTitle = {") == 2


def test_an_article_keeps_its_type_and_gets_nothing_of_another():
    fixture = """
        %% r.bib
        @article{a, author = {Ada Lovelace}, title = {Fast and Deep Graph Neural Networks}, year = 2020}
                 ^ missing-field
    """
    [finding] = verdict_fixtures.check(CHECK, fixture, {"a": Verdict("verified", record=RECORD)})
    after = verdict_fixtures.after(fixture, finding)
    assert "@article{a, author = {Ada Lovelace}" in after
    assert "10.1000/x" in after
    assert "AAAI" not in after


def test_what_a_parent_has_is_neither_missed_nor_added():
    child = f"%% r.bib\n@misc{{a, title = {{{RECORD.title}}}, crossref = {{p}}}}\n"
    parent = "@proceedings{p, title = {Proceedings}, year = 2020"
    verdicts = {"a": Verdict("verified", record=RECORD)}
    fixture = f"{child}      ^ missing-field\n{parent}}}\n"
    [finding] = verdict_fixtures.check(CHECK, fixture, verdicts)
    assert finding.message == "@misc needs author or key."
    after, _, _ = verdict_fixtures.after(fixture, finding).partition("@proceedings")
    assert "author" in after and "year" not in after
    assert not verdict_fixtures.check(CHECK, f"{child}{parent}, author = {{C. Gallicchio}}}}\n", verdicts)


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict("unchecked"),
        Verdict("conflict", record=RECORD),
        Verdict("verified", record=replace(RECORD, title="Slow and Shallow Graphs")),
    ],
)
def test_nothing_is_completed_from_another_work(verdict):
    text = THIN.replace("      ^^^^^^^^ missing-field\n", "")
    assert not verdict_fixtures.check(CHECK, text, {"fastdeep": verdict})
