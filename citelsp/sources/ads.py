"""NASA ADS: astronomy and physics; needs a token."""

from collections.abc import Iterator

from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, parameters
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import ReferenceQuery, hits
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import (
    dig,
    number,
    obj,
    read_objects,
    require_hits,
    strict_text,
    strict_texts,
    text,
    texts,
    year,
)

SPEC = Spec("ads", "https://api.adsabs.harvard.edu/v1", interval=0.5, key_header="Authorization")

_FIELDS = (
    "bibcode,title,author,year,pub,bibstem,doi,identifier,abstract,citation_count,volume,issue,page,doctype,pubdate"
)
_TYPES = {"article": "article-journal", "eprint": "preprint", "inproceedings": "paper-conference", "book": "book",
          "phdthesis": "thesis", "inbook": "chapter", "techreport": "report"}  # fmt: skip


@cached_lookups.lookup("ads")
async def lookup(client: Client, value: str) -> Lookup:
    """Look a work up by DOI, arXiv id or bibcode."""
    field = "doi" if value.startswith("10.") else "identifier"
    return await _search(client, f'{field}:"{value}"', 1)


@cached_lookups.searches("ads")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    title = question.words.replace('"', "")
    return await _search(client, f'title:"{title}"', question.rows)


async def _search(client: Client, words: str, rows: int) -> Lookup:
    query = parameters({"q": words, "fl": _FIELDS, "rows": rows})
    return hits("ads", await client.ask(Ask("ads", "/search/query", query)), works)


def works(data: object) -> Iterator[Record]:
    return map(read_record, require_hits(dig(data, "response", "numFound"), read_objects(data, "response", "docs")))


def read_record(raw: object) -> Record:
    """Read a document of the search, which is flat; of a list the first value counts where a record has but one.

    {"bibcode": "2019ApJ…", "title": ["…"], "author": ["Roe, J."], "year": "2019", "pubdate": "2019-05-00", "pub": "…",
    "identifier": ["arXiv:1905.01234", "10.3847/…", "2019arXiv…"], "page": ["L3"]}

    FormError if a title, name, venue or pages come in another form (`strict_text`): an entry must not be accused by a
    guess.  `text` takes anything but text for "".
    """
    work = obj(raw)
    every_name = texts(work.get("identifier"))
    preprint = next((it for it in every_name if it.casefold().startswith("arxiv:")), "")
    doi = text(work.get("doi")) or next((it for it in every_name if it.startswith("10.")), "")
    published = year(work.get("year"))
    return Record(
        source="ads",
        id=text(work.get("bibcode")),
        title=clean.title(strict_text(work.get("title"))),
        authors=tuple(map(clean.display_name, strict_texts(work.get("author")))),
        years=(published,) if published else (),
        # ADS writes 00 for a month or day that it does not know.
        date=text(work.get("pubdate")).replace("-00", ""),
        venue=clean.plain(strict_text(work.get("pub"))),
        venue_aliases=tuple(texts(work.get("bibstem"))),
        type=_TYPES.get(text(work.get("doctype")), ""),
        identifiers=make_identifiers(doi_text=doi, arxiv_text=preprint, bibcode=text(work.get("bibcode"))),
        volume=text(work.get("volume")),
        issue=text(work.get("issue")),
        pages=strict_text(work.get("page")),
        abstract=clean.plain(text(work.get("abstract"))),
        citation_count=number(work.get("citation_count")),
    )
