"""Crossref REST API: journal articles, proceedings, books, most published preprints."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from citelsp.bibliography.identifiers import normal_doi, normal_isbn
from citelsp.bibliography.journal import Journal
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean, ids
from citelsp.sources.connections import Ask, encoded, parameters
from citelsp.sources.http import Client
from citelsp.sources.reference_query import (
    ReferenceQuery,
    answer,
    answers_by_identifier,
    hits,
    named_journals,
    searchable,
    titled,
)
from citelsp.sources.shape import (
    FormError,
    counted,
    dig,
    items,
    listed,
    number,
    obj,
    objects,
    own,
    strict_objects,
    strict_text,
    strict_texts,
    text,
    texts,
)

_TYPES = {
    "journal-article": "article-journal", "proceedings-article": "paper-conference", "book-chapter": "chapter",
    "book-section": "chapter", "book-part": "chapter", "reference-entry": "chapter", "book": "book",
    "monograph": "book",
    "edited-book": "book", "reference-book": "book", "posted-content": "preprint", "dissertation": "thesis",
    "report": "report", "report-component": "report", "dataset": "dataset", "standard": "standard",
    "article": "preprint", "proceedings": "book", "peer-review": "review", "component": "component",
    "journal-issue": "journal-issue",
}  # fmt: skip
# Of 2,065 recorded hits 49 were reviews and 8 parts of works, with the titles of what they belong to.
_NO_WORKS = frozenset({"peer-review", "component", "journal-issue", "journal", "grant", "journal-volume"})
_UPDATES = {
    "retraction": "retraction", "partial_retraction": "retraction", "withdrawal": "withdrawal", "removal": "removal",
    "expression_of_concern": "concern", "correction": "correction", "corrigendum": "correction",
    "erratum": "correction",
}  # fmt: skip
_SERIES = ("lecture notes in", "communications in computer", "ifip advances", "advances in intelligent systems", "acm ")
# Everything that a record is read from but reference lists and abstracts.
_SELECT = (
    "DOI,URL,ISBN,type,title,subtitle,original-title,author,container-title,short-container-title,event,issued,"
    "published,published-print,published-online,posted,volume,issue,page,article-number,publisher,relation,updated-by,"
    "is-referenced-by-count"
)
_JOURNALS = 30  # of which some share a word with the name and no more
_MANY = 20  # hits above which their reference lists, which are most of an answer, are left out
_UNTITLED: tuple[object, ...] = (None, [], [""])
_SORTED = ("10.52202/",)  # deposits that put authors in alphabetical order


@cached_lookups.lookup("crossref")
async def lookup(client: Client, doi: str) -> Lookup:
    """Absent says that Crossref has no such DOI; another agency may."""
    reply = await client.ask(Ask("crossref", f"/works/{encoded(doi)}"))
    return answer("crossref", reply, _work)


def _work(data: object) -> Iterator[Record]:
    return _described([own(obj(data).get("message"), "DOI")])


def _described(works: Iterable[Mapping[str, Any]]) -> Iterator[Record]:
    """The records of works; those deposited without a title, of which Crossref says nothing, left out."""
    return titled(read_record(it) for it in works if it.get("title") not in _UNTITLED)


@cached_lookups.lookups("crossref")
async def lookup_many(client: Client, dois: Sequence[str]) -> dict[str, Lookup]:
    """Look up 40 DOIs a request; one alone, or one with a comma, by its own address."""
    return await cached_lookups.batched(client, dois, lookup, _listed, frozenset(","))


async def _listed(client: Client, dois: Sequence[str]) -> dict[str, Lookup]:
    query = parameters({"filter": ",".join(f"doi:{doi}" for doi in dois), "rows": len(dois)})
    reply = await client.ask(Ask("crossref", "/works", query))
    return answers_by_identifier("crossref", dois, reply, _works, lambda record: [record.id], _is_whole)


@cached_lookups.searches("crossref")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    """Search by title, three authors and year, or by a whole reference, or by a place in print without the title."""
    people = (it.family for it in question.authors[:3])
    words = " ".join(filter(None, (question.words, *question.place, *people, str(question.year or ""))))
    filters = [f"issn:{it}" for it in question.within]
    filters += (
        [f"from-pub-date:{question.search_years[0]}", f"until-pub-date:{question.search_years[1]}"]
        if question.search_years
        else []
    )
    select = _SELECT if question.rows > _MANY or question.place else ""
    # Three more than asked for, as reviews and figures among the hits are dropped.
    query = parameters(
        {"query.bibliographic": words, "rows": question.rows + 3, "filter": ",".join(filters), "select": select}
    )
    return hits("crossref", await client.ask(Ask("crossref", "/works", query)), works)


@cached_lookups.journals("crossref")
async def journals(client: Client, name: str) -> Lookup:
    """Which journals of this name register their works with Crossref, and how many of each year."""
    query = parameters({"query": searchable(name), "rows": _JOURNALS})
    reply = await client.ask(Ask("crossref", "/journals", query))
    return named_journals("crossref", name, reply, _journals)


def _journals(data: object) -> Iterator[Journal]:
    for raw in objects(dig(data, "message", "items")):
        pairs = (items(it) for it in items(dig(raw, "breakdowns", "dois-by-issued-year")))
        counts = ((number(it[0]), number(it[1])) for it in pairs if len(it) == 2)
        issns = texts(raw.get("ISSN"))
        yield Journal(
            "crossref",
            issns[0] if issns else "",
            clean.plain(text(raw.get("title"))),
            issns=tuple(issns),
            works=tuple(sorted((year, count) for year, count in counts if year and count)),
        )


def works(data: object) -> Iterator[Record]:
    """The works of a result list; reviews, figures and issues are none."""
    return (read_record(item) for item in _items(data) if text(item.get("type")) not in _NO_WORKS)


def _works(data: object) -> Iterator[Record]:
    """One by one: what is odd about one work raises when its turn comes, and the next ones can be read."""
    rest = (it for it in _whole_list(data) if not (isinstance(it, dict) and it.get("title") in _UNTITLED))
    return map(read_record, rest)


def _whole_list(data: object) -> Sequence[object]:
    found = dig(data, "message", "items")
    if not isinstance(found, list):
        raise FormError
    return found


def _items(data: object) -> Sequence[Mapping[str, Any]]:
    return counted(dig(data, "message", "total-results"), listed(data, "message", "items"))


def _is_whole(data: object) -> bool:
    return (number(dig(data, "message", "total-results")) or 0) <= len(_whole_list(data))


def read_record(raw: object) -> Record:
    """A work object of Crossref, or of its CSL-JSON."""
    work = obj(raw)
    doi = normal_doi(text(work.get("DOI")))
    title = clean.joined(strict_text(work.get("title")), strict_text(work.get("subtitle")))
    authors, complete = clean.people(map(_author, strict_objects(work.get("author"))))
    venue, *aliases = _venues(work)
    return Record(
        source="crossref",
        id=doi,
        title=title,
        other_titles=tuple(map(clean.plain, texts(work.get("title"))[1:] + texts(work.get("original-title")))),
        authors=authors,
        authors_complete=complete,
        authors_ordered=not doi.startswith(_SORTED),
        years=_years(work),
        date=_date(work),
        venue=venue,
        venue_aliases=tuple(aliases),
        type=_TYPES.get(text(work.get("type")), text(work.get("type"))),
        identifiers=ids.identifiers(
            doi_text=doi,
            arxiv_text=_preprint(work),
            isbn=next(filter(None, map(normal_isbn, texts(work.get("ISBN")))), ""),
        ),
        volume=text(work.get("volume")),
        issue=text(work.get("issue")),
        # Journals without pages number their articles.
        pages=strict_text(work.get("page")) or text(work.get("article-number")),
        publisher=clean.plain(text(work.get("publisher"))),
        abstract=clean.plain(text(work.get("abstract"))).removeprefix("Abstract").strip(" :"),
        url=text(work.get("URL")),
        open_access=tuple(_full_texts(work)),
        updates=tuple(_updates(work)),
        references=tuple(filter(None, (normal_doi(text(it.get("DOI"))) for it in objects(work.get("reference"))))),
        citation_count=number(work.get("is-referenced-by-count")),
    )


def _author(raw: Mapping[str, Any]) -> Name:
    name = strict_text(raw.get("name")) or strict_text(raw.get("literal"))
    if name:
        return Name(clean.plain(name), literal=True)
    particle = strict_text(raw.get("non-dropping-particle")) or strict_text(raw.get("dropping-particle"))
    family = f"{particle} {strict_text(raw.get('family'))}".strip()
    return clean.person(strict_text(raw.get("given")), family, strict_text(raw.get("suffix")))


_DATES = ("published-print", "published-online", "published", "issued", "posted")


# `created` is when the DOI was registered, for old articles decades later: only if there is no other date.
def _years(work: Mapping[str, Any]) -> tuple[int, ...]:
    found = [parts[0] for name in _DATES if (parts := _parts(work, name))]
    return tuple(dict.fromkeys(found or [parts[0] for parts in [_parts(work, "created")] if parts]))


def _date(work: Mapping[str, Any]) -> str:
    dates = [parts for name in _DATES if (parts := _parts(work, name))] or [_parts(work, "created")]
    earliest = min(dates, key=lambda parts: (*parts, 13, 32)[:3])
    return "-".join(f"{part:02d}" if place else f"{part:04d}" for place, part in enumerate(earliest))


def _parts(work: Mapping[str, Any], name: str) -> list[int]:
    first = next(iter(items(dig(work, name, "date-parts"))), None)
    numbers = [number(part) for part in items(first)]
    known = [part for part in numbers if part is not None]
    # Crossref also sends `[[null]]`, and years that nobody printed in.
    return known[:3] if known and len(known) == len(numbers) and 1400 <= known[0] <= 2100 else []


def _venues(work: Mapping[str, Any]) -> list[str]:
    """The venue first, then its other names; a book series after the volume's own title."""
    full = [clean.plain(it) for it in strict_texts(work.get("container-title"))]
    # Springer deposits the series, Lecture Notes in Computer Science, before the volume: nobody cites the work by it.
    full.sort(key=lambda it: it.casefold().startswith(_SERIES[:4]))
    event = obj(work.get("event"))
    others = texts(work.get("short-container-title")) + texts(event.get("name")) + texts(event.get("acronym"))
    institution = [text(it.get("name")) for it in objects(work.get("institution"))]
    return list(dict.fromkeys(filter(None, [*full, *map(clean.plain, others), *institution]))) or [""]


