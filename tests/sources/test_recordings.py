"""Recorded answers of the real services, where a folder of them is given: everything parses (`--recordings DIR`)."""

import base64
import gzip
import json
from collections import Counter
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
import yaml

from citelsp.sources import arxiv, crossref, datacite, dblp, europepmc, openalex, pubmed, semantic_scholar, unpaywall
from citelsp.sources.http_response import Expected, Reply, read
from citelsp.sources.shape import FormError

READERS = {
    "api.crossref.org": [crossref.works, lambda data: [crossref.read_record(data.get("message"))]],
    "api.openalex.org": [openalex.works, lambda data: [openalex.read_record(data)]],
    "api.semanticscholar.org": [semantic_scholar.papers, lambda data: [semantic_scholar.read_record(data)]],
    "api.datacite.org": [datacite.works, lambda data: [datacite.read_record(data.get("data"))]],
    "dblp.org": [dblp.works, lambda data: [dblp.read_record(data)]],
    "www.ebi.ac.uk": [europepmc.works, lambda data: [europepmc.read_record(data)]],
    "eutils.ncbi.nlm.nih.gov": [pubmed.works],
    "api.unpaywall.org": [lambda data: [unpaywall.read_record(data)]],
    "doi.org": [lambda data: [crossref.read_record(data)]],
}
UNWRAPPED = {
    "crossref": crossref.read_record,
    "openalex": openalex.read_record,
    "semantic_scholar": semantic_scholar.read_record,
    "dblp": dblp.read_record,
}


@pytest.fixture(scope="module")
def recordings(request):
    folder = request.config.getoption("--recordings")
    if folder is None:
        pytest.skip("runs with --recordings DIR")
    return folder


def test_payloads(recordings, capsys):
    counts = Counter()
    for service, reader in UNWRAPPED.items():
        for path in sorted((recordings / service).glob("*refchecker*/*.json")):
            data = json.loads(path.read_text("utf-8"))
            if not path.name.startswith("_"):
                records = [reader(row) for row in (data if isinstance(data, list) else [data])]
                counts[service] += sum(bool(record.title) for record in records)
    with capsys.disabled():
        say("records with a title:", dict(counts))
    assert set(counts) == set(UNWRAPPED)


def test_feeds(recordings, capsys):
    counts = Counter()
    for path in sorted((recordings / "arxiv").rglob("*.json")):
        recorded = json.loads(path.read_text("utf-8"))
        bodies = [found for found in strings(recorded) if "<feed" in found]
        for body in bodies:
            feed = ElementTree.fromstring(body)  # noqa: S314
            counts["feeds"] += 1
            counts["records"] += len(arxiv.entries(feed))
            counts["errors"] += bool(arxiv.find_error(feed))
    with capsys.disabled():
        say("arxiv:", dict(counts))
    assert counts["records"]


def test_cassettes(recordings, capsys):
    counts = Counter()
    for path in sorted(recordings.rglob("*.y*ml")):
        if "openai" in str(path):
            continue
        for url, status, headers, body in interactions(yaml.safe_load(path.read_text("utf-8"))):
            host = urlsplit(url).hostname or ""
            answer = read(status, headers, body, Expected("json", html_absence=True))
            counts[host, type(answer).__name__] += 1
            if isinstance(answer, Reply) and isinstance(answer.data, dict):
                counts[host, "records"] += titled(host, answer.data)
    with capsys.disabled():
        say("\n".join(f"{host}: {what} {n}" for (host, what), n in sorted(counts.items())))
    assert counts["api.crossref.org", "records"]


def test_searches_of_europe_pmc(recordings, capsys):
    found = [json.loads(path.read_text("utf-8")) for path in sorted((recordings / "europepmc").rglob("search*.json"))]
    with capsys.disabled():
        say("europepmc:", [titled("www.ebi.ac.uk", data) for data in found])
    assert found


def titled(host, data):
    return sum(bool(record.title) for reader in READERS.get(host, ()) for record in those_of(reader, data))


def those_of(reader, data):
    """Nothing, where the answer is to another kind of question."""
    try:
        return list(reader(data))
    except FormError:
        return []


def say(*words):
    print("\n", *words)  # noqa: T201  counts are this module's point


def test_the_wall(recordings):
    for path in (recordings / "bot_challenge").rglob("*.json"):
        pages = [
            found for found in strings(json.loads(path.read_text("utf-8"))) if "anubis" in found and "<html" in found
        ]
        for page in pages:
            answer = read(200, {"content-type": "text/html"}, page.encode(), Expected("json", html_absence=True))
            assert answer.why == "a bot check instead of an answer"


def interactions(cassette):
    for item in (cassette or {}).get("interactions") or (cassette or {}).get("http_interactions") or ():
        request, response = item.get("request") or {}, item.get("response") or {}
        status = response.get("status") or {}
        headers = {
            name.lower(): values[0] if isinstance(values, list) else str(values)
            for name, values in (response.get("headers") or {}).items()
            if values
        }
        yield (
            request.get("uri") or request.get("url") or "",
            int(status.get("code") or status.get("status_code") or 200),
            headers,
            body_of(response),
        )


def body_of(response):
    body = response.get("body") or response.get("content") or b""
    if isinstance(body, dict):
        body = body.get("base64_string") or body.get("string") or b""
    raw = body.encode() if isinstance(body, str) else body
    if raw[:1].isalnum() and len(raw) > 60 and b" " not in raw:
        raw = base64.b64decode(raw)
    return gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)
