"""arXiv export API: preprints by id (many at once, any version) and by title."""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from citelsp.bibliography.identifiers import normal_arxiv
from citelsp.bibliography.record import Record, Update
from citelsp.knowledge import Absent, Found, Lookup, Unavailable
from citelsp.sources import cached_lookups, clean, ids
from citelsp.sources.connections import Ask, parameters
from citelsp.sources.http import Client
from citelsp.sources.http_answers import Missing
from citelsp.sources.reference_query import (
    ReferenceQuery,
    answers_by_identifier,
    chunks,
    hits,
    merged,
    required_words,
    titled,
    today,
)
from citelsp.sources.shape import FormError, number, text, year

# Below the hundred ids that one call of arXiv's takes.
_BATCH = 80
_ATOM, _ARXIV, _SEARCH = (
    "{http://www.w3.org/2005/Atom}", "{http://arxiv.org/schemas/atom}", "{http://a9.com/-/spec/opensearch/1.1/}",
)  # fmt: skip
_MALFORMED = re.compile(r"/api/errors#incorrect_id_format_for_(.+)$")
_VERSION = re.compile(r"v(\d+)$")
_WITHDRAWN = re.compile(
    r"\b(?:paper|article|submission|manuscript|preprint|work|version|note)\s+(?:has|have|is|was|had)\s+(?:been\s+)?"
    r"(?:temporarily\s+)?(?:withdrawn|removed|retracted)\b"
    r"|^\W*withdrawn\b(?!\s+from)|\bwithdrawn by (?:the )?(?:arxiv|author)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")


async def lookup(client: Client, value: str) -> Lookup:
    """Look a preprint up by its id, in the latest version or the one named ("1706.03762v1")."""
    return (await lookup_many(client, [value]))[value]


@cached_lookups.lookups("arxiv")
async def lookup_many(client: Client, values: Sequence[str]) -> dict[str, Lookup]:
    """Look preprints up, up to 80 ids a request."""
    return merged([await _batch(client, part) for part in chunks(list(dict.fromkeys(values)), _BATCH)])


async def _batch(client: Client, values: Sequence[str]) -> dict[str, Lookup]:
    """Look a few ids up.  One that is none would spoil the request: it is absent, unasked or once arXiv names it."""
    found: dict[str, Lookup] = {value: Absent("arxiv", today()) for value in values}
    asked = [value for value in values if normal_arxiv(value)]
    # arXiv answers 400 to the whole list for the first id that it cannot read, and names that one.
    while asked:
        # Without max_results arXiv cuts the list after ten, and says so nowhere.
        query = parameters({"id_list": ",".join(asked), "max_results": len(asked)})
        reply = await client.ask(Ask("arxiv", "/api/query", query, want="xml", answers=(400,)))
        bad = "" if isinstance(reply, Unavailable | Missing) else malformed(reply.data)
        if bad not in asked:
            refused = Unavailable("arxiv", f"refused: {bad}")
            return found | answers_by_identifier("arxiv", asked, refused if bad else reply, entries, _names, _is_whole)
        asked.remove(bad)
    return found


async def versions(client: Client, value: str) -> Lookup:
    """Every version of a preprint, the first one first: titles and authors change between them."""
    latest = await lookup(client, value)
    if not isinstance(latest, Found):
        return latest
    last = _VERSION.search(latest.records[0].id)
    count = (number(last[1]) if last else None) or 1
    names = [f"{normal_arxiv(value)}v{it}" for it in range(1, min(count, 20))]
    earlier = await lookup_many(client, names)
    unavailable = next((it for it in earlier.values() if isinstance(it, Unavailable)), None)
    if unavailable:
        return unavailable
    records = [it.records[0] for it in earlier.values() if isinstance(it, Found)]
    return Found("arxiv", (*records, *latest.records), today())


