import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from citelsp.cli import main
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work


class Embeddings(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        rows = [{"index": n, "embedding": [float("cat" in it or "feline" in it), 0.1]} for n, it in enumerate(asked)]
        body = json.dumps({"data": rows}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def config(tmp_path):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Embeddings)
    Thread(target=server.serve_forever, daemon=True).start()
    path = tmp_path / "config.toml"
    path.write_text(
        f'[embeddings]\nbase_url = "http://127.0.0.1:{server.server_address[1]}/v1"\nname = "small"\n', encoding="utf-8"
    )
    yield path
    server.shutdown()
    server.server_close()


@pytest.fixture
def place(tmp_path):
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work("cat", "The cat and its ways"), Work("dog", "Dogs at sea")])
    return tmp_path / "corpus"


def test_vectors_find_what_shares_no_word(config, place, capsys):
    given = ["--corpus", str(place), "--config", str(config)]
    assert main(["corpus", "embed", *given]) == 0
    assert "2 embedded" in capsys.readouterr().out
    assert main(["suggest", "--text", r"A feline \cite<>", "--policy", "corpus", "--format", "jsonl", *given]) == 0
    assert json.loads(capsys.readouterr().out)["candidates"][0]["id"] == "cat"


def test_nothing_is_embedded_where_no_endpoint_is_set(tmp_path, place, capsys):
    (tmp_path / "empty.toml").write_text("", encoding="utf-8")
    assert main(["corpus", "embed", "--corpus", str(place), "--config", str(tmp_path / "empty.toml")]) == 2
    assert "no embeddings are set" in capsys.readouterr().err
