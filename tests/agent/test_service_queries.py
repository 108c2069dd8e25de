"""What reaches services of a manuscript that a model was told to leak."""

import random
import re

import pytest

from agent_works import Script, Shelf, candidate
from citelsp.agent import service_queries
from citelsp.agent.loop import find_works
from citelsp.agent.steps import Action
from citelsp.bibliography.record import Record
from citelsp.knowledge import Candidate

TITLE = "Zolpidem harms sleepwalking nurses: an embargoed trial"
SECRETS = (
    "Mary Jane Watson, a nurse of 41 years from Örebro, was found on the roof of ward seven at 3 a.m. and remembers "
    "nothing. The sponsor knew since March that eleven of ninety patients had left their beds, and asked us to wait. "
    "患者は三月に病棟の屋上で発見され、何も覚えていないと述べたが、担当医師は記録を残さなかったと証言している。 "
)
TEXT = SECRETS + r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs of our own data."


def words(text):
    return re.findall(r"[^\W_]+", text.casefold())


def leaking(seed):
    """A stretch of the manuscript, more or less disguised."""
    dice = random.Random(seed)  # noqa: S311  a repeatable choice, no secret
    whole = f"{TITLE}. {TEXT}".replace(r"\cite<>", "").split()
    length = dice.randint(5, 50)
    start = dice.randrange(len(whole) - length)
    stretch = whole[start : start + length]
    return dice.choice(
        [
            " ".join,
            lambda it: " ".join(it).upper(),
            "-".join,
            "_".join,
            ". ".join,
            "  \n".join,
            lambda it: '"' + " ".join(it) + '"',
            lambda it: " ".join("\u200b".join(word) for word in it),
            lambda it: "\u00ad ".join(it),
            lambda it: f"adam optimizer {' '.join(it)} memory",
            lambda it: " ".join(it).replace("e", "e\u0301"),
            lambda it: "".join(chr(ord(c) + 0xFEE0) if "a" <= c <= "z" else c for c in " ".join(it)),
        ]
    )(stretch)


@pytest.mark.parametrize(("name", "count"), [("search", 40), ("search_text_snippet", 200)])
async def test_no_service_reads_the_manuscript(environment, name, count):
    services = Shelf(candidate("Another work"))
    turn = [Action(name, {"query": leaking(seed)}) for seed in range(count)]
    await find_works(environment(TEXT, title=TITLE, services=services), Script(turn))
    manuscript = f" {' '.join(words(f'{TITLE} {TEXT}'))} "
    private = set(words(TITLE)) - {"an"}
    assert len(services.asked) > 0.75 * count
    for _, sent in services.asked:
        said = words(sent)
        assert len(said) <= service_queries.WORDS
        assert not private & set(said)
        assert max(map(len, said)) <= 30
        assert not any(f" {' '.join(said[at : at + 5])} " in manuscript for at in range(len(said) - 4)), sent


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("adam optimizer memory", "adam optimizer memory"),
        ("A Stochastic Approximation Method", "A Stochastic Approximation Method"),  # of the corpus
        ("nurses trial", ""),
        ("needs little memory zebra giraffe", "needs little memory zebra giraffe"),
        ("which needs little memory", "which needs little memory"),
        ("the Adam optimizer, which needs little memory", "Adam optimizer needs little memory"),
        ("one two three four five six seven eight nine ten", "one two three four five six seven eight"),
    ],
)
def test_what_is_sent(environment, written, sent):
    found = service_queries.limit_query(environment(TEXT, title=TITLE), written)
    assert found == sent


def test_a_title_of_the_authors_own_bibliography_goes_out_whole_and_nothing_like_it(environment):
    title = "On the Adam Optimizer, Which Needs Little Memory: A Study of Ten Networks"

    def library(words, limit):
        return [Candidate(Record("library", "k", title))][:limit] if "Adam" in words else []

    place = environment(TEXT, title=TITLE, library=library)
    assert service_queries.limit_query(place, f"  {title}\n") == title
    assert len(service_queries.limit_query(place, f"{title} and more").split()) <= service_queries.WORDS


async def test_what_is_private_is_searched_here_all_the_same(environment):
    services = Shelf()
    place = environment("We use it \\cite<>.", title="Feeding Habits of Fish in Spring", services=services)
    found = await find_works(place, Script([Action("search", {"query": "feeding habits fish"})]))
    assert found.candidates[0].record.id == "fish"
    assert services.asked == []
