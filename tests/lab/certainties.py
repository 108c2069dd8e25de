"""How often a model's words for its certainty are right, and the probabilities that they are shown as.

    python tests/lab certainties FILE...

Each FILE was written by `citelsp eval model --record FILE`: one line a place, {"set", "manuscript", "sure", "right",
"without"}; "without" is what the model said of a choice among works that the right one was taken from, or null if it
was not asked so.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from citelsp.agent.certainty import MEANT
from citelsp.evals import page
from citelsp.evals.metrics import estimate_mean
from citelsp.evals.page import Table, percent
from citelsp.evals.questions import objects
from citelsp.evals.scores import with_interval

_PRIOR = 5  # places that count as if the word had been right as often as the model is told to mean by it


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """What a model said of one place: words of certainty.MEANT, or "" if it chose nothing."""

    manuscript: str
    sure: str
    right: bool
    without: str | None  # None if it was not asked without the right work


def read(paths: Sequence[Path]) -> list[RecordedAnswer]:
    """The answers in files of --record.  EvaluationFileError or OSError if one cannot be read."""
    return [_answer(path, line) for path in paths for line in objects(path)]


def _answer(path: Path, line: Mapping[str, object]) -> RecordedAnswer:
    manuscript = f"{path}:{line['set']}:{line['manuscript']}"
    return RecordedAnswer(
        manuscript, str(line["sure"]), bool(line["right"]), None if line["without"] is None else str(line["without"])
    )


def chances(answers: Sequence[RecordedAnswer]) -> Mapping[str, float]:
    """How probable a choice is by the word that was said of it: the share that was right, drawn to what it means."""
    found = {}
    for word, meant in MEANT.items():
        right = [it.right for it in answers if it.sure == word]
        found[word] = (sum(right) + _PRIOR * meant) / (len(right) + _PRIOR)
    return found


def table(answers: Sequence[RecordedAnswer]) -> Table:
    rows = []
    for word, chance in chances(answers).items():
        chosen = [it for it in answers if it.sure == word]
        right = estimate_mean([float(it.right) for it in chosen], [it.manuscript for it in chosen])
        without = sum(it.without == word for it in answers)
        rows.append((word, str(len(chosen)), with_interval(right) if chosen else "–", percent(chance), str(without)))
    silent, without = sum(not it.sure for it in answers), sum(it.without == "" for it in answers)
    rows.append(("nothing chosen", str(silent), "–", "–", str(without)))
    return Table(("says that it is", "n", "right", "probability", "n without the work"), tuple(rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+")
    print(page.markdown("Certainty", [page.Section("Certainty", tables=(table(read(parser.parse_args().files)),))]))


if __name__ == "__main__":
    main()
