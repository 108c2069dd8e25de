from dataclasses import replace

import pytest

from citelsp.base.text import apply
from citelsp.checks.duplicate_entry import CHECK
from citelsp.knowledge import Knowledge
from finding_fixtures import check, fixed
from fixture_projects import project_of


def test_one_key_twice():
    fixture = """
        %% r.bib
        @misc{a, title = {A}}
        @misc{b, title = {B}}
        @misc{a,
              ^ duplicate-entry
          title = {A}
        }
        @misc{b, title = {C}}
              ^ duplicate-entry
    """
    first, second = check(CHECK, fixture)
    assert (first.severity, first.related[0].span.start) == ("error", 6)
    assert fixed(fixture, first, "Remove this copy").count("@misc{a") == 1
    assert second.fixes == ()


@pytest.mark.parametrize(
    ("declared", "mark"),
    [
        (r"\bibliography{r}", "      ^^^^^^^^^ duplicate-entry\n"),
        (r"\addbibresource{r.bib}", ""),
        ("", ""),
    ],
)
def test_keys_that_are_one_to_bibtex(declared, mark):
    entries = (
        f"@misc{{Smith2010, title = {{A}}}}\n@misc{{smith2010, title = {{B}}}}\n{mark}@misc{{Émile}}\n@misc{{émile}}\n"
    )
    for finding in check(CHECK, f"%% r.bib\n{entries}%% main.tex\n\\documentclass{{x}} {declared}\n"):
        assert finding.message == "Another entry already has the key “Smith2010”: BibTeX ignores letter case."


def test_one_key_in_two_files():
    check(
        CHECK,
        """
        %% r.bib
        @misc{a, title = {A}}
        %% s.bib
        @misc{a, title = {A}}
              ^ duplicate-entry
    """,
    )


@pytest.mark.parametrize(
    ("title", "message", "severity"),
    [
        ("A", "Another entry already has the key “a”.", "information"),
        ("B", "Another entry already has the key “a”: pandoc takes the last.", "warning"),
    ],
)
def test_pandoc_takes_the_last_of_one_key(title, message, severity):
    files = {
        "r.bib": "@misc{a, title = {A}}",
        "s.bib": f"@misc{{a, title = {{{title}}}}}",
        "main.md": "---\nbibliography: [r.bib, s.bib]\n---\n@a\n",
    }
    [finding] = CHECK.run(project_of(files), Knowledge())
    assert (finding.message, finding.severity) == (message, severity)


def test_one_key_in_two_files_of_which_each_manuscript_reads_one():
    long, short, library = "@misc{a, title = {A}}\n", "@misc{a, title = {B}}\n", "@misc{c, crossref = {a}}\n"
    together = project_of({"library.bib": library, "long.bib": long, "short.bib": short})
    apart = replace(together, lists=(frozenset(("library.bib", "long.bib")), frozenset(("library.bib", "short.bib"))))
    assert len(CHECK.run(together, Knowledge())) == 1
    assert CHECK.run(apart, Knowledge()) == []


def test_one_work_under_two_keys():
    found = check(
        CHECK,
        """
        %% r.bib
        @misc{a, title = {A}, doi = {10.1000/X}}
        @misc{b, title = {A}, doi = {https://doi.org/10.1000/x}}
              ^ duplicate-entry
        @misc{c, author = {Ashish Vaswani}, title = {{Attention} is all you need now}, year = 2017}
        @misc{d, author = {Vaswani, A.}, title = "Attention Is All You Need Now", date = {2018-01}}
              ^ duplicate-entry
        @misc{e, title = {Some title}, eprint = {1706.03762}, archiveprefix = {arXiv}}
        @misc{f, journal = {arXiv preprint arXiv:1706.03762}}
              ^ duplicate-entry
    """,
    )
    assert {it.severity for it in found} == {"information"}
    assert found[1].message == "“c” is the same work: title and authors agree."


@pytest.mark.parametrize(
    ("years", "agreeing"),
    [
        (("year = 2000", "year = 2000"), "title, authors and year agree"),
        (("year = 2000", "year = 2001"), "title and authors agree"),
        (("year = 2000", "note = {N}"), "title and authors agree"),
        (("note = {M}", "note = {N}"), "title and authors agree"),
    ],
)
def test_only_years_that_are_equal_are_said_to_agree(years, agreeing):
    one, other = (f"author = {{A. B}}, title = {{A title that is long enough}}, {year}" for year in years)
    [finding] = check(CHECK, f"%% r.bib\n@misc{{a, {one}}}\n@misc{{b, {other}}}\n      ^ duplicate-entry\n")
    assert finding.message == f"“a” is the same work: {agreeing}."


def test_a_preprint_and_its_publication_are_one_work():
    check(
        CHECK,
        """
        %% r.bib
        @article{a, author = {A. B and C. D}, title = {A title that is long enough}, journal = {CoRR},
          volume = {abs/1706.03762}, year = 2017}
        @phdthesis{b, author = {B, A. and others}, title = {A title that is long enough}, year = 2017}
                   ^ duplicate-entry
        @inproceedings{c, author = {C. D and Axel B}, title = {A title that is long enough}, volume = 30, year = 2017}
                       ^ duplicate-entry
    """,
    )


