"""How works were found, as the author reads it."""

import json

from agent_works import Script, Shelf, candidate
from citelsp.agent import story, trajectory
from citelsp.agent.chat import Chat
from citelsp.agent.habits import Memory
from citelsp.agent.loop import find_works
from citelsp.agent.model import Model
from citelsp.agent.rules import Rules
from citelsp.agent.steps import Action, Turn, Usage
from citelsp.base.settings import LanguageModel
from citelsp.knowledge import Evidence, spent
from model_server import completion, serving

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."


async def told(environment, policy, folder, **more):
    writer = trajectory.Writer(folder)
    await find_works(environment(TEXT, **more), policy, journal=writer)
    return story.explain(trajectory.read(writer.path))


async def test_a_model_s_search_reads_as_a_story(environment, tmp_path):
    words = completion(json.dumps({"choice": "", "words": "survey of optimizers", "why": "A survey is meant."}))
    choice = completion(json.dumps({"choice": "W6", "sure": "clear", "why": "It is one."}))
    async with serving(words, choice) as server:
        chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"))
        services = Shelf(candidate("Optimizers Surveyed"))
        found = await told(environment, Model(chat), tmp_path / "runs", services=services)
        await chat.aclose()
    lines = found.splitlines()
    assert lines[:3] == [
        "The model looked for a work to cite in: We train with the Adam optimizer, which needs little memory [here] for"
        " ten epochs.",
        "1. Matched the sentence with the corpus: 5 works",
        "     W1 Adam: A Method for Stochastic Optimization",
    ]
    at = lines.index("2. A survey is meant.")
    assert lines[at + 1 : at + 3] == [
        "   Searched for “survey of optimizers”: 6 works",
        "     W6 Optimizers Surveyed",
    ]
    assert lines[-4:-1] == [
        "3. It is one.",
        "   Chose W6 Optimizers Surveyed (clear): It is one.",
        "It ended by its own decision.",
    ]
    assert lines[-1].startswith("It took 3 turns, 200 tokens read and 20 written, ")


async def test_rules_say_what_they_do_and_nothing_in_it_is_markup(environment, tmp_path):
    bad = candidate("\x1b[31mRed\x07 <b>title</b>", abstract="It needs little memory, they say.")
    found = await told(environment, Rules(), tmp_path, services=Shelf(bad, notes=("dblp: 500",)))
    assert found.startswith("The built-in rules looked for a work to cite in: We train")
    assert "1. Search the place itself and several wordings of it" in found
    assert "   Searched for “" in found
    assert "     dblp: 500" in found
    assert "Chose W1 Adam: A Method for Stochastic Optimization (" in found
    assert "It took" not in found
    assert not set(found) & {"\x1b", "\x07", "<"}


TURNS = [
    ("match_place", {}),
    ("search_library", {"query": "adam"}),
    ("search_text_snippet", {"query": "quasars"}),
    ("find_in_text", {"id": "W1", "query": "moments of gradients"}),
    ("find_in_text", {"id": "W99", "query": "x"}),
    ("expand_references", {"id": "W1"}),
    ("expand_citations", {"id": "W1"}),
    ("select", {"id": "A work of memory"}),
    ("fly", {}),
]
STORY = """\
1. Matched the sentence with the corpus: 5 works
     W1 Adam: A Method for Stochastic Optimization
     W2 A Survey of Optimizers for Deep Learning
     W3 Long Short-Term Memory
     W4 A Stochastic Approximation Method
     W5 Divide the Gradient by a Running Average
2. Searched your bibliography for “adam”
     nothing was found
     the author has no library
3. Searched full texts for “quasars”
     nothing was found
4. Looked for “moments of gradients” in W1 Adam: A Method for Stochastic Optimization
     “The method computes individual adaptive learning rates for different parameters from estimates of first and \
second moments of the gradients.” (Algorithm)
     “We introduce Adam, an algorithm for gradient-based optimization.” (abstract)
5. Looked for “x” in W99
     this cannot be done
6. Followed the references of W1 Adam: A Method for Stochastic Optimization: 2 works
7. Looked at what cites W1 Adam: A Method for Stochastic Optimization: 1 work
8. Tried to choose A work of memory
     no work is titled ‹A work of memory›
9. Asked for fly, which does not exist
     this cannot be done
10. This answer could not be read: it was empty
11. Chose W1 Adam: A Method for Stochastic Optimization (clear): Adam is named.
   Runner-up: W2 A Survey of Optimizers for Deep Learning (guess)
It ended by its own decision.
"""


