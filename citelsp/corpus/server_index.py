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
# Types of fields: stems that are searched; a term that is searched whole; what is read and never searched.
_STEMS = {"type": "text", "analyzer": "whitespace", "index_options": "freqs"}
_TERM = {"type": "keyword", "doc_values": False}
_UNSEARCHED = {"type": "keyword", "index": False}
_RECORD = "record"  # the field of the work itself, which nobody searches
CITED = "cited"  # the field with the ids of the references, which nobody asks for with a question
_YEARS_OF_DECADE = 10


def number(id_: str) -> int:
    return key_number(id_)


def name(n: int) -> str:
    """The name of the document of a number, and of a reference to it."""
    return f"{n & (1 << 64) - 1:016x}"


def cited_in(name_: str, period: str) -> str:
    """The term of a reference, by name, from a work of a year, "2019", or of a decade, "201"."""
    return f"{name_}/{period}"


def periods(since: int, until: int, latest: int) -> list[str]:
    """Return as few decades, "201", and years, "2019", as make up the years from `since` to `until`, both included.

    No work is later than `latest`, so that the decade of that year counts as whole: 2010 to 2023 are ["201", "202"] if
    2023 is the latest year.  [] if `since` is later than `until` or `latest`.
    """
    parts = []
    year = since
    while year <= min(until, latest):
        end_of_decade = min(year + _YEARS_OF_DECADE - 1, latest)
        if year % _YEARS_OF_DECADE == 0 and until >= end_of_decade:
            parts.append(str(year)[:3])
            year += _YEARS_OF_DECADE
        else:
            parts.append(str(year))
            year += 1
    return parts


def body(shards: int, replicas: str, routings: Sequence[str]) -> dict[str, Any]:
    """Return the settings and the mapping of a new index.

    The fields are those that `document` writes; of a hit the server does not return those that are for searches alone.
    `replicas` is written as OpenSearch has it, "0-1"; each of `routings` is a value that leads to one shard, where
    statistics can be asked for, and they may be written later.
    """
    # What a seed gives to those who cite it, as Catalogue.co_citations says.  `docFreq` counts the works of one shard;
    # all have about as many.
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
            "dynamic": "strict",  # a document with another field is rejected
            "_meta": {"citelsp": FORMAT, "routings": list(routings)},
            "_source": {"excludes": ["text", "citing", "cites", "references", CITED]},
            "properties": {
                "number": {"type": "long", "index": False},
                "id": _UNSEARCHED,
                "digest": {**_UNSEARCHED, "doc_values": False},
                "title": _STEMS,
                "text": _STEMS,
                "citing": _STEMS,
                "abstract": {"type": "text", "index": False, "norms": False},
                "title_key": {"type": "long"},
                "published": _UNSEARCHED,
                "year": {"type": "short"},
                "doi": _TERM,
                "arxiv": _TERM,
                "cites": {"type": "binary", "doc_values": True},  # numbers of the works cited, packed
                "references": {**_TERM, "similarity": "share"},  # the same as terms, to search for citers
                CITED: {**_UNSEARCHED, "doc_values": False, "store": True},  # and as ids
                _RECORD: {"type": "object", "enabled": False},
            },
        },
    }


def digest(work: Work) -> str:
    """Differs once anything else would be written of a work."""
    return work.digest.hex()


def document(work: Work) -> dict[str, Any]:
    """Return the document of a work: all of `to_mapping` but the full text, which only embedded indexes have.

    `title`, `abstract` and `text`, which is both, are stems.  A work with references has more fields: `citing` is
    the text once more, for searches among the works that cite others; `references` are terms by which citations are
    counted, for each reference one alone, one with the year and one with the decade of this work.
    """
    title = " ".join(stems(work.title))
    abstract = " ".join(stems(work.abstract))
    text = f"{title} {abstract}" if abstract else title
    record = to_mapping(work)
    record.pop("text", None)
    record.pop("references", None)  # they have a field of their own
    fields: dict[str, Any] = {
        "number": number(work.id), "id": work.id, "digest": digest(work),
        "title": title, "text": text, "abstract": abstract,
        # A year that is not known is 0: a search for works until some year finds these, too.
        "title_key": key_number(title_key(work.title)), "published": work.published, "year": work.year or 0,
        _RECORD: record,
    }  # fmt: skip
    if work.references:
        cited = [number(it) for it in dict.fromkeys(work.references)]
        names = [*map(name, cited)]
        year_and_decade = [str(work.year), str(work.year)[:3]] if work.year else []
        terms = names + [cited_in(it, period) for it in names for period in year_and_decade]
        fields |= {"citing": text, "cites": pack_numbers(cited), "references": terms, CITED: list(work.references)}
    if work.doi:
        fields["doi"] = work.doi
    if work.arxiv:
        fields["arxiv"] = work.arxiv
    return fields


def bulk_lines(works: Iterable[Work]) -> list[tuple[str, bytes]]:
    """For each work its id and the two lines that index it."""
    return [(it.id, indexing_lines(number(it.id), document(it))) for it in works]


def indexing_lines(n: int, document_: Mapping[str, object]) -> bytes:
    """The two lines that index the document of a number."""
    return b'{"index":{"_id":"%s"}}\n%s\n' % (name(n).encode(), _write_json(document_))


def deletion(id_: str) -> bytes:
    """The line that removes a work."""
    return b'{"delete":{"_id":"%s"}}\n' % name(number(id_)).encode()


def pack_numbers(numbers: Sequence[int]) -> str:
    """Numbers of eight bytes each, in base 64."""
    return b64encode(array("q", numbers).tobytes()).decode("ascii")


def unpack_numbers(text: str) -> Sequence[int]:
    """The numbers of a text that `pack_numbers` made; ValueError if it is no such text."""
    numbers = array("q")
    padding = "=" * (-len(text) % 4)  # servers leave it out
    try:
        numbers.frombytes(b64decode(text + padding, validate=True))
    except binascii.Error as problem:
        raise ValueError("not packed numbers") from problem
    return numbers


def sketch(source: Mapping[str, Any]) -> Sketch:
    """Return what ranking needs of a document that `document` made; KeyError, TypeError or ValueError if it is none.

    Title and authors are read from the work's record, as the document's own `title` has stems; `published` is a date.
    """
    record = source[_RECORD]
    texts = record["title"], source["title"], source["abstract"], source["published"], *record.get("authors", ())
    year = record.get("year")
    if not all(isinstance(it, str) for it in texts) or not isinstance(year, int | None):
        raise TypeError("not a work")
    title, title_stems, abstract_stems, published, *authors = texts
    return Sketch(
        n=int(source["number"]),
        title=title,
        title_key=int(source["title_key"]),
        year=year,
        published=published,
        authors="\n".join(authors),
        title_stems=title_stems,
        abstract_stems=abstract_stems,
    )


def work(source: Mapping[str, Any], references: Sequence[str] = ()) -> Work:
    """Everything that a document says of a work.  KeyError, TypeError or ValueError if it is none."""
    read = from_mapping({**source[_RECORD], "references": references})
    if isinstance(read, str):  # says what is wrong with it
        raise ValueError(read)
    return read


def _write_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
