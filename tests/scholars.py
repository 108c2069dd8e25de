"""A service on this machine that answers as Crossref does, for servers and commands that run as processes."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from citelsp.sources import registry


class Scholars(ThreadingHTTPServer):
    """Knows `works`, messages of Crossref by DOI; remembers what was asked; silent while `hangs`."""

    daemon_threads = True

    def __init__(self, *works):
        super().__init__(("127.0.0.1", 0), Handler)
        self.works = {it["DOI"]: it for it in works}
        self.asked = []
        self.hangs = False
        self.released = threading.Event()
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def settings(self, **more):
        """As an editor sends them: Crossref lives here, nobody else is asked."""
        here = f"http://127.0.0.1:{self.server_address[1]}/crossref"
        services = {name: {"enabled": False} for name in registry.SERVICES} | {"crossref": {"base_url": here}}
        return {"services": services, **more}

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
        found = [it for doi, it in self.works.items() if doi in wanted or words & set(it["title"][0].lower().split())]
        return {"items": found}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urlsplit(self.path)
        self.server.asked.append(unquote(self.path))
        if self.server.hangs:
            self.server.released.wait(60)
            return
        found = self.server.answer(unquote(parts.path), parse_qs(parts.query))
        body = json.dumps({"message": found}).encode() if found is not None else b"Resource not found."
        self.send_response(200 if found is not None else 404)
        self.send_header("Content-Type", "application/json" if found is not None else "text/plain")
        self.send_header("Content-Length", str(len(body)))
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
