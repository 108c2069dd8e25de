"""What a search by a model chose, beside the list of the rules."""

from datetime import datetime

import pytest

import fixture_projects
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Record
from citelsp.candidates import candidate_set, gather
from citelsp.knowledge import Answers, Candidate, Found, ServerAnswer, Suggestion, Unavailable
from citelsp.workspace import question

TEXT = r"Sequence models rest on attention mechanisms alone \cite<HINT>."
REFS = """@misc{vaswani, author = {Vaswani}, title = {Attention Is All You Need}, abstract = {Sequence models}}
@misc{glaciers, author = {Ice}, title = {Measuring Glacier Flow}, abstract = {How models of glaciers move}}
"""
ASKED = {"tokens_in": 900.0}


def found(hint="", refs=REFS, **known):
    project = fixture_projects.project_of({"main.tex": TEXT.replace("HINT", hint), "refs.bib": refs})
    [placeholder] = project.sources["main.tex"].syntax.placeholders
    here = gather.gather_locally(
        question.placeholder_question(project, "main.tex", placeholder), None, project, Libraries()
    )
    return candidate_set.suggest(here, Answers(**known))


def work(title, chance=0.3, source="openalex", **more):
    return Candidate(Record(title=title, source=source, id=title), chance, (source,), **more)


def titles(suggestion):
    return [it.record.title for it in suggestion.candidates]


def test_what_it_chose_comes_first_and_each_work_once():
    chosen = (work("Far Away"), work("Measuring glacier flow!"), work("Seen, Not Chosen"))
    it = found(search=Suggestion(chosen, usage=ASKED, together=2, further=True, reason="both say so", trajectory="t"))
    assert titles(it) == ["Far Away", "Measuring glacier flow!", "Attention Is All You Need"]
    assert [each.key for each in it.candidates] == ["", "glaciers", "vaswani"]
    assert [each.probability for each in it.candidates] == [0.3, 0.3, None]  # what the model did not weigh has none
    assert (it.together, it.abstained, it.reason, it.further, it.trajectory) == (2, False, "both say so", True, "t")


def test_an_entry_whose_work_was_chosen_under_another_title_is_listed_once():
    refs = REFS.replace("title = {Attention", "doi = {10.1000/att}, title = {Attention")
    record = Record(
        "openalex", "W1", "Attention Is All You Need: Transformers", identifiers=Identifiers(doi="10.1000/att")
    )
    it = found(refs=refs, search=Suggestion((Candidate(record, 0.9, ("openalex",)),), usage=ASKED))
    assert [(each.key, each.record.title) for each in it.candidates] == [
        ("vaswani", record.title), ("glaciers", "Measuring Glacier Flow"),
    ]  # fmt: skip


def test_two_works_that_were_chosen_together_stand_whoever_chose_them():
    it = found(search=Suggestion((work("Far Away"), work("Further Still")), together=2))
    assert (titles(it)[:2], it.together) == (["Far Away", "Further Still"], 2)


def test_it_refuses_and_the_list_stands_behind_that():
    it = found(search=Suggestion((work("Far Away"),), abstained=True, reason="nothing says this", usage=ASKED))
    assert (it.abstained, it.reason, it.together) == (True, "nothing says this", 1)
    assert "Far Away" not in titles(it)


def test_no_longer_list_than_ten():
    many = "".join(f"@misc{{k{at}, title = {{Attention of models, volume {at}}}}}\n" for at in range(20))
    assert len(found(refs=many).candidates) == 10
    assert len(found(refs=many, search=Suggestion((work("Far Away"),), usage=ASKED)).candidates) == 10


@pytest.mark.parametrize(
    ("search", "reason"),
    [
        (Suggestion(reason="no model answered", trajectory="t"), "no model answered"),
        (Suggestion(usage=ASKED, undecided="the limit was reached", trajectory="t"), "the limit was reached"),
        (Suggestion(trajectory="t"), ""),
    ],
)
def test_if_it_did_not_choose_the_list_stands(search, reason):
    it = found(search=search)
    assert (it.candidates[0].key, it.abstained, it.reason) == ("vaswani", False, reason)
    assert (it.trajectory, it.undecided) == ("t", search.undecided)


def test_both_reasons_are_given_if_nothing_fits_and_it_did_not_choose():
    it = found("quasars", search=Suggestion(usage=ASKED, undecided="the limit was reached"))
    assert it.abstained
    assert it.reason == "your bibliography has no work on this; the limit was reached"


@pytest.mark.parametrize(
    ("refs", "works", "reason"),
    [
        (REFS, 0, "your bibliography has no work on this"),
        (REFS, 9, "neither your bibliography nor the corpus has a work on this"),
        ("", 9, "the corpus has no work on this"),
        ("", 0, "no entries were found, so nothing was searched"),
    ],
)
def test_what_was_looked_at_is_said_if_nothing_is_there(refs, works, reason):
    assert found("quasars", refs, servers=(ServerAnswer("lab", works=works),)).reason == reason


def test_the_reason_of_the_list_is_not_replaced_by_that_of_a_search_without_a_model():
    it = found("quasars", search=Suggestion(reason="nothing"))
    assert it.reason == "your bibliography has no work on this"


@pytest.mark.parametrize(
    ("lookups", "reason"),
    [
        ([Unavailable("crossref", "timeout"), Unavailable("dblp", "429")],
         "no service answered (Crossref: timeout; DBLP: 429)"),
        ([Found("crossref", ()), Unavailable("dblp", "429"), Unavailable("arxiv", "429")],
         "the services that answered found no work on this (DBLP and arXiv: 429)"),
        ([Found("crossref", ())], "the services found no work on this"),
    ],
)  # fmt: skip
def test_who_did_not_answer(lookups, reason):
    assert found("quasars", lookups=tuple(lookups)).reason == reason


def test_until_when_nobody_asks_again():
    until = datetime(2026, 1, 2, 13, 45).timestamp()
    silent = Unavailable("crossref", "429", until=until)
    assert found("quasars", lookups=(silent,)).reason == "no service answered (Crossref: 429 until 13:45)"


def test_a_corpus_that_did_not_answer_is_named_beside_what_was_found():
    it = found(servers=(ServerAnswer("institute", why="timeout"),))
    assert (it.candidates[0].key, it.reason) == ("vaswani", "the corpus institute did not answer: timeout")


def test_what_a_search_saw_speaks_as_if_each_service_had_been_asked():
    both = Candidate(Record(title="Both", source="openalex", id="1"), origins=("library", "openalex", "dblp"))
    one = Candidate(Record(title="One", source="dblp", id="2"), origins=("dblp", "corpus"))
    assert candidate_set.lookups([both, one]) == (
        Found("openalex", (both.record,)),
        Found("dblp", (both.record, one.record)),
    )
    assert candidate_set.lookups([]) == ()
