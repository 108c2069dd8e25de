"""Embeddings and reranking made of a few rules: as a transport, and as a service on this machine."""

import json
import random
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler

import httpx

from loopback import listening


class Meanings:
    """Vectors by topic: whether a text holds a word of it.  Reranks by length, in one of two shapes."""

    def __init__(self, *topics, shape="results"):
        self.topics, self.shape = topics, shape
        self.asked, self.down, self.delay = [], False, 0.0

    def embedded(self):
        """Everything that was embedded so far."""
        return [text for path, body in self.asked if path.endswith("embeddings") for text in body["input"]]

    def answer(self, path, body):
        """Status and JSON."""
        self.asked.append((path, body))
        if self.down:
            return 503, {"error": "out of order"}
        if path.endswith("embeddings"):
            rows = [{"index": n, "embedding": self.vector(it)} for n, it in enumerate(body["input"])]
            return 200, {"data": rows[::-1]}
        if self.shape == "texts" and "texts" not in body:
            return 422, {"error": "missing field `texts`"}
        texts = body.get("texts") or body["documents"]
        name = "score" if self.shape == "texts" else "relevance_score"
        rows = [{"index": n, name: len(it)} for n, it in enumerate(texts)]
        return 200, rows if self.shape == "texts" else {"results": rows}

    def vector(self, text):
        words = set(text.lower().replace(".", " ").replace(":", " ").split())
        return [float(bool(words & topic)) for topic in self.topics] + [0.1]


class Directions(Meanings):
    """Each word has a direction by chance, the same at every run; a text goes where its words go together."""

    def vector(self, text):
        chances = [random.Random(it) for it in text.lower().split()]  # noqa: S311
        return [sum(it.gauss(0, 1) for it in chances) for _ in range(16)]


class Transport(httpx.AsyncBaseTransport):
    """Answers as `meanings` does; not at all while `meanings.down`."""

    def __init__(self, meanings):
        self.meanings, self.headers, self.closed = meanings, [], 0

    async def handle_async_request(self, request):
        self.headers.append(request.headers)
        if self.meanings.down:
            self.meanings.asked.append((request.url.path, None))
            raise httpx.ConnectError("refused")
        status, body = self.meanings.answer(request.url.path, json.loads(request.content))
        return httpx.Response(status, json=body)

    async def aclose(self):
        self.closed += 1


@contextmanager
def served(meanings):
    """Its base URL on 127.0.0.1, for servers and commands that run as processes."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            began = time.monotonic()
            while time.monotonic() < began + meanings.delay:  # which a test may shorten meanwhile
                time.sleep(0.01)
            status, said = meanings.answer(self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            body = json.dumps(said).encode()
            with suppress(ConnectionError):  # who asked may have waited long enough
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_):
            """Says nothing."""

    with listening(Handler) as url:
        yield f"{url}/v1"
