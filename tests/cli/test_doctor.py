import pytest

from citelsp.base.settings import SERVICES
from citelsp.cli import main
from citelsp.corpus import citation_words
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from imitated_opensearch import Index, serving
from model_endpoints import Meanings, served
from tiny_model import write_model

MISSING = "`citelsp corpus embed` computes the 1 missing"

NOBODY = "".join(f"[services.{it}]\nenabled = false\n" for it in SERVICES)


@pytest.fixture
def told(tmp_path, capsys):
    """told(config, *options) → exit status, and by name what doctor prints of endpoints."""

    def run(config, *options):
        path = tmp_path / "config.toml"
        path.write_text(f'{config}\n[corpus]\npath = "{(tmp_path / "corpus").as_posix()}"\n{NOBODY}', encoding="utf-8")
        capsys.readouterr()
        status = main(["doctor", "--config", str(path), *options])
        lines = [(it[:20].strip(), it[21:]) for it in capsys.readouterr().out.splitlines()]
        return status, [it for it in lines if it[0] in ("language model", "embeddings", "reranking")]

    return run


def test_nothing_is_set(told):
    none = ("none (built-in rules are used)", "none (keyword search is used)", "none")
    assert told("") == (0, list(zip(("language model", "embeddings", "reranking"), none, strict=True)))


def test_a_model_on_this_machine(told, tmp_path):
    for package in ("onnxruntime", "tokenizers"):
        pytest.importorskip(package)
    folder = write_model(tmp_path / "tiny", {"cat"})
    config = f"[embeddings]\nmodel = '{folder}'\n"
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work("cat", "The cat")])
    said = f"tiny on this machine; 0 of 1 work has a vector; {MISSING}"
    assert told(config)[1][1] == ("embeddings", said)
    assert main(["corpus", "embed", "--config", str(tmp_path / "config.toml")]) == 0
    assert told(f"offline = true\n{config}")[1][1][1] == "tiny on this machine; 1 of 1 work has a vector"
    (folder / "tokenizer.json").unlink()
    assert told(config)[1][1][1].endswith("a model's folder needs model.onnx and tokenizer.json")


def test_models_and_how_many_works_have_vectors(told, tmp_path):
    meanings = Meanings({"cat"})
    with served(meanings) as url:
        config = f'[embeddings]\nbase_url = "{url}"\nname = "small"\n[rerank]\nbase_url = "{url}"\n'
        assert "no vectors: there is no corpus" in told(config)[1][1][1]
        with Corpus(tmp_path / "corpus", create=True) as corpus:
            corpus.add([Work("cat", "The cat")])
        assert told(config)[1][1:] == [
            (
                "embeddings",
                f"small at {url}; 0 of 1 work has a vector; `citelsp corpus embed` computes the 1 missing",
            ),
            ("reranking", f"unnamed at {url}"),
        ]
        assert main(["corpus", "embed", "--config", str(tmp_path / "config.toml")]) == 0
        status, lines = told(config, "--online")
        assert (status, lines[1][1]) == (0, f"small at {url}; 1 of 1 work has a vector")
        assert lines[3:] == [("embeddings", "reachable"), ("reranking", "reachable")]
        assert len(meanings.asked) == 1, "reached without being asked anything"


@pytest.mark.parametrize(
    ("config", "options", "verdict"),
    [
        ("", (), "Ready."),
        ("offline = true", ("--online",), "Ready."),
        ('[model]\nbase_url = "http://127.0.0.1:9"', (), "Set model.name: without it the language model is not used."),
        (
            '[model]\nbase_url = "http://127.0.0.1:9"\nname = "m"',
            ("--online",),
            "Check your network and proxy, or your settings: language model cannot be used now.",
        ),
    ],
)
def test_the_last_line_says_what_to_do(config, options, verdict, tmp_path, capsys):
    path = tmp_path / "config.toml"
    path.write_text(f"{config}\n{NOBODY}", encoding="utf-8")
    main(["doctor", "--config", str(path), *options])
    assert capsys.readouterr().out.splitlines()[-1] == verdict


