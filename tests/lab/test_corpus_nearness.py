"""Fitting of the trees that weigh nearness in a corpus, on pools that are made up."""

import numpy as np
import pytest

from citelsp.corpus import search_place
from citelsp.corpus.work_features import NAMES
from lab import corpus_nearness
from lab.corpus_nearness import Compared
from lab.fitting import Example

pytest.importorskip("lightgbm")
_WORKS = search_place.HEAD + 10


def compared(number):
    """A question at which nearness alone tells the right work, which stands second by weights."""
    dice = np.random.default_rng(number)
    scores = np.linspace(3.0, 0.0, _WORKS)
    right = np.zeros(_WORKS, dtype=bool)
    right[1] = True
    rows = np.zeros((_WORKS, len(NAMES)), np.float32)
    example = Example(str(number), "passage", "form:made", str(number), range(_WORKS), rows, right, works=100_000)
    head = np.arange(search_place.HEAD)
    deviations = dice.normal(size=len(head))
    deviations[1] = 3.0
    features = np.column_stack([example.rows[head], scores[head] - scores[0], deviations]).astype(np.float32)
    return Compared(example, scores, head, features)


def test_trees_learn_that_the_nearer_work_is_right():
    seen = [compared(it) for it in range(60)]
    model = corpus_nearness.fit(seen[:40])
    after = [corpus_nearness.add(model, it) for it in seen]
    told = corpus_nearness.report(seen[40:], after[40:])
    assert told.startswith("form:made: 20 questions of 20 sources\n  first: 0.0%, then 100.0%: +100.0%")
    # What is behind the first works stays there, though nothing was said of it.
    assert all(scores[search_place.HEAD :].max() <= scores[: search_place.HEAD].min() for scores in after)


def test_a_slope_makes_what_is_said_right():
    seen = [compared(it) for it in range(20)]
    wrong = [it.scores for it in seen]
    slope = corpus_nearness.calibrate(seen, wrong)
    said, right = corpus_nearness.said_and_right(seen, wrong, slope)
    assert slope == 0.5 and right.sum() == 0 and (said < corpus_nearness.said_and_right(seen, wrong, 1.0)[0]).all()
