"""A list of references becomes a .bib of what was verified."""

from dataclasses import replace

import pytest

from citelsp.base.text import Document, Span
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.features import turn_into_entries
from citelsp.features.values import Refused
from citelsp.knowledge import Knowledge, Traced, Verdict
from citelsp.syntax.bibtex import parsing
from citelsp.workspace.roots import NOWHERE
from fixture_projects import world

BBL = r"""%% main.bbl
\begin{thebibliography}{9}
\bibitem{kn|uth84} Donald~E. Knuth. \newblock Literate programming. \newblock {\em The Computer Journal}, 27(2), 1984.
\bibitem{nobody} A. Nobody. \newblock Never written at all. 2001.
\end{thebibliography}
"""
TEX = BBL.replace("main.bbl", "main.tex")
MARKDOWN = """%% notes.md
# Notes

## References

- [kn|uth84] Knuth, D. (1984). Literate programming. The Computer Journal, 27(2), 97–111.
- [nobody] Nobody, A. (2001). Never written at all. Journal of Nothing, 1.
"""
BIBER = r"""%% main.bbl
\entry{kn|uth84}{article}{}
  \name{author}{1}{}{{{}{family={Knuth}, given={Donald}}}}
  \field{title}{Literate programming}
  \field{year}{1984}
\endentry
\entry{nobody}{article}{}
  \field{title}{Never written at all}
\endentry
"""
KNUTH = Record(
    "crossref",
    "10.1093/comjnl/27.2.97",
    "Literate Programming",
    (Name("Knuth", "Donald E."),),
    years=(1984,),
    venue="The Computer Journal",
    identifiers=Identifiers(doi="10.1093/comjnl/27.2.97"),
    origins={"title": ("crossref", "openalex")},
)
VERIFIED = Verdict("verified", record=KNUTH, date="2026-11-26")


def judged(it, *verdicts):
    """What is known if the references have these verdicts, in their order; None: not looked up."""
    contents = [content for _, content in it.project.contents]
    return Knowledge(verdicts={of: verdict for of, verdict in zip(contents, verdicts, strict=False) if verdict})


def turned(fixture, *verdicts):
    it = world(fixture)
    path, _ = it.cursor
    return turn_into_entries.entries_of(it.project, judged(it, *verdicts), path)


@pytest.mark.parametrize("fixture", [BBL, TEX, BIBER], ids=["compiled", "in the manuscript", "biber"])
def test_verified_works_keep_their_keys_and_say_how_they_were_found(fixture):
    found = turned(fixture, VERIFIED, Verdict("not-found"))
    name = "main.tex" if fixture is TEX else "main.bbl"
    assert found.text.startswith(
        f"% 1 verified entry of {name}, as on record.\n"
        "% 1 of its references was not verified and is left out.\n"
        "\n"
        "% Found by title and authors: Crossref and OpenAlex (checked 2026-11-26)\n"
    )
    assert "@article{knuth84,\n" in found.text
    assert "10.1093/comjnl/27.2.97" in found.text
    assert "nobody" not in found.text
    assert (found.written, found.unverified) == (1, ("nobody",))


def test_a_list_in_markdown():
    it = world(MARKDOWN)
    found = turned(MARKDOWN, VERIFIED)
    keys = [place.node.key for place in it.project.entries()]
    assert f"@article{{{keys[0]},\n" in found.text
    assert (found.written, found.unverified) == (1, tuple(keys[1:]))


def test_an_identifier_that_led_there_is_said():
    traced = Traced("doi", "10.1093/comjnl/27.2.97", "here", "crossref", KNUTH)
    found = turned(BBL, replace(VERIFIED, record=replace(KNUTH, origins={}), traced=(traced,)))
    assert "% Found by its DOI: Crossref (checked 2026-11-26)\n@article" in found.text


def test_another_version_is_said():
    later = replace(KNUTH, years=(1992,), venue="Stanford Lecture Notes")
    assert "another version of it" in turned(BBL, replace(VERIFIED, record=later)).text
    assert "another version of it" not in turned(BBL, VERIFIED).text


@pytest.mark.parametrize("kind", ["mismatch", "conflict", "not-found", "unconfirmed", "retracted", "unchecked"])
def test_nothing_else_is_written(kind):
    found = turned(BBL, Verdict(kind, record=KNUTH))
    assert (found.text, found.written, found.unverified) == ("", 0, ("knuth84", "nobody"))


def test_what_cannot_be_a_key_is_left_out():
    unfit = BBL.replace("{kn|uth84}", "{kn|uth, 84}")
    found = turned(unfit, VERIFIED)
    assert (found.text, found.unverified, found.unwritable) == ("", ("nobody",), ("knuth, 84",))
    assert change(unfit) == Refused("A .bib cannot hold the key “knuth, 84”: change it first.")
    found = turned(unfit, VERIFIED, VERIFIED)
    assert (found.written, found.unverified, found.unwritable) == (1, (), ("knuth, 84",))
    assert "% 1 of its references was verified, but has a key that no .bib can hold, and is left out.\n" in found.text
    assert "not verified" not in found.text


def test_what_is_written_is_read_as_it_was_meant():
    hostile = replace(KNUTH, title="Literate } @book{x, title = {Programming")
    text = turned(BBL.replace("main.bbl", "a@b.bbl"), replace(VERIFIED, record=hostile)).text
    entries = parsing.parse(Document("new.bib", text, "bibtex")).entries
    assert [entries.node(at).key for at in range(len(entries))] == ["knuth84"]
    plain = turned(BBL.replace("main.bbl", "a@b.bbl"), VERIFIED).text
    assert "a_b.bbl" in plain
    assert plain.count("@") == 1


def change(fixture, taken=(), verdict=VERIFIED):
    it = world(fixture)
    return turn_into_entries.change_for(it.project, judged(it, verdict), it.cursor[0], taken.__contains__)


def test_a_new_file_beside_it_and_never_one_that_is_there():
    assert [(it.path, it.text) for it in change(BBL).files] == [("main-verified.bib", turned(BBL, VERIFIED).text)]
    assert not change(BBL).edits
    assert [it.path for it in change(BBL, ("main-verified.bib",)).files] == ["main-verified-2.bib"]
    it = world(BBL)
    every = turn_into_entries.change_for(it.project, judged(it, VERIFIED), "main.bbl", lambda _: True)
    assert every == Refused("All names for a new .bib are taken: rename or remove one.")


def test_what_has_no_place_or_no_verified_work_makes_no_file():
    why = "No reference of this list is verified yet. Choose “Check references now” first."
    assert change(BBL, verdict=None) == Refused(why)
    assert isinstance(change(TEX.replace("main.tex", f"{NOWHERE}/main.tex")), Refused)


@pytest.mark.parametrize("fixture", [BBL, TEX, BIBER, MARKDOWN])
def test_it_is_offered_in_a_list(fixture):
    it = world(fixture)
    path, offset = it.cursor
    knowledge = judged(it, VERIFIED)
    assert turn_into_entries.count_verified(it.project, knowledge, path, Span(offset, offset)) == (1, 2)


def test_it_is_not_offered_in_prose_or_in_a_bibliography():
    it = world(MARKDOWN)
    assert turn_into_entries.count_verified(it.project, judged(it, VERIFIED), "notes.md", Span(3, 3)) is None
    it = world("%% refs.bib\n@book{a|, title = {T}}\n")
    assert turn_into_entries.count_verified(it.project, judged(it, VERIFIED), "refs.bib", Span(8, 8)) is None
