"""How much of what a place asks for a work answers; what is said where nothing was found."""

import math
from dataclasses import replace

import pytest

from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.candidates import candidate_set, gather, word_coverage
from citelsp.candidates.gather import Gathered
from citelsp.candidates.word_coverage import SoughtWords
from citelsp.corpus.place_query import Query
from citelsp.knowledge import Absent, Answers, Candidate, Found, Unavailable
from citelsp.workspace.question import read_marked

MEASURE = SoughtWords(
    hint={"decay": 3.0}, sentence={"trout": 4.0, "river": 1.0}, sought={"decay": 5.0, "trout": 4.0, "river": 1.0}
)


@pytest.mark.parametrize(
    ("title", "abstract", "share"),
    [
        ("Trout", "", 0.4),
        ("Trout of the river", "", 0.5),
        ("", "Trout", 0.4 * 0.4),
        ("Trout", "Trout", 0.4),
        ("River", "Of trout", 0.1 + 0.4 * 0.4),
        ("", "Decaying", 0.5),
        ("Salmon", "Of salmon", 0.0),
    ],
)
def test_words_of_the_sentence_count_less_in_an_abstract(title, abstract, share):
    assert MEASURE.share(title, abstract) == pytest.approx(share)


@pytest.mark.parametrize(("text", "fits"), [("Trout", True), ("River", False), ("Decay", True), ("Salmon", False)])
def test_a_third_of_the_hint_or_of_the_sentence_is_enough(text, fits):
    assert MEASURE.fits(text) is fits


def test_words_are_weighed_by_rarity_by_their_place_and_by_who_wrote_them():
    query = Query(read_marked(r"Trout swim, rivers flow \cite<>.", hint="swimming decay"))
    found = word_coverage.weigh_sought_words(query, ["Trout swim.", "Trout.", "Decay."], None)
    rare = {count: math.log(2 + 3 / (1 + count)) for count in (0, 1, 2)}
    assert found.hint == {"swim": rare[1], "decay": rare[1]}
    assert found.sentence == {"trout": rare[2], "river": rare[0], "flow": rare[0]}
    assert found.sought == pytest.approx(
        {"trout": rare[2], "river": 2 * rare[0], "flow": 2 * rare[0], "swim": 3 * rare[1], "decay": 3 * rare[1]}
    )
    record = Record("x", "1", "Trout", (Name("Lee"), Name("Roe")), abstract="So.")
    assert word_coverage.text_of(record) == "Trout So. Lee Roe"
    assert word_coverage.rarity(None)("whatever") == 1.0


def work(name, **more):
    return Gathered(Candidate(Record("x", name, name), more.pop("probability", None), key=more.pop("key", "")), **more)


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ({"place": 2, "own": 0.3}, {"corpus": 0.5}, (2, 0.3, 0.5)),
        ({"corpus": 0.5}, {"place": 2, "own": 0.3}, (2, 0.3, 0.5)),
        ({"place": 0, "own": 0.0, "corpus": 0.2}, {"place": 1, "own": 0.9, "corpus": 0.5}, (0, 0.0, 0.5)),
        ({}, {}, (None, None, None)),
    ],
)
def test_of_one_work_under_two_names_all_that_speaks_for_either_is_kept(first, second, joined):
    found = gather._join_copies([work("a", **first), work("b", **second)])
    assert (found.place, found.own, found.corpus) == joined
    assert gather._join_copies([work("a"), work("b", key="k")]).candidate.key == "k"
    assert gather._join_copies([work("a", **first)]) == work("a", **first)


def silence(*lookups):
    here = gather.Here(Query(read_marked(r"Trout swim \cite<>.")))
    return candidate_set.suggest(here, Answers(lookups)).reason


def test_where_nothing_was_found_it_is_said_who_did_not_answer():
    away, limited = Unavailable("crossref", "500"), Unavailable("lab", "429", until=1_000_000.0)
    assert silence() == "no entries were found, so nothing was searched"
    assert silence(Absent("dblp")) == "the services found no work on this"
    assert silence(Absent("dblp"), away) == "the services that answered found no work on this (Crossref: 500)"
    assert silence(away) == "no service answered (Crossref: 500)"
    assert silence(away, limited).startswith("no service answered (Crossref: 500; lab: 429 until ")


def test_what_was_found_shares_enough_words_with_the_hint_or_is_said_not_to():
    here = gather.Here(Query(read_marked(r"Trout swim \cite<>.", hint="salmon")))
    lists = (Found("dblp", (Record("dblp", "1", "On Salmon"),)),)
    assert not candidate_set.suggest(here, Answers(lists)).abstained
    others = (Found("dblp", (Record("dblp", "1", "Quasars at Night"),)),)
    told = candidate_set.suggest(replace(here), Answers(others))
    assert (told.abstained, told.reason) == (True, "no work found shares enough words with “salmon”")


@pytest.mark.parametrize(
    ("size", "chance", "reason"),
    [
        (10**6, 0.1, "nothing fits, as the nearest work is improbable"),
        (10**6, 0.2, ""),
        (5, 0.1, ""),  # of so few works probabilities tell little, and its words are those of the sentence
    ],
)
def test_the_probabilities_of_a_large_corpus_decide_alone(size, chance, reason):
    found = (Candidate(Record("corpus", "1", "Trout swim in rivers"), chance),)
    here = gather.Here(Query(read_marked(r"Trout swim \cite<>.")), found=found, size=size)
    told = candidate_set.suggest(here)
    assert (told.abstained, told.reason) == (bool(reason), reason)


def test_a_passage_stands_under_the_name_of_a_source_that_has_it():
    title, more = "Trout swim in northern rivers", "They swim. Of salmon nothing is said."
    here = gather.Here(Query(read_marked(r"Trout swim \cite<>.")))
    lists = [
        Found(name, (Record(name, name, title, years=(2001,), abstract=text),))
        for name, text in (("dblp", ""), ("openalex", more))
    ]
    (one,) = gather.works(here, lists)
    (quoted,) = one.candidate.evidence
    assert quoted.source == ("openalex" if quoted.where == "abstract" else "dblp")
    (other,) = gather.works(here, [lists[0]])
    assert [(it.quote, it.where, it.source) for it in other.candidate.evidence] == [(title, "title", "dblp")]