def test_what_is_not_asked_is_said(told):
    assert told('[model]\nbase_url = "http://127.0.0.1:9"')[1][0][1].endswith("not asked: name is not set")
    assert told('offline = true\n[rerank]\nbase_url = "http://127.0.0.1:9"')[1][2][1].endswith("not asked: offline")
    status, lines = told('[model]\nbase_url = "http://127.0.0.1:9"\nname = "m"', "--online")
    assert status == 2 and lines[3][1].startswith("not reachable")


def test_a_corpus_on_a_server_says_version_size_and_health(tmp_path, capsys):
    works, config = tmp_path / "works.jsonl", tmp_path / "config.toml"
    works.write_text('{"id": "one", "title": "Glaciers flow"}\n')
    with serving(Index()) as url:
        config.write_text(f'{NOBODY}[corpus.servers.lab]\nbase_url = "{url}"\n')
        assert main(["doctor", "--online", "--config", str(config)]) == 2
        said = capsys.readouterr().out
        assert "corpus lab           it has no such index" in said
        assert said.splitlines()[-1] == "Check your network and proxy, or your settings: corpus lab cannot be used now."
        assert main(["corpus", "add", str(works), "--to", "lab", "--config", str(config)]) == 0
        capsys.readouterr()
        assert main(["doctor", "--online", "--config", str(config)]) == 0
        assert "corpus lab           opensearch 3.8.0, 1 work in works-1, health green" in capsys.readouterr().out
    assert main(["doctor", "--online", "--config", str(config)]) == 2
    said = capsys.readouterr().out
    assert "corpus lab           no connection: check base_url" in said
    assert said.splitlines()[-1].endswith("corpus lab cannot be used now.")


def test_an_address_with_a_typing_mistake_cannot_be_reached(told):
    config = '[model]\nbase_url = "http://localhost..example/v1"\nname = "m"\n'
    status, lines = told(config, "--online")
    assert status == 2
    assert any(name == "language model" and state.startswith("not reachable") for name, state in lines)


def test_settings_that_are_named_and_not_there_end_it(tmp_path, capsys):
    (tmp_path / "refs.bib").write_text("")
    assert main(["check", str(tmp_path / "refs.bib"), "--config", str(tmp_path / "none.toml")]) == 3
    (tmp_path / "broken.toml").write_text("offline = tru")
    for named in (tmp_path, tmp_path / "broken.toml"):
        assert main(["check", str(tmp_path / "refs.bib"), "--config", str(named)]) == 3
    assert main(["suggest", "--text", "So", "--config", str(tmp_path / "broken.toml")]) == 3
    assert f"there is no {tmp_path / 'none.toml'}" in capsys.readouterr().err


def test_the_settings_of_the_project_are_named_in_a_folder_of_it(tmp_path, monkeypatch, capsys):
    (tmp_path / "chapters").mkdir()
    settings = tmp_path / ".citelsp.toml"
    settings.write_text("")
    monkeypatch.chdir(tmp_path / "chapters")
    main(["doctor"])
    assert f"workspace settings   {settings}\n" in capsys.readouterr().out


def test_a_damaged_corpus_is_not_said_to_be_missing(told, tmp_path, capsys):
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/works.sqlite").write_bytes(b"no corpus" * 1000)
    told("")
    main(["doctor", "--config", str(tmp_path / "config.toml")])
    [line] = [it for it in capsys.readouterr().out.splitlines() if it.startswith("corpus's citations")]
    assert "is not a corpus" in line


def test_what_citations_taught_is_not_used_beside_a_model_that_has_vectors(told, tmp_path, capsys):
    gains = citation_words.Gains(60, (0.2, 0.3), (0.5, 0.6), surely=True)
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work("cat", "The cat")])
        citation_words.save(corpus, citation_words.Description("of citations", gains, citing=1, words=1), None)

    def describe(config):
        told(config)
        main(["doctor", "--config", str(tmp_path / "config.toml")])
        [line] = [it for it in capsys.readouterr().out.splitlines() if it.startswith("corpus's citations")]
        return line.partition("papers: ")[2]

    with served(Meanings({"cat"})) as url:
        config = f'[embeddings]\nbase_url = "{url}"\nname = "small"\n'
        assert describe(config).startswith("used; 0 of 1 work has a vector")  # the model has none yet
        assert main(["corpus", "embed", "--config", str(tmp_path / "config.toml")]) == 0
        assert describe(config) == "not used, as the model of embeddings has vectors"
        assert describe(f"offline = true\n{config}").startswith("used; ")
