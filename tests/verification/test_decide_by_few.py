"""What few words are enough for: of others of that title, of two who have the pages, of arXiv alone, of nobody."""

from dataclasses import replace
from datetime import date

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.verification.decide import verdict
from citelsp.verification.question import Question
from written_references import ALL, PAPER, PREPRINT, answers, by, cited, found, nothing, silent


def kind(entry, *said):
    return verdict(entry, answers(entry, *said), ALL).kind


def wrong_fields(entry, *said):
    return [it.field for it in verdict(entry, answers(entry, *said), ALL).differences]


def test_a_title_that_belongs_to_others():
    entry = cited(year="2021", booktitle="ICLR", author="Curie, Marie and Dirac, Paul", pages=None)
    said = [nothing(it, entry) for it in ("crossref", "openalex", "semantic_scholar")]
    assert wrong_fields(entry, by("dblp"), *said) == ["authors"]
    assert wrong_fields(entry, by("openalex"), said[0], said[2], nothing("dblp", entry)) == ["authors"]
    there = cited(booktitle="ICLR", author="Curie, Marie and Dirac, Paul", pages=None)
    assert wrong_fields(there, by("dblp"), *(nothing(it.service, there) for it, _ in said)) == ["authors"]
    assert kind(entry, by("dblp"), *said[:2]) == "unchecked"
    assert kind(entry, by("dblp"), *said[:2], silent("semantic_scholar", entry)) == "unchecked"


@pytest.mark.parametrize(
    ("title", "is_told"),
    [("Deep Residual Learning for Images", False), ("Deep Residual Learning for All Images", True)],
)
def test_a_title_of_few_words_may_belong_to_several(title, is_told):
    entry = cited(title=title, year="2013", booktitle="ICLR", author="Curie, Marie and Dirac, Paul", pages=None)
    said = [nothing(it, entry) for it in ("crossref", "openalex", "semantic_scholar")]
    assert wrong_fields(entry, by("dblp", title=title), *said) == ["authors"] * is_told


def test_an_index_may_name_the_wrong_people():
    """It agrees in title, year and venue; so the work may be the cited one."""
    entry = cited(author="Curie, Marie and Dirac, Paul", pages=None)
    said = [nothing(it, entry) for it in ("crossref", "semantic_scholar", "dblp")]
    assert kind(entry, by("openalex"), *said) == "unchecked"
    near = "Deep Residual Learning for Image Cognition"
    reworded = cited(author="Curie, Marie and Dirac, Paul", pages=None, title=near)
    said = [nothing(it, reworded) for it in ("crossref", "semantic_scholar", "dblp")]
    assert wrong_fields(reworded, by("openalex"), *said) == ["title", "authors"]


def test_the_very_pages_of_another_series():
    """As two aggregators have them, which name a workshop by its host and a journal's papers by a conference."""
    said = by("openalex", identifiers=Identifiers()), by("semantic_scholar", identifiers=Identifiers())
    assert wrong_fields(cited(booktitle="AAAI"), *said) == ["venue"]
    assert wrong_fields(cited(booktitle="AAAI"), said[0]) == []
    assert wrong_fields(cited(booktitle="AAAI", pages="1--9"), *(replace(it, pages="1-9") for it in said)) == []
    assert wrong_fields(cited(booktitle="AAAI", pages=None), *said) == []
    assert wrong_fields(cited(booktitle="Workshop on Vision at AAAI"), *said) == []


def test_two_aggregators_that_lead_to_one_doi_are_one_witness():
    """Both have the record from the registry of that DOI, and its mistakes with it."""
    entry, copies = cited(author="Curie, Marie and Dirac, Paul", pages=None), (by("openalex"), by("semantic_scholar"))
    assert wrong_fields(entry, *copies) == []
    assert wrong_fields(entry, *copies, by("dblp")) == ["authors"]
    assert wrong_fields(entry, copies[0], by("semantic_scholar", identifiers=Identifiers())) == ["authors"]


