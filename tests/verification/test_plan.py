"""What is asked next of an entry, in which order, and when it stops."""

from dataclasses import replace

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.verification.decide import verdict
from citelsp.verification.plan import list_required, questions
from citelsp.verification.question import Question
from written_references import ALL, ELSEWHERE, PAPER, PREPRINT, answers, by, cited, found, nothing, silent

DOI = "10.1109/cvpr.2016.90"


def asked(entry, *said, services=ALL):
    found = questions(entry, answers(entry, *said), services)
    return [(it.service, it.kind) for it in found if not it.is_control]


@pytest.mark.parametrize(("fields", "fourth"), [({}, []), ({"note": "submitted"}, [("dblp", "title")])])
def test_no_fourth_service_is_asked_for_what_indexes_seldom_have(fields, fourth):
    entry = cited("book", title="On the Dreams of Sheep", booktitle=None, publisher="Wool Press", author=None, **fields)
    said = [nothing(it, entry) for it in ("crossref", "semantic_scholar", "openalex")]
    assert asked(entry, *said) == fourth
    assert asked(entry, silent("crossref", entry), *said[1:]) == [("dblp", "title")]


def test_identifiers_come_first():
    assert asked(cited(doi=DOI, eprint="1512.03385", archiveprefix="arXiv")) == [
        ("crossref", "doi"),
        ("arxiv", "arxiv"),
    ]


@pytest.mark.parametrize(
    ("kind", "fields", "questions"),
    [
        ("article", {"pmid": "12345678"}, [("europepmc", "pmid")]),
        ("article", {"pmid": "12345678", "doi": DOI}, [("crossref", "doi")]),
        ("book", {"isbn": "0-201-13448-9"}, [("openlibrary", "isbn")]),
        ("collection", {"isbn": "0-201-13448-9"}, [("openlibrary", "isbn")]),
        ("mvbook", {"isbn": "0-201-13448-9"}, [("openlibrary", "isbn")]),
        ("book", {"isbn": "0-201-13448-9", "doi": DOI}, [("crossref", "doi")]),
        ("book", {"isbn": "0-201-13448-9", "eprint": "1512.03385"}, [("arxiv", "arxiv")]),
        ("inproceedings", {"isbn": "0-201-13448-9"}, [("crossref", "title")]),  # of the proceedings
        ("misc", {"doi": "10.48550/arXiv.1512.03385"}, [("arxiv", "arxiv")]),
    ],
)
def test_who_is_asked_about_an_identifier(kind, fields, questions):
    assert asked(cited(kind, **fields)) == questions


def test_a_record_that_agrees_ends_it():
    assert asked(cited(doi=DOI), found("crossref", "doi", DOI, PAPER)) == []
    assert asked(cited(), PAPER) == []


def test_who_wrote_it_is_asked_of_others_if_a_record_names_nobody():
    nameless = replace(PAPER, authors=())
    own = (Question("crossref", "doi", DOI), Found("crossref", (nameless,)))
    assert asked(cited(doi=DOI), own) == [("semantic_scholar", "doi"), ("openalex", "doi")]
    assert asked(cited(doi=DOI), own, found("openalex", "doi", DOI, by("openalex"))) == []
    assert asked(cited(doi=DOI, author=None), own) == []


@pytest.mark.parametrize(
    ("names", "others"),
    [
        ((Name("He K., Zhang X., Sun J., Ren Shaoqing"),), []),  # garbled, and all four are there
        ((Name("He K., Zhang X., Sun J."),), [("semantic_scholar", "doi"), ("openalex", "doi")]),
    ],
)
def test_who_wrote_it_is_asked_of_others_if_a_broken_list_lost_somebody(names, others):
    own = (Question("crossref", "doi", DOI), Found("crossref", (replace(PAPER, authors=names),)))
    assert asked(cited(doi=DOI), own) == others


def test_one_search_after_another():
    entry = cited()
    services = ["crossref", "semantic_scholar", "openalex", "dblp"]
    for number, service in enumerate(services):
        assert asked(entry, *(nothing(it, entry) for it in services[:number])) == [(service, "title")]
    everywhere = [nothing(it, entry) for it in services]
    assert asked(entry, *everywhere) == [("crossref", "people")]
    assert asked(entry, *everywhere, by_people(entry, ELSEWHERE)) == []


def test_others_are_searched_where_only_another_version_was_found():
    entry = cited(booktitle="ICML", pages=None)
    journal = replace(PAPER, venue="Journal of Vision", type="article-journal")
    assert asked(entry, by("semantic_scholar", journal)) == [("openalex", "title")]
    home = ("semantic_scholar", "openalex", "crossref", "dblp")
    assert asked(entry, *(by(it, journal) for it in home[:3])) == [("dblp", "title")]
    assert asked(entry, *(by(it, journal) for it in home)) == []


