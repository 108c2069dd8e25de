"""An agent with a model on places whose works are known: by a scripted reader, and by an endpoint."""

import json
import sys

import pytest

from citelsp import cli
from citelsp.agent.certainty import CHANCES
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.evals.page import percent
from citelsp.evals.questions import EvaluationFileError
from citelsp.evals.with_model import counting
from lab import certainties
from model_endpoints import Meanings, served
from tiny_model import write_model

THINGS = ("airships", "beehives", "comets", "dykes", "engines", "fjords", "glaciers", "harps")


@pytest.fixture
def evaluated(tmp_path, capsys):
    """evaluated(*options, config="") → exit code, and the one row of the report by its head"""
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work(it, f"Measuring the flight of {it}", f"We measure {it}.", year=2015) for it in THINGS])
    lines = [
        {"id": it, "set": "wild", "title": "Large things", "gold": [it], "text": rf"One measures {it} \cite<>."}
        for it in (*THINGS, "unknown")
    ]
    path = tmp_path / "asked.jsonl"
    path.write_text("".join(json.dumps(it) + "\n" for it in lines), encoding="utf-8")

    def run(*options, config=""):
        (tmp_path / "config.toml").write_text(config, encoding="utf-8")
        where = ["--corpus", str(tmp_path / "corpus"), "--out", str(tmp_path / "out")]
        named = ["--config", str(tmp_path / "config.toml")]
        code = cli.main(["eval", "model", str(path), *where, *named, *options])
        rows = [it.strip("| ").split(" | ") for it in capsys.readouterr().out.splitlines() if it.startswith("|")]
        sure = {f"says {it[0]}": it[1:] for it in rows[4:]}
        return code, dict(zip(rows[0], rows[2], strict=True)) | sure if rows else {}

    return run


def test_a_reader_who_knows_the_works_chooses_what_it_is_shown(evaluated):
    code, row = evaluated("--reader")
    assert (code, row["n"], row["answered"], row["shown"]) == (0, "8", "100.0 %", "8 of 8")
    assert row["R@1"].startswith("100.0")
    assert row["abstaining without the work"] == "100.0 %"
    assert row["says clear"] == ["8", percent(CHANCES["clear"]), "100.0 %", "0"]
    assert row["says guess"] == ["0", percent(CHANCES["guess"]), "–", "0"]
    assert int(row["tokens in, median"].replace(",", "")) > 300
    assert row["asked"] == "1.00"


def test_a_question_without_a_place_is_left_out_and_said(evaluated, tmp_path, capsys):
    path = next(tmp_path.glob("*.jsonl"))
    unmarked = {"id": "u", "set": "x", "title": "T", "text": "No place is marked.", "gold": ["w0"]}
    path.write_text(path.read_text(encoding="utf-8") + json.dumps(unmarked) + "\n", encoding="utf-8")
    code, row = evaluated("--reader")
    assert (code, row["n"]) == (0, "8")


def test_tokens_are_counted_by_a_tokenizer_that_is_named(tmp_path):
    with pytest.raises(EvaluationFileError, match="there is no such tokenizer"):
        counting(tmp_path / "none.json")
    assert counting(None)("x" * 40) == 10


def test_a_file_that_is_no_tokenizer_is_said(tmp_path):
    pytest.importorskip("tokenizers")
    path = write_model(tmp_path, {"trout", "flies"}) / "tokenizer.json"
    assert counting(path)("Trout eat flies") == 3
    path.write_text('{"version": 1}')
    with pytest.raises(EvaluationFileError, match=r"tokenizer\.json: it cannot be read"):
        counting(path)


class Giving(Meanings):
    """A model that always gives up."""

    def answer(self, path, body):
        self.asked.append((path, body))
        message = {"role": "assistant", "content": '{"choice": "", "why": "no"}'}
        return 200, {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}


def test_any_endpoint_is_asked(evaluated):
    giving = Giving()
    with served(giving) as url:
        code, row = evaluated("--every", "2", config=f'[model]\nbase_url = "{url}"\nname = "m"\n')
    assert (code, row["answered"], row["abstaining without the work"]) == (0, "0.0 %", "100.0 %")
    assert len(giving.asked) == 2 * int(row["n"])
    assert float(row["cached"].split()[0]) > 50


class Choosing(Meanings):
    """A model that chooses the first work that it is shown, and is clear about it; of fjords it only guesses."""

    def answer(self, path, body):
        self.asked.append((path, body))
        sure = "guess" if "fjords" in body["messages"][1]["content"].partition("\n\n")[0] else "clear"
        message = {"role": "assistant", "content": json.dumps({"choice": "W1", "sure": sure, "why": "It fits."})}
        return 200, {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}


def test_what_a_model_says_of_its_choices_is_written_down(evaluated, tmp_path):
    kept = tmp_path / "said.jsonl"
    with served(Choosing()) as url:
        evaluated("--at-once", "3", "--record", str(kept), config=f'[model]\nbase_url = "{url}"\nname = "m"\n')
    answers = certainties.read([kept])
    assert sorted(it.sure for it in answers) == ["clear"] * 7 + ["guess"]
    assert all(it.right for it in answers)
    assert "fly" not in kept.read_text(encoding="utf-8")
    rows = {row[0]: row[1:] for row in certainties.table(answers).rows}
    assert rows["clear"][:2] == ("7", "100.0 (100.0..100.0)")
    assert rows["likely"][:2] == ("0", "–")


@pytest.mark.usefixtures("evaluated")
@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_a_full_disk_is_told_without_the_name_of_a_file_if_it_is_not_known(tmp_path, capsys):
    named = ["--config", str(tmp_path / "config.toml"), "--corpus", str(tmp_path / "corpus")]
    (tmp_path / "config.toml").touch()
    words = ["eval", "model", str(tmp_path / "asked.jsonl"), *named, "--out", str(tmp_path / "out"), "--reader"]
    assert cli.main([*words, "--record", "/dev/full"]) == 2
    assert capsys.readouterr().err == "citelsp: No space left on device\n"


def test_a_word_said_often_is_as_probable_as_it_was_right_and_one_never_said_as_it_is_meant():
    said = [certainties.RecordedAnswer("m", "clear", right=it % 4 > 0, without="") for it in range(400)]
    chances = certainties.chances(said)
    assert chances["clear"] == pytest.approx(0.75, abs=0.01)
    assert chances["guess"] == certainties.MEANT["guess"]


def test_without_a_model_it_says_what_is_missing(evaluated):
    assert evaluated()[0] == 2
