"""A cross-encoder on this machine, in the place of an endpoint."""

import json

import pytest

from citelsp.base.settings import Rerank, Settings
from citelsp.cli import main
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.meaning.local_reranker import LocalReranker, reranker
from citelsp.sources.model_endpoints import EndpointError
from tiny_model import write_cross_encoder, write_model

for _package in ("onnxruntime", "tokenizers"):
    pytest.importorskip(_package)


@pytest.fixture
def folder(tmp_path):
    return write_cross_encoder(tmp_path / "cross", "seals")


async def test_texts_are_scored_beside_a_query_in_their_order(folder):
    found = reranker(Settings(rerank=Rerank(model=str(folder)), offline=True))
    assert isinstance(found, LocalReranker) and found.is_here
    texts = [f"a text {'seals ' * (it % 3)}" + "more " * it for it in range(40)]
    assert await found.scores("a question", texts) == [it % 3 for it in range(40)]
    assert await found.scores("a question", []) == []


async def test_what_makes_vectors_is_no_cross_encoder(tmp_path):
    remote = LocalReranker(str(write_model(tmp_path / "vectors", {"cat"})))
    with pytest.raises(EndpointError, match="cannot compare two texts: give a cross-encoder"):
        await remote.scores("a cat", ["a dog"])


async def test_what_is_wrong_is_said_in_a_sentence(tmp_path, folder):
    with pytest.raises(EndpointError, match=r"rerank.model: the folder .*nowhere is not there"):
        await LocalReranker(str(tmp_path / "nowhere")).scores("a", ["b"])
    (folder / "model.onnx").write_bytes((folder / "model.onnx").read_bytes()[:40])
    with pytest.raises(EndpointError, match="cannot be used as a model"):
        await LocalReranker(str(folder)).scores("a", ["b"])


def test_the_list_at_a_place_is_reranked_without_a_network(tmp_path, folder, capsys, monkeypatch):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path))
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work("walk", "Walking on ice"), Work("seal", "Walking like seals")])
    config = tmp_path / "config.toml"

    def first(settings):
        config.write_text(f"offline = true\n{settings}", encoding="utf-8")
        given = ["--corpus", str(tmp_path / "corpus"), "--config", str(config), "--format", "jsonl"]
        assert main(["suggest", "--text", r"Walking on ice \cite<>", *given]) == 0
        return json.loads(capsys.readouterr().out)["candidates"][0]["id"]

    assert first("") == "walk"
    assert first(f"rerank.model = '{folder}'") == "seal"
