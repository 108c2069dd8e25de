import json

import pytest

from citelsp.corpus import fitted_weights
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from lab import fitting, small_corpora

ELSEWHERE = "Glaciers retreat."
SUBJECTS = "ranking of passages", "parsing of sentences", "folding of proteins"
WORKS = [
    work
    for n, subject in enumerate(SUBJECTS)
    for work in (
        Work(f"survey{n}", f"A survey: {subject}", references=(f"old{n}", f"older{n}")),
        Work(f"old{n}", f"A first method for {subject}", "It is simple and fast."),
        Work(f"older{n}", f"Early thoughts on {subject} by hand", "They were slow."),
        Work(f"apart{n}", f"Nobody cites this: {subject}"),
    )
]
ASKED = [
    {"id": name, "set": "s", "title": "A new survey: ranking of passages", "text": text, "exclude": ["apart0"]}
    for name, text in (("a", r"Passages are ranked \cite<>."), ("b", r"Thoughts by hand \cite<>."))
]
GOLD = [{"id": "a", "cluster": "c", "gold": ["old0"]}, {"id": "b", "cluster": "c", "gold": ["older0"]}]


@pytest.fixture
def files(tmp_path):
    """Gold, and queries."""
    for name, rows in (("asked", ASKED), ("gold", GOLD)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return tmp_path / "gold.jsonl", [tmp_path / "asked.jsonl"]


def test_a_query_is_asked_among_what_near_works_cite_and_where_it_has_no_answer(place, files):
    (paper,) = small_corpora.papers(*files, 5)
    assert paper.title == ASKED[0]["title"]
    with Corpus(place) as corpus:
        found = list(small_corpora.examples(corpus, [paper], [ELSEWHERE]))
    assert {(it.kind, it.set, it.cluster) for it in found} >= {("collection", "asked:s", "c")}
    mine = [it for it in found if it.id != ELSEWHERE]
    assert [(it.id, int(it.right.sum())) for it in mine[:2]] == [("a", 1), ("a", 0)]
    assert [int(it.right.sum()) for it in found if it.id == ELSEWHERE] == [0, 0, 0]
    there = [it for it in found if it.right.any()]
    assert all(1 < len(it.numbers) < len(WORKS) for it in there)
    judged = [(it, fitting.fit(there, {"plain": 0.5})) for it in found]
    assert judged[0][1].by_name()["plain"] >= 0.5
    (table,) = small_corpora.section(judged).tables
    assert table.rows[0][:2] == ("s, fitted", str(len(there)))


def test_what_fewer_works_mean_is_seen_in_samples(place, files):
    gold, queries = files
    with Corpus(place) as corpus:
        seen = [(it, fitted_weights.fitted_weights(it.kind)) for it in fitting.sampled(corpus, 6, queries, gold)]
    assert [it.works for it, _ in seen] == [6, 6]
    assert all(it.right.any() for it, _ in seen)
    (weights,) = fitting.with_sizes(
        {"collection": fitted_weights.weights_by_name({"plain": 1.0})}, seen, len(WORKS)
    ).values()
    assert (weights.works, weights.fewer > 0) == (len(WORKS), True)
