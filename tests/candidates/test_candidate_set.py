"""Works for a placeholder from the author's own entries; saying that nothing fits."""

import pytest

import fixture_projects
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Record
from citelsp.candidates import candidate_set, gather
from citelsp.investigate import resolve
from citelsp.knowledge import Answers, Candidate, Suggestion
from citelsp.workspace import question


def listed(project, placeholder):
    return candidate_set.suggest(
        gather.gather_locally(
            question.placeholder_question(project, "main.tex", placeholder), None, project, Libraries()
        )
    )


FIXTURE = r"""
%% main.tex
\title{Programs as Literature}
Sequence models rest on attention mechanisms alone \cite<HINT>.
%% refs.bib
@misc{vaswani, author = {Vaswani}, title = {Attention Is All You Need}, abstract = {Transformers for sequence models}}
@misc{glaciers, author = {Ice}, title = {Measuring Glacier Flow}, abstract = {How models of glaciers move}}
"""


@pytest.mark.parametrize(
    ("hint", "first", "abstained"),
    [
        ("", "vaswani", False),
        ("transformers", "vaswani", False),
        ("glacier flow", "glaciers", False),
        ("quasars", "", True),
    ],
)
def test_entries_that_answer(hint, first, abstained):
    world = fixture_projects.world(FIXTURE.replace("HINT", hint))
    [placeholder] = world.project.sources["main.tex"].syntax.placeholders
    found = listed(world.project, placeholder)
    assert (found.candidates[0].key if found.candidates else "", found.abstained) == (first, abstained)
    assert bool(found.reason) == abstained


def test_own_works_are_listed_where_one_word_tells_of_them_though_none_is_said_to_fit():
    world = fixture_projects.world(
        r"""
%% main.tex
The tables that it writes are kept in many formats, and hydrologists of all countries like those of Pandas \cite<>.
%% refs.bib
@misc{mckinney, author = {McKinney, Wes}, title = {Data Structures in Python: pandas}}
@misc{glaciers, author = {Ice}, title = {Measuring Glacier Flow}, abstract = {Tables that hydrologists like}}
@misc{other, author = {Nobody}, title = {Something Else}}
"""
    )
    [placeholder] = world.project.sources["main.tex"].syntax.placeholders
    found = listed(world.project, placeholder)
    assert [it.key for it in found.candidates] == ["mckinney", "glaciers"] and found.abstained


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        (r"Sequence models rest on attention \cite{vaswani} and glaciers \cite<>.", False),
        (r"Sequence models rest on attention, like glaciers \cite<>, as \textcite[2]{other,vaswani} say.", False),
        (r"Sequence models rest on attention \cite{vaswani}. Attention models move \cite<>.", True),
        ("Sequence models rest on attention \\cite{vaswani}\n\nAttention models move \\cite<>.", True),
        (r"Sequence models rest on attention \cite{vaswani} and glaciers \cite<attention>.", True),
    ],
)
def test_what_the_sentence_cites_already_is_not_offered_again_unless_asked_for(text, offered):
    world = fixture_projects.world(f"%% main.tex\n{text}\n%% refs.bib{FIXTURE.partition('%% refs.bib')[2]}")
    [placeholder] = world.project.sources["main.tex"].syntax.placeholders
    found = listed(world.project, placeholder)
    asked = resolve.make_environment(world.project, "main.tex", placeholder, resolve.Reach())
    assert ("vaswani" in [it.key for it in found.candidates]) == offered
    assert asked.rule.admits(Record(title="Attention is all you need", source="corpus", id="W1")) == offered


@pytest.mark.parametrize(
    ("again", "first"),
    [("Harps sound in strong cold winds of the north", "other"), ("They are old", "glaciers")],
)
def test_an_entry_is_told_by_what_the_manuscript_says_where_it_cites_it(again, first):
    world = fixture_projects.world(
        rf"""
%% main.tex
{again} \cite{{other}}. Nothing is said of oars.

Measuring how harps sound in strong cold winds of the north \cite<>.
%% refs.bib
@misc{{other, author = {{Nobody}}, title = {{Something Else}}}}
@misc{{glaciers, author = {{Ice}}, title = {{Measuring Glacier Flow}}}}
"""
    )
    [placeholder] = world.project.sources["main.tex"].syntax.placeholders
    found = listed(world.project, placeholder)
    reach = resolve.Reach(resolve.open_library(world.project, Libraries(), None))
    environment = resolve.make_environment(world.project, "main.tex", placeholder, reach)
    assert environment.library
    again = environment.library(" ".join(environment.query.sentence.split()), 9)
    for keys in ([it.key for it in found.candidates], [it.key for it in again]):
        assert keys[0] == first


def test_a_work_that_has_an_entry_is_the_authors_own_whoever_found_it():
    world = fixture_projects.world(
        "%% main.tex\n\\cite{a}\n%% refs.bib\n@misc{mine, doi = {10.1000/x}, title = {Other Words}}\n"
    )
    record = Record(title="A Paper", source="corpus", id="W1", identifiers=Identifiers(doi="10.1000/x"))
    found = gather.add_own_key(world.project, Candidate(record, origins=("corpus",)))
    assert (found.key, found.origins) == ("mine", ("library", "corpus"))


def test_what_a_model_only_guesses_at_stays_first():
    world = fixture_projects.world(FIXTURE.replace("HINT", ""))
    [placeholder] = world.project.sources["main.tex"].syntax.placeholders
    work = Candidate(Record(title="Far Away", source="openalex", id="X"), 0.3, ("openalex",), why="It may be meant.")
    guess = Suggestion((work,), abstained=True, reason="the model only guesses", usage={"tokens_in": 900.0})
    here = gather.gather_locally(
        question.placeholder_question(world.project, "main.tex", placeholder), None, world.project, Libraries()
    )
    found = candidate_set.suggest(here, Answers(search=guess))
    assert (found.candidates[0], found.abstained, found.reason) == (work, True, "the model only guesses")


def test_the_list_stands_where_a_model_did_not_choose():
    world = fixture_projects.world(FIXTURE.replace("HINT", ""))
    [placeholder] = world.project.sources["main.tex"].syntax.placeholders
    limit = "the limit of 15 turns was reached"
    stopped = Suggestion(reason=limit, abstained=True, usage={"tokens_in": 900.0}, undecided=limit)
    asked = question.placeholder_question(world.project, "main.tex", placeholder)
    here = gather.gather_locally(asked, None, world.project, Libraries())
    found = candidate_set.suggest(here, Answers(search=stopped))
    assert (found.candidates[0].key, found.abstained, found.reason) == ("vaswani", False, limit)
