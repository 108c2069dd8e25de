"""`citelsp suggest` with a model: why it chose and what that took; if it cannot be asked, the rules answer."""

import http.server
import json
import os
import signal
import threading
from subprocess import DEVNULL, PIPE

import pytest

import forked_programs
from citelsp.agent import trajectory
from citelsp.cli import main
from model_endpoints import served
from model_server import completion, serving_in_thread

WORK = {"id": "W1", "title": "Attention Is All You Need", "abstract": "Based solely on attention.", "year": 2017}


class Absent(http.server.BaseHTTPRequestHandler):
    """As Ollama answers for a model that was not pulled."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        said = json.dumps({"error": {"message": "model 'qwen3' not found"}}).encode()
        self.send_response(404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        pass


@pytest.fixture
def endpoint():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Absent) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        thread.join()


def test_the_rules_answer_and_the_author_is_told(folder, endpoint, capsys):
    (folder / "works.jsonl").write_text(json.dumps(WORK))
    (folder / "model.toml").write_text(f'[model]\nbase_url = "{endpoint}"\nname = "qwen3"\n')
    index = str(folder / "index")
    main(["corpus", "add", "works.jsonl", "--corpus", index])
    capsys.readouterr()
    assert main(["suggest", "main.tex", "--config", "model.toml", "--corpus", index]) == 0
    _, told, first, *_ = capsys.readouterr().out.splitlines()
    assert "The model's endpoint says: 404 model 'qwen3' not found" in told
    assert "Attention Is All You Need" in first


class Slow:
    """A model that answers when it is let."""

    def __init__(self):
        self.asked, self.released, self.delay = threading.Event(), threading.Event(), 0.0

    def answer(self, *_):
        self.asked.set()
        self.released.wait(60)
        return 503, {}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_interrupted_it_says_nothing_and_keeps_how_far_it_came(folder, monkeypatch):
    model, state = Slow(), folder / "state"
    (folder / "main.tex").write_text(r"\begin{document}We need \cite<attention>.\bibliography{refs}\end{document}")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background processes ignore it
    with served(model) as url:
        (folder / "model.toml").write_text(f'[model]\nbase_url = "{url}"\nname = "m"\n')
        named = [str(folder / "main.tex"), "--config", str(folder / "model.toml")]
        monkeypatch.setenv("CITELSP_STATE_DIR", str(state))
        monkeypatch.setenv("HOME", str(folder))
        process = forked_programs.start("suggest", *named, stdout=DEVNULL, stderr=PIPE)
        signal.signal(signal.SIGINT, before)
        assert model.asked.wait(60)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        model.released.set()
        with process.stderr as errors:
            assert b"Traceback" not in errors.read()
    [written] = (state / "trajectories").iterdir()
    [run] = trajectory.read(written)
    assert (len(run.steps), run.stopped) == (1, None)


HARPS = "As shown by measuring harps in the wind \\cite<>.\n\n\\bibliography{refs}\n"
BIB = "@misc{harps, author = {Lee, Ann}, title = {Measuring Harps in the Wind}, year = {2001}}\n"
CHOICE = {"choice": "W1", "sure": "clear", "why": "It measures harps."}


def test_a_choice_with_its_reason_and_its_cost(tmp_path, capsys):
    (tmp_path / "main.tex").write_text(HARPS, encoding="utf-8")
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    with serving_in_thread(completion(json.dumps(CHOICE))) as server:
        config = tmp_path / "config.toml"
        config.write_text(f'[model]\nbase_url = "{server.url}"\nname = "m"\n', encoding="utf-8")
        asked = ["suggest", str(tmp_path / "main.tex"), "--config", str(config)]
        assert main(asked) == 0
        text = capsys.readouterr().out
        assert main([*asked, "--format", "json"]) == 0
        [answer] = json.loads(capsys.readouterr().out)
    assert "93% library as harps" in text
    assert "      the model says: It measures harps.\n" in text
    assert "      the search took 2 turns, 100 tokens read and 10 written" in text
    first = answer["candidates"][0]
    assert (first["key"], first["probability"], first["why"]) == ("harps", 0.93, "It measures harps.")
    assert (answer["chosen"], answer["abstained"]) == (1, False)
