"""DBLP's works by their DOIs, through SPARQL, which may answer if the search of `dblp.py` does not."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any
from urllib.parse import quote

from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import answers_by_identifier, chunks
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import dig, number, objects, read_objects, text, year

SPEC = Spec("dblp_sparql", "https://sparql.dblp.org", interval=2.0, attempts=2)

_KINDS = {"Inproceedings": "paper-conference", "Article": "article-journal", "Incollection": "chapter", "Book": "book"}
_BATCH = 40
_NOT_IN_ADDRESSES = frozenset('<>"{}|\\^` \n\t')
_PREFIXES = "PREFIX dblp: <https://dblp.org/rdf/schema#>\n"


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
        answers |= answers_by_identifier("dblp", part, reply, works, _dois, is_whole)
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


def _rows(reply: Any) -> list[dict[str, str]]:  # noqa: ANN401  whatever `ask` answered
    """The rows of an answer to SPARQL; none if there was no answer."""
    return _values(objects(dig(getattr(reply, "data", None), "results", "bindings")))


def _values(bindings: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Rows such as {"pub": {"type": "uri", "value": "https://dblp.org/rec/…"}} with the values alone."""
    return [{name: text(dig(value, "value")) for name, value in row.items()} for row in bindings]


def works(data: object) -> Iterator[Record]:
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
