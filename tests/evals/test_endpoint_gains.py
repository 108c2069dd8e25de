import json

import pytest

from citelsp.cli import main
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.evals import prediction
from model_endpoints import Meanings, served

WORKS = [Work("cat", "The cat and its ways"), Work("dog", "Dogs at sea"), Work("ship", "Ships")]
ASKED = [
    {"id": "a", "set": "pets", "text": r"A feline \cite<>.", "gold": ["cat"]},
    {"id": "b", "set": "pets", "text": r"On dogs \cite<>.", "gold": ["dog"]},
    {"id": "c", "set": "trade", "text": r"On ships \cite<>.", "gold": ["ship"]},
]


@pytest.fixture
def meanings():
    return Meanings({"cat", "feline"}, {"dogs"})


@pytest.fixture
def place(tmp_path):
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add(WORKS)
    return tmp_path / "corpus"


@pytest.fixture
def measure(tmp_path, place, meanings, capsys):
    """measure(*options) → exit status, the table's rows, everything printed and warned of."""
    (tmp_path / "asked.jsonl").write_text("".join(json.dumps(it) + "\n" for it in ASKED), encoding="utf-8")
    config = tmp_path / "config.toml"
    with served(meanings) as url:

        def run(*endpoints, command="positions"):
            config.write_text("".join(f'[{it}]\nbase_url = "{url}"\nname = "{it}"\n' for it in endpoints))
            capsys.readouterr()
            given = ["--corpus", str(place), "--config", str(config), "--out", str(tmp_path / "out"), "--endpoints"]
            status = main(["eval", command, str(tmp_path / "asked.jsonl"), *given])
            out, err = capsys.readouterr()
            rows = [[it.strip() for it in row.strip("|").split("|")] for row in out.splitlines() if row[:1] == "|"]
            return status, rows[2:], out + err

        yield run


def embedded(place, config):
    assert main(["corpus", "embed", "--corpus", str(place), "--config", str(config)]) == 0


def test_each_endpoint_is_told_apart_by_what_it_adds(measure, place, tmp_path, meanings):
    assert measure("embeddings")[0] == 2, "there are no vectors yet"
    embedded(place, tmp_path / "config.toml")
    status, rows, told = measure("embeddings", "rerank")
    assert status == 0
    pets = [it for it in rows if it[0] == "pets"]
    assert [it[1:3] for it in pets] == [["words alone", "2"], ["+ embeddings", "2"], ["+ reranking", "2"]]
    assert [it[3].split()[0] for it in pets] == ["50.0", "100.0", "100.0"]
    assert [it[6].split()[:1] for it in pets] == [[], ["+50.0"], ["+50.0"]]
    assert "embeddings: 6 requests." in told and "rerank: 3 requests." in told
    out = tmp_path / "out"
    assert [it.offers[0].id for it in prediction.read(out / "predictions-embeddings.jsonl").values()] == [
        "cat",
        "dog",
        "ship",
    ]
    assert set(prediction.read(out / "predictions-alone.jsonl")) == {"a", "b", "c"}
    assert "What endpoints add" in (out / "report.md").read_text("utf-8")


def test_reranking_alone_may_be_measured(measure):
    status, rows, _ = measure("rerank")
    assert status == 0 and [it[1] for it in rows] == 2 * ["words alone", "+ reranking"]


@pytest.mark.parametrize(
    ("endpoints", "why"),
    [((), "no endpoint is set"), (("embeddings",), "no work has a vector of embeddings yet: `citelsp corpus embed`")],
)
def test_without_endpoint_or_vectors_nothing_is_measured(measure, endpoints, why):
    status, _, told = measure(*endpoints)
    assert status == 2 and why in told


def test_an_endpoint_that_is_away_is_no_measurement(measure, meanings):
    meanings.down = True
    status, rows, told = measure("rerank")
    assert status == 2 and not rows and "HTTP 503" in told


def test_questions_that_were_not_answered_are_counted(measure, meanings):
    answer, calls = meanings.answer, []

    def now_and_then(path, body):
        calls.append(path)
        return (503, {"error": "busy"}) if len(calls) == 2 else answer(path, body)

    meanings.answer = now_and_then
    status, _, told = measure("rerank")
    assert status == 0 and "rerank: 2 requests, 1 of them without an answer, which counts as by words." in told
