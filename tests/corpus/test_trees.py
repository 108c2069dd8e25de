"""Small trees as plain numbers, and those that weigh how near works of a corpus lie to a sentence."""

import json

from citelsp.corpus import fitted_weights, search_place, trees, work_features
from citelsp.corpus.pool import Pool
from citelsp.corpus.search_place import Scored
from citelsp.corpus.store import Sketch

ROW = [0.0] * len(work_features.NAMES)


def test_trees_are_numbers_that_any_reader_can_follow():
    tree = trees.Tree((0, 1), (0.5, 2.0), (-1, -2), (1, -3), (0.1, 0.2, 0.3))
    assert [tree.value(it) for it in ((0.5, 9.0), (0.6, 2.0), (0.6, 2.1))] == [0.1, 0.2, 0.3]


def test_the_trees_of_the_corpus_know_the_features():
    raw = json.loads(search_place.TREES.read_text(encoding="utf-8"))
    forest = trees.read(search_place.TREES)
    assert len(forest.trees) == len(raw["trees"]) > 20 and 0 < forest.slope == raw["slope"] <= 1
    for tree in forest.trees:
        nodes, leaves = len(tree.features), len(tree.leaves)
        assert leaves == nodes + 1 and all(0 <= it < len(ROW) + 2 for it in tree.features)
        assert sorted({*tree.left, *tree.right} - {0}) == sorted({*range(-leaves, 0), *range(1, nodes)})


def test_what_is_nearer_is_likelier_and_what_is_unknown_never_speaks_for_a_work():
    forest = trees.read(search_place.TREES)
    by_nearness = [forest.sum([*ROW, 0.0, it]) for it in (-3.0, -1.0, 0.0, 1.0, 3.0)]
    assert by_nearness == sorted(by_nearness) and by_nearness[-1] > by_nearness[0]
    for index, name in enumerate(work_features.NAMES):
        known = [*ROW[:index], 5.0, *ROW[index + 1 :], 0.0, 0.0]
        without = forest.sum([*ROW, 0.0, 0.0])
        assert forest.sum(known) <= without if name in {"age", "cited"} else forest.sum(known) >= without


class Lying:
    """Works that lie so near, by number."""

    def __init__(self, nearness, weight=None):
        self.weight, self._nearness = weight, nearness

    def works(self):
        return []

    def nearness(self, works):
        return [self._nearness.get(n) for n in works]


def scored(count, *, trees_hold=True):
    """Works of which each has a little less that speaks for it than the one before."""
    works = [Sketch(n, f"Work {n}", n, None, "", "", f"work {n}", "") for n in range(count)]
    scores = [5.0 - n / 10 for n in range(count)]
    return Scored(Pool(works), fitted_weights.fitted_weights("passage"), [ROW] * count, scores, trees_hold)


def test_the_first_works_are_ordered_anew_by_nearness_and_stay_before_all_others():
    count = search_place.HEAD + 20
    found = scored(count)
    near = Lying({3: 0.9, 5: 0.2} | dict.fromkeys(range(6, 40), 0.3) | dict.fromkeys(range(40, count), 0.9))
    raised = search_place.add_nearness(found, near)
    order = sorted(range(count), key=lambda it: -raised[it])
    assert order[0] == 3 and raised[5] < raised[4]
    assert set(order[: search_place.HEAD]) == set(range(search_place.HEAD))
    assert order[search_place.HEAD :] == list(range(search_place.HEAD, count))


def test_without_vectors_all_stays_as_it_is():
    found = scored(12)
    assert (
        search_place.add_nearness(found, Lying({})) == search_place.add_nearness(found, Lying({3: 0.9})) == found.scores
    )


def test_a_fixed_weight_counts_where_trees_were_not_fitted():
    """In a small collection, or beside the author's own words, and for directions that a corpus learnt."""
    nearness = {n: float(n == 2) for n in range(4)}
    by_weight = search_place.add_nearness(scored(4), Lying(nearness, weight=0.4))
    assert by_weight == search_place.add_nearness(scored(4, trees_hold=False), Lying(nearness))
    assert by_weight != search_place.add_nearness(scored(4), Lying(nearness))
