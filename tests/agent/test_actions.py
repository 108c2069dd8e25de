import asyncio
from dataclasses import replace

import pytest

from agent_works import Shelf, candidate
from citelsp.agent import actions, calls
from citelsp.agent.environment import Desk
from citelsp.agent.steps import Action
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.knowledge import Evidence

TEXT = r"We train with the Adam optimizer \cite<> for ten epochs."


async def titles(answer):
    return [it.record.id for it in (await answer).works]


async def test_match_place_ranks_the_corpus(environment):
    assert (await titles(actions.match_place(environment(TEXT))))[0] == "adam"


async def test_what_only_services_have_comes_after_two_works_of_the_corpus(environment):
    services = Shelf(candidate("Adam for Robots"), candidate("ADAM: a method for stochastic optimization."))
    found = await titles(actions.search(environment(TEXT, services=services), "stochastic optimization adam"))
    assert (found[0], found[2]) == ("adam", "adam for rob")
    assert services.asked == [("search", "stochastic optimization adam")]
    assert len(found) == len(set(found))


async def test_what_services_know_of_a_work_of_the_corpus_is_added_to_it(environment):
    known = candidate("Generative adversarial nets", identifiers=Identifiers(doi="10.1000/9"), abstract="Two play.")
    short = candidate("Dropout", identifiers=Identifiers(doi="10.1000/8"))
    found = (await actions.search(environment(TEXT, services=Shelf(short, known)), "generative adversarial nets")).works
    first = found[0]
    assert (first.record.id, first.record.abstract, first.origins) == ("gan", "Two play.", ("corpus", "openalex"))
    assert first.record.identifiers == Identifiers(doi="10.1000/9", arxiv="1406.2661")


async def test_works_by_different_people_are_found_under_one_short_title(environment):
    people = [(Name("Goodfellow", "Ian"),), (Name("LeCun", "Yann"),), (Name("Goodfellow", "Ian"),), ()]
    services = Shelf(*(candidate("Deep learning", id=f"{at}", authors=it) for at, it in enumerate(people)))
    place = replace(environment(TEXT, services=services), corpus=None)
    assert await titles(actions.search(place, "deep learning")) == ["0", "1"]
    assert await titles(actions.search_words(place, "deep learning")) == ["0", "1"]


async def test_rules_search_by_words_alone(environment):
    services = Shelf(candidate("Adam for Robots"))
    asked = Action("search_words", {"query": "stochastic optimization adam"})
    seen = await calls.perform(environment(TEXT, services=services), Desk(), asked)
    assert [it.record.id for it in seen.works][:2] == ["adam", "adam for rob"]


async def test_the_place_and_the_words_are_weighed_together(environment):
    """Two works hold the words: the one that the sentence is about comes first; a title in full comes before all."""
    memory, roots = r"Adam needs little memory \cite<>.", r"Roots are found by an approximation \cite<>."
    assert (await titles(actions.search(environment(memory), "stochastic method")))[0] == "adam"
    assert (await titles(actions.search(environment(roots), "stochastic method")))[0] == "sgd"
    assert (await titles(actions.search(environment(roots), "Long short-term memory")))[0] == "lstm"


async def test_the_order_of_services_stays(environment):
    services = Shelf(candidate("Old optimizers", citation_count=3), candidate("New optimizers", citation_count=900))
    place = replace(environment(TEXT, services=services), corpus=None)
    assert [it.record.citation_count for it in (await actions.search(place, "optimizers")).works] == [3, 900]


@pytest.mark.parametrize("name", ["search", "search_text_snippet", "expand_references", "expand_citations"])
async def test_one_rule_in_every_action(environment, name):
    late = candidate("Optimizers of the future", date="2020-02", quote="The future is near.")
    early = candidate("Optimizers of the past", date="2020-01", quote="The past is over.")
    own = candidate("training deep networks")
    place = environment(TEXT, date="2020-01", services=Shelf(late, own, early), exclude=frozenset({"survey"}))
    desk = Desk()
    desk.lay([candidate("Somebody's optimizers", id="X")])
    seen = await calls.perform(place, desk, Action(name, {"query": "optimizers", "id": "W1"}))
    shown = {it.record.title for it in seen.works}
    assert "Optimizers of the past" in shown
    assert not shown & {
        "Optimizers of the future",
        "training deep networks",
        "A Survey of Optimizers for Deep Learning",
    }


