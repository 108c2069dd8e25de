"""As much of OpenSearch as citelsp asks for, in memory: one index behind an alias, BM25 over all of it, and k-NN."""

import json
import math
from collections import Counter
from contextlib import contextmanager, suppress
from copy import deepcopy
from http.server import BaseHTTPRequestHandler

import httpx

from loopback import listening

_K1, _B = 1.2, 0.75
_OF_THE_CLUSTER = {
    "/": {"version": {"distribution": "opensearch", "number": "3.8.0"}},
    "/_cluster/health": {"status": "green"},
}


class Field:
    """The documents that hold each word, by their numbers, with how often; how long each document is."""

    def __init__(self, words):
        self.lengths = {number: sum(counts.values()) for number, counts in words.items()}
        self.length = sum(self.lengths.values())
        self.holding = {}
        for number, counts in words.items():
            for word, count in counts.items():
                self.holding.setdefault(word, {})[number] = count

    def holders(self, word):
        return len(self.holding.get(word, ()))


def _words(value):
    return Counter(value.split() if isinstance(value, str) else value)


class Index(httpx.AsyncBaseTransport):
    """Answers requests; `requests` lists their paths.  `before(path, body)` may answer instead."""

    def __init__(self, alias="works", before=lambda _path, _body: None):
        self.alias, self.before = alias, before
        self.mappings, self.documents, self.requests, self.rejects = {}, {}, [], {}
        self.aliased, self.has_vectors = None, True
        self.fields = {}

    def copy(self):
        """Another that holds the same."""
        copy = Index(self.alias)
        copy.mappings = deepcopy(self.mappings)
        copy.documents = {name: dict(it) for name, it in self.documents.items()}  # each is replaced, never changed
        copy.aliased, copy.fields = self.aliased, dict(self.fields)
        return copy

    async def handle_async_request(self, request):
        body = (await request.aread()).decode()
        path = request.url.path
        self.requests.append(path)
        answer = self.before(path, body)
        if isinstance(answer, httpx.Response):
            return answer
        status, found = self.answer(request.method, path, body)
        return httpx.Response(status, json=found)

    def answer(self, method, path, body):
        if path in _OF_THE_CLUSTER:
            return 200, _OF_THE_CLUSTER[path]
        index, _, action = path.strip("/").rpartition("/")
        if not index:
            index, action = action, ""
        if method == "PUT" and not action:
            made = json.loads(body)
            if "index.knn" in made["settings"] and not self.has_vectors:
                return 400, {"error": {"type": "mapper_parsing_exception"}, "status": 400}
            self.mappings[index] = made["mappings"]
            self.documents[index] = {}
            self.aliased = index if "aliases" in made else self.aliased
            return 200, {"acknowledged": True}
        if action == "_aliases" or path == "/_aliases":
            (added,) = (it["add"] for it in json.loads(body)["actions"] if "add" in it)
            self.aliased = added["index"]
            self.fields.clear()
            return 200, {"acknowledged": True}
        if path.startswith("/_m"):
            return 200, {"/_msearch": self.searches, "/_mtermvectors": self.statistics}[path](body)
        index = self.aliased if index == self.alias else index
        if action == "_delete_by_query":
            for held in (self.documents[it] for it in self.documents if it.startswith(index.removesuffix("*"))):
                for name in json.loads(body)["query"]["ids"]["values"]:
                    held.pop(name, None)
            return 200, {}
        if index not in self.mappings:
            return 404, {"error": {"type": "index_not_found_exception"}, "status": 404}
        if action == "_mapping" and method == "PUT":
            self.mappings[index] |= json.loads(body)
        return 200, self.of_index(index, action, body)

    def of_index(self, index, action, body):
        documents = self.documents[index]
        if action == "_mapping":
            return {index: {"mappings": self.mappings[index]}}
        if action == "_search_shards":
            return {"shards": [[{"shard": 0}]]}
        if action == "_mget":
            asked = json.loads(body)["ids"]
            found = ({"_id": it, "_source": {"digest": documents[it]["digest"]}} for it in asked if it in documents)
            known = {it["_id"]: it for it in found}
            return {"docs": [known.get(it, {"_id": it}) for it in asked]}
        if action == "_bulk":
            return self.bulk(documents, body.splitlines())
        return {}

    def bulk(self, documents, lines):
        self.fields.clear()
        items, lines = [], iter(lines)
        for line in lines:
            ((action, named),) = json.loads(line).items()
            name = named["_id"]
            source = json.loads(next(lines)) if action == "index" else None
            id_ = (documents.get(name, {"id": ""}) if source is None else source).get("id")
            statuses = self.rejects.get(id_, [])
            status = statuses.pop(0) if statuses else 200
            if status == 200 and source:
                documents[name] = source
            elif status == 200:
                documents.pop(name, None)
            error = {} if status == 200 else {"error": {"type": "rejected", "reason": f"because of {status}"}}
            items.append({action: {"status": status, **error}})
        return {"errors": any("error" in next(iter(it.values())) for it in items), "items": items}

    @property
    def works(self):
        return self.documents.get(self.aliased, {})

    def searches(self, body):
        lines = [json.loads(it) for it in body.splitlines()]
        return {"responses": [self.search(*it) for it in zip(lines[::2], lines[1::2], strict=True)]}

    def search(self, head, asked):
        own = head["index"] == self.alias
        found = self.matching(asked.get("query", {})) if own else self.nearest(self.documents[head["index"]], asked)
        scored = sorted(found, key=lambda it: -it[1])
        if "search_after" in asked or asked.get("sort") == ["number"]:
            scored = sorted(scored, key=lambda it: it[0]["number"])
            scored = [it for it in scored if it[0]["number"] > asked.get("search_after", [-math.inf])[0]]
        hits = [self.hit(asked, *it) for it in scored[: asked.get("size", 10)]]
        answer = {"_shards": {"failed": 0}, "timed_out": False, "status": 200, "hits": {"hits": hits}}
        if asked.get("track_total_hits"):
            answer["hits"]["total"] = {"value": len(scored)}
        if "aggs" in asked:
            latest = max((it["year"] for it, _ in scored), default=None)
            answer["aggregations"] = {"latest": {"value": latest}}
        return answer

    def hit(self, asked, document, score):
        if columns := asked.get("docvalue_fields"):
            fields = {it: [document[it].rstrip("=") if it == "cites" else document[it]] for it in columns}
            return {"_score": score, "fields": {name: it for name, it in fields.items() if it != [""]}}
        stored = {it: document[it] for it in asked.get("stored_fields", ()) if it in document}
        return {"_score": score, "_source": document, "fields": stored}

    def matching(self, query):
        """(document, score) of those that match."""
        kind, asked = next(iter(query.items()), ("match_all", {}))
        works = list(self.works.values())
        if kind in {"match_all", "function_score"}:
            return [(it, 1.0) for it in works]
        if kind == "ids":
            return [(self.works[it], 1.0) for it in asked["values"] if it in self.works]
        if kind == "terms":
            ((field, values),) = asked.items()
            return [(it, 1.0) for it in works if it[field] in values]
        if kind == "range":
            ((field, bounds),) = asked.items()
            return [(it, 1.0) for it in works if bounds["gte"] <= it[field] <= bounds["lte"]]
        let = [it for rule in asked.get("filter", ()) for it, _ in self.matching(rule)] if "filter" in asked else works
        terms = [(field, it["value"], it["boost"]) for term in asked["should"] for field, it in term["term"].items()]
        scores = self.scores(terms)
        return [(it, scores[it["number"]]) for it in let if scores[it["number"]] > 0]

    @staticmethod
    def nearest(documents, asked):
        """By cosines of vectors, as the plugin scores them; all of an index if no vector is asked for."""
        if "query" not in asked:
            return [(it, 1.0) for it in documents.values()]
        sought = asked["query"]["knn"]["vector"]["vector"]

        def cosine(other):
            product = sum(one * two for one, two in zip(sought, other, strict=True))
            return product / math.hypot(*sought) / math.hypot(*other)

        return [(it, (1 + cosine(it["vector"])) / 2) for it in documents.values()]

    def scores(self, terms):
        """By the number of a document; of those that hold one of the terms."""
        found = Counter()
        for field, value, boost in terms:
            known, holders = self.field(field), self.field(field).holders(value)
            idf = math.log1p((len(known.lengths) - holders + 0.5) / (holders + 0.5))
            shared = boost / math.sqrt(3 + holders)  # as the mapping's own similarity says
            for number, count in known.holding.get(value, {}).items():
                norm = _K1 * (1 - _B + _B * known.lengths[number] * len(known.lengths) / known.length)
                found[number] += shared if field == "references" else boost * idf * count / (count + norm)
        return found

    def field(self, name):
        """What the index knows of a field, as long as nothing is written."""
        if name not in self.fields:
            self.fields[name] = Field({it["number"]: _words(it[name]) for it in self.works.values() if name in it})
        return self.fields[name]

    def statistics(self, body):
        documents = []
        for asked in json.loads(body)["docs"]:
            vectors = {}
            for field, text in asked["doc"].items():
                holders = self.field(field).holders
                vectors[field] = {"terms": {it: {"doc_freq": holders(it)} for it in _words(text) if holders(it)}}
            documents.append({"_index": self.aliased, "term_vectors": vectors})
        return {"docs": documents}


@contextmanager
def serving(index):
    """The address on this machine where an index answers whoever asks."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            path = self.path.partition("?")[0]
            index.requests.append(path)
            index.before(path, body)
            status, found = index.answer(self.command, path, body)
            content = json.dumps(found).encode()
            with suppress(ConnectionError):  # who asked may be gone
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        do_GET = do_POST = do_PUT = answer  # noqa: N815

        def log_message(self, *_):
            """Says nothing."""

    with listening(Handler) as url:
        yield url
