"""A handful of works for tests of the agent, with texts, references and dates; and services made of them."""

from citelsp.agent.environment import Answer
from citelsp.bibliography.record import Record
from citelsp.knowledge import Candidate, Evidence

ADAM = """1 Introduction

Stochastic gradient methods are at the core of machine learning. We introduce Adam, which needs only first-order
gradients with little memory requirement.

2 Algorithm

The method computes individual adaptive learning rates for different parameters from estimates of first and second
moments of the gradients.

3 Experiments

Dropout was combined with Adam on the CIFAR images, and it converged within forty epochs.
"""

WORKS = [
    {
        "id": "adam", "title": "Adam: A Method for Stochastic Optimization", "year": 2014, "arxiv": "1412.6980",
        "abstract": "We introduce Adam, an algorithm for gradient-based optimization. It needs little memory.",
        "authors": ("Diederik Kingma", "Jimmy Ba"), "references": ("rmsprop", "sgd"), "text": ADAM,
    },
    {"id": "lstm", "title": "Long Short-Term Memory", "year": 1997, "abstract": "Recurrent networks that store much."},
    {"id": "gan", "title": "Generative Adversarial Nets", "year": 2014, "arxiv": "1406.2661"},
    {"id": "sgd", "title": "A Stochastic Approximation Method", "year": 1951},
    {"id": "rmsprop", "title": "Divide the Gradient by a Running Average", "year": 2012},
    {
        "id": "survey", "title": "A Survey of Optimizers for Deep Learning", "year": 2019,
        "references": ("adam", "sgd"), "abstract": "We survey optimizers. Adam remains popular in deep learning.",
    },
    {"id": "dropout", "title": "Dropout: A Simple Way to Prevent Overfitting", "year": 2014},
    {"id": "fish", "title": "Feeding Habits of Freshwater Fish", "year": 1980, "abstract": "Trout eat flies."},
]  # fmt: skip


def candidate(title, *, source="openalex", id="", abstract="", date="", quote="", **more):  # noqa: A002
    evidence = (Evidence(quote, "abstract", source),) if quote else ()
    record = Record(source, id or title.casefold()[:12], title, abstract=abstract, date=date, **more)
    return Candidate(record, origins=(source,), evidence=evidence)


class Shelf:
    """Services that hold these works; remembers what was asked."""

    def __init__(self, *works, passages=(), notes=()):
        self.works, self.passages, self.notes = works, tuple(passages), tuple(notes)
        self.asked = []

    async def _answer(self, *asked):
        self.asked.append(asked)
        return Answer(self.works, notes=self.notes, requests=1)

    async def search(self, words, _limit):
        return await self._answer("search", words)

    async def snippets(self, words, _limit):
        return await self._answer("snippets", words)

    async def references(self, record, _limit):
        return await self._answer("references", record.title)

    async def citations(self, record, _limit):
        return await self._answer("citations", record.title)

    async def text(self, record):
        self.asked.append(("text", record.title))
        return Answer(passages=self.passages, notes=self.notes, requests=1)


class Script:
    """A policy that proposes these turns, one after another, and then gives up."""

    name = "script"

    def __init__(self, *turns):
        self.turns = list(turns)

    async def propose(self, _run):
        from citelsp.agent.steps import Action, Turn

        turn = self.turns.pop(0) if self.turns else Turn((Action("give_up", {"reason": "the script ended"}),))
        return turn if isinstance(turn, Turn) else Turn(tuple(turn))
