"""The verdict that given answers allow."""

from dataclasses import replace
from datetime import date

import pytest

from citelsp.base import docs
from citelsp.base.settings import SERVICES
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.verification.decide import verdict
from citelsp.verification.question import Question
from written_references import ALL, CVPR, ELSEWHERE, PAPER, PEOPLE, PREPRINT, answers, by, cited, found, nothing, silent

DOI = "10.1109/cvpr.2016.90"
BROAD = ("crossref", "semantic_scholar", "openalex")


def judged(entry, *said):
    found = verdict(entry, answers(entry, *said), ALL)
    return found.kind, found.reason


def differing(entry, *said):
    return [(it.field, it.recorded, it.detail) for it in verdict(entry, answers(entry, *said), ALL).differences]


def test_verified():
    assert judged(cited(), PAPER) == ("verified", "")


@pytest.mark.parametrize(
    ("changes", "field", "recorded"),
    [
        ({"title": "Deep Residual Training for Image Recognition"}, "title", PAPER.title),
        ({"year": "2013"}, "year", "2016"),
        ({"booktitle": "ICML"}, "venue", CVPR),
        ({"pages": "12--19"}, "pages", "770-778"),
        ({"publisher": "Elsevier"}, "publisher", "IEEE"),
    ],
)
def test_one_field_is_wrong(changes, field, recorded):
    entry = cited(**changes)
    assert differing(entry, PAPER, found("openalex", "doi", DOI, by("openalex"))) == [(field, recorded, "")]


@pytest.mark.parametrize(
    ("author", "detail"),
    [
        ("He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing", "left out: Jian Sun"),
        (
            "He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian and Curie, Marie",
            "not an author: Marie Curie",
        ),
        ("Zhang, Xiangyu and He, Kaiming and Ren, Shaoqing and Sun, Jian", "in another order"),
        (
            "He, Kaiming and Zhang, Xiangyu and Curie, Marie and Sun, Jian",
            "left out: Shaoqing Ren; not an author: Marie Curie",
        ),
    ],
)
def test_authors_are_told_apart(author, detail):
    assert [it[2] for it in differing(cited(author=author), PAPER, by("openalex"))] == [detail]


def test_one_source_on_the_side_of_the_entry_is_enough():
    assert judged(cited(year="2015"), PAPER, by("semantic_scholar", years=(2016, 2015))) == ("verified", "")


@pytest.mark.parametrize(("year", "fields"), [("2015", []), ("2017", []), ("2014", ["year"])])
def test_a_year_is_wrong_if_it_is_off_by_more_than_one_as_its_page_begins(year, fields):
    told = differing(cited(year=year), PAPER, found("openalex", "doi", DOI, by("openalex")))
    assert [field for field, *_ in told] == fields
    _, _, begins, *_ = docs.read(docs.finding_page("wrong-year")).split("\n")
    assert begins.startswith("The year is off by more than one")


def test_a_preprint_says_nothing_of_pages():
    entry = cited(booktitle="arXiv", year="2015", pages="1--12")
    assert judged(entry, replace(PREPRINT, pages="770-778")) == ("verified", "")


def test_a_venue_that_nobody_confirms():
    said = [by(it, PREPRINT) for it in ("arxiv", "openalex", "semantic_scholar")]
    entry = cited(year="2015", pages=None)
    assert differing(entry, *said, nothing("dblp", entry)) == [("venue", "arXiv", "")]
    assert (
        differing(entry, *said, silent("dblp", entry)) == differing(entry, *said) == []
    )  # who would know is not heard
    assert judged(entry, *said[:2]) == ("verified", "")  # arXiv never knows of a publication
    told = replace(PREPRINT, source="semantic_scholar", type="paper-conference", venue="")
    assert judged(entry, *said[:2], told) == ("verified", "")


