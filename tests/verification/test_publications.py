"""Works that were printed twice, cited each way: the other printing neither contradicts the entry nor repairs it."""

from dataclasses import replace

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.tolerant_comparison.all_fields import compare
from citelsp.knowledge import Unavailable
from citelsp.verification.decide import verdict
from citelsp.verification.publications import tell_publication
from citelsp.verification.question import search
from citelsp.verification.weighing import weigh
from written_references import ALL, PAPER, PREPRINT, answers, by, cited, found, nothing

BROAD = ("crossref", "openalex", "semantic_scholar")
JOURNAL = replace(
    PAPER, venue="Communications of the ACM", type="article-journal", years=(2020,), volume="63", pages="84-90",
    identifiers=Identifiers(doi="10.1145/x"),
)  # fmt: skip


def judged(entry, *said):
    return verdict(entry, answers(entry, *said), ALL)


def everywhere(record, sources=BROAD):
    return [by(it, record) for it in sources]


@pytest.mark.parametrize(
    "changes",
    [
        {"booktitle": "Advances in Neural Information Processing Systems"},
        {"booktitle": "NIPS", "pages": None},
        {"booktitle": "Robotics: Science and Systems"},
        {"booktitle": "Proceedings of the Cracow Grid Days"},  # its kind says that it is a conference
        {"kind": "article", "booktitle": None, "journal": "Advances in Neural Information Processing Systems"},
        {"kind": "article", "booktitle": None, "journal": "Journal of Vision"},  # years apart
        {"kind": "incollection", "booktitle": "Great Papers in Vision"},
        {"booktitle": "CVPR Workshops", "year": "2020"},
    ],
)
def test_a_conference_paper_that_a_journal_printed_again(changes):
    entry = cited(**changes)
    told = judged(entry, *everywhere(JOURNAL))
    assert (told.kind, told.differences) == ("unchecked", ())
    assert told.reason == "found in Communications of the ACM, 2020, but not where it is cited"


def test_an_article_of_which_an_index_knows_the_conference_alone():
    there = {
        "kind": "article",
        "booktitle": None,
        "journal": "J. Mach. Learn. Res.",
        "volume": "3",
        "pages": "993--1022",
    }
    told = judged(cited(year="2003", **there), *everywhere(replace(PAPER, venue="nips", years=(2001,))))
    assert (told.kind, told.differences) == ("unchecked", ())


def test_people_may_join_or_change_places_between_two_printings():
    more = "Zhang, Xiangyu and He, Kaiming and Ren, Shaoqing and Sun, Jian and Curie, Marie"
    assert judged(cited(booktitle="NIPS", author=more), *everywhere(JOURNAL)).kind == "unchecked"
    assert judged(cited(author=more), *everywhere(PAPER)).reason == "differs in authors"


def test_a_preprint_beside_another_printing_confirms_no_venue():
    entry = cited(booktitle="NIPS", year="2015", pages=None)
    assert judged(entry, PREPRINT, *everywhere(JOURNAL)).kind == "unchecked"


def test_the_cited_printing_beside_another_one():
    entry = cited(year="2014")
    told = judged(entry, *everywhere(JOURNAL), by("dblp"))
    assert [(it.field, it.recorded, it.sources) for it in told.differences] == [("year", "2016", ("dblp",))]
    assert told.record and told.record.venue == PAPER.venue  # repairs are of the printing that is cited
    assert judged(cited(), *everywhere(JOURNAL), by("dblp")).kind == "verified"


def test_a_printing_that_an_aggregator_lists_beside_another():
    listing = by("openalex", JOURNAL, also_in=("Neural Information Processing Systems",))
    entry = cited(booktitle="NIPS", year="2012", pages="1097--1105")
    told = judged(entry, by("crossref", JOURNAL), listing)
    assert (told.kind, told.differences) == ("verified", ())
    assert [it.publication for it in weigh(answers(entry, listing)).bound] == ["listed"]
    assert judged(cited(booktitle="ICML", year="2012"), by("crossref", JOURNAL), listing).kind == "unchecked"


def test_a_wrong_venue_of_the_same_year():
    elsewhere = replace(PAPER, pages="")
    told = judged(cited(booktitle="NIPS", pages=None), *everywhere(elsewhere))
    assert [it.field for it in told.differences] == ["venue"]


@pytest.mark.parametrize("there", [{"pages": "770--778"}, {"volume": "63", "pages": None, "year": "2020"}])
def test_a_wrong_venue_at_the_same_place(there):
    told = judged(cited(booktitle="ICML", **{"year": "2013"} | there), *everywhere(replace(JOURNAL, pages="770-778")))
    assert "venue" in [it.field for it in told.differences]


