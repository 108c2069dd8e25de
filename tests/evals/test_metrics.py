from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.evals.metrics import (
    Interval,
    calibration_error,
    entropy,
    error_by_chance,
    estimate_mean,
    hallucination_rate,
    hit,
    ndcg,
    paca,
    paired_difference,
    recall,
    reciprocal_rank,
    wilson,
)

RANKING = ["a", "b", "c", "d"]


def test_recall_counts_gold_in_the_first_k():
    assert recall(RANKING, {"b", "d", "x"}, 2) == pytest.approx(1 / 3)
    assert recall(RANKING, {"b", "d", "x"}, 4) == pytest.approx(2 / 3)
    assert recall(RANKING, set(), 4) == 0


def test_the_first_gold_decides_rank_and_hit():
    assert reciprocal_rank(RANKING, {"c", "d"}, 10) == pytest.approx(1 / 3)
    assert reciprocal_rank(RANKING, {"c"}, 2) == 0
    assert (hit(RANKING, {"c"}, 2), hit(RANKING, {"c"}, 3)) == (0, 1)


def test_ndcg_by_hand():
    gained = 3 / log2(2) + 1 / log2(4)
    ideal = 3 / log2(2) + 1 / log2(3)
    assert ndcg(["a", "x", "b"], {"a": 2, "b": 1}, 3) == pytest.approx(gained / ideal)
    assert ndcg(["x"], {"a": 1}, 3) == 0


def test_paca_falls_by_one_kth_a_rank():
    assert paca(RANKING, {"a"}, 20) == 1
    assert paca(RANKING, {"c"}, 20) == pytest.approx(0.9)
    assert paca(RANKING, {"a", "c"}, 4) == pytest.approx(1.5)
    assert paca(RANKING, {"d"}, 3) == 0


def test_honest_answers_err_by_chance():
    few, many = (error_by_chance([0.3] * n, rounds=200) for n in (20, 2000))
    assert 0.06 < few.mean < 0.11
    assert 0.005 < many.mean < 0.011
    assert few.low < few.mean < few.high
    assert error_by_chance([1.0, 0.0], rounds=10).high == 0


def test_entropy_in_bits():
    assert entropy(["cs", "cs", "bio", "bio"]) == 1
    assert entropy(["cs"]) == 0
    assert entropy([]) == 0


def test_hallucinated_is_what_does_not_exist():
    assert hallucination_rate(["a", "b", "c", "d"], {"a", "b", "c"}.__contains__) == 0.25


def test_calibration_error_weighs_bins_by_their_size():
    assert calibration_error([0.9, 0.9, 0.1, 0.1], [True, True, False, False]) == pytest.approx(0.1)
    assert calibration_error([0.75, 0.75], [True, False]) == pytest.approx(0.25)
    assert calibration_error([1.0], [True]) == 0


def test_one_cluster_has_no_spread():
    assert estimate_mean([0.1] * 3, "pqr") == Interval(0.1, 0.1, 0.1)
    assert estimate_mean([0.0, 1.0], ["p", "p"]).low == estimate_mean([0.0, 1.0], ["p", "p"]).high == 0.5


def test_paired_difference_sees_a_steady_gain():
    clusters = [n // 2 for n in range(40)]
    gain = paired_difference([0.6] * 40, [0.5] * 40, clusters)
    assert gain.mean == pytest.approx(0.1)
    assert gain.excludes_zero


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_the_interval_holds_the_mean(values):
    found = estimate_mean(values, range(len(values)), rounds=100)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


def test_a_rare_share_has_an_interval_that_is_no_point():
    none, few = wilson(0, 1000), wilson(3, 1000)
    assert (none.mean, none.low) == (0, 0) and none.high == pytest.approx(0.00383, abs=1e-5)
    assert (few.low, few.high) == (pytest.approx(0.00102, abs=1e-5), pytest.approx(0.00878, abs=1e-5))
    assert wilson(0, 0).high == 1 and wilson(5, 5).high == 1