def test_aggregators_give_publications_the_year_of_the_preprint():
    entry = cited(year="2017", booktitle="ICLR", pages=None)
    early = replace(PREPRINT, type="paper-conference", venue="ICLR")
    assert judged(entry, PREPRINT, by("openalex", early)) == ("verified", "")
    agreed = (by("openalex", early), by("semantic_scholar", early))
    assert judged(entry, PREPRINT, *agreed) == ("mismatch", "differs in year")
    assert judged(cited(year="2013", booktitle="ICLR", pages=None), *agreed)[0] == "mismatch"
    assert judged(cited(year="2014", booktitle="ICLR", pages=None), *agreed) == (
        "verified",
        "",
    )  # one year off is nothing


def test_a_registry_that_names_nobody_is_heard_under_the_doi_of_the_work():
    entry = cited(year="2026", booktitle="CVPR")
    nameless = found("crossref", "doi", "10.1109/cvpr.2016.90", by("crossref", authors=()))
    copies = by("openalex", venue="", pages=""), by("semantic_scholar", venue="", pages="")
    assert judged(entry, *copies, nameless) == ("mismatch", "differs in year")


def test_what_its_registry_contradicts_is_not_verified():
    otherwise = by("crossref", years=(2012,), venue="", pages="", identifiers=Identifiers(doi="10.1000/nets"))
    said = "differs from Crossref in year, which no other service confirms"
    assert judged(cited(), otherwise) == ("unchecked", said)
    assert judged(cited(), otherwise, by("dblp")) == ("verified", "")
    assert judged(cited(), replace(otherwise, identifiers=Identifiers())) == ("verified", "")


def test_a_short_list_is_whole_if_a_source_that_lists_everybody_has_it():
    entry = cited(author="He, Kaiming and Voss, Elena", pages=None)
    copies = [by(it, authors=PEOPLE[:1], pages="", identifiers=Identifiers()) for it in ("semantic_scholar", "dblp")]
    assert judged(entry, copies[0])[0] == "verified"
    assert judged(entry, *copies) == ("mismatch", "differs in authors")


def test_a_preprint_confirms_no_venue():
    icml = by("openalex", venue="ICML", pages="", identifiers=Identifiers())
    series = icml, replace(icml, source="semantic_scholar")
    assert judged(cited(pages=None), *series, PREPRINT) == ("unchecked", "no record agrees in venue")


def test_unknown_once_all_broad_sources_and_the_one_of_the_field_answered():
    entry = cited(title="On the Dreams of Convolutional Sheep in Winter")
    everybody = [nothing(it, entry) for it in (*BROAD, "dblp")]
    assert judged(entry, *everybody) == ("not-found", "no source that answered has a work of this title")
    for place, name in enumerate((*BROAD, "dblp")):
        said = [*everybody[:place], silent(name, entry), *everybody[place + 1 :]]
        assert judged(entry, *said) == ("unchecked", f"{SERVICES[name]}: 429 Too Many Requests")


def test_a_publication_that_only_the_silent_could_confirm_is_not_verified():
    entry = cited(eprint="1512.03385", archiveprefix="arXiv", pages=None)
    own = found("arxiv", "arxiv", "1512.03385", PREPRINT)
    assert judged(entry, own, nothing("openalex", entry))[0] == "verified"
    assert judged(entry, own, silent("openalex", entry)) == ("unchecked", "OpenAlex: 429 Too Many Requests")
    assert judged(entry, own, silent("openalex", entry), by("dblp")) == ("verified", "")
    assert judged(cited(booktitle=None, pages=None), own, silent("openalex", entry))[0] == "verified"


@pytest.mark.parametrize("off", BROAD)
def test_no_work_is_unknown_without_one_of_the_broad_indexes(off):
    entry = cited(title="On the Dreams of Convolutional Sheep in Winter")
    everybody = [nothing(it, entry) for it in ALL if it not in (off, "doi", "datacite", "openlibrary")]
    found = verdict(entry, answers(entry, *everybody), {*ALL} - {off})
    assert (found.kind, found.reason) == (
        "unchecked",
        f"cannot be reported as unknown while {SERVICES[off]} is disabled",
    )


