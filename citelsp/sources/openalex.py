"""OpenAlex: everything, with abstracts, open-access links, references and retractions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from citelsp.bibliography.record import Record, Update
from citelsp.bibliography.registered_journal import Journal
from citelsp.bibliography.tolerant_comparison import venue_names
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, encode_segment, parameters
from citelsp.sources.record_identifiers import make_identifiers, normal_pmcid
from citelsp.sources.reference_query import (
    ReferenceQuery,
    answer,
    answers_by_identifier,
    hits,
    is_titled,
    named_journals,
)
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import (
    dig,
    items,
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

SPEC = Spec(
    "openalex",
    "https://api.openalex.org",
    interval=0.1,
    concurrency=4,
    key_query="api_key",
    html_absence=True,
)

_TYPES = {
    "article": "article-journal", "review": "article-journal", "letter": "article-journal", "preprint": "preprint",
    "book": "book", "book-chapter": "chapter", "dissertation": "thesis", "report": "report", "dataset": "dataset",
    "standard": "standard", "peer-review": "review",
}  # fmt: skip
_SELECT = (
    "id,doi,title,display_name,publication_year,publication_date,type,authorships,primary_location,locations,"
    "best_oa_location,open_access,biblio,ids,cited_by_count,referenced_works,is_retracted,abstract_inverted_index"
)
_MOST_JOURNALS = 25  # of one name, among those that have all its words
# OpenAlex cuts after a hundred without a word: such a list must not accuse one who names the others.
_MOST_AUTHORS = 100


@cached_lookups.lookup("openalex")
async def lookup(client: Client, value: str) -> Lookup:
    """Look a work up by DOI or OpenAlex id ("W…"); costs nothing."""
    name = value if value[:1] in "Ww" else f"doi:{encode_segment(value)}"
    reply = await client.ask(Ask("openalex", f"/works/{name}"))
    return answer("openalex", reply, lambda data: filter(is_titled, [read_record(own(data, "id"))]))


@cached_lookups.lookups("openalex")
async def lookup_many(client: Client, dois: Sequence[str]) -> dict[str, Lookup]:
    """Look up 40 DOIs a request; one alone, or one that a filter cannot hold, by its own address."""
    return await cached_lookups.lookup_in_batches(client, dois, lookup, _listed, frozenset(",|"))


async def _listed(client: Client, dois: Sequence[str]) -> dict[str, Lookup]:
    query = parameters({"filter": "doi:" + "|".join(dois), "per_page": len(dois), "select": _SELECT})
    reply = await client.ask(Ask("openalex", "/works", query))
    return answers_by_identifier("openalex", dois, reply, lambda data: filter(is_titled, works(data)), _dois, _is_whole)


@cached_lookups.searches("openalex")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    """Search titles, abstracts and full texts by words, for ten credits of the day's allowance, or by filters, for one.

    Within a journal not the words but the first author is searched for, if one is known.  If the question has a volume
    and first page, these are searched for, and no words either.
    """
    # In capitals these words switch OpenAlex to boolean search.
    words = " ".join(word.lower() if word in {"AND", "OR", "NOT"} else word for word in question.words.split())
    filters: list[str] = []
    if question.search_years:
        first, last = question.search_years
        filters.append(f"publication_year:{first}-{last}")
    if question.within:
        filters.append("primary_location.source.id:" + "|".join(question.within))
        if question.authors:
            # All words of a search have to occur, which may miss the work; in one journal its first author is enough.
            filters.append(f"raw_author_name.search:{_searchable(question.authors[0].family)}")
            words = ""
    if question.place:
        # No words: a filter costs a tenth of a search, and volume and page tell more.
        volume, first_page = map(_searchable, question.place)
        filters += [f"biblio.volume:{volume}", f"biblio.first_page:{first_page}"]
        words = ""
    select = f"{_SELECT},relevance_score" if words else _SELECT  # without words there is no such score to ask for
    query = parameters({"search": words, "per_page": question.rows, "filter": ",".join(filters), "select": select})
    return hits("openalex", await client.ask(Ask("openalex", "/works", query)), works)


def _searchable(name: str) -> str:
    """Words that a filter can hold."""
    return " ".join(re.findall(r"[^\W_]+", name))


@cached_lookups.journals("openalex")
async def journals(client: Client, name: str) -> Lookup:
    """Ask for journals that have this name among theirs, and how many works they have of the last ten years."""
    query = parameters({"search": _searchable(name), "per_page": _MOST_JOURNALS})
    reply = await client.ask(Ask("openalex", "/sources", query))
    return named_journals("openalex", name, reply, _journals)


def _journals(data: object) -> Iterator[Journal]:
    """Read the journals and conferences of an answer; publishers' series of books and repositories are left out.

    Of a journal those years are left out that have no works.

    {"results": [{"id": "https://openalex.org/S137…", "type": "journal", "display_name": "Nature", "issn":
    ["0028-0836"], "abbreviated_title": "…", "alternate_titles": [], "counts_by_year": [{"year": 2019,
    "works_count": 812}]}]}
    """
    for raw in read_objects(data, "results"):
        if text(raw.get("type")) not in ("journal", "conference"):
            continue
        other_names = (text(raw.get("abbreviated_title")), *texts(raw.get("alternate_titles")))
        works: list[tuple[int, int]] = []  # year, and how many works of it
        for counts in objects(raw.get("counts_by_year")):
            published = number(counts.get("year"))
            count = number(counts.get("works_count"))
            if published and count:
                works.append((published, count))
        yield Journal(
            "openalex",
            text(raw.get("id")).rpartition("/")[2],
            clean.plain(strict_text(raw.get("display_name"))),
            names=tuple(filter(None, map(clean.plain, other_names))),
            issns=tuple(texts(raw.get("issn"))),
            works=tuple(sorted(works)),
        )


def works(data: object) -> Iterator[Record]:
    return map(read_record, require_hits(dig(data, "meta", "count"), read_objects(data, "results")))


def _is_whole(data: object) -> bool:
    return (number(dig(data, "meta", "count")) or 0) <= len(read_objects(data, "results"))


def _dois(record: Record) -> Iterator[str]:
    yield record.identifiers.doi or f"10.48550/arxiv.{record.identifiers.arxiv}"
    if record.identifiers.arxiv:
        yield f"10.48550/arxiv.{record.identifiers.arxiv}"


def read_record(raw: object) -> Record:
    """Read a work; its identifiers are addresses, the last part of which counts.

    {"id": "https://openalex.org/W2741809807", "doi": "https://doi.org/10.…", "title": "…", "authorships": [{"author":
    {"display_name": "Jane Roe"}}], "publication_year": 2019, "type": "article", "primary_location": {"source":
    {"display_name": "Nature", "type": "journal"}, "landing_page_url": "…"}, "locations": [like that one, …], "biblio":
    {"volume": "9", "first_page": "1", "last_page": "8"}, "abstract_inverted_index": {"We": [0, 7], "show": [1]}}

    FormError if a title, name, venue or pages come in another form: an entry must not be accused by a guess.
    """
    work = obj(raw)
    raw_title = strict_text(work.get("title")) or strict_text(work.get("display_name"))
    authors = strict_objects(work.get("authorships"))
    names, complete = clean.people(clean.display_name(_author(it)) for it in authors)
    source = _source(work)
    published = year(work.get("publication_year"))
    biblio = obj(work.get("biblio"))
    pages = (strict_text(biblio.get("first_page")), strict_text(biblio.get("last_page")))
    work_id = text(work.get("id")).rpartition("/")[2]
    return Record(
        source="openalex",
        id=work_id,
        title=clean.title(raw_title),
        authors=names,
        authors_complete=complete and len(authors) < _MOST_AUTHORS,
        years=(published,) if published else (),
        date=text(work.get("publication_date")) or text(published),
        venue=_name(source),
        also_in=tuple(_further_venues(work, _name(source))),
        type=_type(work, text(source.get("type"))),
        identifiers=make_identifiers(
            doi_text=text(work.get("doi")),
            arxiv_text=_arxiv_address(work),
            openalex=work_id,
            pmid=text(dig(work, "ids", "pmid")).rpartition("/")[2],
            pmcid=normal_pmcid(text(dig(work, "ids", "pmcid")).rpartition("/")[2]),
        ),
        volume=text(biblio.get("volume")),
        issue=text(biblio.get("issue")),
        pages="-".join(dict.fromkeys(filter(None, pages))),  # of a single page both are the same
        publisher=text(source.get("host_organization_name")),
        abstract=abstract(work.get("abstract_inverted_index")),
        url=text(dig(work, "primary_location", "landing_page_url")),
        open_access=tuple(_full_texts(work)),
        updates=_updates(work, raw_title),
        references=tuple(text(it).rpartition("/")[2] for it in items(work.get("referenced_works"))),
        citation_count=number(work.get("cited_by_count")),
    )


def abstract(index: object) -> str:
    """Restore a text from an inverted index, which has the places of each word: {"We": [0, 7], "show": [1]}."""
    word_at: dict[int, str] = {}
    for word, places in obj(index).items():
        for place in items(places):
            if isinstance(place, int) and not isinstance(place, bool):
                word_at[place] = word
    return clean.plain(" ".join(word_at[place] for place in sorted(word_at)))


def _author(raw: Mapping[str, Any]) -> str:
    return strict_text(dig(raw, "author", "display_name")) or strict_text(raw.get("raw_author_name"))


def _source(work: Mapping[str, Any]) -> Mapping[str, Any]:
    """Choose where a work was published; a repository only if nothing else is known, an empty object if nothing is."""
    sources = _sources(work)
    publishing = [it for it in sources if _publishes(it)]
    return next(iter(publishing or sources), {})


def _further_venues(work: Mapping[str, Any], venue: str) -> Iterator[str]:
    """Other journals and conferences where it came out, as a work and its reprints are one to OpenAlex."""
    for name in dict.fromkeys(map(_name, filter(_publishes, _sources(work)))):
        if venue_names.compare(venue, [name]) == "different":
            yield name


def _sources(work: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The journals, conferences and repositories of the places where a work lies, the primary one first."""
    return [source for source in (obj(place.get("source")) for place in _places(work)) if source]


