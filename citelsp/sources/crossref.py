"""Crossref REST API: journal articles, proceedings, books, most published preprints."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from citelsp.bibliography.identifiers import normal_doi, normal_isbn
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.bibliography.registered_journal import Journal
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, encode_segment, parameters
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import (
    ReferenceQuery,
    answer,
    answers_by_identifier,
    hits,
    named_journals,
    require_titles,
    searchable,
)
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import (
    FormError,
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
    strict_texts,
    text,
    texts,
)

# Crossref takes one search or list a second, three with an address.
SPEC = Spec(
    "crossref",
    "https://api.crossref.org",
    interval=1.0,
    polite_interval=0.35,
    polite_concurrency=3,
    timeout=15,
    email_query="mailto",
    key_header="Crossref-Plus-API-Token",
    keyed_interval=0.02,
    people=3,
)

# By Crossref's names of types; "article" is a type of CSL-JSON, which `read_record` reads too, and means a preprint.
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
_SERIES = ("lecture notes in", "communications in computer", "ifip advances", "advances in intelligent systems")
# Everything that a record is read from but reference lists and abstracts.
_SELECT = (
    "DOI,URL,ISBN,type,title,subtitle,original-title,author,container-title,short-container-title,event,issued,"
    "published,published-print,published-online,posted,volume,issue,page,article-number,publisher,relation,updated-by,"
    "is-referenced-by-count"
)
_JOURNALS = 30  # of which some share a word with the name and no more
_MANY = 20  # hits above which their reference lists, which are most of an answer, are left out
_SPARE = 3  # hits beyond those asked for, as reviews and figures among them are dropped
_UNTITLED: tuple[object, ...] = (None, [], [""])
_SORTED = ("10.52202/",)  # deposits that put authors in alphabetical order


@cached_lookups.lookup("crossref")
async def lookup(client: Client, doi: str) -> Lookup:
    """Absent says that Crossref has no such DOI; another agency may."""
    reply = await client.ask(Ask("crossref", f"/works/{encode_segment(doi)}"))
    return answer("crossref", reply, _work)


def _work(data: object) -> Iterator[Record]:
    return _described([own(obj(data).get("message"), "DOI")])


def _described(works: Iterable[Mapping[str, Any]]) -> Iterator[Record]:
    """The records of works; those deposited without a title, of which Crossref says nothing, left out."""
    return require_titles(read_record(it) for it in works if it.get("title") not in _UNTITLED)


@cached_lookups.lookups("crossref")
async def lookup_many(client: Client, dois: Sequence[str]) -> dict[str, Lookup]:
    """Look up 40 DOIs a request; one alone, or one with a comma, by its own address."""
    return await cached_lookups.lookup_in_batches(client, dois, lookup, _listed, frozenset(","))


async def _listed(client: Client, dois: Sequence[str]) -> dict[str, Lookup]:
    query = parameters({"filter": ",".join(f"doi:{doi}" for doi in dois), "rows": len(dois)})
    reply = await client.ask(Ask("crossref", "/works", query))
    return answers_by_identifier("crossref", dois, reply, _works, lambda record: [record.id], _is_whole)


@cached_lookups.searches("crossref")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    """Search by title, three authors and year, or by a whole reference, or by a place in print without the title.

    A place in print is a volume and a first page.  All words go into one query.  Filters keep to a journal (`within`:
    its ISSNs) and to years if the question names such.
    """
    people = (it.family for it in question.authors[:3])
    words = " ".join(filter(None, (question.words, *question.place, *people, str(question.year or ""))))
    filters = [f"issn:{it}" for it in question.within]
    if question.search_years:
        first, last = question.search_years
        filters += [f"from-pub-date:{first}", f"until-pub-date:{last}"]
    rows = question.rows + _SPARE
    # "" asks for all of a work, reference lists too, which are most of a long answer.  A search by place has about
    # as many hits as _MANY.
    select = _SELECT if question.rows > _MANY or question.place else ""
    query = parameters({"query.bibliographic": words, "rows": rows, "filter": ",".join(filters), "select": select})
    return hits("crossref", await client.ask(Ask("crossref", "/works", query)), works)


@cached_lookups.journals("crossref")
async def journals(client: Client, name: str) -> Lookup:
    """Ask which journals of this name register their works with Crossref, and how many works of each year."""
    query = parameters({"query": searchable(name), "rows": _JOURNALS})
    reply = await client.ask(Ask("crossref", "/journals", query))
    return named_journals("crossref", name, reply, _journals)


def _journals(data: object) -> Iterator[Journal]:
    """Read the journals of an answer; the first ISSN is the journal's id, "" if it has none.

    Years without works, and pairs of another form than [year, count], are left out.  FormError for an answer without a
    list of journals: that there is none of a name must not be read from it.

    {"message": {"items": [{"title": "…", "ISSN": ["0028-0836"], "breakdowns": {"dois-by-issued-year": [[2019, 812],
    [2020, 790]]}}]}}
    """
    for raw in _items(data):
        works: list[tuple[int, int]] = []  # year, and how many works of it
        for pair in map(items, items(dig(raw, "breakdowns", "dois-by-issued-year"))):
            year, count = map(number, pair) if len(pair) == 2 else (None, None)
            if year and count:
                works.append((year, count))
        issns = texts(raw.get("ISSN"))
        yield Journal(
            "crossref",
            issns[0] if issns else "",
            clean.plain(text(raw.get("title"))),
            issns=tuple(issns),
            works=tuple(sorted(works)),
        )


def works(data: object) -> Iterator[Record]:
    """The works of a result list; reviews, figures and issues are none."""
    return (read_record(item) for item in _items(data) if text(item.get("type")) not in _NO_WORKS)


def _works(data: object) -> Iterator[Record]:
    """Read works one by one: what is odd about one raises when its turn comes, and the next ones can be read.

    Works deposited without a title are left out.
    """
    described = (it for it in _whole_list(data) if not (isinstance(it, dict) and it.get("title") in _UNTITLED))
    return map(read_record, described)


def _whole_list(data: object) -> Sequence[object]:
    found = dig(data, "message", "items")
    if not isinstance(found, list):
        raise FormError
    return found


def _items(data: object) -> Sequence[Mapping[str, Any]]:
    return require_hits(dig(data, "message", "total-results"), read_objects(data, "message", "items"))


def _is_whole(data: object) -> bool:
    return (number(dig(data, "message", "total-results")) or 0) <= len(_whole_list(data))


def read_record(raw: object) -> Record:
    """Read a work of Crossref, or one in CSL-JSON.

    Of a list the first value counts where a record has but one; of venues the first that is no series of books.

    {"DOI": "10.1038/…", "type": "journal-article", "title": ["…"], "subtitle": [], "author": [{"given": "Jane",
    "family": "Roe"}], "container-title": ["Nature"], "page": "1-9", "published": {"date-parts": [[2019, 5, 2]]},
    "reference": [{"DOI": "10.1126/…"}, {"unstructured": "…"}], "is-referenced-by-count": 12}

    FormError if a title, name, venue or pages come in another form: an entry must not be accused by a guess.
    """
    work = obj(raw)
    doi = normal_doi(text(work.get("DOI")))
    title = clean.join_titles(strict_text(work.get("title")), strict_text(work.get("subtitle")))
    further_titles = texts(work.get("title"))[1:] + texts(work.get("original-title"))
    authors, complete = clean.people(map(_author, strict_objects(work.get("author"))))
    venue, *aliases = _venues(work)
    isbns = filter(None, map(normal_isbn, texts(work.get("ISBN"))))
    cited_dois = (normal_doi(text(it.get("DOI"))) for it in objects(work.get("reference")))
    return Record(
        source="crossref",
        id=doi,
        title=title,
        other_titles=tuple(map(clean.plain, further_titles)),
        authors=authors,
        authors_complete=complete,
        authors_ordered=not doi.startswith(_SORTED),  # some publishers' deposits are in alphabetical order
        years=_years(work),
        date=_date(work),
        venue=venue,
        venue_aliases=tuple(aliases),
        # A type that is not in the table stays as it is: those of CSL-JSON are mostly the record's own.
        type=_TYPES.get(text(work.get("type")), text(work.get("type"))),
        identifiers=make_identifiers(doi_text=doi, arxiv_text=_preprint(work), isbn=next(isbns, "")),
        volume=text(work.get("volume")),
        issue=text(work.get("issue")),
        # Journals without pages number their articles.
        pages=strict_text(work.get("page")) or text(work.get("article-number")),
        publisher=clean.plain(text(work.get("publisher"))),
        abstract=clean.plain(text(work.get("abstract"))).removeprefix("Abstract").strip(" :"),
        url=text(work.get("URL")),
        open_access=tuple(_full_texts(work)),
        updates=tuple(_updates(work)),
        references=tuple(filter(None, cited_dois)),
        citation_count=number(work.get("is-referenced-by-count")),
    )


def _author(raw: Mapping[str, Any]) -> Name:
    """{"given": "Jan", "family": "Berg", "non-dropping-particle": "van den"}, or a group, {"name": "The … Team"}."""
    name = strict_text(raw.get("name")) or strict_text(raw.get("literal"))
    if name:
        return Name(clean.plain(name), literal=True)
    particle = strict_text(raw.get("non-dropping-particle")) or strict_text(raw.get("dropping-particle"))
    family = f"{particle} {strict_text(raw.get('family'))}".strip()
    return clean.person(strict_text(raw.get("given")), family, strict_text(raw.get("suffix")))


_DATES = ("published-print", "published-online", "published", "issued", "posted")


def _years(work: Mapping[str, Any]) -> tuple[int, ...]:
    """The years of a work's dates, each once, in the order of _DATES."""
    return tuple(dict.fromkeys(date[0] for date in _dates(work)))