def test_a_work_whose_identifier_exists_is_never_unknown():
    entry = cited(kind="misc", title="On the Dreams of Convolutional Sheep in Winter", doi="10.5281/zenodo.1")
    doi = [(Question("crossref", "doi", "10.5281/zenodo.1"), Absent("crossref"))]
    exists = (Question("doi", "exists", "10.5281/zenodo.1"), Found("doi", ()))
    said = [*(nothing(it, entry) for it in (*BROAD, "dblp")), *doi]
    assert judged(entry, *said, exists) == (
        "unchecked",
        "its identifier is registered, but no service says for what",
    )
    failed = (Question("datacite", "doi", "10.5281/zenodo.1"), Unavailable("datacite", "503"))
    assert judged(entry, *said, failed) == ("unchecked", "DataCite: 503")


def test_a_title_that_was_cut_off():
    entry = cited(title="Deep Residual", doi=DOI)
    said = found("crossref", "doi", DOI, PAPER)
    assert [it[0] for it in differing(entry, said)] == ["title"]
    assert judged(cited(title="Deep Residual", doi=DOI, author="Curie, Marie and Dirac, Paul"), said)[0] == "conflict"


def test_an_identifier_that_leads_elsewhere():
    entry = cited(doi="10.1000/birds")
    assert judged(entry, found("crossref", "doi", "10.1000/birds", ELSEWHERE)) == (
        "conflict",
        "the DOI leads to another work",
    )


def test_an_identifier_that_does_not_exist():
    entry = cited(doi="10.1000/none")
    said = [(Question("crossref", "doi", "10.1000/none"), Absent("crossref"))]
    assert judged(entry, *said, PAPER) == ("verified", "")
    said += [(Question("doi", "exists", "10.1000/none"), Absent("doi"))]
    assert judged(entry, *said, PAPER) == ("conflict", "the DOI does not exist")


def test_a_number_in_an_address_need_be_no_doi():
    entry = cited(url="https://publisher.example/articles/10.1000/none")
    said = [(Question("crossref", "doi", "10.1000/none"), Absent("crossref"))]
    said += [(Question("doi", "exists", "10.1000/none"), Absent("doi"))]
    assert entry.identifiers.doi == "10.1000/none"
    assert judged(entry, *said, PAPER) == ("verified", "")
    linked = cited(url="https://doi.org/10.1000/none")
    assert judged(linked, *said, PAPER)[0] == "conflict"


def test_the_doi_of_the_whole_volume():
    entry = cited(doi="10.1109/cvpr.2016")
    whole = replace(ELSEWHERE, title=CVPR, authors=(), identifiers=Identifiers(doi="10.1109/cvpr.2016"))
    assert judged(entry, found("crossref", "doi", "10.1109/cvpr.2016", whole), by("openalex"))[0] == "verified"
    chapter = cited(kind="incollection", booktitle="A Handbook of Vision", doi="10.1000/book", pages=None)
    book = replace(whole, title="A handbook of vision: theory and practice")
    assert judged(chapter, found("crossref", "doi", "10.1000/book", book))[0] == "unchecked"
    edition = replace(book, title="A handbook of the theory of vision")
    named = cited(kind="incollection", booktitle=f"{edition.title}, Second Edition", doi="10.1000/book", pages=None)
    assert judged(named, found("crossref", "doi", "10.1000/book", edition))[0] == "unchecked"


def test_libraries_call_books_otherwise():
    fields = {"title": "The Art of Computer Programming, Volume 1: Fundamental Algorithms", "booktitle": None}
    book = cited(kind="book", author="Knuth, Donald E.", isbn="0-201-89683-4", year="1997", pages=None, **fields)
    held = Record("openlibrary", "OL1M", "Fundamental algorithms", (Name("Knuth", "Donald Ervin"),), type="book")
    isbn = book.identifiers.isbn
    assert judged(book, found("openlibrary", "isbn", isbn, held))[0] == "unchecked"
    other = replace(held, title="The Art of Computer Programming, Volume 2: Fundamental Algorithms and more")
    assert judged(book, found("openlibrary", "isbn", isbn, other))[0] in ("unchecked", "verified")
    foreign = replace(held, authors=(Name("Curie", "Marie"),), title="Radioactive Substances")
    assert judged(book, found("openlibrary", "isbn", isbn, foreign))[0] == "conflict"


