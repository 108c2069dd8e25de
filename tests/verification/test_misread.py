"""References as they are read from pages: what got lost on the way accuses nobody, and what is wrong is still said."""

from dataclasses import replace

import pytest

from citelsp.base.text import Document
from citelsp.bibliography.as_recorded import as_recorded
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.knowledge import Absent
from citelsp.syntax import parse
from citelsp.verification import decide
from citelsp.verification.question import Question
from written_references import ALL, answers, by, found

PEOPLE = (Name("Byron", "Ada"), Name("Knuth", "Donald E."))
CHAPTER = Record(
    "crossref",
    "10.1007/978-3-319-10214-6_1",
    "Entangled engines and their makers",
    PEOPLE,
    years=(2014,),
    venue="Engines of Tomorrow",
    type="chapter",
    identifiers=Identifiers(doi="10.1007/978-3-319-10214-6_1"),
)
LETTER = Record(
    "crossref",
    "10.1098/rsta.2011.0269",
    "Models of very small engines",
    PEOPLE,
    years=(2012,),
    venue="Philosophical Transactions of the Royal Society A: Mathematical, Physical and Engineering Sciences",
    volume="370",
    pages="2765-2777",
    type="article-journal",
    identifiers=Identifiers(doi="10.1098/rsta.2011.0269"),
)


def on_a_page(reference):
    """The reference of a list in plain text, as a PDF gives it."""
    return Entry(parse(Document("x.txt", f"References\n\n[1] {reference}\n", "references")).entries.node(0))


def in_bbl(reference):
    listed = rf"\begin{{thebibliography}}{{1}} \bibitem{{a}} {reference} \end{{thebibliography}}"
    return Entry(parse(Document("x.bbl", listed, "bbl")).entries.node(0))


def judged(entry, *said):
    return decide.verdict(entry, answers(entry, *said), ALL)


def unregistered(doi):
    return (Question("crossref", "doi", doi), Absent("crossref")), (Question("doi", "exists", doi), Absent("doi"))


PRINTED = "A. Byron and D. E. Knuth, “Entangled engines and their makers,” in Engines of Tomorrow, 2014. doi: {}"


@pytest.mark.parametrize(
    "read", ["10.1007/978-3-319-10214-6", "10.1007/978-3-319-102146", "10.1007/978-3-319-10214-61"]
)
def test_a_doi_that_lost_signs_on_the_page_is_not_unregistered(read):
    verdict = judged(on_a_page(PRINTED.format(read)), by("crossref", CHAPTER), *unregistered(read))
    assert (verdict.kind, verdict.traced) == ("verified", ())
    assert ("lost_signs_in_print", "excuses") in [(it.rule, it.effect) for it in verdict.rules]


def test_an_arxiv_id_that_lost_its_hyphen_on_the_page_exists():
    reference = PRINTED.format("").replace(" doi:", " arXiv:quantph/0406168.")
    known = by("semantic_scholar", replace(CHAPTER, identifiers=Identifiers(arxiv="quant-ph/0406168")))
    absent = Question("arxiv", "arxiv", "quantph/0406168"), Absent("arxiv")
    assert judged(on_a_page(reference), known, absent).kind == "verified"
    assert judged(in_bbl(reference), known, absent).kind == "conflict"


def test_a_doi_that_is_another_one_is_unregistered_on_a_page_too():
    read = "10.1007/978-3-319-10215-6"
    assert judged(on_a_page(PRINTED.format(read)), by("crossref", CHAPTER), *unregistered(read)).kind == "conflict"


def test_a_doi_that_an_author_wrote_loses_nothing():
    read = "10.1007/978-3-319-10214-6"
    assert judged(in_bbl(PRINTED.format(read)), by("crossref", CHAPTER), *unregistered(read)).kind == "conflict"


def test_a_doi_of_which_nobody_has_the_work_is_unregistered():
    read = "10.1007/978-3-319-10214-6"
    assert judged(on_a_page(PRINTED.format(read)), *unregistered(read)).kind == "conflict"


def test_the_journal_is_no_title():
    doi = LETTER.identifiers.doi
    letter = replace(LETTER, venue="Rendiconti A: Looms, Notes and Engines")
    entry = on_a_page(f"Byron, A., & Knuth, D. E. 2012, {letter.venue}, 370, 2765, doi: {doi}")
    verdict = judged(entry, found("crossref", "doi", doi, letter))
    assert verdict.kind == "verified"
    assert verdict.reason.startswith("no title was read for certain; its identifier leads to")
    others = replace(letter, authors=(Name("Roe", "Vera"),))
    assert judged(entry, found("crossref", "doi", doi, others)).kind == "conflict"


def test_nobody_is_accused_by_a_title_that_was_misread_and_names_nobody():
    doi = LETTER.identifiers.doi
    entry = on_a_page(f"—. 2012, Phil. Trans., 370, 2765, doi: {doi}")
    assert judged(entry, found("crossref", "doi", doi, LETTER)).kind == "unchecked"


def test_words_before_the_title_are_people():
    doi = LETTER.identifiers.doi
    people = "Byron, Ada, Donald Ervin Knuth, Vera Roe andothers"
    place = "inPhilosophical Transactions: 370, pages 2765–2777"
    letter = replace(LETTER, authors=(*PEOPLE, Name("Roe", "Vera")))
    entry = on_a_page(f"{people} (2012). ?{LETTER.title}? {place}. DOI: {doi}")
    verdict = judged(entry, found("crossref", "doi", doi, letter))
    assert (verdict.kind, verdict.differences) == ("verified", ())


@pytest.mark.parametrize(("field", "recorded", "misread"), [("volume", "SMC-3", "6"), ("pages", "2765-2777", "20--22")])
def test_a_volume_or_pages_that_stand_on_the_page_do_not_differ(field, recorded, misread):
    text = f"A. Byron, D. E. Knuth. Models of very small engines. Transactions, June 20-22, {recorded}, n. 6, 2012."
    entry = replace(on_a_page(text), stated=((field, misread),))
    read_anew = as_recorded(entry, replace(LETTER, **{field: recorded}))
    assert read_anew.value(field).replace("--", "-") == recorded
    of_another_place = replace(LETTER, volume="SMC-4", pages="1-2")
    assert as_recorded(entry, of_another_place).value(field) == misread


def test_a_venue_that_lost_all_letters_replaces_none():
    entry = on_a_page("D. Knuth, “Models of very small engines,” Journal of Engines, vol. 3, 2012.")
    assert entry.text("journal") == "Journal of Engines"
    assert as_recorded(entry, replace(LETTER, venue="? ?")).text("journal") == "Journal of Engines"
