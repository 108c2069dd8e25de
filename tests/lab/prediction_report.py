"""The scores that `citelsp eval` prints, with what they are held to and with pictures of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from citelsp.evals import prediction, scores
from citelsp.evals.page import Figure, Section
from citelsp.evals.prediction import CUTS, Judged
from citelsp.evals.scores import Facts
from lab import bars, plots
from lab.plots import Axes


def sections(command: str, answers: Sequence[Judged], facts: Facts) -> list[Section]:
    found, sureness, *against = scores.sections(command, answers, facts)
    sets = scores.by_set(answers)
    return [
        replace(found, figures=(_recall(sets),)),
        replace(sureness, figures=tuple(_diagrams(sets)), bars=tuple(bars.predicted(sets, facts.exists))),
        *(replace(it, bars=tuple(bars.better(scores.paired(sets, facts), facts.other))) for it in against),
    ]


def _recall(sets: Mapping[str, Sequence[Judged]]) -> Figure:
    axes = Axes("candidates listed", "recall", (0, CUTS[-1]))
    curves = {name: _recall_curve(part) for name, part in sets.items()}
    return Figure("recall", "Recall by length of the list", plots.lines("Recall", axes, curves))


def _recall_curve(part: Sequence[Judged]) -> list[tuple[float, float]]:
    means = prediction.means(part)
    return [(cut, means[f"R@{cut}"].mean) for cut in CUTS]


def _diagrams(sets: Mapping[str, Sequence[Judged]]) -> list[Figure]:
    diagrams = []
    for name, part in sets.items():
        chances, right = prediction.confidences(part)
        if chances:
            picture = plots.reliability(name, chances, right)
            diagrams.append(Figure(f"reliability-{name}", f"Reliability, {name}", picture))
    return diagrams