def test_a_retraction_comes_before_all_else():
    notice = Update("retraction", "crossref", "2020-01-01")
    entry = cited(doi=DOI, year="2014")
    assert judged(entry, found("crossref", "doi", DOI, replace(PAPER, updates=(notice,)))) == (
        "retracted",
        "retraction recorded by Crossref",
    )
    astray = found("crossref", "doi", "10.1000/birds", ELSEWHERE)
    assert judged(cited(doi="10.1000/birds"), astray, replace(PAPER, updates=(notice,)))[0] == "retracted"
    for kind in ("withdrawal", "removal"):
        told = replace(PAPER, updates=(Update("concern", "crossref"), Update(kind, "openalex")))
        assert judged(cited(), told) == ("retracted", f"{kind} recorded by OpenAlex")
    concern = replace(PAPER, updates=(Update("concern", "crossref"),))
    assert judged(cited(doi=DOI), found("crossref", "doi", DOI, concern)) == ("verified", "")


def test_nothing_depends_on_the_order_of_answers():
    entry = cited(year="2014", author="He, Kaiming and Curie, Marie")
    said = [
        PAPER,
        by("dblp", years=(2017,), identifiers=Identifiers()),
        by("openalex", authors=(Name("Curie"), *PEOPLE)),
    ]
    assert verdict(entry, answers(entry, *said), ALL) == verdict(entry, answers(entry, *reversed(said)), ALL)


def test_narrow_indexes_do_not_stand_for_a_broad_one():
    entry = cited(title="On the Dreams of Convolutional Sheep in Winter")
    said = [nothing(it, entry) for it in ("crossref", "openalex", "dblp", "arxiv")]
    assert judged(entry, *said, silent("semantic_scholar", entry))[0] == "unchecked"


def test_works_of_this_year_may_be_in_no_index_yet():
    entry = cited(title="On the Dreams of Convolutional Sheep in Winter")
    said = answers(entry, *(nothing(it, entry) for it in (*BROAD, "dblp")))
    assert verdict(entry, said, ALL, date(2016, 5, 1)).reason == "too new to be indexed for certain"
    assert verdict(entry, said, ALL, date(2017, 10, 1)).kind == "not-found"


def test_an_identifier_that_nobody_could_look_up():
    entry = cited(doi=DOI)
    failed = Unavailable("crossref", "503 Service Unavailable")
    said = [(Question("crossref", "doi", DOI), failed), by("openalex")]
    assert judged(entry, *said) == ("unchecked", "Crossref: 503 Service Unavailable")
    assert judged(entry, *said, found("datacite", "doi", DOI, by("datacite")))[0] == "verified"


def test_a_doi_of_which_the_registrar_could_not_be_asked():
    entry = cited(doi="10.1000/none")
    said = [(Question("crossref", "doi", "10.1000/none"), Absent("crossref")), PAPER]
    asked = Question("doi", "exists", "10.1000/none")
    assert judged(entry, *said, (asked, Unavailable("doi", "503"))) == ("unchecked", "doi.org: 503")
    assert judged(entry, *said, (asked, Absent("doi")))[0] == "conflict"
    elsewhere = (Question("datacite", "doi", "10.1000/none"), Unavailable("datacite", "503"))
    assert judged(entry, *said, (asked, Found("doi", ())), elsewhere) == ("unchecked", "DataCite: 503")


def test_a_short_title_may_be_that_of_other_people():
    entry = cited(title="Deep Residuals: Learning Representations for the Recognition of Images")
    others = replace(
        PAPER, title="Deep residuals", authors=(Name("Macan", "Juliet"),), years=(2007,), venue="", pages=""
    )
    assert judged(entry, others, by("openalex", others))[0] == "unchecked"
    assert differing(entry, others, by("openalex", others)) == []