@pytest.mark.parametrize(
    ("doi", "mark"), [("10.48550/arXiv.1706.03762", "               ^ duplicate-entry\n"), ("10.1000/other", "")]
)
def test_a_publication_and_its_preprint_have_each_a_doi_and_two_publications_too(doi, mark):
    fields = "author = {A. B}, title = {A title that is long enough}, year = 2017, doi = "
    check(CHECK, f"%% r.bib\n@article{{a, {fields}{{{doi}}}}}\n@inproceedings{{b, {fields}{{10.1000/paper}}}}\n{mark}")


def test_one_doi_under_a_title_with_and_without_its_subtitle():
    check(
        CHECK,
        """
        %% r.bib
        @article{a, title = {A title that is long enough}, doi = {10.1000/a}}
        @article{b, title = {A title that is long enough: with a subtitle}, doi = {10.1000/a}}
                 ^ duplicate-entry
        @article{c, title = {Another title, of what is printed beside it}, doi = {10.1000/a}}
    """,
    )


def test_the_same_pages_outweigh_two_types():
    check(
        CHECK,
        """
        %% r.bib
        @article{a, author = {A. B}, title = {A title that is long enough}, pages = {3--15}, year = 1990}
        @incollection{b, author = {A. B}, title = {A title that is long enough}, pages = {3-15}, year = 1990}
                      ^ duplicate-entry
    """,
    )


def test_publications_that_differ():
    check(
        CHECK,
        """
        %% r.bib
        @book{a1, editor = {A. B}, title = {The collected letters of them}, volume = 1, year = 2000}
        @book{a2, editor = {A. B}, title = {The collected letters of them}, volume = 2, year = 2000}
        @phdthesis{b1, author = {A. B}, title = {A title that is long enough}, school = {S}, year = 2000}
        @inproceedings{b2, author = {A. B}, title = {A title that is long enough}, year = 2001}
        @incollection{c1, author = {A. B and C. D}, title = {Introduction to the methods}, year = 1998}
        @article{c2, author = {A. B and C. D}, title = {Introduction to the methods}, volume = 37, year = 1999}
        @techreport{d1, author = {A. B}, title = {Assigned numbers, a report}, number = 7, year = 1990}
        @techreport{d2, author = {A. B}, title = {Assigned numbers, a report}, number = 8, year = 1990}
        @article{f1, author = {A. B}, title = {Official announcements of us}, volume = 4, pages = {3--3}, year = 1983}
        @article{f2, author = {A. B}, title = {Official announcements of us}, volume = 5, pages = {3--3}, year = 1984}
        @article{g1, author = {A. B}, title = {Editorial}, volume = 3, number = 1, pages = {5--6}, year = 2011}
        @article{g2, author = {A. B}, title = {Editorial}, volume = 3, number = 4, pages = {5--6}, year = 2011}
        @misc{e1, author = {A. B}, title = {Another title that is long enough}, year = 2000}
        @misc{e2, author = {A. B and C. D}, title = {Another title that is long enough}, year = 2000}
    """,
    )


def test_a_short_title_names_a_work_within_one_volume():
    found = check(
        CHECK,
        """
        %% r.bib
        @article{a, author = {A. B and C. D}, title = {Short Words}, volume = 3, year = 2005}
        @article{b, author = {B, A. and D, C.}, title = {Short words}, volume = 3, pages = {1--9}, year = 2005}
                 ^ duplicate-entry
        @article{c, author = {A. B and C. D}, title = {Short words}, volume = 9, year = 2005}
        @article{d, author = {E. F}, title = {Editorial}, volume = 3, pages = 1, year = 2005}
        @article{e, author = {E. F}, title = {Editorial}, volume = 3, pages = 91, year = 2005}
    """,
    )
    assert found[0].message == "“a” is the same work: title, authors, year and volume agree."


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("  @misc{a, t = 1}\n\n  @misc{a, t = 1}\n\n  @misc{b}\n", "  @misc{a, t = 1}\n\n  @misc{b}\n"),
        ("@misc{a, t = 1},\r\n\t@misc{a, t = 1},\r\n@misc{b}\r\n", "@misc{a, t = 1},\r\n@misc{b}\r\n"),
        ("@misc{a, t = 1} @misc{a, t = 1}\n@misc{b}\n", "@misc{a, t = 1}\n@misc{b}\n"),
        ("@misc{a, t = 1} @misc{a, t = 1} @misc{b}\n", "@misc{a, t = 1}  @misc{b}\n"),
        ("@misc{a, t = 1}\n @misc{a, t = 1}", "@misc{a, t = 1}\n"),
    ],
)
def test_a_copy_goes_with_its_line(text, after):
    [finding] = CHECK.run(project_of({"r.bib": text}), Knowledge())
    assert apply(text, finding.fixes[0].edits) == after