def by_people(entry, record):
    return Question("crossref", "people", entry.title, entry.authors[:3], entry.year), Found("crossref", (record,))


def test_nobody_is_looked_for_by_one_name_or_without_a_year():
    for entry in (cited(author="He, Kaiming"), cited(year=None), cited(author="He, Kaiming and others")):
        everywhere = [nothing(it, entry) for it in ("crossref", "semantic_scholar", "openalex", "dblp", "arxiv")]
        assert asked(entry, *everywhere) == []


def test_two_people_and_a_year_are_enough_to_look_for():
    entry = cited(author="He, Kaiming and Sun, Jian")
    everywhere = [nothing(it, entry) for it in ("crossref", "semantic_scholar", "openalex", "dblp")]
    assert asked(entry, *everywhere) == [("crossref", "people")]
    assert asked(entry, *everywhere[1:], services=ALL[1:]) == []  # who is asked is not there


@pytest.mark.parametrize(
    ("changes", "versions"),
    [
        ({}, []),
        ({"title": "Deep Residual Nets for Image Recognition"}, ["1512.03385v1", "1512.03385v2"]),
        ({"authors": ELSEWHERE.authors}, ["1512.03385v1", "1512.03385v2"]),
        ({"title": ELSEWHERE.title, "id": "1512.03385v1"}, []),
        ({"title": ELSEWHERE.title, "id": "1512.03385v9"}, [f"1512.03385v{it}" for it in range(1, 6)]),
    ],
)
def test_earlier_versions_are_asked_for_if_the_latest_has_another_title_or_other_people(changes, versions):
    entry = cited(kind="misc", booktitle=None, pages=None, eprint="1512.03385", archiveprefix="arXiv", year="2015")
    record = replace(PREPRINT, **({"id": "1512.03385v3"} | changes))
    said = questions(entry, answers(entry, found("arxiv", "arxiv", "1512.03385", record)), ALL)
    assert [it.value for it in said if (it.service, it.kind) == ("arxiv", "arxiv")] == versions


def test_earlier_versions_are_asked_for_of_an_entry_without_a_title_too():
    fields = {"title": None, "booktitle": None, "pages": None, "eprint": "1512.03385", "archiveprefix": "arXiv"}
    entry = cited(kind="misc", year="2015", **fields)
    joined = replace(PREPRINT, id="1512.03385v2", authors=(*PREPRINT.authors, Name("Curie", "Marie")))
    latest = found("arxiv", "arxiv", "1512.03385", joined)
    first = found("arxiv", "arxiv", "1512.03385v1", PREPRINT)
    assert [it.value for it in questions(entry, answers(entry, latest), ALL)] == [first[0].value]
    assert verdict(entry, answers(entry, latest, first), ALL).kind == "verified"


def instead(entry, *said, services=ALL):
    return [it.instead for it in questions(entry, answers(entry, *said), services)]


def test_the_first_search_may_be_answered_by_either_of_two():
    entry = cited()
    assert instead(entry) == [("semantic_scholar",)]
    assert instead(entry, services=("crossref", "openalex")) == [()]
    assert instead(entry, silent("semantic_scholar", entry)) == [()]
    assert instead(cited(booktitle="NeurIPS")) == [()]


def test_the_registry_is_heard_on_what_another_found():
    entry, elsewhere = cited(), by("semantic_scholar")
    assert asked(entry, elsewhere) == [("crossref", "doi")]
    assert asked(entry, elsewhere, found("crossref", "doi", DOI, PAPER)) == []
    missed = nothing("crossref", entry)  # a search that ranks wrongly says nothing of the DOI
    assert asked(entry, elsewhere, missed) == [("crossref", "doi")]
    assert asked(entry, by("semantic_scholar", identifiers=Identifiers(doi="10.1101/2020.01.01"))) == []


def test_a_version_found_elsewhere_is_looked_up_among_all_hits():
    entry = cited(booktitle="ECCV")
    said = [by("semantic_scholar"), found("crossref", "doi", DOI, PAPER), found("openalex", "doi", DOI, by("openalex"))]
    assert asked(entry, *said) == [("crossref", "title")]
    assert asked(entry, *said, nothing("crossref", entry)) == []
    without_doi = cited(booktitle="ICML")  # which Crossref does not have
    assert asked(without_doi, *said) == [("dblp", "title")]
    assert asked(without_doi, *said, nothing("dblp", without_doi)) == []