NEURIPS = replace(
    PAPER, venue="Advances in Neural Information Processing Systems", years=(2018,), pages="", identifiers=Identifiers()
)
BY_DEFAULT = tuple(it for it in ALL if it != "dblp")


def missing(*others, record=NEURIPS, crossref=nothing, services=BY_DEFAULT, today=date(2022, 1, 1), **changes):
    """What is wrong of a paper cited from KDD 2018, which one source has at NeurIPS, and Crossref nowhere."""
    entry = cited(**{"booktitle": "KDD", "year": "2018", "pages": None} | changes)
    said = by("semantic_scholar", record), crossref("crossref", entry), *(it("dblp", entry) for it in others)
    return [it.field for it in verdict(entry, answers(entry, *said), services, today).differences]


def test_a_paper_that_crossref_lacks_is_not_of_a_conference_that_registers_all():
    assert missing() == missing(nothing, services=ALL) == ["venue"]
    assert missing(booktitle="ICML") == []  # registers none
    assert missing(booktitle="KDD", year="2015", record=replace(NEURIPS, years=(2015,))) == []  # not yet all
    assert missing(booktitle="KDD Workshop on Mining and Learning with Graphs") == []


@pytest.mark.parametrize(
    "otherwise",
    [
        {"crossref": silent},
        {"today": date(2020, 12, 31)},  # indexes lag
        {"services": ALL},  # DBLP was not heard
        {"record": replace(NEURIPS, years=(2017,))},  # another printing
        {"record": replace(NEURIPS, venue="NeurIPS Workshop on Deep Learning")},
        {"record": replace(NEURIPS, venue="Nature", type="article-journal")},
        {"title": "Residual Learning Revisited", "record": replace(NEURIPS, title="Residual Learning Revisited")},
    ],
)
def test_silence_of_a_registry_says_nothing_otherwise(otherwise):
    assert missing(**otherwise) == []


@pytest.mark.parametrize("name", ["Knowledge Discovery and Data Mining", "Some Conference that Nobody Knows"])
def test_a_venue_that_somebody_else_may_have_is_not_missing(name):
    entry = cited(booktitle="KDD", year="2018", pages=None)
    there = by("openalex", NEURIPS, venue=name)
    said = answers(entry, by("semantic_scholar", NEURIPS), there, nothing("crossref", entry))
    assert verdict(entry, said, BY_DEFAULT, date(2022, 1, 1)).differences == ()


def test_a_publication_may_name_its_people_in_another_order_than_the_preprint():
    order = "Zhang, Xiangyu and He, Kaiming and Ren, Shaoqing and Sun, Jian"
    there = {"eprint": "1512.03385", "archiveprefix": "arXiv", "pages": None, "author": order}
    own = found("arxiv", "arxiv", "1512.03385", PREPRINT)
    assert wrong_fields(cited(**there), own, by("openalex", PREPRINT)) == []
    assert wrong_fields(cited(**there, booktitle="arXiv", year="2015"), own) == ["authors"]


def test_an_identifier_that_does_not_exist_of_a_work_that_nobody_has():
    entry = cited(title="On the Dreams of Convolutional Sheep in Winter", doi="10.1000/sheep")
    astray = [(Question("crossref", "doi", "10.1000/sheep"), Absent("crossref"))]
    astray += [(Question("doi", "exists", "10.1000/sheep"), Absent("doi"))]
    everybody = [nothing(it, entry) for it in ("crossref", "semantic_scholar", "openalex", "dblp")]
    said = verdict(entry, answers(entry, *astray, *everybody), ALL)
    assert (said.kind, said.is_unknown) == ("conflict", True)
    assert said.reason == "the DOI does not exist, and no source that answered has a work of this title"
    less = verdict(entry, answers(entry, *astray, *everybody[:2]), ALL)
    assert (less.kind, less.is_unknown) == ("conflict", False)


def test_a_translation_is_called_as_its_registrar_lists_it():
    entry = cited(doi="10.1109/cvpr.2016.90", title="Tiefes Lernen von Bildern mit Resten")
    listed = replace(PAPER, other_titles=("Tiefes Lernen von Bildern mit Resten: Ein Verfahren",))
    own = found("crossref", "doi", "10.1109/cvpr.2016.90", listed)
    assert kind(entry, own) == "verified"
    other = cited(doi="10.1109/cvpr.2016.90", title="Deep Residual Training for Image Recognition")
    assert wrong_fields(other, own) == ["title"]


