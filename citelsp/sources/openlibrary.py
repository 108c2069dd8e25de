"""Open Library: books by ISBN and title."""

from collections.abc import Iterator, Sequence

from citelsp.bibliography.identifiers import normal_isbn
from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, parameters
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import ReferenceQuery, answers_by_identifier, chunks, hits, merge_answers
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import (
    FormError,
    obj,
    objects,
    read_objects,
    require_hits,
    strict_objects,
    strict_text,
    strict_texts,
    text,
    texts,
    year,
)

SPEC = Spec("openlibrary", "https://openlibrary.org", interval=1.0, polite_interval=0.35, people=1)

_BATCH = 30
_FIELDS = "key,title,subtitle,author_name,first_publish_year,publisher,isbn"


async def lookup(client: Client, isbn: str) -> Lookup:
    return (await lookup_many(client, [isbn]))[isbn]


@cached_lookups.lookups("openlibrary")
async def lookup_many(client: Client, isbns: Sequence[str]) -> dict[str, Lookup]:
    """Look books up, 30 ISBNs a request.  Absent means little: no catalogue has every book."""
    parts = []
    for part in chunks(list(isbns), _BATCH):
        keys = ",".join(f"ISBN:{isbn}" for isbn in part)
        query = parameters({"bibkeys": keys, "format": "json", "jscmd": "data"})
        reply = await client.ask(Ask("openlibrary", "/api/books", query))
        parts.append(answers_by_identifier("openlibrary", part, reply, _books, lambda record: [record.id]))
    return merge_answers(parts)


@cached_lookups.searches("openlibrary")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    author = question.authors[0].family if question.authors else ""
    query = parameters({"title": question.words, "author": author, "limit": question.rows, "fields": _FIELDS})
    return hits("openlibrary", await client.ask(Ask("openlibrary", "/search.json", query)), works)


def _books(data: object) -> Iterator[Record]:
    """The books of an answer, which is an empty object if all ISBNs are unknown."""
    found = obj(data)
    if not isinstance(data, dict) or not all(key.startswith("ISBN:") for key in found):
        raise FormError
    return (read_record(key.removeprefix("ISBN:"), book) for key, book in found.items())


def read_record(isbn: str, raw: object) -> Record:
    """Read one edition, found by `isbn`; its year is that of the edition.

    {"title": "…", "subtitle": "…", "authors": [{"name": "Donald E. Knuth"}], "publish_date": "March 1997",
    "publishers": [{"name": "Addison-Wesley"}], "url": "https://openlibrary.org/books/…"}

    FormError if a title or name comes in another form: an entry must not be accused by a guess.
    """
    book = obj(raw)
    published = year(book.get("publish_date"))
    author_names = (strict_text(author.get("name")) for author in strict_objects(book.get("authors")))
    authors, complete = clean.people(map(clean.display_name, author_names))
    publisher = next(iter(objects(book.get("publishers"))), {})
    return Record(
        source="openlibrary",
        id=isbn,
        title=clean.join_titles(strict_text(book.get("title")), strict_text(book.get("subtitle"))),
        authors=authors,
        authors_complete=complete,
        years=(published,) if published else (),
        date=text(published),
        type="book",
        identifiers=make_identifiers(isbn=normal_isbn(isbn)),
        publisher=text(publisher.get("name")),
        url=text(book.get("url")),
    )


def works(data: object) -> Iterator[Record]:
    """Read the works of a search; their year is that of the first edition, which any later one may differ from.

    {"numFound": 1, "docs": [{"key": "/works/OL…W", "title": "…", "author_name": ["Donald Knuth"],
    "first_publish_year": 1968, "isbn": ["0201896834", …], "publisher": ["Addison-Wesley", …]}]}
    """
    for row in require_hits(obj(data).get("numFound"), read_objects(data, "docs")):
        published = year(row.get("first_publish_year"))
        isbns = filter(None, map(normal_isbn, texts(row.get("isbn"))))
        yield Record(
            source="openlibrary",
            id=text(row.get("key")),
            title=clean.join_titles(strict_text(row.get("title")), strict_text(row.get("subtitle"))),
            authors=tuple(map(clean.display_name, strict_texts(row.get("author_name")))),
            years=(published,) if published else (),
            type="book",
            identifiers=make_identifiers(isbn=next(isbns, "")),
            publisher=text(row.get("publisher")),
        )