def test_the_entry_names_its_printing_by_its_doi():
    entry = cited(booktitle="NIPS", doi="10.1145/x")
    told = judged(entry, found("crossref", "doi", "10.1145/x", JOURNAL))
    assert [it.field for it in told.differences] == ["year", "venue", "pages"]


@pytest.mark.parametrize(("year", "reprinted"), [("1935", 1955), ("1955", 1935), ("1935", 2005)])
def test_the_doi_of_an_old_work_may_be_that_of_another_printing(year, reprinted):
    """Who printed it first may have given it none."""
    there = {"kind": "article", "booktitle": None, "journal": "Journal of Vision", "volume": "17", "doi": "10.1145/x"}
    answer = found("crossref", "doi", "10.1145/x", replace(JOURNAL, years=(reprinted,)))
    told = judged(cited(**there, year=year, pages="48--57"), answer)
    assert (told.kind, told.differences) == ("unchecked", ())
    told = judged(cited(**there, year=year, pages="84--90"), answer)
    assert "venue" in [it.field for it in told.differences]
    there["journal"] = "Communications of the ACM"
    told = judged(cited(**there, year=year, pages="48--57"), answer)
    assert "volume" in [it.field for it in told.differences]


def test_a_correction_bears_the_title_of_what_it_corrects():
    there = {"kind": "article", "booktitle": None, "journal": "Communications of the ACM", "volume": "51"}
    found_there = everywhere(replace(JOURNAL, volume="63", pages="84-90"))
    told = judged(cited(**there, year="2008", pages="107--113"), *found_there)
    assert (told.kind, told.differences) == ("unchecked", ())
    told = judged(cited(**there, year="2008", pages="84--90"), *found_there)
    assert [it.field for it in told.differences] == ["year", "volume"]


def test_a_doi_is_of_one_publication():
    """Who does not say where it came out has no other one."""
    silent = by("openalex", JOURNAL, venue="", pages="", volume="")
    told = judged(cited(year="2020"), by("crossref", JOURNAL), silent)
    assert told.reason == "found in Communications of the ACM, 2020, but not where it is cited"
    other = replace(silent, identifiers=Identifiers(doi="10.1000/other"))
    told = judged(cited(year="2020"), by("crossref", JOURNAL), other)
    assert (told.kind, told.reason) == ("unchecked", "no record agrees in venue")


def test_dblp_lists_all_printings():
    entry = cited(booktitle="NIPS", year="2012", pages=None)
    assert judged(entry, *everywhere(PAPER)).kind == "unchecked"
    assert [it.field for it in judged(entry, *everywhere(PAPER), by("dblp")).differences] == ["year", "venue"]
    both = [by("dblp"), by("dblp", venue="NIPS", years=(2012,), pages="", identifiers=Identifiers())]
    assert judged(entry, *everywhere(PAPER), *both[1:]).kind == "verified"
    assert judged(entry, *everywhere(PAPER), nothing("dblp", entry)).kind == "unchecked"


def test_of_two_works_of_one_title_that_of_the_cited_year_is_meant():
    later = replace(JOURNAL, pages="", volume="", years=(2023,))
    cited_one = by("crossref", JOURNAL, identifiers=Identifiers(doi="10.1145/y"))
    entry = cited("article", booktitle=None, journal=JOURNAL.venue, year="2020", volume="63", pages="84--90")
    assert judged(entry, *everywhere(later, BROAD[1:]), cited_one).kind == "verified"
    assert [it.field for it in judged(entry, *everywhere(later)).differences] == ["year"]


def test_no_year_is_wrong_if_the_list_of_printings_was_not_heard():
    later = replace(JOURNAL, pages="", volume="", years=(2023,))
    entry = cited("article", booktitle=None, journal=JOURNAL.venue, year="2020", volume="63", pages="84--90")
    doi = later.identifiers.doi
    said = [by("semantic_scholar", later), found("crossref", "doi", doi, later), found("openalex", "doi", doi, later)]
    assert judged(entry, *said).kind == "mismatch"
    told = judged(entry, *said, (search("crossref", entry), Unavailable("crossref", "503 Service Unavailable")))
    assert (told.kind, told.reason) == ("unchecked", "Crossref: 503 Service Unavailable")