def test_somebody_cited_twice():
    twice = cited(author="He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian and Sun, Jian")
    assert differing(twice, by("openalex"))[0][0] == "authors"
    stranger = cited(author="He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian and Curie, Marie")
    assert differing(stranger, by("openalex")) == differing(stranger, PAPER) == []
    told = found("crossref", "doi", DOI, PAPER)
    assert differing(cited(author=stranger.value("author"), doi=DOI), told)[0][0] == "authors"


ARTICLE = replace(
    PAPER, type="article-journal", venue="iScience", volume="14", pages="226-240", identifiers=Identifiers()
)


def test_an_article_whose_whole_place_is_another():
    there = {"booktitle": None, "journal": "Nature Communications", "volume": "10", "pages": "857--870"}
    fields = [it[0] for it in differing(cited(kind="article", **there), ARTICLE)]
    assert fields == ["venue", "volume", "pages"]
    assert differing(cited(kind="article", **there), by("openalex", ARTICLE)) == []
    assert differing(cited(kind="article", **there | {"volume": None}), ARTICLE) == []
    assert differing(cited(kind="article", **there | {"pages": None}), ARTICLE) == []
    house = differing(cited(kind="article", **there | {"pages": None, "publisher": "Elsevier"}), ARTICLE)
    assert [it[0] for it in house] == ["venue", "volume"]
    same_house = cited(kind="article", **there | {"pages": None, "publisher": "IEEE"})
    assert differing(same_house, ARTICLE) == []
    assert [it[0] for it in differing(cited(booktitle="AAAI", publisher="Elsevier"), PAPER)] == ["venue", "publisher"]
    assert differing(cited(booktitle="AAAI", volume="3"), replace(PAPER, volume="3")) == []


def test_an_earlier_version_that_could_not_be_heard():
    entry = cited(kind="misc", booktitle=None, pages=None, year="2015", eprint="1512.03385", archiveprefix="arXiv")
    renamed = replace(PREPRINT, id="1512.03385v2", authors=(*PEOPLE, Name("Curie", "Marie")))
    said = [found("arxiv", "arxiv", "1512.03385", renamed)]
    first = Question("arxiv", "arxiv", "1512.03385v1")
    assert differing(entry, *said)[0][0] == "authors"
    assert judged(entry, *said, (first, Unavailable("arxiv", "503 Service Unavailable")))[0] == "unchecked"
    assert judged(entry, *said, (first, Found("arxiv", (PREPRINT,))))[0] == "verified"


def test_the_preprint_alone_does_not_speak_for_the_publication():
    entry = cited(title="Deep Residual Nets for Recognition of Images", eprint="1512.03385", archiveprefix="arXiv")
    assert differing(entry, found("arxiv", "arxiv", "1512.03385", PREPRINT)) == []
    unpublished = cited(title=entry.title, eprint="1512.03385", archiveprefix="arXiv", booktitle=None, pages=None)
    assert differing(unpublished, found("arxiv", "arxiv", "1512.03385", PREPRINT))[0][0] == "title"


def test_a_year_before_the_preprint():
    entry = cited(year="2014", pages=None)
    assert [it[0] for it in differing(entry, PREPRINT, PAPER, by("openalex"))] == ["year"]
    later = by("crossref", years=(2018,), identifiers=Identifiers())
    assert differing(cited(pages=None), PREPRINT, later, by("dblp", later)) == []


def test_a_title_that_nobody_has_against_the_one_work_there_is():
    entry = cited(title="Deep Residual Training for Image Recognition", pages=None)
    said = [nothing("crossref", entry), nothing("semantic_scholar", entry)]
    assert differing(entry, by("openalex"), *said)[0][0] == "title"
    assert differing(entry, by("openalex"), said[0]) == []
    assert (
        differing(cited(title=entry.title, pages=None, year="2017", author="He, Kaiming"), by("openalex"), *said) == []
    )


