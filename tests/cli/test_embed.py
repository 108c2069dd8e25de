import json
import re

import pytest

import synonyms
from citelsp.cli import main
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from model_endpoints import Meanings, served
from tiny_model import write_model


@pytest.fixture
def meanings():
    return Meanings({"cat", "feline"})


@pytest.fixture
def config(tmp_path, meanings):
    path = tmp_path / "config.toml"
    with served(meanings) as url:
        path.write_text(f'[embeddings]\nbase_url = "{url}"\nname = "small"\n', encoding="utf-8")
        yield path


@pytest.fixture
def place(tmp_path):
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work("cat", "The cat and its ways"), Work("dog", "Dogs at sea")])
    return tmp_path / "corpus"


@pytest.mark.parametrize("policy", ["auto", "corpus", "rules"])
def test_vectors_find_what_shares_no_word(config, place, capsys, monkeypatch, tmp_path, policy):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path))
    given = ["--corpus", str(place), "--config", str(config)]
    assert main(["corpus", "embed", *given]) == 0
    assert "2 embedded" in capsys.readouterr().out
    assert main(["suggest", "--text", r"A feline \cite<>", "--policy", policy, "--format", "jsonl", *given]) == 0
    assert json.loads(capsys.readouterr().out)["candidates"][0]["id"] == "cat"


def test_what_is_added_is_embedded(config, place, capsys, tmp_path, meanings):
    (tmp_path / "more.bib").write_text("@book{k, title = {A feline on board}}", encoding="utf-8")
    adding = ["corpus", "add", str(tmp_path / "more.bib"), "--corpus", str(place), "--config", str(config)]
    assert main(adding) == 0
    assert "vectors: 3 new" in capsys.readouterr().out
    assert "A feline on board" in meanings.embedded()
    meanings.down = True
    (tmp_path / "more.bib").write_text("@book{k, title = {A feline ashore}}", encoding="utf-8")
    assert main(adding) == 2
    told = capsys.readouterr()
    assert "1 new" in told.out and "vectors: 0 new" in told.out
    assert "HTTP 503" in told.err and "`citelsp corpus embed` continues from here" in told.err


def test_offline_the_model_is_named_and_not_fetched(tmp_path, capsys):
    path = tmp_path / "config.toml"
    path.write_text("offline = true", encoding="utf-8")
    assert main(["corpus", "embed", "--fetch", "--config", str(path)]) == 2
    told = capsys.readouterr()
    assert "bge-small-en-v1.5: 35 MB from huggingface.co, licence MIT" in told.out
    assert "offline is set: nothing is fetched" in told.err
    path.write_text('embeddings.model = "other"', encoding="utf-8")
    assert main(["corpus", "embed", "--fetch", "--config", str(path)]) == 2
    assert "other is not among the models that can be fetched" in capsys.readouterr().err


def test_a_model_on_this_machine_needs_no_endpoint(tmp_path, place, capsys, monkeypatch):
    for package in ("onnxruntime", "tokenizers"):
        pytest.importorskip(package)
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path))
    config = tmp_path / "local.toml"
    folder = write_model(tmp_path / "tiny", {"cat", "feline"})
    config.write_text(f"offline = true\nembeddings.model = '{folder}'\n", encoding="utf-8")
    given = ["--corpus", str(place), "--config", str(config)]
    assert main(["corpus", "embed", *given]) == 0
    assert "2 embedded" in capsys.readouterr().out
    assert main(["suggest", "--text", r"A feline \cite<>", "--format", "jsonl", *given]) == 0
    assert json.loads(capsys.readouterr().out)["candidates"][0]["id"] == "cat"


def test_nothing_is_embedded_where_no_endpoint_is_set(tmp_path, place, capsys):
    (tmp_path / "empty.toml").write_text("", encoding="utf-8")
    assert main(["corpus", "embed", "--corpus", str(place), "--config", str(tmp_path / "empty.toml")]) == 2
    assert "no embeddings are set" in capsys.readouterr().err


@pytest.fixture
def empty(tmp_path):
    path = tmp_path / "empty.toml"
    path.write_text("", encoding="utf-8")
    return path


@pytest.mark.slow
def test_what_citations_taught_is_told_with_what_it_brought(tmp_path, empty, capsys, monkeypatch):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path))
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add(synonyms.made())
    given = ["--corpus", str(tmp_path / "corpus"), "--config", str(empty)]
    assert main(["corpus", "embed", "--from-citations", *given]) == 0
    told = capsys.readouterr().out
    assert "learnt 60 words from the citations of 594 papers" in told
    assert re.search(
        r"of 66 citations held out: .*first in \d+\.\d% without and \d+\.\d% with it, among ten in 5", told
    )
    assert "it is used from now on" in told
    assert main(["corpus", "embed", *given]) == 0
    assert "every work has the vector that citations taught" in capsys.readouterr().out
    empty.write_text(f"corpus.path = '{tmp_path / 'corpus'}'", encoding="utf-8")
    main(["doctor", "--config", str(empty)])
    told = capsys.readouterr().out
    assert "learnt from 594 papers: used; 720 of 720 works have a vector" in " ".join(told.split())


def test_too_few_citations_are_said_and_not_learnt_from(empty, place, capsys):
    assert main(["corpus", "embed", "--from-citations", "--corpus", str(place), "--config", str(empty)]) == 2
    assert "references are known of 0 papers with a cited one here: 100 are needed" in capsys.readouterr().err


def test_citations_on_a_server_are_not_learnt_from(empty, capsys):
    asked = ["corpus", "embed", "--from-citations", "--to", "lab", "--config", str(empty)]
    assert main(asked) == 3
    assert "leave out --to" in capsys.readouterr().err