def test_works_that_differ():
    check(
        CHECK,
        """
        %% r.bib
        @misc{a, author = {A. B}, title = {A title that is long enough}, year = 2000}
        @misc{b, author = {C. D}, title = {A title that is long enough}, year = 2000}
        @misc{c, author = {A. B}, title = {A title that is long enough}, year = 2009}
        @inbook{d, title = {One chapter of the whole book}, doi = {10.1000/x}}
        @inbook{e, title = {Quite another chapter of it}, doi = {10.1000/x}}
        @misc{f, author = {A. B}, title = {Introduction}, year = 2000}
        @misc{g, author = {A. B}, title = {Introduction}, year = 2000}
    """,
    )


PLACE = "title = {Optical sectioning deep inside live embryos}, year = 2004, volume = 305, number = 5686"


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (f"author = {{Huisken, Jan}}, {PLACE}", f"author = {{Huisken, J. and Swoger, J.}}, {PLACE}", 1),
        (f"author = {{Huisken, Jan}}, {PLACE}", f"author = {{Swoger, J. and Huisken, J.}}, {PLACE}", 0),
        (f"author = {{Roe, Ann}}, {PLACE}, pages = 3", f"author = {{Roe, A. and Poe, B.}}, {PLACE}, pages = 5", 0),
    ],
)
def test_a_list_of_authors_that_was_cut(one, other, found):
    text = f"@article{{a, {one}}}\n@article{{b, {other}}}\n"
    assert len(CHECK.run(project_of({"r.bib": text}), Knowledge())) == found


@pytest.mark.parametrize(
    "text",
    [
        "@misc{a, t = 1}\n@misc{a, t = 1 % as in print\n}\n",
        "@misc{a, t = 1, note = 3}\n@misc{a, t = 1, note = 2, note = 3}\n",
        "@misc{a, t = 1}\n@misc{child, crossref = {A}}\n@misc{a, t = 1}\n",
        "@misc{open, t = 1,\n\n@misc{a, t = 1}\n\n@misc{a, t = 1}\n",
        "@string{open = {x}\n\n@misc{a, t = 1}\n\n@misc{a, t = 1}\n",
    ],
    ids=["a comment", "a field more", "a parent behind its child", "an entry never closed", "a macro never closed"],
)
def test_a_copy_stays_if_something_is_lost_with_it(text):
    """BibTeX and biber skip what stands behind an entry that is never closed: they read the copy alone.

    BibTeX reads a parent that is not cited only behind its child.
    """
    [finding] = CHECK.run(project_of({"r.bib": text}), Knowledge())
    assert finding.fixes == ()


def test_a_copy_behind_a_comment_that_silences_is_removed():
    text = "% citelsp: ignore[missing-field]\n@misc{a, t = 1}\n@misc{a, t = 1}\n"
    [finding] = CHECK.run(project_of({"r.bib": text}), Knowledge())
    assert apply(text, finding.fixes[0].edits) == "% citelsp: ignore[missing-field]\n@misc{a, t = 1}\n"


def test_a_copy_in_another_file_stays_as_a_manuscript_may_read_it_alone():
    files = {"r.bib": "@misc{a, t = 1}\n", "s.bib": "@misc{a, t = 1}\n"}
    [finding] = CHECK.run(project_of(files), Knowledge())
    assert finding.fixes == ()


ITEM = "  type: book\n  title: T\n"


def test_one_key_twice_in_a_bib_of_typst():
    fixture = '%% m.typ\n@a #bibliography("r.bib")\n%% r.bib\n@misc{a}\n@misc{b}\n@misc{b}\n      ^ duplicate-entry\n'
    [finding] = check(CHECK, fixture)
    assert finding.message == "Another entry already has the key “b”: Typst refuses the whole bibliography."


def test_one_key_twice_in_yaml_of_typst():
    main = '%% main.typ\n@a #bibliography(("r.yml", "s.bib"))\n'
    library = f"%% r.yml\na:\n{ITEM}b:\n{ITEM}a:\n^ duplicate-entry\n{ITEM}"
    second = "%% s.bib\n@book{b, title = {T}}\n      ^ duplicate-entry\n"
    [within, between] = check(CHECK, main + library + second)
    assert within.message == "Another entry already has the key “a”: Typst refuses the whole bibliography."
    assert (between.severity, between.related[0].path.endswith("r.yml")) == ("error", True)


def test_one_key_twice_in_items_that_pandoc_reads():
    main = "%% main.md\n---\nbibliography: r.json\n---\n@a\n"
    items = '[{"id": "a", "title": "A"}, {"id": "", "title": "B"}, {"id": "", "title": "C"}, {"id": "a", "title": "D"}]'
    caret = " " * (items.rindex('"a"') + 1) + "^"
    [finding] = check(CHECK, f"{main}%% r.json\n{items}\n{caret} duplicate-entry\n")
    assert finding.message == "Another entry already has the key “a”: pandoc takes the last."
    assert finding.severity == "warning"