@pytest.mark.parametrize("changes", [{"venue": ""}, {"venue": "JMLR", "pages": ""}])
def test_aggregators_date_a_work_by_its_first_printing(changes):
    """Of a printing that they do not name, or of the conference before the article."""
    early = replace(PAPER, type="", years=(2001,), identifiers=Identifiers(), **{"pages": ""} | changes)
    entry = cited(kind="article", booktitle=None, journal="JMLR", pages="993--1022", year="2003")
    assert judged(entry, *everywhere(early, BROAD[1:])).differences == ()
    registered = by("crossref", early, venue="Journal of Machine Learning Research")
    assert [it.field for it in judged(entry, registered).differences] == ["year"]


@pytest.mark.parametrize(
    "changes",
    [
        {"booktitle": "ICML", "year": "2017"},  # another venue in the next year: the best papers of sister conferences
        {"booktitle": "NIPS", "author": "He, Kaiming and Ren, Shaoqing and Zhang, Xiangyu and Curie, Marie"},
    ],
)
def test_a_record_of_another_venue_and_year_or_of_other_people_is_of_another_version(changes):
    entry = cited(pages=None, **changes)
    told = judged(entry, *everywhere(replace(PAPER, pages="")))
    assert (told.kind, told.differences) == ("unchecked", ())
    assert "venue" in [it.field for it in judged(entry, *everywhere(replace(PAPER, pages="")), by("dblp")).differences]


def test_the_order_of_authors_needs_the_word_of_who_prints_it():
    entry = cited(author="He, Kaiming and Ren, Shaoqing and Zhang, Xiangyu and Sun, Jian")
    indexes = [by("openalex"), by("semantic_scholar")]
    told = judged(entry, *indexes)
    assert (told.kind, told.differences) == ("unchecked", ())
    assert told.reason == "differs from OpenAlex and Semantic Scholar in authors, which no other service confirms"
    assert [it.field for it in judged(entry, *indexes, by("dblp")).differences] == ["authors"]
    for of_the_preprint in (PREPRINT, by("dblp", PREPRINT)):
        assert judged(entry, *indexes, of_the_preprint).differences == ()


THERE = {"eprint": "1512.03385", "archiveprefix": "arXiv", "pages": None}


def by_arxiv(service, record):
    return found(service, "arxiv", "1512.03385", replace(record, source=service, pages=""))


def test_an_arxiv_id_leads_to_the_work_and_not_to_its_publication():
    entry = cited(**THERE, booktitle="ICML Workshop on Deep Residuals", year="2013")
    said = by_arxiv("arxiv", PREPRINT), by_arxiv("semantic_scholar", PAPER)
    assert (judged(entry, *said).kind, judged(entry, *said).differences) == ("unchecked", ())
    at_cvpr = judged(cited(**THERE, year="2013"), *said).differences
    assert [it.field for it in at_cvpr] == ["year"]


@pytest.mark.parametrize(
    "author",
    [
        "He, Kaiming and Zhang, Xiangyu and Sun, Jian",
        "He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian and Dirac, Paul",
        "Zhang, Xiangyu and He, Kaiming and Ren, Shaoqing and Sun, Jian",
    ],
)
def test_the_people_of_a_print_are_not_those_of_any_version(author):
    entry = cited(**THERE, author=author)
    said = by_arxiv("arxiv", PREPRINT), by_arxiv("semantic_scholar", PAPER)
    assert (judged(entry, *said).kind, judged(entry, *said).differences) == ("unchecked", ())
    assert [it.field for it in judged(entry, *said, by("dblp")).differences] == ["authors"]


def test_other_people_have_no_part_in_it():
    others = (Name("Curie", "Marie"), Name("Dirac", "Paul"))
    assert [it.publication for it in weigh(answers(cited(), replace(JOURNAL, authors=others))).bound] == ["cited"]


def test_another_printing_does_not_contradict_the_title():
    """Nor is it written into the entry: the next repair would write people, venue and year of that printing."""
    entry = cited(
        kind="article",
        booktitle=None,
        journal="Journal of Ornithology",
        title="Deep Residual Learning for Image Classification",
        pages=None,
        year="2019",
    )
    outcome = judged(entry, *everywhere(PAPER))
    assert (outcome.kind, outcome.differences) == ("unchecked", ())


ARTICLE = {"kind": "article", "booktitle": None, "journal": "Journal of Vision", "pages": None}
WORKSHOP = {"booktitle": "CVPR Workshops", "pages": None}


