import marks
from citelsp.checks.missing_field import CHECK
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
        @misc{e}
        @unknown{f}
    """,
    )
    assert [it.message for it in found] == ["@article needs journal or journaltitle.", "@book needs year or date."]
    assert found[0].field == "journal"


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
        assert not CHECK.run(marks.project(marks.Marked(files), path), None)


def test_each_manuscript_asks_of_what_it_cites():
    files = {
        "r.bib": "@online{a, title = {T}, url = {u}}\n@online{b, title = {T}, url = {u}}\n",
        "paper.tex": r"\documentclass{article}\cite{a}\bibliographystyle{plain}\bibliography{r}",
        "thesis.tex": r"\documentclass{article}\cite{b}\usepackage{biblatex}\addbibresource{r.bib}",
    }
    found = CHECK.run(marks.project(marks.Marked(files), "r.bib"), None)
    assert {it.key for it in found} == {"b"}


def test_pandoc_needs_what_a_csl_style_prints():
    files = {
        "a.md": "---\nbibliography: r.bib\n---\n[@b; @r; @o]",
        "r.bib": ENTRY + "@report{r, title = {T}, institution = {I}, date = 2000}\n@online{o, title = {T}}\n",
    }
    assert [it.message for it in CHECK.run(marks.project(marks.Marked(files)), None)] == ["@inbook needs booktitle."]
