import json

import pytest

from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.evals import page
from lab import overhead

WORDS = "memory of adaptive optimizers for deep networks trained on long sequences of noisy gradients".split()
SENTENCE = "We show that the {word} of number {n} decides how well an optimizer of deep networks keeps its {word}."
WORKS = [
    Work(
        f"w{n}",
        f"Work {n} on the {' '.join(WORDS[n % 5 : n % 5 + 9])}",
        " ".join(SENTENCE.format(word=it, n=n) for it in WORDS) if n % 3 else "",
        authors=("Ada Lovelace", "Charles Babbage", "Alan Turing"),
        year=2015,
        text="\n\n".join(f"{SENTENCE.format(word=it, n=n)} " * 6 for it in WORDS) if n % 3 == 1 else "",
    )
    for n in range(60)
]


@pytest.mark.slow
def test_what_a_scripted_model_is_sent_is_counted_place_by_place(tmp_path):
    asked = tmp_path / "asked.jsonl"
    text = rf"{SENTENCE.format(word='speed', n=7) * 5} The memory of adaptive optimizers matters \cite<>. {SENTENCE}"
    lines = [{"id": str(n), "title": "Deep networks and their memory", "text": f"{n} {text}"} for n in range(6)]
    asked.write_text("".join(json.dumps(it) + "\n" for it in lines), encoding="utf-8")
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add(WORKS)
        runs = overhead.measure(corpus, overhead.places(asked, 6))
    assert [len(it.costs) for it in runs.values()] == [6, 6, 6]
    model = runs["by a scripted model"]
    assert [it.usage["turns"] for it in model.found] == [2, 3, 3] * 2
    assert [it.abstained for it in model.found[:3]] == [False, True, True]  # nothing here is probable
    read = [it.usage["tokens_in"] for it in model.found]
    assert all(500 < it < 3000 for it in read)
    assert model.total("tokens_cached") / sum(read) > 0.6  # the places here begin alike
    assert "| by rules | 6 |" in page.markdown("", [overhead.section(runs, "")])
