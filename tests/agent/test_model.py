"""The policy with a model: one question, further ones while they show something new, and when these end."""

import json
from dataclasses import replace

import pytest

from agent_works import Shelf, candidate
from citelsp.agent import model, start, story, trajectory
from citelsp.agent.chat import Chat
from citelsp.agent.environment import Answer
from citelsp.agent.habits import Memory
from citelsp.agent.loop import run_through
from citelsp.agent.model import Model
from citelsp.base.settings import Agent, LanguageModel, Settings
from model_server import completion, failure, serving

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."
TITLE = "On the Origin of Small Memories"
ELSEWHERE = candidate(f"{TITLE}: A Subtitle", abstract="It needs memory.")


def says(**answer):
    return completion(json.dumps({"choice": "", "why": "so", **answer}))


@pytest.fixture
def asked(environment, tmp_path):
    """asked(answers, …) → the Suggestion, the run, and what the model's server was asked"""

    async def run(*answers, options=None, **more):
        async with serving(*answers) as server:
            chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"), patience=0.001)
            found, done = await run_through(environment(TEXT, **more), Model(chat, **options or {}))
            await chat.aclose()
        return found, done, server

    return run


def first(found):
    return found.candidates[0].record.title


async def test_one_request_is_enough_if_the_work_is_shown(asked):
    found, _, server = await asked(says(choice="W1", sure="clear", why="It is Adam.", others=["W3", "W2"]))
    assert (found.candidates[0].record.id, found.candidates[0].probability) == ("adam", 0.93)
    assert (found.candidates[0].why, found.abstained, found.together) == ("It is Adam.", False, 1)
    assert len(server.asked) == 1 and "tools" not in server.asked[0]
    assert [it.probability for it in found.candidates[1:3]] == [None, None]


async def test_a_title_that_is_not_shown_is_looked_up_and_taken_if_it_is_there(asked):
    services = Shelf(candidate("Another work of memory"), ELSEWHERE)
    found, _, server = await asked(says(title=TITLE, sure="likely"), services=services)
    assert (first(found), found.candidates[0].probability, found.abstained) == (ELSEWHERE.record.title, 0.6, False)
    assert len(server.asked) == 1
    assert services.asked == [("search", TITLE)]  # which leaves whole


async def test_a_title_of_the_corpus_needs_no_service(asked):
    services = Shelf()
    options = {"titles": 1}
    found, _, server = await asked(says(title="Generative adversarial nets"), services=services, options=options)
    assert (first(found), services.asked, len(server.asked)) == ("Generative Adversarial Nets", [], 1)


async def test_a_title_that_nobody_has_is_never_taken(asked):
    answers = says(title=TITLE, why="It began there."), says()
    found, _, server = await asked(*answers, services=Shelf(candidate("Another work of memory")))
    assert (found.abstained, len(server.asked)) == (True, 2)
    assert found.reason == f"“{TITLE}” seems to be meant and was not found; so"
    assert TITLE not in [it.record.title for it in found.candidates]
    second = server.messages[1][1]["content"]
    assert "«Another work of memory»" in second  # what was found instead may be chosen now
    assert "«Adam: A Method" not in second  # what was refused is not shown again


async def test_without_a_choice_a_second_question_shows_what_stands_further_down(asked):
    found, _, server = await asked(says(), says(choice="W2"), options={"titles": 1})
    assert (len(server.asked), found.abstained) == (2, False)
    one, two = (it[1]["content"].partition("\n\n")[2].splitlines() for it in server.messages)
    assert one == ["W1 «Adam: A Method for Stochastic Optimization» «Kingma 2014»"]
    assert two[0] == "You were shown 1 titles and chose none."
    assert two[2].startswith("W2 ") and len(two) > 4


async def test_words_are_searched_for_and_what_they_find_is_shown_first(asked):
    services = Shelf(ELSEWHERE)
    found, run, server = await asked(
        says(words="origin memories"), says(choice=ELSEWHERE.record.title), services=services, options={"titles": 1}
    )
    assert (first(found), len(server.asked)) == (ELSEWHERE.record.title, 2)
    assert [it.name for it in run.steps[1].turn.actions] == ["search"]
    assert [it for it in services.asked if it[0] == "search"] == [("search", "origin memories")]


async def test_who_knows_no_words_after_two_questions_gives_up(asked):
    found, _, server = await asked(says(), says(why="Nothing is on memory."), options={"titles": 1})
    assert (found.abstained, found.reason, len(server.asked)) == (True, "Nothing is on memory.", 2)
    found, _, server = await asked(says(why="Nothing is on memory."))
    assert (found.abstained, found.reason, len(server.asked)) == (True, "Nothing is on memory.", 1)  # all were shown


async def test_who_knows_other_words_goes_on_while_they_find_something_new(asked):
    found_by = {"kinds": candidate("Kinds of memory"), "origin": ELSEWHERE, "small": ELSEWHERE}
    services = Shelf()
    services.search = lambda words, _limit: answered(found_by.get(words))
    answers = [says(words=it, why=f"Not {it}.") for it in ("kinds", "origin", "small")]
    found, _, server = await asked(*answers, services=services)
    assert (found.abstained, found.reason, len(server.asked)) == (True, "Not small.", 3)
    last = server.messages[2][1]["content"]
    assert last.endswith(
        f"You were shown 6 titles and chose none.\nSearched for: «kinds», «origin»\n\nW7 «{ELSEWHERE.record.title}»"
    )


