"""A program on this machine that answers as Zotero's local API does."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class Zotero(ThreadingHTTPServer):
    """Holds items by key; `files`: paths of attached PDFs by the key of the attachment.  `open`: others may ask."""

    daemon_threads = True

    def __init__(self, *items, files=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.items, self.files = items, files or {}
        self.open = True
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
        if path == "/api/users/0/items/top":
            return [it for it in self.items if it["data"]["itemType"] != wanted.removeprefix("-")]
        if path == "/api/users/0/items":
            return [it for it in self.items if it["data"]["itemType"] == wanted]
        parts = path.split("/")
        return (
            self.files[parts[5]].as_uri() if parts[6:] == ["file", "view", "url"] and parts[5] in self.files else None
        )


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
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
