"""A verdict names the rules that it rests on, each of which says in a sentence what it is about."""

import inspect
from dataclasses import replace

import pytest

from citelsp.verification import binding, decide
from citelsp.verification.differences import RULES
from citelsp.verification.excuses import fitness, identifier, unknown, venue
from written_references import ALL, ELSEWHERE, PAPER, answers, by, cited, found, nothing

EVERY = [
    *(rule for of in RULES.values() for rule in (*of.silent, *of.weak, *(it.rule for it in of.proofs))),
    *(it.rule for it in (*fitness.UNJUDGED, *fitness.DOUBTFUL)),
    *(it.rule for it in (*unknown.UNANSWERED, *unknown.UNHEARD, *unknown.UNSETTLED, *unknown.UNCOVERED)),
    *venue.PROOFS,
    *(it.holds for it in binding.RULES),
    *(*identifier.EXCUSES, *identifier.DOUBTS),
    *decide.STEPS,
]


def spoken(entry, *said):
    rules = decide.verdict(entry, answers(entry, *said), ALL).rules
    return [(it.subject, it.rule, it.effect, it.sources) for it in rules]


@pytest.mark.parametrize("rule", EVERY, ids=lambda it: it.__name__)
def test_a_rule_says_what_it_is_about(rule):
    first = inspect.getdoc(rule).splitlines()[0]
    assert first.endswith((".", ":")) or inspect.getdoc(rule).count(".") > 0


def test_what_agrees_is_told_with_its_sources():
    assert ("title", "", "agrees", ("crossref",)) in spoken(cited(), by("crossref"))


def test_a_wrong_venue_is_told_with_what_made_it_certain():
    found = spoken(cited(booktitle="ICML", pages=None), by("openalex"), by("dblp"))
    assert ("venue", "two_sources_have_it_elsewhere", "reports", ("dblp", "openalex")) in found
    assert found[-1] == ("work", "all_records_contradict_it", "decides", ())


def test_a_wrong_venue_that_is_not_reported_is_told_with_the_reason():
    found = spoken(cited(booktitle="ICML", pages=None), by("openalex"), by("semantic_scholar"))
    assert ("venue", "aggregators_make_up_series", "weakens", ("openalex", "semantic_scholar")) in found


def test_a_doubt_of_one_source_is_told():
    entry = cited(title="Shallow Residual Learning for Image Recognition", pages=None)
    assert ("title", "no_second_source", "is not enough", ("openalex",)) in spoken(entry, by("openalex"))


def test_why_nothing_is_said_of_a_work_that_nobody_has():
    entry = cited("misc", howpublished="Handed out")
    found = spoken(entry, *(nothing(it, entry) for it in ("crossref", "semantic_scholar", "openalex")))
    assert found == [("work", "is_seldom_indexed", "excuses", ()), ("work", "nobody_has_it", "decides", ())]


def test_a_comparison_says_why_it_holds_nothing_against_an_entry():
    entry = cited(author="DeepMind Team", pages=None)
    found = spoken(entry, by("crossref", PAPER))
    assert ("authors", "one_names_a_group", "not compared", ("crossref",)) in found


def test_a_record_is_the_work_by_a_rule_and_so_is_the_nearest_one_another():
    assert ("work", "has_title_and_people", "binds", ("crossref",)) in spoken(cited(), by("crossref"))
    other = replace(PAPER, title="Deep Residual Learning for Image Recognition II. Videos")
    assert spoken(cited(), other)[0] == ("work", "is_another_part", "keeps apart", ("crossref",))


def test_an_identifier_that_leads_elsewhere_and_is_no_mistake_is_told_with_the_reason():
    proceedings = replace(PAPER, title="Proceedings of the Seaside Conference", authors=())
    entry = cited(booktitle="Proceedings of the Seaside Conference", doi="10.1000/whole")
    found_there = spoken(entry, found("crossref", "doi", "10.1000/whole", proceedings))
    assert ("identifier", "belongs_to_the_whole", "excuses", ("crossref",)) in found_there


def test_where_an_identifier_leads_is_the_word_of_its_registrar():
    entry = cited(doi="10.1000/birds")
    said = spoken(entry, found("openalex", "doi", "10.1000/birds", ELSEWHERE))
    assert ("identifier", "is_no_word_of_the_registrar", "excuses", ("openalex",)) in said
