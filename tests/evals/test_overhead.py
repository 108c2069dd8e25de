import json

from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.evals import overhead, page

WORKS = [Work("adam", "Adam: A Method for Stochastic Optimization", "It needs little memory."), Work("fish", "Fish")]


def test_a_scripted_model_is_counted_beside_the_rules_and_the_corpus(tmp_path):
    asked = tmp_path / "asked.jsonl"
    lines = [{"id": str(n), "text": rf"The Adam method \cite<> number {n}."} for n in range(3)]
    asked.write_text("".join(json.dumps(it) + "\n" for it in lines), encoding="utf-8")
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add(WORKS)
        runs = overhead.measure(corpus, overhead.places(asked, 2))
    assert [len(it.costs) for it in runs.values()] == [2, 2, 2]
    model = runs["by a scripted model"]
    assert model.total("turns") == 2 * (1 + len(overhead._SCRIPT))
    assert 0.5 < model.total("tokens_cached") / model.total("tokens_in") < 1
    assert "| by rules | 2 |" in page.markdown("", [overhead.section(runs, "")])