def test_an_earlier_version_that_could_not_be_asked_may_bear_the_cited_title():
    entry = cited(title="On the Dreams of Convolutional Sheep in Winter", eprint="1512.03385", archiveprefix="arXiv")
    own = found("arxiv", "arxiv", "1512.03385", replace(PREPRINT, id="1512.03385v2"))
    first = Question("arxiv", "arxiv", "1512.03385v1")
    assert kind(entry, own, (first, Absent("arxiv"))) == "conflict"
    said = verdict(entry, answers(entry, own, (first, Unavailable("arxiv", "503"))), ALL)
    assert (said.kind, said.reason) == ("unchecked", "arXiv: 503")


def test_a_preprint_that_could_not_be_asked_may_bear_the_cited_title():
    ids = {"doi": "10.1109/cvpr.2016.90", "eprint": "1512.03385", "archiveprefix": "arXiv"}
    entry = cited(title="Deep Residual Training for Image Recognition", **ids)
    own, asked = found("crossref", "doi", ids["doi"], PAPER), Question("arxiv", "arxiv", "1512.03385")
    assert wrong_fields(entry, own, (asked, Found("arxiv", (PREPRINT,)))) == ["title"]
    assert wrong_fields(entry, own, (asked, Unavailable("arxiv", "503"))) == []
    assert wrong_fields(cited(year="2013", **ids), own, (asked, Unavailable("arxiv", "503"))) == ["year"]


def test_an_identifier_leads_here_if_one_title_holds_the_other():
    doi = "10.23731/cyrm-2017-002"
    series = cited(title=f"CERN Yellow Reports, Vol 2: {PREPRINT.title} in Two Parts", author="{CERN}", doi=doi)
    record = replace(PREPRINT, source="crossref", identifiers=Identifiers(doi=doi))
    assert kind(series, found("crossref", "doi", doi, record)) != "conflict"
    whole = cited(title=f"CERN Yellow Reports, Vol 2: {PREPRINT.title}", author="{CERN}", doi=doi)
    assert kind(whole, found("crossref", "doi", doi, record)) != "conflict"
    earlier = cited(title="Image Recognition", doi=doi)
    assert kind(earlier, found("crossref", "doi", doi, record)) != "conflict"
    others = cited(title="Image Recognition", author="Curie, Marie and Dirac, Paul", doi=doi)
    assert kind(others, found("crossref", "doi", doi, record)) == "conflict"


@pytest.mark.parametrize(("kind", "recorded"), [("software", ""), ("dataset", ""), ("misc", "software"), ("misc", "")])
def test_versions_of_software_differ_in_title_and_people(kind, recorded):
    doi = "10.5281/zenodo.1998447"
    entry = cited(kind, title="exoplanet v0.4.0", booktitle=None, pages=None, doi=doi)
    newer = replace(PREPRINT, source="datacite", title="exoplanet", type=recorded, venue="Zenodo")
    newer = replace(newer, authors=(*PREPRINT.authors, Name("Curie", "Marie")), identifiers=Identifiers(doi=doi))
    asked = [(Question("crossref", "doi", doi), Absent("crossref")), found("datacite", "doi", doi, newer)]
    assert wrong_fields(entry, *asked) == []


@pytest.mark.parametrize(("year", "source", "is_told"), [("2023", "arxiv", True), ("2023", "openalex", False),
                                                          ("2010", "openalex", True)])  # fmt: skip
def test_when_a_preprint_was_revised_arxiv_alone_knows(year, source, is_told):
    entry = cited(kind="misc", booktitle=None, pages=None, year=year, eprint="1512.03385", archiveprefix="arXiv")
    said = found(source, "arxiv", "1512.03385", replace(PREPRINT, source=source))
    assert wrong_fields(entry, said) == ["year"] * is_told


