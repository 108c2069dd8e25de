"""How works lie in an index on a server: its mapping, and a document for each work.

Words are analysed here and sent as stems, so that a server and the embedded index know the same ones; the server only
splits at spaces.  A work's number is a hash of its id, the same for everybody: it names the document, so that adding a
work again replaces it, and it stands for the work in other works' reference lists, packed as eight bytes each.

Each reference is also a term, and a term with the year and one with the decade of the citing work: how often a work is
cited in some years is in the index's statistics, so that no server has to look through the works that cite it.
"""

import binascii
import json
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from citelsp.corpus.store import Sketch
from citelsp.corpus.words import key_number, stems, title_key
from citelsp.corpus.work import Work, from_mapping, to_mapping

FORMAT = 2  # of mapping and documents: another one is built beside the old and switched to
_WORDS = {"type": "text", "analyzer": "whitespace", "index_options": "freqs"}
_KEY = {"type": "keyword", "doc_values": False}
_NEVER = {"type": "keyword", "index": False}
_SIDE = "record"  # what nobody searches
CITED = "cited"  # ids of the references, which nobody asks for with a question


def number(id_: str) -> int:
    return key_number(id_)


def name(n: int) -> str:
    """The name of the document of a number, and of a reference to it."""
    return f"{n & (1 << 64) - 1:016x}"


def cited_in(name_: str, period: str) -> str:
    """The term of a reference, by name, from a work of a year, "2019", or of a decade, "201"."""
    return f"{name_}/{period}"


def periods(since: int, until: int, latest: int) -> list[str]:
    """Decades and years, as few as make up these years; none is later than the latest."""
    found = []
    year = since
    while year <= min(until, latest):
        whole = not year % 10 and until >= min(year + 9, latest)
        found.append(str(year)[:3] if whole else str(year))
        year += 10 if whole else 1
    return found


def body(shards: int, replicas: str, routings: Sequence[str]) -> dict[str, Any]:
    """Settings and mapping of a new index; `routings` lead to a shard each, where statistics can be asked for."""
    # What a seed of the ballot `beside` gives to those who cite it, as Catalogue.beside says; shards are alike.
    share = f"return query.boost / Math.sqrt(3.0 + {shards}.0 * term.docFreq);"
    return {
        "settings": {
            "number_of_shards": shards,
            "auto_expand_replicas": replicas,
            "refresh_interval": "30s",
            "similarity": {
                "default": {"type": "BM25", "k1": 1.2, "b": 0.75},
                "share": {"type": "scripted", "script": {"source": share}},
            },
        },
        "mappings": {
            "dynamic": "strict",
            "_meta": {"citelsp": FORMAT, "routings": list(routings)},
            "_source": {"excludes": ["text", "citing", "cites", "references", CITED]},
            "properties": {
                "number": {"type": "long", "index": False},
                "id": _NEVER,
                "digest": {**_NEVER, "doc_values": False},
                "title": _WORDS,
                "text": _WORDS,
                "citing": _WORDS,
                "abstract": {"type": "text", "index": False, "norms": False},
                "title_key": {"type": "long"},
                "published": _NEVER,
                "year": {"type": "short"},
                "doi": _KEY,
                "arxiv": _KEY,
                "cites": {"type": "binary", "doc_values": True},
                "references": {**_KEY, "similarity": "share"},
                CITED: {**_NEVER, "doc_values": False, "store": True},
                _SIDE: {"type": "object", "enabled": False},
            },
        },
    }


def digest(work: Work) -> str:
    """Differs once anything else would be written of a work."""
    return work.digest.hex()


def document(work: Work) -> dict[str, Any]:
    """The document of a work; it says everything but the full text, which stays in embedded indexes."""
    title = " ".join(stems(work.title))
    abstract = " ".join(stems(work.abstract))
    text = f"{title} {abstract}" if abstract else title
    record = to_mapping(work)
    for name_ in ("text", "references"):
        record.pop(name_, None)
    found: dict[str, Any] = {
        "number": number(work.id), "id": work.id, "digest": digest(work),
        "title": title, "text": text, "abstract": abstract,
        "title_key": key_number(title_key(work.title)), "published": work.published, "year": work.year or 0,
        _SIDE: record,
    }  # fmt: skip
    if work.references:
        cited = [number(it) for it in dict.fromkeys(work.references)]
        dated = [str(work.year), str(work.year)[:3]] if work.year else []
        names = [*map(name, cited)]
        terms = names + [cited_in(it, period) for it in names for period in dated]
        found |= {"citing": text, "cites": packed(cited), "references": terms, CITED: list(work.references)}
    found |= {key: value for key, value in (("doi", work.doi), ("arxiv", work.arxiv)) if value}
    return found


def bulk_lines(works: Iterable[Work]) -> list[tuple[str, bytes]]:
    """For each work its id and the two lines that index it."""
    return [(it.id, indexing(number(it.id), document(it))) for it in works]


def indexing(n: int, document_: Mapping[str, object]) -> bytes:
    """The two lines that index the document of a number."""
    return b'{"index":{"_id":"%s"}}\n%s\n' % (name(n).encode(), _json(document_))


def deletion(id_: str) -> bytes:
    """The line that removes a work."""
    return b'{"delete":{"_id":"%s"}}\n' % name(number(id_)).encode()


def packed(numbers: Sequence[int]) -> str:
    return b64encode(array("q", numbers).tobytes()).decode("ascii")


def unpacked(text: str) -> Sequence[int]:
    """ValueError if it is not what `packed` makes."""
    numbers = array("q")
    try:
        numbers.frombytes(b64decode(text + "=" * (-len(text) % 4), validate=True))  # which servers leave out
    except binascii.Error as problem:
        raise ValueError("not packed numbers") from problem
    return numbers


def sketch(source: Mapping[str, Any]) -> Sketch:
    """What ranking needs of a document.  KeyError, TypeError or ValueError if it is none."""
    record = source[_SIDE]
    texts = record["title"], source["title"], source["abstract"], source["published"], *record.get("authors", ())
    year = record.get("year")
    if not all(isinstance(it, str) for it in texts) or not isinstance(year, int | None):
        raise TypeError("not a work")
    title, title_stems, abstract_stems, published, *authors = texts
    key = int(source["title_key"])
    return Sketch(int(source["number"]), title, key, year, published, "\n".join(authors), title_stems, abstract_stems)


def work(source: Mapping[str, Any], references: Sequence[str] = ()) -> Work:
    """Everything that a document says of a work.  KeyError, TypeError or ValueError if it is none."""
    found = from_mapping({**source[_SIDE], "references": references})
    if isinstance(found, str):
        raise ValueError(found)
    return found


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
