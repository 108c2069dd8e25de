"""The ACL Anthology: the BibTeX file of one paper, by its id."""

from collections.abc import Sequence
from dataclasses import replace

from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, encode_segment
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import answer, require_titles
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import LONGEST, FormError
from citelsp.syntax.bibtex import parsing

SPEC = Spec("aclanthology", "https://aclanthology.org", interval=2.0, html_absence=True)

_KINDS = {"inproceedings": "paper-conference", "article": "article-journal", "proceedings": "book", "book": "book"}


@cached_lookups.lookup("aclanthology")
async def lookup(client: Client, acl: str) -> Lookup:
    """Look a paper up by its Anthology id: "2020.acl-main.447", "P19-1001"."""
    reply = await client.ask(Ask("aclanthology", f"/{encode_segment(acl, keep='')}.bib", want="text"))
    return answer("aclanthology", reply, lambda text: [replace(it, id=acl) for it in require_titles(_paper(text))])


async def lookup_many(client: Client, values: Sequence[str]) -> dict[str, Lookup]:
    return {value: await lookup(client, value) for value in values}


def _paper(text: str) -> list[Record]:
    """The one paper of a file; FormError if it holds none, or so much that it is no paper's file."""
    if len(text) > LONGEST or not (found := read(text)):
        raise FormError
    return found


def read(text: str) -> list[Record]:
    """The entries of a BibTeX file as records."""
    syntax = parsing.parse(Document("anthology.bib", text))
    entries = syntax.entries
    if entries is None:
        return []
    return [_record(Entry(entries.node(place), syntax.strings)) for place in range(len(entries))]


def _record(entry: Entry) -> Record:
    """Make a record of an entry of the Anthology.

    Its url, https://aclanthology.org/2020.acl-main.447/, ends with the ACL id; with .pdf behind it is the full text.
    """
    # The Anthology's citekeys are words; its id stands in the address alone.
    address = entry.text("url").rstrip("/")
    acl = address.rpartition("/")[2]
    return Record(
        source="aclanthology",
        id=acl,
        title=clean.title(entry.title),
        authors=entry.authors,
        authors_complete=not entry.authors_truncated,
        years=(entry.year,) if entry.year else (),
        date=str(entry.year or ""),
        venue=entry.venue,
        type=_KINDS.get(entry.kind.casefold(), ""),
        identifiers=make_identifiers(doi_text=entry.text("doi"), acl=acl),
        volume=entry.text("volume"),
        issue=entry.text("number"),
        pages=entry.text("pages").replace("--", "-").replace("–", "-"),
        publisher=entry.text("publisher"),
        abstract=entry.text("abstract"),
        url=entry.text("url"),
        open_access=(f"{address}.pdf",) if entry.text("url") else (),
    )
