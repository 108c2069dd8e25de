"""DBLP: computer science, exact names.  Its search often answers with a bot check since 2026; SPARQL may not."""

import html
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean, ids
from citelsp.sources.connections import Ask, parameters
from citelsp.sources.http import Client
from citelsp.sources.reference_query import (
    ReferenceQuery,
    answers_by_identifier,
    chunks,
    hits,
    required_words,
    titled,
)
from citelsp.sources.shape import (
    counted,
    dig,
    listed,
    number,
    obj,
    objects,
    own,
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
_PREFIXES = "PREFIX dblp: <https://dblp.org/rdf/schema#>\n"


@cached_lookups.searches("dblp")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    """Search by all of the title's words; to ask again with the rarer half is the caller's affair."""
    # Of 100 full titles 38 found nothing, most for a word that DBLP spells or drops otherwise.
    words = required_words(question.words)[:_MOST_WORDS]
    query = parameters({"q": " ".join(words), "format": "json", "h": question.rows})
    return hits("dblp", await client.ask(Ask("dblp", "/search/publ/api", query)), works)


@cached_lookups.lookups("dblp")
async def lookup_many(client: Client, dois: Sequence[str]) -> dict[str, Lookup]:
    """Look works up by DOI, through SPARQL: two requests for up to 40."""
    found: dict[str, Lookup] = {}
    for part in chunks(list(dois), _BATCH):
        # SPARQL compares exactly, and DBLP writes the letters of DOIs in capitals or as publishers do.
        addresses = dict.fromkeys(
            f"<https://doi.org/{name}>" for doi in part for name in (doi, doi.upper()) if _is_plain(name)
        )
        pairs = await _sparql(
            client, f"SELECT ?doi ?pub WHERE {{ VALUES ?doi {{ {' '.join(addresses)} }} ?pub dblp:doi ?doi }}"
        )
        keys = [text(row.get("pub")) for row in _rows(pairs)]
        reply = await _sparql(client, _details(keys)) if keys and all(keys) else pairs
        is_whole = partial(_holds, keys)
        found |= answers_by_identifier("dblp", part, reply, sparql_works, _dois, is_whole)
    return found


def _holds(keys: Sequence[str], data: object) -> bool:
    return set(keys) <= {text(dig(row, "pub", "value")) for row in listed(data, "results", "bindings")}


def _dois(record: Record) -> list[str]:
    return [record.identifiers.doi, f"10.48550/arxiv.{record.identifiers.arxiv}"]


async def _sparql(client: Client, query: str) -> Any:  # noqa: ANN401  whatever `ask` answers
    ask = Ask("dblp_sparql", "/sparql", (("query", _PREFIXES + query),), accept="application/sparql-results+json")
    return await client.ask(ask)


def _details(keys: Sequence[str]) -> str:
    listed = " ".join(f"<{key}>" for key in dict.fromkeys(keys) if _is_plain(key))
    return f"""SELECT ?pub ?title ?type ?venue ?year ?doi ?ord ?name WHERE {{
  VALUES ?pub {{ {listed} }}
  ?pub dblp:title ?title ; dblp:hasSignature ?signature .
  ?signature dblp:signatureOrdinal ?ord ; dblp:signatureDblpName ?name .
  OPTIONAL {{ ?pub dblp:bibtexType ?type }} OPTIONAL {{ ?pub dblp:publishedIn ?venue }}
  OPTIONAL {{ ?pub dblp:yearOfPublication ?year }} OPTIONAL {{ ?pub dblp:doi ?doi }}
}} ORDER BY ?pub ?ord"""


def _is_plain(address: str) -> bool:
    """Whether it can stand between < and > in a query."""
    return not set(address) & set('<>"{}|\\^` \n\t')


def works(data: object) -> Iterator[Record]:
    """The hits of a search; if there is none, DBLP sends a total and no list."""
    found = own(dig(data, "result", "hits"), "@total", "hit")
    return titled(map(read_record, counted(found.get("@total"), strict_objects(found.get("hit")))))


def read_record(raw: object) -> Record:
    """A hit of the publication search."""
    info = obj(dig(raw, "info"))
    venue = strict_text(info.get("venue"))
    volume = text(info.get("volume"))
    authors, complete = clean.people(_names(info))
    published = year(info.get("year"))
    key = text(info.get("key"))
    addresses = texts(info.get("ee"))
    preprint = (
        volume.removeprefix("abs/")
        if volume.startswith("abs/")
        else next((it for it in addresses if "arxiv" in it), "")
    )
    # DBLP's name for arXiv, with the id as a volume: `abs/1706.03762`.
    is_corr = venue == "CoRR"
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
        identifiers=ids.identifiers(doi_text=text(info.get("doi")), arxiv_text=preprint, dblp=key),
        volume="" if is_corr else volume,
        issue=text(info.get("number")),
        pages=strict_text(info.get("pages")),
        url=next(iter(addresses), text(info.get("url"))),
    )


def _names(info: Mapping[str, Any]) -> Iterator[Name]:
    for author in strict_objects(dig(info, "authors", "author")):
        yield clean.display_name(html.unescape(strict_text(author.get("text"))))


def _rows(reply: Any) -> list[dict[str, str]]:  # noqa: ANN401  whatever `ask` answered
    bindings = objects(dig(getattr(reply, "data", None), "results", "bindings"))
    return [{name: text(dig(value, "value")) for name, value in row.items()} for row in bindings]


def sparql_works(data: object) -> Iterator[Record]:
    """One record for each publication, from one row for each author."""
    bindings = listed(data, "results", "bindings")
    rows = [{name: text(dig(value, "value")) for name, value in row.items()} for row in bindings]
    for pub, group in groupby(sorted(rows, key=lambda row: row.get("pub", "")), key=lambda row: row.get("pub", "")):
        signed = {number(row.get("ord")) or 0: row for row in group}
        row = next(iter(signed.values()))
        authors, complete = clean.people(clean.display_name(signed[it].get("name", "")) for it in sorted(signed))
        published = year(row.get("year"))
        key = pub.rpartition("/rec/")[2]
        is_corr = row.get("venue") == "CoRR"
        yield Record(
            source="dblp",
            id=key,
            title=clean.title(row.get("title", "")),
            authors=authors,
            authors_complete=complete and 0 not in signed,
            years=(published,) if published else (),
            venue="arXiv" if is_corr else row.get("venue", ""),
            type="preprint" if is_corr else _KINDS.get(row.get("type", "").rpartition("#")[2], ""),
            identifiers=ids.identifiers(doi_text=row.get("doi", ""), dblp=key),
        )