def test_a_publication_may_have_another_title_than_its_preprint():
    entry = cited(title="Deep Residual Training for Image Recognition", eprint="1512.03385", archiveprefix="arXiv")
    told = replace(PREPRINT, venue=CVPR)
    said = [found("arxiv", "arxiv", "1512.03385", told), *(nothing(it, entry) for it in BROAD)]
    assert differing(entry, *said) == []


def test_what_goes_with_a_venue_that_nobody_confirms():
    entry = cited(year="2013", pages=None)
    said = [by(it, PREPRINT) for it in ("arxiv", "openalex", "semantic_scholar")]
    assert [it[0] for it in differing(entry, *said, nothing("dblp", entry))] == ["year", "venue"]


def test_every_difference_names_its_witnesses():
    entry = cited(booktitle="ICML", year="2017", pages=None)
    found = verdict(entry, answers(entry, PAPER, by("dblp"), by("openalex")), ALL).differences
    assert [it.field for it in found] == ["year", "venue"]
    assert all(it.sources == ("crossref", "dblp", "openalex") for it in found)


def test_a_doi_whose_record_lacks_the_subtitle_leads_here():
    entry = cited(title="GIAnT: Visualizing Group Interaction at Large Wall Displays", doi="10.1109/cvpr.2016.90")
    said = verdict(
        entry, answers(entry, found("crossref", "doi", "10.1109/cvpr.2016.90", by("crossref", title="GIAnT"))), ALL
    )
    assert said.kind == "verified"


def test_the_volume_of_a_preprint_is_its_identifier():
    entry = cited(
        "article", booktitle=None, journal="CoRR", volume="abs/1512.03385", year="2015", pages=None, eprint="1512.03385"
    )
    record = by(
        "semantic_scholar", venue="Advances in Neural Information Processing Systems", volume="32", years=(2015,)
    )
    said = verdict(entry, answers(entry, found("semantic_scholar", "arxiv", "1512.03385", record)), ALL)
    assert "volume" not in [it.field for it in said.differences]


@pytest.mark.parametrize(
    ("year", "kind"), [(2024, "unchecked"), (2027, "unchecked"), (2023, "mismatch"), (2028, "mismatch")]
)
def test_indexes_may_lack_recent_proceedings(year, kind):
    entry = cited(year=str(year), pages=None)
    known = [by(it, PREPRINT, years=(year - 1,)) for it in ("semantic_scholar", "openalex", "dblp")]
    assert verdict(entry, answers(entry, *known), ALL, today=date(2026, 11, 23)).kind == kind


def test_two_indexes_that_name_a_series_are_no_evidence_of_another_venue():
    entry = cited(booktitle="ECCV", pages=None)
    known = [by(it, identifiers=Identifiers()) for it in ("semantic_scholar", "openalex")]
    assert verdict(entry, answers(entry, *known), ALL).kind != "mismatch"
    assert differing(entry, *known, by("dblp"))[0][0] == "venue"


def test_a_paper_of_like_title_that_others_signed_too_is_not_the_thesis():
    title = "Knowledge Gradient Methods for Bayesian Optimization"
    entry = cited("phdthesis", title=title, author="Wu, Jian", school="Cornell University", booktitle=None, pages=None)
    paper = Record(
        "crossref", "x", "The Parallel Knowledge Gradient Method for Batch Bayesian Optimization",
        (Name("Wu", "Jian"), Name("Frazier", "Peter")), years=(2016,), venue="NeurIPS", type="paper-conference",
    )  # fmt: skip
    known = [paper, by("openalex", paper), nothing("semantic_scholar", entry)]
    assert judged(entry, *known) == ("unchecked", "@phdthesis entries are often in no index")
    alone = replace(paper, authors=paper.authors[:1])
    assert differing(entry, alone, by("openalex", alone))[0][0] == "title"


def test_a_review_of_a_book_is_not_the_book():
    title = "The Structure of Scientific Revolutions"
    entry = cited("book", author="Kuhn, Thomas S.", title=title, booktitle=None, pages=None, year="1962", publisher="P")
    review = Record("crossref", "x", title, (Name("Shapere", "Dudley"),), years=(1964,), type="article-journal")
    known = [review, by("openalex", review), by("semantic_scholar", review)]
    assert judged(entry, *known) == ("unchecked", "@book entries are often in no index")
    book = [by(it.source, it, type="book") for it in known]
    assert judged(entry, *book)[0] == "unchecked"  # books of one title are many