@cached_lookups.searches("arxiv")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    """Search by the title as a phrase, or by other words, all of them anywhere."""
    # arXiv joins bare words by OR, hence a phrase, or AND between a few.
    if question.title:
        terms = f'ti:"{" ".join(_WORD.findall(question.words)[:20])}"'
    else:
        terms = " AND ".join(f"all:{word}" for word in required_words(question.words)[:8])
    query = parameters({"search_query": terms, "max_results": question.rows, "sortBy": "relevance"})
    return hits("arxiv", await client.ask(Ask("arxiv", "/api/query", query, want="xml")), entries)


def malformed(feed: Element) -> str:
    """The id that arXiv could not read, from its error feed; any other error by its name."""
    for entry in feed.iter(f"{_ATOM}entry"):
        name = _text(entry, f"{_ATOM}id")
        if "/api/errors" in name:
            match = _MALFORMED.search(name)
            return match[1] if match else name.rpartition("#")[2] or "error"
    return ""


# arXiv's feed at times counts hits and holds none: a glitch, which must not read as absence.
def entries(feed: Element) -> list[Record]:
    """FormError for another document, for a feed that counts hits and has none, as arXiv's sometimes does, and if a
    work has no title.
    """
    if feed.tag != f"{_ATOM}feed" or (feed.find(f"{_ATOM}entry") is None and not _is_whole(feed)):
        raise FormError
    found = [it for it in feed.iter(f"{_ATOM}entry") if "/api/errors" not in _text(it, f"{_ATOM}id")]
    return list(titled(map(read_record, found)))


def _is_whole(feed: Element) -> bool:
    """True if the feed holds as many works as it counts."""
    return (number(_text(feed, f"{_SEARCH}totalResults")) or 0) <= len(feed.findall(f"{_ATOM}entry"))


def _names(record: Record) -> tuple[str, ...]:
    return record.id, record.identifiers.arxiv


def read_record(entry: Element) -> Record:
    """`id` holds the version, `identifiers.arxiv` does not."""
    name = _text(entry, f"{_ATOM}id").partition("/abs/")[2]
    published = _text(entry, f"{_ATOM}published")[:10]
    updated = _text(entry, f"{_ATOM}updated")[:10]
    # Authors cite the year of the first version, or of the one that they read.
    years = (year(published[:4]), year(updated[:4]))
    people = (_text(author, f"{_ATOM}name") for author in entry.iter(f"{_ATOM}author"))
    authors, complete = clean.people(map(clean.display_name, people))
    links = (link.get("href", "") for link in entry.iter(f"{_ATOM}link") if link.get("title") == "pdf")
    journal = _text(entry, f"{_ARXIV}journal_ref")
    return Record(
        source="arxiv",
        id=name,
        title=clean.title(_text(entry, f"{_ATOM}title")),
        authors=authors,
        authors_complete=complete,
        years=tuple(dict.fromkeys(it for it in years if it)),
        date=published,
        venue="arXiv",
        venue_aliases=("arXiv preprint", "CoRR", "arXiv.org", *((journal,) if journal else ())),
        type="preprint",
        identifiers=ids.identifiers(arxiv_text=name, doi_text=_text(entry, f"{_ARXIV}doi")),
        abstract=clean.plain(_text(entry, f"{_ATOM}summary")),
        url=f"https://arxiv.org/abs/{name}" if name else "",
        open_access=tuple(links),
        updates=_updates(entry, updated),
        primary_class=_primary_class(entry),
    )


def _primary_class(entry: Element) -> str:
    category = entry.find(f"{_ARXIV}primary_category")
    return category.get("term", "") if category is not None else ""


def _updates(entry: Element, updated: str) -> tuple[Update, ...]:
    for name in (f"{_ARXIV}comment", f"{_ATOM}summary"):
        note = _text(entry, name)
        # Notices of withdrawal begin a comment or abstract; later on the words are those of a paper on withdrawals.
        if _WITHDRAWN.search(note[:400]):
            return (Update("withdrawal", "arxiv", updated, note=note[:300]),)
    return ()


def _text(element: Element, name: str) -> str:
    return text(element.findtext(name))
