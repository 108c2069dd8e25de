import json

from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.evals import collections, fitting

SUBJECTS = "ranking of passages", "parsing of sentences", "folding of proteins"
WORKS = [
    work
    for n, subject in enumerate(SUBJECTS)
    for work in (
        Work(f"survey{n}", f"A survey: {subject}", references=(f"old{n}", f"older{n}")),
        Work(f"old{n}", f"A first method for {subject}"),
        Work(f"older{n}", f"Early thoughts on {subject} by hand"),
        Work(f"apart{n}", f"Nobody cites this: {subject}"),
    )
]
ASKED = [
    {"id": name, "set": "s", "title": "A new survey: ranking of passages", "text": text, "exclude": ["apart0"]}
    for name, text in (("a", r"Passages are ranked \cite<>."), ("b", r"Thoughts by hand \cite<>."))
]
GOLD = [{"id": "a", "cluster": "c", "gold": ["old0"]}, {"id": "b", "cluster": "c", "gold": ["older0"]}]


def test_a_query_is_asked_among_what_near_works_cite_and_once_without_what_is_right(place, tmp_path):
    for name, rows in (("asked", ASKED), ("gold", GOLD)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (paper,) = collections.papers(tmp_path / "gold.jsonl", [tmp_path / "asked.jsonl"], 5)
    assert paper.title == ASKED[0]["title"]
    with Corpus(place) as corpus:
        found = list(collections.examples(corpus, [paper]))
    assert {it.kind for it in found} == {"collection"}
    assert [(it.id, int(it.right.sum())) for it in found] == [("a", 1), ("a", 0), ("b", 1)]
    there = [it for it in found if it.right.any()]
    assert all(1 < len(it.numbers) < len(WORKS) for it in there)
    judged = [(it, fitting.fit(there)) for it in found]
    (table,) = collections.section(judged).tables
    assert table.rows[0][:2] == ("asked:s, fitted on collections", "2")
