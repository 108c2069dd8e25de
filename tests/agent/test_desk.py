"""Works on the desk of a run: when two are one, what is known of them together, how they are ranked."""

from dataclasses import replace

import pytest

from agent_works import candidate
from citelsp.agent.environment import Desk, cut_texts, join_candidates
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.knowledge import Candidate, Evidence


def same(one, other):
    desk = Desk()
    return len(set(desk.lay([one, other]))) == 1


@pytest.mark.parametrize("kind", ["doi", "arxiv", "openalex", "s2", "acl", "pmid"])
def test_works_with_one_identifier_are_one(kind):
    one = candidate("On trout in rivers", id="a", identifiers=Identifiers(**{kind: "10.1/X"}))
    other = candidate("Trouts of the river", id="b", source="x", identifiers=Identifiers(**{kind: "10.1/x"}))
    assert same(one, other)
    assert not same(one, replace(other, record=replace(other.record, identifiers=Identifiers())))


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        (("On trout in rivers", "a"), ("ON TROUT, in rivers!", "b"), True),
        (("Trout, again twice", "a"), ("Trout: again twice", "b"), True),
        (("Trout again", "a"), ("Trout again", "b"), False),
        (("On trout", "a"), ("On salmon in rivers", "a"), True),
    ],
)
def test_a_title_of_three_words_names_a_work_and_an_id_does_in_its_source(one, other, are_one):
    found = [candidate(title, id=name) for title, name in (one, other)]
    assert same(*found) is are_one
    if one[1] == other[1]:
        assert not same(found[0], replace(found[1], record=replace(found[1].record, source="dblp")))


def test_a_short_title_names_a_work_of_which_nothing_else_is_known():
    bare = candidate("Trout")
    bare = replace(bare, record=replace(bare.record, id=""))
    assert same(bare, replace(bare, record=replace(bare.record, title="TROUT")))


def test_of_two_records_of_a_work_the_first_one_is_filled_from_the_second():
    known = Candidate(
        candidate("Trout", id="t", venue="Fish", identifiers=Identifiers(doi="10.1/a")).record,
        None, ("corpus",), "", (Evidence("One.", "1", "a"),),
    )  # fmt: skip
    record = candidate(
        "Other", source="dblp", id="d", venue="Other", volume="3", authors=(Name("Lee"),), citation_count=7,
        identifiers=Identifiers(doi="10.1/b", arxiv="2001.00001"), open_access=("u",), authors_complete=False,
        authors_ordered=False,
    ).record  # fmt: skip
    again = Candidate(
        record, 0.3, ("dblp", "corpus"), "lee20", (Evidence("Two.", "2", "b"), Evidence("One.", "1", "a"))
    )
    found = join_candidates(known, again)
    assert (found.record.title, found.record.id, found.record.venue) == ("Trout", "t", "Fish")
    assert (found.record.volume, found.record.citation_count, found.record.open_access) == ("3", 7, ("u",))
    assert (found.record.authors, found.record.authors_complete) == ((Name("Lee"),), False)
    assert not found.record.authors_ordered
    assert found.record.identifiers == Identifiers(doi="10.1/a", arxiv="2001.00001")
    assert (found.probability, found.origins, found.key) == (0.3, ("corpus", "dblp"), "lee20")
    assert [it.quote for it in found.evidence] == ["One.", "Two."]
    more = join_candidates(
        replace(found, probability=0.5, key="own"), replace(again, record=replace(record, authors=()))
    )
    assert (more.probability, more.key, more.record.authors_complete) == (0.5, "own", False)
    assert join_candidates(known, replace(known, record=record)).probability is None


def test_a_count_of_none_is_kept_as_one():
    none, many = candidate("Trout in rivers", citation_count=0), candidate("Trout in rivers", citation_count=9)
    assert join_candidates(none, many).record.citation_count == 0


def test_texts_that_services_send_are_bounded():
    long = candidate("t" * 700, abstract="a" * 30_000, quote="q" * 30_000)
    found = cut_texts(long)
    assert [len(it) for it in (found.record.title, found.record.abstract, found.evidence[0].quote)] == [
        600,
        20_000,
        20_000,
    ]
    broken = cut_texts(candidate("half \ud800", abstract="a \udfff", quote="q \ud800"))
    assert (broken.record.title, broken.record.abstract, broken.evidence[0].quote) == ("half ?", "a ?", "q ?")
    sound = candidate("Trout in rivers", abstract="It is.", quote="So.")
    assert cut_texts(sound) is sound


def test_works_are_named_by_how_far_up_they_are_in_all_lists():
    desk, (a, b, c) = Desk(), (candidate(f"Kind {it} of trout") for it in "abc")
    desk.name([[a, b], [c, b]])
    assert [it.record.title[5] for it in desk.works.values()] == ["b", "a", "c"]
    assert desk.seen == {}
    assert desk.lay([c, a, c]) == ("W3", "W2", "W3")
    assert desk.seen["W3"] > desk.seen["W2"] > 0
    desk.lay([b])
    desk.lay([a])
    assert desk.seen["W2"] > desk.seen["W3"] == desk.seen["W1"]


def test_everything_that_was_read_of_a_work_may_be_quoted_once():
    desk, passage = Desk(), Evidence("It is read.", "2", "x.org")
    desk.lay([candidate("Trout in rivers", abstract="Of trout.", quote="Found so.")])
    desk.read("W1", [passage])
    desk.read("W1", [passage, Evidence("More.", "3", "x.org")])
    said = [(it.quote, it.where) for it in desk.quotable("W1")]
    assert said == [
        ("Of trout.", "abstract"), ("It is read.", "2"), ("More.", "3"), ("Found so.", "abstract"),
        ("Trout in rivers", "title"),
    ]  # fmt: skip


def test_further_works_are_looked_for_without_those_that_were_chosen(environment):
    place = environment(r"Trout \cite<>.", exclude=frozenset({"x"}))
    chosen = candidate("Trout in rivers", id="t", identifiers=Identifiers(doi="10.1/a", arxiv="2001.1")).record
    beside = place.beside([chosen], [candidate("Seen before")])
    assert beside.exclude == {"x", "t", "10.1/a", "2001.1", "Trout in rivers"}
    assert (beside.chosen, [it.record.title for it in beside.earlier]) == ((chosen,), ["Seen before"])
