"""A service on this machine that answers as Crossref does, for servers and commands that run as processes."""

import json
import random
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from citelsp.base.settings import SERVICES


class Scholars(ThreadingHTTPServer):
    """Knows `works`, messages of Crossref by DOI; remembers what was asked; silent while `hangs`.

    `storms`: the share of requests that are throttled, broken off, walled in or answered with an error.
    """

    daemon_threads = True

    def __init__(self, *works, storms=0.0):
        super().__init__(("127.0.0.1", 0), Handler)
        self.works = {it["DOI"]: it for it in works}
        self.asked = []
        self.hangs = False
        self.storms, self.dice = storms, random.Random(3)  # noqa: S311  the same weather every time
        self.released = threading.Event()
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def settings(self, **more):
        """As an editor sends them: Crossref lives here, nobody else is asked."""
        here = f"http://127.0.0.1:{self.server_address[1]}/crossref"
        services = {name: {"enabled": False} for name in SERVICES} | {"crossref": {"base_url": here}}
        return {"services": services, **more}

    def config(self):
        """The same as a file of settings."""
        services = self.settings()["services"]
        written = (
            f"[services.{name}]\n{key} = {json.dumps(it)}\n" for name, of in services.items() for key, it in of.items()
        )
        return "".join(written)

    def close(self):
        self.released.set()
        self.shutdown()
        self.server_close()
        self.thread.join()

    def answer(self, path, query):
        if path.startswith("/crossref/works/"):
            return self.works.get(path.removeprefix("/crossref/works/"))
        wanted = [it.removeprefix("doi:") for it in query.get("filter", [""])[0].split(",")]
        words = {it.lower() for name, texts in query.items() if name.startswith("query") for it in texts[0].split()}
        shared = {doi: len(words & set(it["title"][0].lower().split())) for doi, it in self.works.items()}
        found = sorted((it for it in shared if it in wanted or shared[it]), key=lambda it: -shared[it])
        return {"items": [self.works[it] for it in found[: int(query.get("rows", ["20"])[0])]]}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urlsplit(self.path)
        self.server.asked.append(unquote(self.path))
        if self.server.hangs:
            self.server.released.wait(60)
            return
        if self.server.dice.random() < self.server.storms:
            self.fail(self.server.dice.choice(("throttled", "throttled", "error", "wall", "reset")))
            return
        found = self.server.answer(unquote(parts.path), parse_qs(parts.query))
        if found is None:
            self.say(404, "text/plain", b"Resource not found.")
        else:
            self.say(200, "application/json", json.dumps({"message": found}).encode())

    def fail(self, how):
        match how:
            case "throttled":
                self.say(429, "text/plain", b"Slow down.", {"Retry-After": self.server.dice.choice("123")})
            case "error":
                self.say(503, "text/plain", b"Service unavailable.")
            case "wall":
                self.say(200, "text/html", b"<html><title>Just a moment...</title></html>")
            case "reset":
                self.close_connection = True

    def say(self, status, kind, body, headers=None):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        with suppress(ConnectionError):  # who asked may have left
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *arguments):
        """Says nothing."""


def work(doi, title, family, given, year, **more):
    """A message of Crossref."""
    return {
        "DOI": doi, "title": [title], "type": "journal-article", "issued": {"date-parts": [[year]]},
        "author": [{"family": family, "given": given}], **more,
    }  # fmt: skip