def _date(work: Mapping[str, Any]) -> str:
    """The earliest of a work's dates, "2019-05-02", as precise as it is known; "" if none is."""
    dates = _dates(work)
    if not dates:
        return ""
    # A date without month or day comes after those of the same year or month that have one.
    year, *month_and_day = min(dates, key=lambda date: (*date, 13, 32)[:3])
    return "-".join([f"{year:04d}", *(f"{part:02d}" for part in month_and_day)])


def _dates(work: Mapping[str, Any]) -> list[list[int]]:
    """The dates of a work that are known, in the order of _DATES, each as `_parts` has it."""
    dates = [parts for parts in (_parts(work, name) for name in _DATES) if parts]
    if dates:
        return dates
    # When the DOI was registered, for old articles decades later: only if there is no other date.
    registered = _parts(work, "created")
    return [registered] if registered else []


def _parts(work: Mapping[str, Any], name: str) -> list[int]:
    """Year, month and day of a date, {"date-parts": [[2019, 5, 2]]}, as far as they are there; else an empty list."""
    first = next(iter(items(dig(work, name, "date-parts"))), None)
    numbers = [number(part) for part in items(first)]
    parts = [part for part in numbers if part is not None]
    # Crossref also sends `[[null]]`, and years that nobody printed in.
    is_date = bool(parts) and len(parts) == len(numbers) and 1400 <= parts[0] <= 2100
    return parts[:3] if is_date else []