async def test_references_and_citations_in_the_corpus(environment):
    place = environment(TEXT)
    (adam, *_) = (await actions.match_place(place)).works
    assert set(await titles(actions.expand_references(place, adam))) == {"rmsprop", "sgd"}
    assert await titles(actions.expand_citations(place, adam)) == ["survey"]


async def test_reading_a_text(environment):
    place = environment(TEXT)
    (adam, *_) = (await actions.match_place(place)).works
    whole = (await actions.read_text(place, adam)).passages
    assert [it.where for it in whole] == ["abstract", "Introduction", "Algorithm", "Experiments"]
    found = (await actions.find_in_text(place, adam, "dropout on CIFAR images")).passages
    assert found[0].quote.startswith("Dropout was combined with Adam")
    assert found[0].where == "Experiments"


async def test_full_text_from_services_where_the_corpus_has_none(environment):
    services = Shelf(passages=[Evidence("Trout eat many flies at dusk.", "section 2", "arxiv.org")])
    place = environment(TEXT, services=services)
    found = await actions.find_in_text(place, candidate("Trout and flies"), "flies at dusk")
    assert found.passages == (Evidence("Trout eat many flies at dusk.", "section 2", "arxiv.org"),)


async def test_no_open_access_text_is_an_observation(environment):
    place, desk = environment(TEXT, services=Shelf(notes=("no open-access full text is known of",))), Desk()
    desk.lay([candidate("A book nobody may read")])
    seen = await calls.perform(place, desk, Action("find_in_text", {"id": "W1", "query": "x"}))
    assert seen.problem == "only its title is known"
    assert seen.notes


async def test_a_query_is_one_line_of_a_length_that_services_take(environment):
    services = Shelf()
    long = Action("search_library", {"query": f"  deep\nresidual  {'x' * 999}"})
    library = lambda words, _limit: services.asked.append(words) or []  # noqa: E731
    await calls.perform(environment(TEXT, library=library), Desk(), long)
    assert services.asked == [f"deep residual {'x' * 386}"]


async def test_passages_are_searched_for_without_a_corpus_too(environment):
    services = Shelf(candidate("A first work", quote="It says little of interest."))
    place = replace(environment(TEXT, services=services), corpus=None)
    seen = await calls.perform(place, Desk(), Action("search_text_snippet", {"query": "little interest"}))
    assert [it.record.title for it in seen.works] == ["A first work"]


def test_what_several_searches_found_comes_first_each_work_with_what_was_read_of_it():
    desk, (one, two) = Desk(), (candidate("A first work of them"), candidate("A second work of them", quote="Some."))
    desk.lay([one, two])
    desk.lay([two])
    desk.read("W2", [Evidence("More.", "section 2", "arxiv.org")])
    assert [it.record.title for it in desk.found()] == [two.record.title, one.record.title]
    assert [it.quote for it in desk.found()[0].evidence] == ["More.", "Some."]


async def test_a_work_met_again_is_one_work():
    desk = Desk()
    first = desk.lay([candidate("Deep residual learning for images", id="a")])
    again = desk.lay([candidate("Deep Residual Learning for Images!", source="crossref", id="b", abstract="Nets.")])
    assert first == again == ("W1",)
    assert desk.works["W1"].record.abstract == "Nets."
    assert desk.works["W1"].origins == ("openalex", "crossref")


async def test_actions_can_be_cancelled(environment):
    asked = asyncio.Event()

    class Slow(Shelf):
        async def search(self, _words, _limit):
            asked.set()
            await asyncio.Event().wait()

    task = asyncio.ensure_future(actions.search(environment(TEXT, services=Slow()), "anything"))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