def test_a_doi_leads_to_the_work_whose_given_names_are_mangled():
    entry = cited(author="R Frazier", title="A Tutorial on Bayesian Optimization", booktitle=None, pages=None, doi=DOI)
    record = by("crossref", title=entry.title, authors=(Name("Frazier", "Peter I"),), venue="", years=(2018,))
    assert verdict(entry, answers(entry, found("crossref", "doi", DOI, record)), ALL).kind != "conflict"
    other = replace(record, authors=(Name("Meyer", "Anna"),))
    assert verdict(entry, answers(entry, found("crossref", "doi", DOI, other)), ALL).kind == "conflict"


DEPOSIT = "10.5281/zenodo.1439475"


@pytest.mark.parametrize(
    ("title", "people", "kind"),
    [
        ("Engine", "Lovelace, Ada and Menabrea, Luigi and Plantamour, E.", "verified"),
        ("Engine", "{The Engine Developers}", "verified"),
        ("Engine", "Babbage, Charles", "unchecked"),  # who takes part is no question of the release
        ("Programs of our report on bees", "Lovelace, Ada and Menabrea, Luigi", "unchecked"),
        ("Programs of our report on bees", "Babbage, Charles", "conflict"),
    ],
)
def test_a_deposit_of_software_is_known_by_its_repository_or_its_people(title, people, kind):
    authors = (Name("Lovelace", "Ada"), Name("Menabrea", "Luigi"), Name("Plantamour", "E."))
    record = Record(
        "datacite", DEPOSIT, "ada/Engine: Code at the time of submission", authors, years=(2018,), venue="Zenodo",
        type="software", identifiers=Identifiers(doi=DEPOSIT),
    )  # fmt: skip
    entry = cited(kind="misc", title=title, author=people, year="2018", doi=DEPOSIT, booktitle=None, pages=None)
    exists = found("doi", "exists", DEPOSIT, record)
    assert verdict(entry, answers(entry, exists, found("datacite", "doi", DEPOSIT, record)), ALL).kind == kind


def test_a_server_of_preprints_is_no_witness_of_a_venue():
    entry = cited(booktitle="ICML", pages=None)
    one = verdict(entry, answers(entry, PREPRINT, PAPER, by("dblp")), ALL)
    assert [(it.field, it.sources) for it in one.differences] == [("venue", ("crossref", "dblp"))]


def test_beside_a_wrong_venue_the_year_is_that_of_the_publication():
    entry = cited(booktitle="ICML", year="2017", pages=None)
    one = verdict(entry, answers(entry, replace(PREPRINT, years=(2018,)), PAPER, by("dblp")), ALL)
    assert [(it.field, it.recorded) for it in one.differences] == [("year", "2016"), ("venue", CVPR)]


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ((Name("He K., Zhang X., Ren S."), Name("Sun", "Jian")), "verified"),
        ((Name("Duan Y., Wang W., He J., Tong L., Sun J."),), "verified"),  # two of the four: He and Sun
        ((Name("Duan Y., Wang W., Tong L., Sun J."),), "unchecked"),
    ],
)
def test_a_list_that_lost_most_people_verifies_nobody(names, kind):
    assert judged(cited(), replace(PAPER, authors=names))[0] == kind


def test_two_identifiers_that_do_not_exist():
    entry = cited(doi="10.1000/nowhere", eprint="1512.99999", archiveprefix="arXiv")
    lost = [
        (Question("crossref", "doi", "10.1000/nowhere"), Absent("crossref")),
        (Question("doi", "exists", "10.1000/nowhere"), Absent("doi")),
        (Question("arxiv", "arxiv", "1512.99999"), Absent("arxiv")),
    ]
    assert judged(entry, *lost, PAPER) == ("conflict", "the arXiv id and the DOI do not exist")