@pytest.mark.parametrize(
    ("entry", "record", "publication"),
    [
        ({}, {}, "cited"),
        ({"pages": None, "year": "2013"}, {}, "cited"),
        ({"booktitle": "ICML"}, {}, "cited"),  # at the same pages of that year
        ({"booktitle": "ICML", "year": "2014"}, {}, "cited"),
        ({"booktitle": "ICML", "year": "2014", "pages": "1--9"}, {"pages": "1-9"}, "reprint"),
        ({"booktitle": "ICML", "pages": "1--9"}, {"pages": "1-9"}, "cited"),
        ({"booktitle": "ICML", "pages": None}, {}, "unsure"),
        ({"booktitle": "ICML", "pages": None, "year": "2015"}, {}, "reprint"),
        ({"booktitle": "ICML", "pages": None, "author": "Curie, Marie and Dirac, Paul"}, {}, "reprint"),
        ({"booktitle": "ICML", "pages": None, "volume": "3"}, {"volume": "3"}, "cited"),
        ({"booktitle": "ICML", "pages": None, "volume": "3", "year": "2013"}, {"volume": "3"}, "reprint"),
        ({"booktitle": "ICML", "pages": "5--6", "volume": "3"}, {"volume": "3"}, "unsure"),
        ({"year": "2012", "pages": "5--6", "volume": "3"}, {"volume": "4"}, "reprint"),
        (ARTICLE, {}, "another"),
        (ARTICLE, {"venue": "Some Gathering"}, "another"),  # its type says that it is a conference
        (ARTICLE, {"venue": "Journal of Nothing", "type": "article-journal"}, "unsure"),
        (ARTICLE, {"venue": "Great Papers", "type": "book"}, "another"),
        (
            ARTICLE | {"journal": "Lecture Notes in Computer Science"},
            {"venue": "Great Papers", "type": "book"},
            "unsure",
        ),
        ({**ARTICLE, "journal": None}, {"venue": "Great Papers", "type": "book"}, "unsure"),
        ({"booktitle": "ICML", "pages": None}, {"venue": "Great Papers", "type": "chapter"}, "unsure"),
        (WORKSHOP, {"venue": "International Conference on Machine Learning"}, "another"),
        ({"booktitle": "ICML", "pages": None}, {"venue": "CVPR Workshops"}, "another"),
        ({"kind": "incollection", "booktitle": "Great Papers", "pages": None}, {}, "unsure"),
        ({"kind": "incollection", "booktitle": "CVPR Workshops", "pages": None}, {"venue": "ICML"}, "another"),
        ({"kind": "incollection", "booktitle": "CVPR", "pages": None}, {"venue": "ICML"}, "unsure"),
        ({"booktitle": "ICML", "pages": None}, {"venue": "Vision Research", "type": "article-journal"}, "another"),
        ({"booktitle": "ICML", "pages": None}, {"venue": "Vision Research", "type": "report"}, "unsure"),
        ({"kind": "misc", "booktitle": None, "pages": None}, {}, "unsure"),
        ({"kind": "misc", "booktitle": None, "howpublished": "Vision Research", "pages": None}, {}, "unsure"),
        (
            {"booktitle": "ICML", "pages": None},
            {"venue": "Vision Research", "type": "", "identifiers": Identifiers(doi="10.1/978-3")},
            "another",
        ),
        ({"booktitle": "ICML", "pages": None}, {"venue": "Vision Research", "type": ""}, "unsure"),
        ({"booktitle": "ICML", "pages": None}, {"venue": "X", "identifiers": Identifiers(doi="10.1/978-3")}, "unsure"),
    ],
)
def test_which_publication_of_a_work_a_record_is_of(entry, record, publication):
    written = cited(**entry)
    recorded = replace(PAPER, **{"identifiers": Identifiers(), **record})
    assert tell_publication(recorded, compare(written, recorded), written.kind) == publication


def test_a_record_that_lists_other_printings_speaks_for_them():
    entry, listing = cited(booktitle="ICML", pages=None), replace(PAPER, also_in=("ICML",))
    assert tell_publication(listing, compare(entry, listing), entry.kind) == "listed"


@pytest.mark.parametrize(
    "changes", [{"year": "2019"}, {"year": "2019", "booktitle": "Computer Vision and Pattern Recognition"}]
)
def test_of_another_year_by_more_people_is_another_publication(changes):
    """Bird told of NLTK in 2006, Loper and Bird in 2002, at conferences of one series."""
    entry = cited(author="He, Kaiming and Ren, Shaoqing and Sun, Jian", pages=None, **changes)
    there = replace(PAPER, identifiers=Identifiers())
    assert (judged(entry, *everywhere(there)).kind, judged(entry, *everywhere(there)).differences) == ("unchecked", ())
    same_year = judged(entry, *everywhere(replace(there, years=(2018,))))
    assert [it.field for it in same_year.differences] == ["authors"]
