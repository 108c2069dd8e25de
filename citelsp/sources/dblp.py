"""DBLP: computer science, exact names.  Its search often answers with a bot check since 2026; SPARQL may not."""

import html
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any
from urllib.parse import quote

from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, parameters
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import (
    ReferenceQuery,
    answers_by_identifier,
    chunks,
    hits,
    require_titles,
    required_words,
)
from citelsp.sources.shape import (
    dig,
    number,
    obj,
    objects,
    own,
    read_objects,
    require_hits,
    strict_objects,
    strict_text,
    text,
    texts,
    year,
)

_TYPES = {
    "Conference and Workshop Papers": "paper-conference", "Journal Articles": "article-journal",
    "Informal and Other Publications": "preprint", "Informal Publications": "preprint", "Books and Theses": "book",
    "Parts in Books or Collections": "chapter", "Editorship": "book", "Data and Artifacts": "dataset",
    "Reference Works": "book",
}  # fmt: skip
_KINDS = {"Inproceedings": "paper-conference", "Article": "article-journal", "Incollection": "chapter", "Book": "book"}
_MOST_WORDS = 14  # more only add chances to miss
_BATCH = 40
_NOT_IN_ADDRESSES = frozenset('<>"{}|\\^` \n\t')
_PREFIXES = "PREFIX dblp: <https://dblp.org/rdf/schema#>\n"


@cached_lookups.searches("dblp")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    """Search by the first _MOST_WORDS words of the title that mean something, all of which a hit has."""
    # Of 100 full titles 38 found nothing, most for a word that DBLP spells or drops otherwise.
    words = required_words(question.words)[:_MOST_WORDS]
    query = parameters({"q": " ".join(words), "format": "json", "h": question.rows})
    return hits("dblp", await client.ask(Ask("dblp", "/search/publ/api", query)), works)


@cached_lookups.lookups("dblp")
async def lookup_many(client: Client, dois: Sequence[str]) -> dict[str, Lookup]:
    """Look works up by DOI, through SPARQL: two requests for up to 40, for their addresses and for what is known.

    A DOI without a record is Unavailable, not Absent, unless the second answer has rows for each of the addresses.
    """
    answers: dict[str, Lookup] = {}
    for part in chunks(list(dois), _BATCH):
        reply = await _sparql(client, _find_publications(part))
        publications = [text(row.get("pub")) for row in _rows(reply)]
        # Else the first answer decides: without rows the DOIs are Absent, without an answer they are Unavailable,
        # and with a malformed row, too: its rows have no titles, and `answers_by_identifier` takes no record without
        # one.
        if publications and all(publications):
            reply = await _sparql(client, _describe(publications))
        is_whole = partial(_describes_all, publications)
        answers |= answers_by_identifier("dblp", part, reply, sparql_works, _dois, is_whole)
    return answers


def _describes_all(publications: Sequence[str], data: object) -> bool:
    """Whether an answer has rows for each of the publications."""
    return set(publications) <= {text(dig(row, "pub", "value")) for row in read_objects(data, "results", "bindings")}


def _dois(record: Record) -> list[str]:
    """The DOIs that a record answers to."""
    return [record.identifiers.doi, f"10.48550/arxiv.{record.identifiers.arxiv}"]


async def _sparql(client: Client, query: str) -> Any:  # noqa: ANN401  whatever `ask` answers
    ask = Ask("dblp_sparql", "/sparql", (("query", _PREFIXES + query),), accept="application/sparql-results+json")
    return await client.ask(ask)


def _find_publications(dois: Sequence[str]) -> str:
    """The query for the addresses of the publications with these DOIs."""
    # SPARQL compares exactly, and DBLP writes the letters of DOIs in capitals or as publishers do.
    spellings = [spelling for doi in dois for spelling in (doi, doi.upper())]
    addresses = dict.fromkeys(f"<https://doi.org/{_encode(it)}>" for it in spellings)
    return f"SELECT ?doi ?pub WHERE {{ VALUES ?doi {{ {' '.join(addresses)} }} ?pub dblp:doi ?doi }}"


def _describe(publications: Sequence[str]) -> str:
    """The query for what is known of publications, given by their addresses: a row for each of their authors."""
    addresses = " ".join(f"<{it}>" for it in dict.fromkeys(publications) if _is_plain(it))
    return f"""SELECT ?pub ?title ?type ?venue ?year ?doi ?ord ?name WHERE {{
  VALUES ?pub {{ {addresses} }}
  ?pub dblp:title ?title ; dblp:hasSignature ?signature .
  ?signature dblp:signatureOrdinal ?ord ; dblp:signatureDblpName ?name .
  OPTIONAL {{ ?pub dblp:bibtexType ?type }} OPTIONAL {{ ?pub dblp:publishedIn ?venue }}
  OPTIONAL {{ ?pub dblp:yearOfPublication ?year }} OPTIONAL {{ ?pub dblp:doi ?doi }}
}} ORDER BY ?pub ?ord"""


def _encode(doi: str) -> str:
    """Encode the signs that no address has in RDF, as in `10.1002/(SICI)1097-0118(199805)28:1<1::AID-JGT1>3.0`."""
    return "".join(quote(letter) if letter in _NOT_IN_ADDRESSES else letter for letter in doi)


def _is_plain(address: str) -> bool:
    """Whether it can stand between < and > in a query."""
    return _NOT_IN_ADDRESSES.isdisjoint(address)


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


def _rows(reply: Any) -> list[dict[str, str]]:  # noqa: ANN401  whatever `ask` answered
    """The rows of an answer to SPARQL; none if there was no answer."""
    return _values(objects(dig(getattr(reply, "data", None), "results", "bindings")))


def _values(bindings: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Rows such as {"pub": {"type": "uri", "value": "https://dblp.org/rec/…"}} with the values alone."""
    return [{name: text(dig(value, "value")) for name, value in row.items()} for row in bindings]


def sparql_works(data: object) -> Iterator[Record]:
    """Make a record of each publication from its rows, one for each author, with the author's place in `ord`, from 1.

    If a row says no place, the record's list of authors counts as incomplete.  Of several rows for one place the last
    counts.
    """

    def publication_of(row: Mapping[str, str]) -> str:
        return row.get("pub", "")

    rows = sorted(_values(read_objects(data, "results", "bindings")), key=publication_of)
    for publication, group in groupby(rows, key=publication_of):
        row_at = {number(row.get("ord")) or 0: row for row in group}  # by the author's place; 0 if it is missing
        row = next(iter(row_at.values()))  # the rows of a work differ in the author: of all else the first one counts
        authors, complete = clean.people(clean.display_name(row_at[it].get("name", "")) for it in sorted(row_at))
        published = year(row.get("year"))
        key = publication.rpartition("/rec/")[2]
        is_corr = row.get("venue") == "CoRR"
        yield Record(
            source="dblp",
            id=key,
            title=clean.title(row.get("title", "")),
            authors=authors,
            authors_complete=complete and 0 not in row_at,
            years=(published,) if published else (),
            venue="arXiv" if is_corr else row.get("venue", ""),
            type="preprint" if is_corr else _KINDS.get(row.get("type", "").rpartition("#")[2], ""),
            identifiers=make_identifiers(doi_text=row.get("doi", ""), dblp=key),
        )