def _places(work: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [obj(work.get("primary_location")), *objects(work.get("locations"))]


def _publishes(source: Mapping[str, Any]) -> bool:
    return text(source.get("type")) != "repository"


def _name(source: Mapping[str, Any]) -> str:
    return clean.plain(strict_text(source.get("display_name")))


def _type(work: Mapping[str, Any], source: str) -> str:
    kind = text(work.get("type"))
    # OpenAlex calls papers of proceedings and preprints articles; the place where they stand says what they are.
    if kind in {"article", "review", "letter"} and source in {"conference", "repository"}:
        return "paper-conference" if source == "conference" else "preprint"
    return _TYPES.get(kind, kind)


def _arxiv_address(work: Mapping[str, Any]) -> str:
    """An address of the work at arXiv, which holds its id: OpenAlex has no field for arXiv ids; "" if there is none."""
    addresses = (text(place.get(name)) for place in _places(work) for name in ("landing_page_url", "pdf_url"))
    return next((it for it in addresses if "arxiv.org/" in it or "10.48550/" in it), "")


def _full_texts(work: Mapping[str, Any]) -> list[str]:
    best = obj(work.get("best_oa_location"))
    found = (text(best.get("pdf_url")), text(dig(work, "open_access", "oa_url")), text(best.get("landing_page_url")))
    return list(dict.fromkeys(filter(None, found)))


def _updates(work: Mapping[str, Any], title: str) -> tuple[Update, ...]:
    if work.get("is_retracted") is True or clean.says_retracted(title):
        return (Update("retraction", "openalex"),)
    return ()
