"""DataCite: data sets, software, theses, reports, arXiv's own DOIs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from citelsp.bibliography.identifiers import normal_doi
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, encode_segment, parameters
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import ReferenceQuery, answer, answers_by_identifier, hits, require_titles
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
    year,
)

SPEC = Spec("datacite", "https://api.datacite.org", interval=0.6, concurrency=2, polite_interval=0.3, people=1)

# By the type that DataCite gives for citeproc, a type of CSL, in which "article" is a preprint.
_TYPES = {
    "article-journal": "article-journal", "article": "preprint", "paper-conference": "paper-conference", "book": "book",
    "chapter": "chapter", "thesis": "thesis", "report": "report", "dataset": "dataset",
    "software": "software",
}  # fmt: skip
_GENERAL = {
    "JournalArticle": "article-journal", "ConferencePaper": "paper-conference", "Preprint": "preprint", "Book": "book",
    "BookChapter": "chapter", "Dissertation": "thesis",
    "Report": "report", "Dataset": "dataset",
    "Software": "software",
}  # fmt: skip


@cached_lookups.lookup("datacite")
async def lookup(client: Client, doi: str) -> Lookup:
    """Absent says that DataCite has no such DOI; another agency may."""
    # DataCite, unlike doi.org, heeds the letter case of DOIs; it holds them in lower case.
    reply = await client.ask(Ask("datacite", f"/dois/{encode_segment(doi.lower())}"))
    return answer(
        "datacite", reply, lambda data: require_titles([read_record(own(obj(data).get("data"), "attributes"))])
    )


@cached_lookups.lookups("datacite")
async def lookup_many(client: Client, dois: Sequence[str]) -> dict[str, Lookup]:
    """Look up 40 DOIs a request; one alone by its own address."""
    return await cached_lookups.lookup_in_batches(client, dois, lookup, _listed)


async def _listed(client: Client, dois: Sequence[str]) -> dict[str, Lookup]:
    search = " OR ".join(f'"{doi.lower()}"' for doi in dois)
    query = parameters({"query": f"doi:({search})", "page[size]": len(dois)})
    reply = await client.ask(Ask("datacite", "/dois", query))
    return answers_by_identifier("datacite", dois, reply, _works, lambda record: [record.id], _is_whole)


@cached_lookups.searches("datacite")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    """Search by the title's words and the first author's family name."""
    query = f'titles.title:"{_without_quotes(question.words)}"'
    if question.authors:
        query += f' AND creators.familyName:"{_without_quotes(question.authors[0].family)}"'
    # DataCite sorts by relevance only if a page number is given, not with cursors.
    ask = Ask("datacite", "/dois", parameters({"query": query, "page[size]": question.rows, "page[number]": 1}))
    return hits("datacite", await client.ask(ask), works)


def _without_quotes(words: str) -> str:
    """The words without what would end a phrase of the query, or begin an escape."""
    return words.replace('"', "").replace("\\", "")


def works(data: object) -> Iterator[Record]:
    return require_titles(_works(data))


def _works(data: object) -> Iterator[Record]:
    """Read works one by one: what is odd about one raises when its turn comes, and the next ones can be read."""
    return map(read_record, require_hits(dig(data, "meta", "total"), read_objects(data, "data")))


def _is_whole(data: object) -> bool:
    return (number(dig(data, "meta", "total")) or 0) <= len(read_objects(data, "data"))


def read_record(raw: object) -> Record:
    """Read a DOI's metadata; one of arXiv's own DOIs is read as the preprint that it names.

    {"attributes": {"doi": "10.5281/…", "titles": [{"title": "…"}, {"title": "…", "titleType": "Subtitle"}], "creators":
    [{"familyName": "Roe", "givenName": "Jane", "name": "Roe, Jane"}], "publicationYear": 2019, "publisher": "Zenodo",
    "container": {"title": "…", "firstPage": "1"}, "types": {"resourceTypeGeneral": "Dataset"}, "relatedIdentifiers":
    [{"relatedIdentifier": "10.1103/…", "relationType": "IsVersionOf", "relatedIdentifierType": "DOI"}]}}

    FormError if the service sends a title, name or venue in another form: an entry must not be accused by a guess.
    """
    work = obj(dig(raw, "attributes"))
    doi = normal_doi(text(work.get("doi")))
    is_arxiv = doi.startswith("10.48550/")
    authors, complete = clean.people(map(_creator, strict_objects(work.get("creators"))))
    published = year(work.get("publicationYear"))
    # Authors cite a preprint by the year of the version that they read.
    years = [published, *_revised(work)] if is_arxiv else [published]
    container = obj(work.get("container"))
    first = text(container.get("firstPage"))
    last = text(container.get("lastPage"))
    publisher = text(work.get("publisher")) or text(dig(work, "publisher", "name"))
    related = objects(work.get("relatedIdentifiers"))
    publication = next((text(it.get("relatedIdentifier")) for it in related if _is_publication(it)), "")
    return Record(
        source="datacite",
        id=doi,
        title=_title(work),
        authors=authors,
        authors_complete=complete,
        years=tuple(dict.fromkeys(it for it in years if it)),
        date=next(_dates(work), text(published)),
        # The citeproc type of a preprint is "article", and arXiv itself names no container.
        venue="arXiv" if is_arxiv else clean.plain(strict_text(container.get("title"))),
        type="preprint" if is_arxiv else _type(work),
        # A preprint has the DOI of its publication, if it names one.
        identifiers=make_identifiers(
            doi_text=publication if is_arxiv and publication else doi,
            arxiv_text=doi if is_arxiv else "",
        ),
        volume=text(container.get("volume")),
        issue=text(container.get("issue")),
        pages=f"{first}-{last}" if first and last else first,
        publisher=clean.plain(publisher),
        abstract=next(_abstracts(work), ""),
        url=text(work.get("url")),
        citation_count=number(work.get("citationCount")),
    )


def _title(work: Mapping[str, Any]) -> str:
    """The title that has no type, which translations and others have, else the first; with the subtitle."""
    titles = strict_objects(work.get("titles"))
    if not titles:
        return ""
    title = next((strict_text(it.get("title")) for it in titles if not it.get("titleType")), "")
    subtitle = next((strict_text(it.get("title")) for it in titles if it.get("titleType") == "Subtitle"), "")
    return clean.join_titles(title or strict_text(titles[0].get("title")), subtitle)


def _type(work: Mapping[str, Any]) -> str:
    general = _GENERAL.get(text(dig(work, "types", "resourceTypeGeneral")), "")
    return general or _TYPES.get(text(dig(work, "types", "citeproc")), "")


def _creator(raw: Mapping[str, Any]) -> Name:
    family, given, whole = map(strict_text, (raw.get("familyName"), raw.get("givenName"), raw.get("name")))
    if text(raw.get("nameType")) == "Organizational":
        return Name(clean.plain(whole), literal=True)
    return clean.person(given, family) if family else clean.display_name(whole)


def _is_publication(raw: Mapping[str, Any]) -> bool:
    """arXiv names the published version of a preprint this way."""
    return text(raw.get("relationType")) == "IsVersionOf" and text(raw.get("relatedIdentifierType")) == "DOI"


def _revised(work: Mapping[str, Any]) -> list[int | None]:
    """The years of a preprint's versions, of each of which arXiv tells the date."""
    dates = (it for it in objects(work.get("dates")) if text(it.get("dateType")) in ("Submitted", "Updated"))
    return [year(text(it.get("date"))[:4]) for it in dates]


def _dates(work: Mapping[str, Any]) -> Iterator[str]:
    kinds = ("Submitted", "Issued", "Available", "Created")
    # arXiv gives a date for each version, the first one first: reversed, that is the one which stays.
    dates = {text(it.get("dateType")): text(it.get("date"))[:10] for it in reversed(objects(work.get("dates")))}
    return (dates[kind] for kind in kinds if dates.get(kind))


def _abstracts(work: Mapping[str, Any]) -> Iterator[str]:
    for item in objects(work.get("descriptions")):
        if text(item.get("descriptionType")) == "Abstract":
            yield clean.plain(text(item.get("description")))
