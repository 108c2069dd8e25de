"""A manuscript that came with the compiled list instead of its bibliography, as from arXiv."""

import pytest

import marks
from citelsp import checks
from citelsp.bibliography.as_recorded import as_recorded
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.bibliography.record import Record
from citelsp.checks import undefined_citation, unused_entry
from citelsp.features import complete_keys, definition, hover
from citelsp.knowledge import Knowledge
from citelsp.verification.excuses import fitness

LIST = r"""
        %% main.bbl
        \begin{thebibliography}{9}
        \bibitem[{Knuth(1984)}]{knuth84}
        Donald~E. Knuth.
        \newblock Literate programming.
        \newblock {\em The Computer Journal}, 27(2):97--111, 1984.
        \end{thebibliography}
"""
PAPER = r"""
        %% main.tex
        \documentclass{article}
        As shown by \cite{knuth84, turing}.
        \bibliography{refs}
"""


def project(fixture, path="main.tex"):
    return marks.project(marks.parse(fixture), path)


def messages(check, found):
    return [it.message for it in check.CHECK.run(found, Knowledge())]


def test_its_keys_are_the_manuscripts():
    found = project(PAPER + LIST)
    assert messages(undefined_citation, found) == ["No entry has the key “turing”."]
    assert [it.source.document.path for it in found.find("knuth84")] == ["main.bbl"]
    assert not found.unresolved


@pytest.mark.parametrize("typed", ["knu", "literate", "donald"])
def test_they_are_completed(typed):
    found = project(PAPER.replace("knuth84, turing", typed) + LIST)
    offset = found.sources["main.tex"].document.text.index(typed) + len(typed)
    assert [it.key for it in complete_keys.complete(found, Libraries(), "main.tex", offset).items] == ["knuth84"]


def test_they_are_explained_and_gone_to():
    found = project(PAPER + LIST)
    text = found.sources["main.tex"].document.text
    at = text.index("knuth84")
    shown = hover.find(found, Knowledge(), "main.tex", at)
    assert [it.text for it in shown.blocks][:2] == [
        "Literate programming",
        "Donald E. Knuth (1984). The Computer Journal, 27(2), 97–111.",
    ]
    assert [it.path for it in definition.find(found, "main.tex", at).targets] == ["main.bbl"]


def test_it_is_said_that_it_was_read():
    [note] = checks.notes(project(PAPER + LIST))
    assert (note.path, note.text) == ("main.bbl", "read in the place of refs, which could not be read")


def test_beside_another_bibliography_a_missing_one_is_misspelt():
    found = project(PAPER + LIST + "        %% ref.bib\n        @book{turing, title = {On Numbers}}\n")
    assert [it.why for it in found.unresolved] == ["missing"]
    assert found.defines("knuth84")


def test_a_build_file_that_names_it_leaves_the_keys_open():
    found = project(PAPER + LIST + "        %% Makefile\n        main.pdf: refs.bib\n")
    assert messages(undefined_citation, found) == []
    assert found.defines("knuth84")


def test_without_entries_it_explains_nothing():
    found = project(PAPER + "        %% main.bbl\n        \\begin{thebibliography}{9}\n")
    assert [it.why for it in found.unresolved] == ["elsewhere"]


def test_a_bibliography_that_is_there_is_read_instead():
    found = project(PAPER + LIST + "        %% refs.bib\n        @book{turing, title = {On Numbers}}\n")
    assert found.bibliographies == ("refs.bib",)


def test_an_included_list_is_a_bibliography():
    found = project(PAPER.replace(r"\bibliography{refs}", r"\input{main.bbl}") + LIST)
    assert found.bibliographies == ("main.bbl",)
    assert messages(undefined_citation, found) == ["No entry has the key “turing”."]


def test_it_is_never_written():
    found = project(PAPER.replace("knuth84, ", "") + LIST)
    assert not found.sources["main.bbl"].writable
    [finding] = checks.run(found, Knowledge(), codes=[unused_entry.CODE])
    assert (finding.key, finding.fixes) == ("knuth84", ())


def printed(text):
    fixture = "%% main.bbl\n\\begin{thebibliography}{9}\n\\bibitem{k} " + text + "\n\\end{thebibliography}\n"
    return next(project(fixture, "main.bbl").entries()).entry


def test_a_record_shows_where_a_title_ends():
    cut = printed("Byron, A. (1843). On engines. A second sentence. Journal of Notes, 3(1), 2--9.")
    assert cut.title == "On engines"
    record = Record("crossref", "1", "On engines. A second sentence", venue="Journal of Notes")
    assert as_recorded(cut, record).title == record.title


def test_a_record_shows_where_the_people_end():
    text = "Y. Mensah, E. Vriend, den Born BH van, Trends of engines (a study), Journal of Notes (2026)."
    record = Record("crossref", "1", "Trends of engines (a study)", venue="Journal of Notes")
    cut = as_recorded(printed(text), record)
    assert (cut.title, cut.authors_truncated) == (record.title, True)


def test_a_title_that_goes_on_is_another():
    other = printed(r"A. Byron. \newblock On engines: a history. \newblock {\em Notes}, 3(1):2--9, 1843.")
    assert as_recorded(other, Record("crossref", "1", "On engines")).title == "On engines: a history"


def test_nobody_lacks_a_title_that_was_not_read_for_certain():
    doubtful = printed("Byron, A. (1843). On engines for all. And for nobody else. Something that may be a house")
    assert fitness.find_abstention(doubtful).reason == "where its title begins and ends could not be read for certain"
