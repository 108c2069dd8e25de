"""DBLP: computer science, exact names.  Its search often answers with a bot check since 2026; SPARQL may not."""

import html
from collections.abc import Iterator, Mapping
from typing import Any

from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, parameters
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import (
    ReferenceQuery,
    hits,
    require_titles,
    required_words,
)
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import (
    dig,
    obj,
    own,
    require_hits,
    strict_objects,
    strict_text,
    text,
    texts,
    year,
)

SPEC = Spec("dblp", "https://dblp.org", interval=2.0, attempts=2)

_TYPES = {
    "Conference and Workshop Papers": "paper-conference", "Journal Articles": "article-journal",
    "Informal and Other Publications": "preprint", "Informal Publications": "preprint", "Books and Theses": "book",
    "Parts in Books or Collections": "chapter", "Editorship": "book", "Data and Artifacts": "dataset",
    "Reference Works": "book",
}  # fmt: skip
_MOST_WORDS = 14  # more only add chances to miss


@cached_lookups.searches("dblp")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    """Search by the first _MOST_WORDS words of the title that mean something, all of which a hit has."""
    # Of 100 full titles 38 found nothing, most for a word that DBLP spells or drops otherwise.
    words = required_words(question.words)[:_MOST_WORDS]
    query = parameters({"q": " ".join(words), "format": "json", "h": question.rows})
    return hits("dblp", await client.ask(Ask("dblp", "/search/publ/api", query)), works)


def works(data: object) -> Iterator[Record]:
    """The hits of a search; if there is none, DBLP sends a total and no list."""
    found = own(dig(data, "result", "hits"), "@total", "hit")
    return require_titles(map(read_record, require_hits(found.get("@total"), strict_objects(found.get("hit")))))


def read_record(raw: object) -> Record:
    """Read a hit of the publication search; what DBLP calls CoRR is arXiv, with the id as a volume: abs/1706.03762.

    {"info": {"key": "conf/nips/…", "title": "….", "authors": {"author": [{"text": "Jane Roe 0001"}]}, "venue": "NIPS",
    "volume": "30", "year": "2017", "type": "Conference and Workshop Papers", "doi": "10.…", "ee": "https://…"}}

    FormError if a title, name, venue or pages come in another form: an entry must not be accused by a guess.
    If DBLP has several values it sends a list: of venues the first counts, and the others are aliases.
    """
    info = obj(dig(raw, "info"))
    venue = strict_text(info.get("venue"))
    volume = text(info.get("volume"))
    authors, complete = clean.people(_names(info))
    published = year(info.get("year"))
    key = text(info.get("key"))
    addresses = texts(info.get("ee"))
    is_corr = venue == "CoRR"
    if volume.startswith("abs/"):
        preprint = volume.removeprefix("abs/")
    else:
        preprint = next((it for it in addresses if "arxiv" in it), "")
    return Record(
        source="dblp",
        id=key,
        title=clean.title(html.unescape(strict_text(info.get("title")))),
        authors=authors,
        authors_complete=complete,
        years=(published,) if published else (),
        date=text(published),
        venue="arXiv" if is_corr else html.unescape(venue),
        venue_aliases=("CoRR",) if is_corr else tuple(texts(info.get("venue"))[1:]),
        type="preprint" if is_corr else _TYPES.get(text(info.get("type")), ""),
        identifiers=make_identifiers(doi_text=text(info.get("doi")), arxiv_text=preprint, dblp=key),
        volume="" if is_corr else volume,
        issue=text(info.get("number")),
        pages=strict_text(info.get("pages")),
        url=next(iter(addresses), text(info.get("url"))),
    )


def _names(info: Mapping[str, Any]) -> Iterator[Name]:
    for author in strict_objects(dig(info, "authors", "author")):
        yield clean.display_name(html.unescape(strict_text(author.get("text"))))
