"""`citelsp suggest` with a model that cannot be asked: the rules answer, and the author is told."""

import http.server
import json
import threading

import pytest

from citelsp.cli import main

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