def _preprint(work: Mapping[str, Any]) -> str:
    related = objects(dig(work, "relation", "has-preprint")) + objects(dig(work, "relation", "is-version-of"))
    named = (text(it.get("id")) for it in related)
    return next((it for it in named if "arxiv" in it.casefold()), "")


def _full_texts(work: Mapping[str, Any]) -> Iterator[str]:
    # Its other links are for text miners who have an agreement with the publisher.
    if any("creativecommons.org" in text(it.get("URL")) for it in objects(work.get("license"))):
        for link in objects(work.get("link")):
            if text(link.get("content-type")) == "application/pdf":
                yield text(link.get("URL"))


def _updates(work: Mapping[str, Any]) -> Iterator[Update]:
    """What concerns this work; `update-to` is what this work, a notice, says of another."""
    kinds = set()
    for raw in objects(work.get("updated-by")):
        kind = _UPDATES.get(text(raw.get("type")).casefold().replace("-", "_").replace(" ", "_"))
        if kind:
            kinds.add(kind)
            date = "-".join(f"{part:02d}" for part in _parts(raw, "updated"))
            yield Update(kind, "crossref", date, normal_doi(text(raw.get("DOI"))), text(raw.get("source")))  # type: ignore[arg-type]
    # Some publishers deposit no notice and write RETRACTED before the title.
    if "retraction" not in kinds and "withdrawal" not in kinds and clean.says_retracted(text(work.get("title"))):
        yield Update("retraction", "crossref", note="the publisher marks the title as retracted")
