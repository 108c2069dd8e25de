"""What a model is shown: everything once, a text in full where it was asked for."""

from citelsp.agent import calls, quotes, wording
from citelsp.agent.loop import _advance
from citelsp.agent.run import Run
from citelsp.agent.steps import Action, Limits
from shelf import Script, Shelf, candidate

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."
LONG = "Its memory is small because it keeps two averages of each parameter and nothing else at all. " * 12


async def shown(place, *turns):
    """What is said of each turn's observations."""
    run, known, policy = Run(place, Limits()), set(), Script(*turns)
    said = []
    for _ in turns:
        await _advance(run, policy, calls.perform, None)
        said.append("\n".join(wording.step(run, run.steps[-1], known)) if said else wording.opening(run, known))
    return said


async def test_each_work_is_described_once(environment):
    first, second = await shown(
        environment(TEXT), [Action("match_place")], [Action("search", {"query": "adam memory"})]
    )
    assert first.startswith(
        "W1 Adam: A Method for Stochastic Optimization (Kingma & Ba, 2014) «We introduce Adam, which"
    )
    assert "Adam" not in second
    assert second.startswith("shown above: W1")


async def test_what_services_add_stands_beside_what_the_corpus_holds(environment):
    services = Shelf(candidate("Memory of optimizers"))
    turn = [Action("match_place"), Action("search", {"query": "memory of optimizers"})]
    (said,) = await shown(environment(TEXT, services=services), turn)
    assert "Adam: A Method" in said
    assert "Memory of optimizers" in said


async def test_a_passage_that_was_asked_for_is_shown_in_full_and_once(environment):
    abstract = LONG.strip()
    services = Shelf(candidate("Memory of optimizers", abstract=abstract))
    search, read = Action("search", {"query": "memory of optimizers"}), Action("read", {"id": "W1"})
    place = environment(TEXT, services=services, date="1900")
    _, once, again = await shown(place, [search], [read], [read])
    assert f"W1 abstract: «{abstract}»" in once
    assert "W1 abstract: «Its memory is small" in again
    assert len(again) < 120


async def test_services_that_were_away_are_named_once(environment):
    place = environment(TEXT, services=Shelf(notes=("openalex: 429",)))
    (said,) = await shown(place, [Action("search", {"query": it}) for it in ("adam", "memory")])
    assert said.count("not asked: openalex: 429") == 1


def test_what_was_cut_can_still_be_quoted():
    shown = wording.fenced(LONG, 100)
    assert len(shown) <= 102
    assert quotes.verbatim(shown.strip("«»"), LONG)