def test_a_preprint_found_by_its_title_may_be_cited_by_a_later_version():
    entry = cited(kind="misc", booktitle="arXiv preprint", pages=None, year="2019")
    said = [replace(PREPRINT, source=it, id=it) for it in ("openalex", "semantic_scholar")]
    assert wrong_fields(entry, *said) == []
    assert wrong_fields(entry, *said, PREPRINT) == ["year"]  # arXiv's own record tells that there is one version
    assert wrong_fields(entry, *said, replace(PREPRINT, id="1512.03385v4", years=(2015, 2020))) == []
    earlier = cited(kind="misc", booktitle="arXiv preprint", pages=None, year="2012")
    assert wrong_fields(earlier, *said) == ["year"]


def test_arxiv_without_the_number_of_a_version_does_not_know_the_last_one():
    entry = cited(kind="misc", booktitle=None, pages=None, year="2019", eprint="1512.03385", archiveprefix="arXiv")
    assert wrong_fields(entry, found("arxiv", "arxiv", "1512.03385", replace(PREPRINT, id="1512.03385"))) == []


@pytest.mark.parametrize(("source", "is_told"), [("arxiv", True), ("semantic_scholar", False)])
@pytest.mark.parametrize("field", ["title", "author"])
def test_what_a_preprint_was_called_and_who_wrote_it_arxiv_alone_knows(field, source, is_told):
    other = {"title": "Deep Residual Learning for Vision", "author": "He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing"}
    entry = cited(kind="misc", booktitle=None, pages=None, year="2015", eprint="1512.03385", **{field: other[field]})
    said = found(source, "arxiv", "1512.03385", replace(PAPER, source=source, years=(2015,)))
    assert [it.removesuffix("s") for it in wrong_fields(entry, said)] == [field] * is_told


def test_all_who_are_silent_on_its_identifiers_are_named():
    doi = {"doi": "10.1000/a", "eprint": "1512.03385", "archiveprefix": "arXiv"}
    asked = [Question("crossref", "doi", "10.1000/a"), Question("arxiv", "arxiv", "1512.03385")]
    said = [(it, Unavailable(it.service, "503 Service Unavailable")) for it in asked]
    entry = cited(**doi)
    reason = "Crossref and arXiv: 503 Service Unavailable"
    assert verdict(entry, answers(entry, *said), ALL).reason == reason


def test_two_broad_indexes_are_enough_to_hear_of_a_title_that_nobody_has():
    entry = cited(title="Deep Residual Training for Image Recognition", pages=None)
    said = answers(entry, by("openalex"), nothing("crossref", entry))
    for services, fields in ((("crossref", "openalex"), ["title"]), (("openalex",), []), (ALL, [])):
        assert [it.field for it in verdict(entry, said, services).differences] == fields


def test_who_was_not_asked_and_who_is_disabled_is_named():
    entry = cited(title="On the Dreams of Convolutional Sheep in Winter")
    broad = [nothing(it, entry) for it in ("crossref", "semantic_scholar", "openalex")]
    assert verdict(entry, answers(entry, *broad), ALL).reason == "DBLP: not asked"
    found = verdict(entry, answers(entry, broad[1]), {*ALL} - {"crossref", "openalex"})
    assert found.reason == "cannot be reported as unknown while Crossref and OpenAlex are disabled"


@pytest.mark.parametrize("place", [{"pages": "770-778"}, {"volume": "3"}])
def test_a_preprint_whose_record_has_the_place_in_print_confirms_the_venue(place):
    entry = cited(year="2015", volume="3")
    unnamed = replace(PREPRINT, venue="", identifiers=Identifiers())
    said = [nothing("dblp", entry), *(by(it, unnamed) for it in ("arxiv", "openalex"))]
    assert wrong_fields(entry, *said, by("semantic_scholar", unnamed)) == ["venue"]
    assert wrong_fields(entry, silent("dblp", entry), *said[1:], by("semantic_scholar", unnamed)) == []
    assert wrong_fields(entry, *said, by("semantic_scholar", unnamed, **place)) == []
