"""INSPIRE: high-energy physics."""

from collections.abc import Iterator, Mapping
from typing import Any

from citelsp.bibliography.identifiers import normal_arxiv, tell_arxiv_year
from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, encode_segment, parameters
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import ReferenceQuery, answer, hits
from citelsp.sources.service_specs import Spec
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

# INSPIRE takes 15 requests in 5 seconds.
SPEC = Spec("inspire", "https://inspirehep.net/api", interval=0.4, concurrency=2)

_TYPES = {"article": "article-journal", "conference paper": "paper-conference", "book": "book", "thesis": "thesis",
          "report": "report", "book chapter": "chapter", "proceedings": "book"}  # fmt: skip
_WITHOUT_JOURNAL = frozenset({"book", "thesis", "chapter"})  # types of which `publication_info` says nothing as a rule
_FIELDS = (
    "titles,authors.full_name,abstracts,arxiv_eprints,dois,publication_info,document_type,earliest_date,citation_count,"
    "texkeys,control_number,author_count,imprints"
)


@cached_lookups.lookup("inspire")
async def lookup(client: Client, value: str) -> Lookup:
    """Look a work up by DOI ("10.…") or arXiv id."""
    kind = "doi" if value.startswith("10.") else "arxiv"
    reply = await client.ask(Ask("inspire", f"/{kind}/{encode_segment(value)}"))
    return answer("inspire", reply, lambda data: [read_record(own(data, "metadata"))])


@cached_lookups.searches("inspire")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    title = question.words.replace('"', "")
    query = parameters({"q": f'titles.title:"{title}"', "size": question.rows, "fields": _FIELDS})
    return hits("inspire", await client.ask(Ask("inspire", "/literature", query)), works)


def works(data: object) -> Iterator[Record]:
    return map(read_record, require_hits(dig(data, "hits", "total"), read_objects(data, "hits", "hits")))


def read_record(raw: object) -> Record:
    """Read a document; the texkey, Roe:2019abc, by which users cite, is the record's id.  Of a list the first counts.

    {"metadata": {"texkeys": ["Roe:2019abc"], "titles": [{"title": "…", "subtitle": "…"}], "authors": [{"full_name":
    "Roe, Jane"}], "author_count": 2900, "arxiv_eprints": [{"value": "1905.01234", "categories": ["hep-ph"]}],
    "publication_info": [{"journal_title": "JHEP", "year": 2019, "page_start": "1", "artid": "012"}], "dois": [{"value":
    "10.1007/…"}], "abstracts": [{"value": "…"}], "document_type": ["article"], "earliest_date": "2019-05-02"}}

    FormError if the service sends a title, name or venue in another form: an entry must not be accused by a guess.
    """
    work = obj(dig(raw, "metadata"))
    published = _first(work, "publication_info")
    eprint = _first(work, "arxiv_eprints")
    preprint = normal_arxiv(text(eprint.get("value")))
    years = (year(published.get("year")), year(work.get("earliest_date")), tell_arxiv_year(preprint))
    first = text(published.get("page_start"))
    last = text(published.get("page_end"))
    # A search sends the first authors of a large collaboration alone, and `author_count` for all.
    authors = strict_objects(work.get("authors"))
    names, complete = clean.people(clean.display_name(strict_text(it.get("full_name"))) for it in authors)
    title = next(iter(strict_objects(work.get("titles"))), {})
    work_type = _TYPES.get(text(work.get("document_type")), "")
    if not published and work_type not in _WITHOUT_JOURNAL:
        work_type = "preprint"  # an article, or a paper at a conference, of whose publication nothing is known
    return Record(
        source="inspire",
        id=text(work.get("texkeys")) or text(work.get("control_number")),
        title=clean.join_titles(strict_text(title.get("title")), strict_text(title.get("subtitle"))),
        authors=names,
        authors_complete=complete and len(authors) >= (number(work.get("author_count")) or 0),
        years=tuple(dict.fromkeys(it for it in years if it)),
        date=text(work.get("earliest_date")),
        venue=strict_text(published.get("journal_title")),
        type=work_type,
        identifiers=make_identifiers(doi_text=text(_first(work, "dois").get("value")), arxiv_text=preprint),
        volume=text(published.get("journal_volume")),
        issue=text(published.get("journal_issue")),
        pages=f"{first}-{last}" if first and last else first or text(published.get("artid")),
        primary_class=next(iter(texts(eprint.get("categories"))), ""),
        abstract=clean.plain(text(_first(work, "abstracts").get("value"))),
        citation_count=number(work.get("citation_count")),
    )


def _first(work: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The first object of a list; an empty one if there is none."""
    return next(iter(objects(work.get(name))), {})