def test_a_work_of_another_year_is_looked_up_among_all_hits():
    """Some publish under the same title again, as of later versions of a program."""
    entry = cited("article", booktitle=None, journal="Bioinformatics", pages=None, year="2012")
    later = by("crossref", venue="Bioinformatics", type="article-journal", pages="", years=(2018,))
    said = [by("semantic_scholar", later), found("crossref", "doi", DOI, later), found("openalex", "doi", DOI, later)]
    assert asked(entry, *said) == [("crossref", "title")]
    assert asked(entry, *said, nothing("crossref", entry)) == []
    assert asked(cited("article", booktitle=None, journal="Bioinformatics", year="2018"), *said) == []


def test_works_without_doi_are_looked_for_where_they_are():
    assert asked(cited(booktitle="NeurIPS")) == [("semantic_scholar", "title")]


def test_biology_is_not_looked_for_in_computer_science():
    entry = cited(kind="article", booktitle=None, journal="Journal of Ornithology")
    broad = [nothing(it, entry) for it in ("crossref", "semantic_scholar", "openalex")]
    assert asked(entry, *broad) == [("europepmc", "title")]


def test_who_cannot_be_asked_is_replaced_by_all_others():
    entry = cited()
    said = [silent("crossref", entry), nothing("semantic_scholar", entry), nothing("openalex", entry)]
    assert asked(entry, *said) == [("dblp", "title")]
    assert asked(entry, *said, nothing("dblp", entry)) == [("arxiv", "title")]


def test_a_difference_is_put_to_others_by_identifier_at_once():
    assert asked(cited(year="2014"), PAPER) == [("semantic_scholar", "doi"), ("openalex", "doi")]


def test_two_who_agree_on_a_difference_are_enough():
    entry = cited(year="2014")
    assert asked(entry, PAPER, found("semantic_scholar", "doi", DOI, by("semantic_scholar"))) == [("openalex", "doi")]
    agreed = [found(it, "doi", DOI, by(it)) for it in ("semantic_scholar", "openalex")]
    assert asked(entry, PAPER, *agreed) == []


def test_two_who_are_not_enough_to_believe_a_difference_are_not_the_last():
    """A printing without a venue may be another one, so one of the two does not count."""
    entry = cited(year="2013", pages=None, volume=None)
    unnamed = by("openalex", venue="", pages="", identifiers=Identifiers())
    said = [by("semantic_scholar", pages="", identifiers=Identifiers()), unnamed]
    assert asked(entry, *said) == [("crossref", "title")]
    assert asked(entry, *said, nothing("crossref", entry)) == [("dblp", "title")]


def test_one_who_disagrees_is_not_enough():
    entry, alone = cited(year="2014"), by("dblp", identifiers=Identifiers())
    assert asked(entry, alone) == [("semantic_scholar", "title")]
    assert asked(entry, by("dblp")) == [("crossref", "doi"), ("semantic_scholar", "doi"), ("openalex", "doi")]


def test_a_doi_that_crossref_lacks_is_settled_by_its_registrar():
    entry, lacking = cited(doi=DOI), (Question("crossref", "doi", DOI), Absent("crossref"))
    assert asked(entry, lacking) == [("doi", "exists")]
    assert asked(entry, lacking, (Question("doi", "exists", DOI), Found("doi", ()))) == [("datacite", "doi")]
    assert asked(entry, lacking, (Question("doi", "exists", DOI), Absent("doi"))) == [("crossref", "title")]
    assert asked(entry, (Question("crossref", "doi", DOI), Unavailable("crossref", "503"))) == [("doi", "exists")]


def test_earlier_versions_of_a_preprint_are_asked_for_before_its_title_is_wrong():
    entry = cited(kind="misc", booktitle=None, eprint="1512.03385", archiveprefix="arXiv")
    renamed = replace(PREPRINT, id="1512.03385v3", title=ELSEWHERE.title, authors=ELSEWHERE.authors)
    said = questions(entry, answers(entry, found("arxiv", "arxiv", "1512.03385", renamed)), ALL)
    assert [it.value for it in said] == ["1512.03385v1", "1512.03385v2"]


def test_an_identifier_alone_is_traced_to_its_registrar():
    entry, lacking = (
        cited("misc", title=None, author=None, doi=DOI),
        (Question("crossref", "doi", DOI), Absent("crossref")),
    )
    assert asked(entry) == [("crossref", "doi")]
    assert asked(entry, lacking) == [("doi", "exists")]
    assert asked(entry, lacking, (Question("doi", "exists", DOI), Found("doi", ()))) == [("datacite", "doi")]
    assert asked(cited("misc", title="Foreword", doi=None)) == []


def test_what_has_no_name_is_not_asked_about():
    assert asked(cited(title="Foreword")) == asked(cited(title="Residual Nets")) == []
    assert asked(cited(title="Residual Nets Again")) == [("crossref", "title")]
    assert asked(cited(), services=()) == []


