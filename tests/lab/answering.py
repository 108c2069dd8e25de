"""How the agent answers without a model: beside the corpus alone, how sure of it, and without the right works.

    python tests/lab answering QUESTIONS --gold GOLD --corpus DIR [--every N]

Every place is answered three times: by the corpus alone, by the agent's rules, and by the rules with the right works
excluded, as from a corpus without them; the last should say that nothing fits.  The package's weights were fitted on
questions: on those the figures flatter.
"""

import argparse
import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from citelsp.agent.environment import Environment
from citelsp.agent.loop import find_works
from citelsp.agent.rules import Rules
from citelsp.corpus.index import Corpus
from citelsp.evals import metrics, prediction, questions
from citelsp.evals.page import Section, Table, markdown, percent
from citelsp.evals.prediction import Judged, PredictedWork, Prediction
from citelsp.evals.questions import LabelledPlace
from citelsp.knowledge import Candidate, Suggestion

SURE = 0.8  # probability from which on an answer is held to be right
_NOTE = (
    "Answered: of the places whose work is there, those where the agent does not say that nothing fits. Abstaining:"
    " of these, those where it says so once their works are excluded. Quotes are looked for in titles and abstracts."
)


@dataclass(frozen=True, slots=True)
class Answered:
    """One place: by the corpus alone, by the rules, and whether these abstain without the right works."""

    alone: Judged
    rules: Judged
    abstains: bool
    has_abstract: bool  # the right work
    misquoted: int  # passages that the work does not hold


def measure(corpus: Corpus, asked: Sequence[LabelledPlace]) -> list[Answered]:
    """Answer the questions that are places in texts and whose works the corpus has."""
    return [_answered(corpus, it, numbers) for it in asked if it.text and (numbers := _numbers(corpus, it))]


def _numbers(corpus: Corpus, question: LabelledPlace) -> list[int]:
    return list(corpus.store.numbers(sorted({id_ for it in question.gold for id_ in it.ids})).values())


def _answered(corpus: Corpus, question: LabelledPlace, numbers: Sequence[int]) -> Answered:
    right = {name for it in question.gold for name in (*it.ids, *it.titles)}
    found = asyncio.run(_by_rules(corpus, question, frozenset(question.exclude)))
    # Under titles too: a corpus may hold the right work twice, under two ids.
    without = asyncio.run(_by_rules(corpus, question, frozenset(question.exclude) | right))
    [alone] = prediction.judge([question], {question.id: prediction.predict(corpus, question)})
    [rules] = prediction.judge([question], {question.id: _predicted(question, found)})
    has_abstract = any(it.work.abstract for it in corpus.rows(numbers))
    misquoted = sum(_is_misquoted(it) for it in found.candidates)
    return Answered(alone, rules, without.abstained, has_abstract, misquoted)


async def _by_rules(corpus: Corpus, question: LabelledPlace, exclude: frozenset[str]) -> Suggestion:
    return await find_works(Environment(question.asked, corpus, exclude=exclude), Rules())


def _predicted(question: LabelledPlace, found: Suggestion) -> Prediction:
    offers = (PredictedWork(it.record.id, it.record.title, it.probability) for it in found.candidates)
    return Prediction(question.id, tuple(offers), found.abstained)


def _is_misquoted(candidate: Candidate) -> bool:
    texts = {"title": candidate.record.title, "abstract": candidate.record.abstract}
    return any(it.quote not in texts[it.where] for it in candidate.evidence if it.where in texts)


def by_set(found: Sequence[Answered]) -> Iterator[tuple[str, list[Answered]]]:
    """The places of each set; after each that has them, those whose work has an abstract."""
    for name, group in groupby(sorted(found, key=_set), key=_set):
        places = list(group)
        yield name, places
        if (described := [it for it in places if it.has_abstract]) and len(described) < len(places):
            yield f"{name}, with abstract", described


def _set(answered: Answered) -> str:
    return answered.rules.question.set


def values(places: Sequence[Answered]) -> dict[str, float]:
    """R@1 of both and their difference with its interval, calibration, and what is answered, in percent."""
    ours, alone = (
        [float(it.first_is_right) for it in one] for one in zip(*((p.rules, p.alone) for p in places), strict=True)
    )
    gain = metrics.paired_difference(ours, alone, [it.rules.question.cluster for it in places])
    chances, right = prediction.confidences([it.rules for it in places])
    sure = [hit for chance, hit in zip(chances, right, strict=True) if chance >= SURE]
    stood = [it for it in places if it.rules.prediction.offers and not it.rules.prediction.abstained]
    shares: Mapping[str, tuple[float, int]] = {
        "right first": (sum(ours), len(places)),
        "by the corpus": (sum(alone), len(places)),
        "answered": (len(stood), len(places)),
        "of these right": (sum(it.rules.first_is_right for it in stood), len(stood)),
        "abstaining without": (sum(it.abstains for it in stood), len(stood)),
        "wrong when sure": (len(sure) - sum(sure), len(sure)),
    }
    found = {name: 100 * part / whole for name, (part, whole) in shares.items() if whole}
    found |= {"gain": 100 * gain.mean, "gain, least": 100 * gain.low, "gain, most": 100 * gain.high}
    if chances:
        found["calibration error"] = 100 * metrics.calibration_error(chances, right)
    return found | {"sure": len(sure), "misquoted": sum(it.misquoted for it in places)}


def section(found: Sequence[Answered], command: str) -> Section:
    rows = tuple((name, str(len(places)), *_cells(values(places))) for name, places in by_set(found))
    head = ("right first", "by the corpus alone", "gain", "wrong at p ≥ 0.8", "ECE", "answered", "of these right")
    table = Table(("set", "n", *head, "abstaining without the work", "misquoted"), rows)
    return Section("The agent without a model", command, (_NOTE,), (table,))


def _cells(found: Mapping[str, float]) -> tuple[str, ...]:
    def share(name: str) -> str:
        return percent(found[name] / 100 if name in found else None)

    gain = f"{found['gain']:+.1f} ({found['gain, least']:.1f}..{found['gain, most']:.1f})"
    sure = f"{share('wrong when sure')} of {found['sure']:.0f}"
    shares = map(share, ("calibration error", "answered", "of these right", "abstaining without"))
    return share("right first"), share("by the corpus"), gain, sure, *shares, f"{found['misquoted']:.0f}"


def command(every: int) -> str:
    return f"python tests/lab answering QUESTIONS --gold GOLD --corpus CORPUS --every {every}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--gold", type=Path, help="where the questions do not hold the right works")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="of how many questions one is asked")
    arguments = parser.parse_args()
    with Corpus(arguments.corpus) as corpus:
        found = measure(corpus, questions.read(arguments.questions, arguments.gold)[:: arguments.every])
    print(markdown("Answering", [section(found, command(arguments.every))]))


if __name__ == "__main__":
    main()
