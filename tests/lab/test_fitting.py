"""Fitting of weights on pools that are made up."""

from dataclasses import replace

import numpy as np
import pytest

from citelsp.corpus.work_features import NAMES
from lab import fitting
from lab.fitting import Example

_WORKS = 12


def asked(set_, number):
    """A place of a set; in each of two sets another feature is larger of the right work, by and large."""
    dice = np.random.default_rng(number)
    rows, right = np.zeros((_WORKS, len(NAMES)), dtype=np.float32), np.zeros(_WORKS, dtype=bool)
    right[number % _WORKS] = True
    telling = [NAMES.index(it) for it in ("plain", "wide")]
    rows[:, telling] = dice.random((_WORKS, 2))
    rows[right, telling["st".index(set_)]] += 0.3
    return Example(str(number), "passage", f"form:{set_}", str(number), range(_WORKS), rows, right)


def test_a_place_counts_once_in_however_many_forms_it_is_asked():
    some, others = [asked("s", it) for it in range(20)], [asked("t", it) for it in range(20, 40)]
    again = [replace(it, set="other:s") for it in some]
    once, twice = (fitting.fit(seen, {}).by_name() for seen in ([*some, *others], [*some, *again, *others]))
    assert twice == pytest.approx(once, rel=0.01, abs=0.01)
    more = fitting.fit([*some, *(replace(it, id=f"{it.id}'") for it in some), *others], {}).by_name()
    assert more["plain"] / more["wide"] > 1.05 * once["plain"] / once["wide"]  # as twice as many places count more