async def answered(work):
    return Answer((work,) if work else (), requests=1)


async def test_a_model_that_repeats_a_search_is_told_so_once_and_then_rules_decide(asked):
    found, _, server = await asked(says(words="small memories"), services=Shelf(ELSEWHERE))
    assert (found.candidates[0].record.id, found.abstained, len(server.asked)) == ("adam", False, 3)
    assert "this was asked before and brings nothing new" in server.messages[2][1]["content"]
    assert found.undecided == "the model's answers could not be used: this was asked before and brings nothing new"


async def test_where_nothing_is_probable_what_stands_further_down_is_not_asked_about(asked, monkeypatch):
    monkeypatch.setattr(model, "_WORTH", 1.1)
    found, _, server = await asked(says(why="Nothing fits."), options={"titles": 1})
    assert (found.abstained, found.reason, len(server.asked)) == (True, "Nothing fits.", 1)
    other = candidate("Small kinds of memory")
    services = Shelf(other, candidate("Kinds of something else"))
    options = {"titles": 1}
    _, _, server = await asked(says(words="small memory"), says(), services=services, options=options)
    assert len(server.asked) == 2
    assert "«Small kinds of memory»" in (last := server.messages[1][1]["content"])
    assert "something else" not in last, "only what holds all of the words"


async def test_who_is_only_to_pick_searches_nothing(asked):
    services = Shelf(ELSEWHERE)
    options = {"searches": False}
    found, _, server = await asked(says(words="origin memories"), services=services, options=options)
    assert (found.abstained, services.asked, len(server.asked)) == (True, [], 1)
    found, _, _ = await asked(says(title=TITLE), services=services, options=options)
    assert first(found) == ELSEWHERE.record.title


async def test_without_a_corpus_the_model_speaks_first(environment, tmp_path):
    services = Shelf(candidate("Another work of memory"), ELSEWHERE)
    place = replace(environment(TEXT, services=services), corpus=None)
    async with serving(says(title=TITLE, sure="clear")) as server:
        chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"))
        found, _ = await run_through(place, Model(chat))
        await chat.aclose()
    assert (first(found), services.asked) == (ELSEWHERE.record.title, [("search", TITLE)])
    assert server.messages[0][1]["content"].endswith("No work was found for it: give the title of the work, or words.")


async def test_rules_decide_if_the_model_gives_no_usable_answer(asked):
    for answer in (failure("no such model", 404), completion("我认为应该引用第一篇论文"), says(choice="W99")):
        found, _, _ = await asked(answer)
        assert (found.candidates[0].record.id, found.abstained) == ("adam", False)
        assert found.undecided and found.undecided in found.reason


async def test_a_question_that_is_too_long_shows_fewer_titles(asked):
    long = failure("the request exceeds the available context size (1024 tokens)")
    services = Shelf(*(candidate(f"Kind {it} of memory") for it in range(30)))
    library = lambda _words, _limit: list(services.works)  # noqa: E731
    found, _, server = await asked(*[long] * 3, says(choice="W1"), library=library)
    shown = [it[1]["content"].count("\nW") for it in server.messages]
    assert shown[0] > 8 and shown[-1] == 8
    assert not found.abstained


async def test_several_works_are_asked_for_at_once_and_taken_together(environment, tmp_path):
    async with serving(says(choice="W1", sure="clear", others=["W2", "W3"])) as server:
        settings = Settings(model=LanguageModel(server.url, "m"))
        chat = start.open_chat(settings)
        journal = trajectory.Writer(tmp_path)
        found = await start.suggest(environment(TEXT), settings, chat, most=3, journal=journal)
        one = await start.suggest(environment(TEXT), settings, chat)
        further = await start.suggest(environment(TEXT), settings, chat, known=one, most=3)
        await chat.aclose()
    assert (found.together, [it.probability for it in found.candidates[:3]]) == (3, [0.93, 0.6, 0.6])
    assert (one.together, further.together) == (1, 3)
    assert len(server.asked) == 3  # one conversation each
    assert "Up to 2 works" in server.messages[2][1]["content"]
    assert "Cited there already: «Adam: A Method for Stochastic Optimization»" in server.messages[2][1]["content"]
    runs = trajectory.read(journal.path)
    assert replace(await trajectory.replay(runs), usage={}) == replace(found, usage={})


async def test_a_guess_is_not_taken_for_several(environment):
    async with serving(says(choice="W1", sure="guess", others=["W2"])) as server:
        settings = Settings(model=LanguageModel(server.url, "m"))
        chat = start.open_chat(settings)
        found = await start.suggest(environment(TEXT), settings, chat, most=3)
        await chat.aclose()
    assert (found.abstained, found.together) == (True, 1)


async def test_a_choice_by_title_is_replayed_and_told(environment, tmp_path):
    place = environment(TEXT, services=Shelf(candidate("Another work of memory"), ELSEWHERE))
    async with serving(says(title=TITLE, sure="clear", why="It began there.")) as server:
        settings = Settings(model=LanguageModel(server.url, "m"), agent=Agent(titles=5))
        chat = start.open_chat(settings)
        journal = trajectory.Writer(tmp_path)
        found = await start.suggest(place, settings, chat, journal=journal)
        await chat.aclose()
    assert server.messages[0][1]["content"].count("\nW") == 5
    runs = trajectory.read(journal.path)
    assert replace(await trajectory.replay(runs), usage={}) == replace(found, usage={})
    told = story.explain(runs)
    assert f"{ELSEWHERE.record.title} (clear): It began there." in told
