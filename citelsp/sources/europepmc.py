"""Europe PMC: life sciences, with full texts of open articles."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, parameters
from citelsp.sources.record_identifiers import make_identifiers, normal_pmcid
from citelsp.sources.reference_query import ReferenceQuery, hits, require_titles
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import (
    dig,
    number,
    obj,
    objects,
    read_objects,
    require_hits,
    strict_objects,
    strict_text,
    text,
    texts,
    year,
)

SPEC = Spec(
    "europepmc",
    "https://www.ebi.ac.uk/europepmc/webservices/rest",
    interval=0.25,
    concurrency=2,
    html_absence=True,
)


@cached_lookups.lookup("europepmc")
async def lookup(client: Client, value: str) -> Lookup:
    """Look an article up by DOI ("10.…"), PMCID ("PMC…") or PMID."""
    if value.startswith("10."):
        return await _search(client, f'DOI:"{value}"', 1)
    return await _search(client, f"PMCID:{value}" if value.startswith("PMC") else f"EXT_ID:{value} AND SRC:MED", 1)


async def lookup_many(client: Client, values: Sequence[str]) -> dict[str, Lookup]:
    return {value: await lookup(client, value) for value in values}


@cached_lookups.searches("europepmc")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    title = question.words.replace('"', "").replace("\\", "")
    return await _search(client, f'TITLE:"{title}"' if question.title else title.replace(":", " "), question.rows)


async def _search(client: Client, words: str, rows: int) -> Lookup:
    query = parameters({"query": words, "resultType": "core", "format": "json", "pageSize": rows})
    return hits("europepmc", await client.ask(Ask("europepmc", "/search", query)), works)


def works(data: object) -> Iterator[Record]:
    return require_titles(
        map(read_record, require_hits(dig(data, "hitCount"), read_objects(data, "resultList", "result")))
    )


def read_record(raw: object) -> Record:
    """Read a `core` result, or a `lite` one, which has less, and at the top what the other has below journalInfo.

    {"id": "31234567", "source": "MED", "pmid": "31234567", "title": "….", "authorList": {"author": [{"lastName": "Roe",
    "firstName": "Jane", "initials": "J"}]}, "journalInfo": {"volume": "9", "yearOfPublication": 2019, "journal":
    {"title": "…", "medlineAbbreviation": "…"}}, "pubYear": "2019", "pubTypeList": {"pubType": ["Journal Article"]}}

    FormError if a title, name, venue or pages come in another form: an entry must not be accused by a guess.
    """
    work = obj(raw)
    volume = obj(work.get("journalInfo"))
    journal = obj(volume.get("journal"))
    years = (year(work.get("pubYear")), year(volume.get("yearOfPublication")), year(work.get("firstPublicationDate")))
    venue = strict_text(journal.get("title")) or strict_text(work.get("journalTitle"))
    aliases = texts(journal.get("medlineAbbreviation")) + texts(journal.get("isoabbreviation"))
    authors, complete = clean.people(_authors(work))
    raw_title = strict_text(work.get("title"))
    kinds = {it.casefold() for it in texts(dig(work, "pubTypeList", "pubType"))}
    if text(work.get("source")) == "PPR" or "preprint" in kinds:  # PPR: preprints, as MED is MEDLINE
        work_type = "preprint"
    else:
        work_type = "article-journal" if venue else ""  # without a journal it may be a book or a report
    return Record(
        source="europepmc",
        id=f"{text(work.get('source'))}:{text(work.get('id'))}",
        title=clean.title(raw_title),
        authors=authors,
        authors_complete=complete,
        years=tuple(dict.fromkeys(it for it in years if it)),
        date=text(work.get("firstPublicationDate")) or text(work.get("pubYear")),
        venue=clean.plain(venue),
        venue_aliases=tuple(dict.fromkeys(aliases)),
        type=work_type,
        identifiers=make_identifiers(
            doi_text=text(work.get("doi")),
            pmid=text(work.get("pmid")),
            pmcid=normal_pmcid(text(work.get("pmcid"))),
        ),
        volume=text(volume.get("volume")) or text(work.get("journalVolume")),
        issue=text(volume.get("issue")) or text(work.get("issue")),
        pages=strict_text(work.get("pageInfo")),
        publisher=text(dig(work, "bookOrReportDetails", "publisher")),
        abstract=clean.plain(text(work.get("abstractText"))),
        open_access=tuple(_full_texts(work)),
        updates=tuple(_updates(work, raw_title, kinds)),
        citation_count=number(work.get("citedByCount")),
    )


def _authors(work: Mapping[str, Any]) -> Iterator[Name]:
    """The people of a `core` result, listed with the parts of their names; of a `lite` one, "Roe J, Berg JA."."""
    people = strict_objects(dig(work, "authorList", "author"))
    for person in people:
        yield _person(person)
    if not people:
        listed_names = strict_text(work.get("authorString")).rstrip(".").split(", ")
        yield from (_initialled(it) for it in listed_names if it)


def _person(person: Mapping[str, Any]) -> Name:
    """{"lastName": "Roe", "firstName": "Jane", "initials": "J"}, {"fullName": "Roe J"}, or {"collectiveName": "…"}."""
    group = strict_text(person.get("collectiveName"))
    if group:
        return Name(clean.plain(group), literal=True)
    family = strict_text(person.get("lastName"))
    if family:
        return clean.person(strict_text(person.get("firstName")) or strict_text(person.get("initials")), family)
    return _initialled(strict_text(person.get("fullName")))


def _initialled(name: str) -> Name:
    """ "van den Berg JA": family first, then initials."""
    family, _, initials = clean.plain(name).rpartition(" ")
    # Longer capitals are a name or a group's acronym.
    if family and initials.isupper() and len(initials) <= 4:
        return Name(family, " ".join(f"{letter}." for letter in initials))
    return Name(clean.plain(name), literal=True)


def _full_texts(work: Mapping[str, Any]) -> Iterator[str]:
    """Addresses of free texts: {"availability": "Open access", "documentStyle": "pdf", "url": "…"}."""
    for link in objects(dig(work, "fullTextUrlList", "fullTextUrl")):
        is_free = text(link.get("availability")) in {"Open access", "Free"}
        if is_free and text(link.get("documentStyle")) in {"pdf", "html"}:
            yield text(link.get("url"))


def _updates(work: Mapping[str, Any], title: str, kinds: set[str]) -> Iterator[Update]:
    """Read what was published about a work from its kinds, its notices, {"type": "Retraction in"}, and its title."""
    notices = objects(dig(work, "commentCorrectionList", "commentCorrection"))
    kinds_of_notice = {text(it.get("type")).casefold() for it in notices}
    if "retracted publication" in kinds or "retraction in" in kinds_of_notice or clean.says_retracted(title):
        yield Update("retraction", "europepmc")
    if "expression of concern in" in kinds_of_notice:
        yield Update("concern", "europepmc")
    if "erratum in" in kinds_of_notice:
        yield Update("correction", "europepmc")