def test_datacite_stands_for_arxiv():
    entry = cited(eprint="1512.03385", archiveprefix="arXiv", booktitle=None)
    failed = Question("arxiv", "arxiv", "1512.03385"), Unavailable("arxiv", "503 Service Unavailable")
    assert asked(entry, failed) == [("datacite", "doi")]
    mirrored = found("datacite", "doi", "10.48550/arxiv.1512.03385", by("datacite", PREPRINT))
    assert asked(entry, failed, mirrored) == [("semantic_scholar", "arxiv")]


def test_the_right_identifier_is_not_looked_for_everywhere():
    entry = cited(doi="10.1000/birds")
    said = [found("crossref", "doi", "10.1000/birds", ELSEWHERE)]
    assert asked(entry, *said) == [("crossref", "title")]
    assert asked(entry, *said, PAPER) == []
    said += [nothing("crossref", entry), nothing("semantic_scholar", entry)]
    assert asked(entry, *said) == []


def test_who_has_all_of_a_venue_is_asked_before_a_publication_is_doubted():
    entry = cited(year="2015", pages=None)
    said = [by(it, PREPRINT) for it in ("arxiv", "openalex", "semantic_scholar", "crossref")]
    assert asked(entry, *said) == [("dblp", "title")]
    assert asked(entry, *said, services=("arxiv", "openalex", "semantic_scholar", "crossref")) == []


def test_a_preprint_is_asked_after_whether_it_was_published():
    entry = cited(eprint="1512.03385", archiveprefix="arXiv", booktitle="arXiv preprint")
    assert asked(entry, found("arxiv", "arxiv", "1512.03385", PREPRINT)) == [("semantic_scholar", "arxiv")]
    assert asked(cited(eprint="1512.03385", archiveprefix="arXiv"), found("arxiv", "arxiv", "1512.03385", PAPER)) == []


def test_a_preprint_without_a_doi_is_asked_for_by_its_number_everywhere():
    entry = cited(title="Deep Residual Nets for Image Recognition", booktitle=None, pages=None, year="2015")
    assert asked(entry, by("semantic_scholar", PREPRINT)) == [("arxiv", "arxiv"), ("openalex", "doi")]
    assert asked(entry, by("openalex", PREPRINT)) == [("arxiv", "arxiv"), ("semantic_scholar", "arxiv")]
    doi = next(it for it in questions(entry, answers(entry, by("semantic_scholar", PREPRINT)), ALL) if it.kind == "doi")
    assert doi.value == "10.48550/arxiv.1512.03385"


def test_who_lists_all_hits_is_asked_of_what_has_a_doi_alone():
    entry, sources = cited(booktitle="ECCV", pages=None), ("semantic_scholar", "openalex", "dblp")
    own = found("crossref", "doi", DOI, PAPER)
    assert asked(entry, *map(by, sources), own) == [("crossref", "title")]
    assert asked(entry, *(by(it, identifiers=Identifiers()) for it in sources)) == []


def test_a_venue_is_not_wrong_before_one_who_names_them_as_printed_was_heard():
    entry = cited(booktitle="ECCV", pages=None)
    said = [by(it, identifiers=Identifiers()) for it in ("semantic_scholar", "openalex")]
    assert asked(entry, said[0]) == asked(entry, *said) == [("dblp", "title")]
    assert asked(entry, *said, nothing("dblp", entry)) == [("crossref", "title")]
    assert asked(entry, said[0], services=[it for it in ALL if it != "dblp"]) == [("openalex", "title")]
    assert asked(entry, said[0], by("dblp", identifiers=Identifiers())) == []  # two, of whom one names them so


@pytest.mark.parametrize(
    ("changes", "home"),
    [
        ({"kind": "article", "journal": "Journal of Ornithology", "booktitle": None}, "europepmc"),
        ({"kind": "article", "journal": "Journal of Machine Learning Research", "booktitle": None}, "dblp"),
        ({"booktitle": "Some Gathering of Ornithologists"}, "dblp"),
        ({"booktitle": None}, "arxiv"),
        ({"booktitle": "arXiv preprint"}, "arxiv"),
    ],
)
def test_who_knows_the_field_best_must_have_answered(changes, home):
    entry = cited(**changes)
    assert list_required(entry, ALL) == ["crossref", "semantic_scholar", "openalex", home]
    assert list_required(entry, ("crossref", home)) == ["crossref", home]
    assert "dblp" not in list_required(entry, set(ALL) - {"dblp"})


def test_people_that_a_broken_list_leaves_open_are_asked_for_elsewhere():
    entry = cited(author="He, Kaiming and Voss, Elena")
    cut = by("semantic_scholar", authors=PAPER.authors[:1], identifiers=Identifiers())
    assert asked(entry, cut) == [("openalex", "title")]
    assert asked(entry, replace(cut, authors=(*PAPER.authors[:1], Name("Voss", "Elena")))) == []
