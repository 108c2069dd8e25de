"""A program on this machine that answers as Zotero's local API does."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class Zotero(ThreadingHTTPServer):
    """Holds items by key; `files`: paths of attached PDFs by the key of the attachment.  `open`: others may ask.

    `keyed`: items as Better BibTeX tells them, CSL-JSON with a citekey; None if it is not installed.  `imported`: what
    was sent to the connector.
    """

    daemon_threads = True

    def __init__(self, *items, files=None, keyed=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.items, self.files = items, files or {}
        self.open, self.keyed, self.imported, self.asked = True, keyed, [], []
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def close(self):
        self.shutdown()
        self.server_close()
        self.thread.join()

    def answer(self, path, query):
        wanted = query.get("itemType", [""])[0]
        if path == "/connector/ping":
            return "<!DOCTYPE html><html><body>Zotero is running</body></html>"
        if path == "/api/users/0/items/top":
            typed = query.get("q", [""])[0].lower().split()
            found = [it for it in self.items if it["data"]["itemType"] != wanted.removeprefix("-")]
            return [it for it in found if all(word in json.dumps(it).lower() for word in typed)]
        if path == "/api/users/0/items":
            return [it for it in self.items if it["data"]["itemType"] == wanted]
        parts = path.split("/")
        return (
            self.files[parts[5]].as_uri() if parts[6:] == ["file", "view", "url"] and parts[5] in self.files else None
        )

    def post(self, path, body):
        """Status and answer."""
        if path == "/connector/import":
            self.imported.append(body)
            return (201, [{"itemType": "journalArticle"}]) if body.startswith("@") else (400, None)
        if path == "/better-bibtex/json-rpc" and self.keyed is not None:
            [words] = json.loads(body)["params"]
            found = [it for it in self.keyed if all(word in json.dumps(it).lower() for word in words.lower().split())]
            return 200, {"jsonrpc": "2.0", "id": 1, "result": found}
        return 404, None


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        status, found = self.server.post(urlsplit(self.path).path, body)
        self.say(status, "application/json", json.dumps(found).encode())

    def do_GET(self):
        self.server.asked.append(self.path)
        if self.headers["User-Agent"].startswith("Mozilla/"):
            self.close_connection = True
            return
        parts = urlsplit(self.path)
        found = self.server.answer(parts.path, parse_qs(parts.query))
        if not self.server.open:
            self.say(403, "text/plain", b"Local API is not enabled")
        elif found is None:
            self.say(404, "text/plain", b"Not found")
        elif isinstance(found, str):
            self.say(200, "text/plain", found.encode())
        else:
            self.say(200, "application/json", json.dumps(found).encode())

    def say(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        """Says nothing."""


def item(key, title, family, given, year, **more):
    creators = [{"creatorType": "author", "lastName": family, "firstName": given}]
    data = {"key": key, "itemType": "journalArticle", "title": title, "creators": creators, "date": str(year), **more}
    return {"key": key, "meta": {"parsedDate": str(year)}, "data": data}


def attached(key, parent, kind="application/pdf"):
    return {"key": key, "data": {"key": key, "itemType": "attachment", "parentItem": parent, "contentType": kind}}
