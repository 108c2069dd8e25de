"""Verdicts as text and back."""

import json
from dataclasses import replace

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Update
from citelsp.knowledge import Absent, Traced, Verdict
from citelsp.verification import verdict_cache
from citelsp.verification.decide import verdict
from citelsp.verification.question import Question
from written_references import ALL, ELSEWHERE, PAPER, PREPRINT, answers, cited, found


def test_a_verdict_comes_back_with_all_that_findings_say():
    entry = cited(doi="10.1000/birds", year="2012")
    said = [found("crossref", "doi", "10.1000/birds", ELSEWHERE), (Question("dblp", "doi", "x"), Absent("dblp"))]
    given = verdict(entry, answers(entry, *said, PAPER, replace(PREPRINT, source="openalex")), ALL)
    assert (given.kind, len(given.traced), bool(given.differences)) == ("conflict", 1, True)
    slim = verdict_cache.slim(given)
    assert verdict_cache.loads(verdict_cache.dumps(slim)) == slim == replace(given, records=())


def test_that_nobody_has_the_work_comes_back():
    for given in (Verdict("conflict", is_unknown=True), Verdict("conflict")):
        assert verdict_cache.loads(verdict_cache.dumps(given)) == given


def test_what_an_identifier_leads_to_stays_if_it_is_another_work():
    traced = [Traced("doi", "10.1/a", leads, "crossref", PAPER) for leads in ("here", "elsewhere")]
    slim = verdict_cache.slim(Verdict("conflict", traced=(*traced, Traced("pmid", "1", "nowhere", "europepmc"))))
    assert [it.record for it in slim.traced] == [None, PAPER, None]


async def test_a_verdict_is_found_by_the_content_of_its_entry(sources):
    cache = sources(lambda _: None)[0].client.cache
    given = verdict_cache.slim(Verdict("verified", record=PAPER))
    await verdict_cache.write(cache, "first", given)
    await verdict_cache.write(cache, "second", Verdict("unchecked"))
    assert await verdict_cache.read(cache, ["first", "second", "third"]) == {"first": given}


def test_abstracts_stay_with_the_work_and_references_go():
    told = replace(PAPER, abstract="Deeper networks.", references=("10.1/a",), updates=(Update("concern", "crossref"),))
    slim = verdict_cache.slim(Verdict("verified", record=told, records=(told, PAPER)))
    (record,) = slim.records
    assert (slim.record.abstract, record.abstract, record.references) == ("Deeper networks.", "", ())


def test_thousands_of_verdicts_share_what_services_say_of_most():
    slim = verdict_cache.slim(Verdict("verified", record=PAPER, asked=("crossref", "openalex"), unavailable=("dblp",)))
    read = [verdict_cache.slim(verdict_cache.loads(verdict_cache.dumps(slim))) for _ in range(2)]
    assert read == [slim, slim]
    shared = [(id(it.asked), id(it.unavailable), id(it.record.origins), id(it.record.disputed)) for it in read]
    assert shared[0] == shared[1]


@pytest.mark.parametrize(
    "stored", ["", "{", "[]", '{"version": 0}', '{"version": 2, "kind": "fine"}', '"x"', "null", "[" * 200_000]
)
def test_other_text_is_no_verdict(stored):
    assert verdict_cache.loads(stored) is None


@pytest.mark.parametrize("disputed", [{"year": [[]]}, {"year": [["dblp"]]}, {"year": 2017}])
def test_a_spoilt_record_is_no_verdict(disputed):
    record = {"source": "merged", "id": "1", "title": "Bees", "disputed": disputed}
    stored = json.dumps({"version": verdict_cache.VERSION, "kind": "verified", "record": record})
    assert verdict_cache.loads(stored) is None


@pytest.mark.parametrize("stored", ['{"version": 2, "kind": "verified", "record": {"no": 1}}'])
def test_values_of_another_version_are_no_verdict(stored):
    assert verdict_cache.loads(stored) is None


@pytest.mark.parametrize(
    ("kind", "unavailable", "days"),
    [
        ("verified", (), 90.0),
        ("verified", ("dblp",), 90.0),
        ("verified", ("crossref",), 0.0),  # who alone knows retractions
        ("mismatch", (), 7.0),
        ("mismatch", ("dblp",), 1.0),
        ("retracted", (), 30.0),
        ("unchecked", (), 0.0),
    ],
)
def test_a_verdict_is_kept_as_long_as_it_is_likely_to_hold(kind, unavailable, days):
    assert verdict_cache._days(Verdict(kind, record=PAPER, unavailable=unavailable)) == days


def test_a_preprint_is_verified_without_the_registry_of_publishers():
    preprint = replace(PREPRINT, identifiers=Identifiers(doi="10.48550/arxiv.1512.03385"))
    for record in (preprint, replace(PREPRINT, identifiers=Identifiers()), None):
        assert verdict_cache._days(Verdict("verified", record=record, unavailable=("crossref",))) > 0
    heard = Verdict("verified", record=PAPER, unavailable=("crossref",), asked=("crossref",))
    assert verdict_cache._days(heard) > 0


def test_notices_and_alternatives_come_back():
    told = replace(PAPER, updates=(Update("retraction", "crossref", "2020", "10.1/n"),))
    near = replace(ELSEWHERE, abstract="Birds.", references=("10.1/a",))
    slim = verdict_cache.slim(Verdict("retracted", record=told, records=(told, PAPER), alternatives=(near,)))
    again = verdict_cache.loads(verdict_cache.dumps(slim))
    assert again == slim and [it.updates for it in again.records] == [told.updates]
    assert again.alternatives == (replace(ELSEWHERE, abstract="", references=()),)