def _venues(work: Mapping[str, Any]) -> list[str]:
    """List the venue of a work, then its other names; a book series after the volume's own title.

    [""] if none is known, so that there is always a first one.

    {"container-title": ["Lecture Notes in Computer Science", "ECCV 2018"], "short-container-title": ["LNCS"],
    "event": {"name": "…", "acronym": "ECCV"}, "institution": [{"name": "…"}]}
    """
    full = [clean.plain(it) for it in strict_texts(work.get("container-title"))]
    # Springer deposits the series, Lecture Notes in Computer Science, before the volume: nobody cites the work by it.
    full.sort(key=lambda it: it.casefold().startswith(_SERIES))
    event = obj(work.get("event"))
    others = texts(work.get("short-container-title")) + texts(event.get("name")) + texts(event.get("acronym"))
    institutions = [text(it.get("name")) for it in objects(work.get("institution"))]
    names = dict.fromkeys([*full, *map(clean.plain, others), *institutions])
    return [it for it in names if it] or [""]


def _preprint(work: Mapping[str, Any]) -> str:
    """Return what names the preprint at arXiv in {"relation": {"has-preprint": [{"id": "10.48550/arXiv.…"}]}}."""
    related = objects(dig(work, "relation", "has-preprint")) + objects(dig(work, "relation", "is-version-of"))
    names = (text(it.get("id")) for it in related)
    return next((it for it in names if "arxiv" in it.casefold()), "")


def _full_texts(work: Mapping[str, Any]) -> Iterator[str]:
    """The addresses of a free work's PDF files.

    {"license": [{"URL": "https://creativecommons.org/…"}], "link": [{"URL": "…", "content-type": "application/pdf"}]}
    """
    # Links of other works are for text miners who have an agreement with the publisher.
    if any("creativecommons.org" in text(it.get("URL")) for it in objects(work.get("license"))):
        for link in objects(work.get("link")):
            if text(link.get("content-type")) == "application/pdf":
                yield text(link.get("URL"))


def _updates(work: Mapping[str, Any]) -> Iterator[Update]:
    """Read the notices about this work, such as that of its retraction.

    They are in `updated-by`; if none is of a retraction or withdrawal, a mark before the title counts as one.
    (`update-to` is what a work that is a notice itself says of another.)

    {"updated-by": [{"type": "retraction", "DOI": "10.1038/…", "source": "retraction-watch", "updated": {"date-parts":
    [[2020, 1, 7]]}}]}; notices of a kind that is not in _UPDATES are left out.
    """
    kinds = set()
    for raw in objects(work.get("updated-by")):
        kind = _UPDATES.get(text(raw.get("type")).casefold().replace("-", "_").replace(" ", "_"))
        if kind:
            kinds.add(kind)
            date = "-".join(f"{part:02d}" for part in _parts(raw, "updated"))
            yield Update(kind, "crossref", date, normal_doi(text(raw.get("DOI"))), text(raw.get("source")))  # type: ignore[arg-type]
    # Some publishers deposit no notice and write RETRACTED before the title.
    has_notice = "retraction" in kinds or "withdrawal" in kinds
    if not has_notice and clean.says_retracted(text(work.get("title"))):
        yield Update("retraction", "crossref", note="the publisher marks the title as retracted")