async def test_each_action_is_said_in_words(environment, tmp_path):
    first = Action("select", {"id": "W1", "sure": "clear", "why": "Adam is named."})
    ends = [Turn(problem="it was empty"), [first, Action("select", {"id": "W2", "sure": "guess"})]]
    found = await told(environment, Script(*([Action(*it)] for it in TURNS), *ends), tmp_path)
    assert found.partition("\n")[2] == STORY


async def test_of_works_that_do_not_fit_the_nearest_are_named(environment, tmp_path):
    doubted = [Action("select", {"id": f"W{it}"}) for it in (2, 3)]
    policy = Script([Action("match_place")], [*doubted, Action("give_up", {"reason": "no work says this"})])
    found = await told(environment, policy, tmp_path)
    assert found.splitlines()[7:] == [
        "2. Nearest: W2 A Survey of Optimizers for Deep Learning",
        "   Nearest: W3 Long Short-Term Memory",
        "   Gave up: no work says this",
        "It ended by its own decision.",
    ]


async def test_a_search_that_goes_on_says_so(environment, tmp_path):
    found = await told(environment, Script([Action("recall")]), tmp_path, earlier=(candidate("Seen before"),))
    assert found.splitlines()[1:] == [
        "1. Went on from what was found before: 1 work",
        "     W1 Seen before",
        "2. Gave up: the script ended",
        "It ended by its own decision.",
    ]


async def test_of_many_works_and_passages_some_are_named(environment, tmp_path):
    works = [candidate(f"Kind {it} of memory", quote="So.") for it in range(9)]
    texts = [Evidence(f"Memory of part {it}.", "2", "x.org") for it in range(4)]
    place = {"services": Shelf(passages=texts), "library": lambda _words, _limit: works}
    chosen = [Action("select", {"id": f"W{it}"}) for it in range(1, 8)]
    search, again = ([Action("search_library", {"query": it})] for it in "xy")
    turns = search, [Action("find_in_text", {"id": "W1", "query": "memory"})], again, chosen
    lines = (await told(environment, Script(*turns), tmp_path, **place)).splitlines()
    assert (
        lines[1] == "1. Searched your bibliography for “x”: 9 works"
        and lines[7] == "2. Looked for “memory” in W1 Kind 0 of memory"
    )
    assert lines[8:11] == [
        "     “Memory of part 0.” (2)",
        "     “Memory of part 1.” (2)",
        "3. Searched your bibliography for “y”: 9 works",
    ]
    assert [it.partition(" W")[0].strip() for it in lines[11:]] == [
        "4. Chose", *["Runner-up:"] * 4, "It ended by its own decision.",
    ]  # fmt: skip


async def test_a_long_sentence_is_shown_around_its_place_and_several_runs_are_summed(environment, tmp_path):
    words = " ".join(f"word{it}" for it in range(60))
    writer = trajectory.Writer(tmp_path)
    end = Turn((Action("give_up", {"reason": "no"}),), usage=Usage(100, 0, 10, calls=1))
    for _ in range(2):
        await find_works(environment(f"{words} \\cite<> {words}."), Script(end), journal=writer)
    found = story.explain(trajectory.read(writer.path))
    assert "word59 [here] word0" in found.splitlines()[0] and ": … word" in found.splitlines()[0]
    assert found.splitlines()[-1].startswith("Altogether it took 2 turns, 200 tokens read and 20 written")


def test_one_of_anything_is_told_as_one():
    usage = {"turns": 1, "tokens_in": 200, "tokens_out": 1, "requests": 1, "seconds": 1.2}
    assert spent(usage) == "1 turn, 200 tokens read and 1 written, 1 request to services, 1 second"
