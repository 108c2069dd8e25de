"""A program on this machine that answers as Zotero's local API does.

Made from the sources of Zotero (`server_localAPI.js`, `search.js`, `group.js`, of August 2026) and its API's
documentation: what is searched, how groups are listed, and that an item's `data` has `citationKey`.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class Zotero(ThreadingHTTPServer):
    """Holds items by key; `files`: paths of attached PDFs by the key of the attachment.  `open`: others may ask.

    `keyed`: items as Better BibTeX tells them, CSL-JSON with a citekey; None if it is not installed.  `imported`: what
    was sent to the connector.  `groups`: items of group libraries by the group's number.  `collections`: key, name and
    key of the parent of each, in every library; items name theirs in `data`.  `citekeys`: those that Better BibTeX
    keeps to itself, by the item's key.
    """

    daemon_threads = True

    def __init__(self, *items, files=None, keyed=None, groups=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.items, self.files, self.groups = items, files or {}, groups or {}
        self.collections, self.citekeys = [], {}
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
        if path == "/connector/ping":
            return "<!DOCTYPE html><html><body>Zotero is running</body></html>"
        if path.startswith("/api/groups/") and path.count("/") == 3:
            return {"id": int(path.rpartition("/")[2]), "data": {"name": f"Group {path.rpartition('/')[2]}"}}
        if path == "/api/users/0/groups":
            return [{"id": it, "version": 1, "data": {"id": it, "name": f"Group {it}"}} for it in self.groups]
        _, _, kind, number, *rest = path.split("/")
        items = self.items if (kind, number) == ("users", "0") else self.groups.get(int(number))
        if items is None:
            return None
        wanted = query.get("itemType", [""])[0]
        if rest == ["collections"]:
            return [collection(*it) for it in self.collections]
        if rest[:1] == ["collections"]:
            items, rest = [it for it in items if rest[1] in it["data"].get("collections", ())], rest[2:]
        if rest == ["items", "top"] and query.get("format") == ["versions"]:
            return {it["key"]: it.get("version", 1) for it in items}
        if rest == ["items", "top"]:
            return found_by(query, [it for it in items if it["data"]["itemType"] != wanted.removeprefix("-")])
        if rest == ["items"]:
            return found_by(query, [it for it in items if it["data"]["itemType"] == wanted])
        stored = rest[2:] == ["file", "view", "url"] and any(it["key"] == rest[1] for it in items)
        return self.files[rest[1]].as_uri() if stored and rest[1] in self.files else None

    def post(self, path, body):
        """Status and answer."""
        if path == "/connector/import":
            self.imported.append(body)
            return (201, [{"itemType": "journalArticle"}]) if body.startswith("@") else (400, None)
        if path == "/better-bibtex/json-rpc" and self.keyed is not None:
            [words] = json.loads(body)["params"]
            if json.loads(body)["method"] == "item.citationkey":
                return 200, {"jsonrpc": "2.0", "id": 1, "result": {it: self.citekeys.get(it) for it in words}}
            found = [it for it in self.keyed if all(word in json.dumps(it).lower() for word in words.lower().split())]
            return 200, {"jsonrpc": "2.0", "id": 1, "result": found}
        return 404, None


def found_by(query, items):
    """The items that hold every word in what the mode of the search looks at."""
    typed = query.get("q", [""])[0].lower().split()
    fields = ("title", "publicationTitle", "shortTitle", "date", "citationKey", "creators")
    everything = query.get("qmode", [""])[0] == "everything"
    texts = [it["data"] if everything else {name: it["data"].get(name) for name in fields} for it in items]
    found = [it for it, text in zip(items, texts, strict=True) if all(w in json.dumps(text).lower() for w in typed)]
    start = int(query.get("start", [0])[0])
    return found[start:][: int(query.get("limit", [len(found)])[0])]


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


def collection(key, name, parent=False):
    return {"key": key, "version": 1, "data": {"key": key, "name": name, "parentCollection": parent}}


def item(key, title, family, given, year, **more):
    creators = [{"creatorType": "author", "lastName": family, "firstName": given}]
    data = {"key": key, "itemType": "journalArticle", "title": title, "creators": creators, "date": str(year), **more}
    return {"key": key, "meta": {"parsedDate": str(year)}, "data": data}


def attached(key, parent, kind="application/pdf"):
    return {"key": key, "data": {"key": key, "itemType": "attachment", "parentItem": parent, "contentType": kind}}
