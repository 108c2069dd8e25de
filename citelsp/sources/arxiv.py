"""arXiv export API: preprints by id (many at once, any version) and by title."""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from citelsp.bibliography.identifiers import normal_arxiv
from citelsp.bibliography.record import Record, Update
from citelsp.knowledge import Absent, Found, Lookup, Unavailable
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, parameters
from citelsp.sources.http_response import Missing
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import (
    ReferenceQuery,
    answers_by_identifier,
    chunks,
    hits,
    merge_answers,
    require_titles,
    required_words,
    today,
)
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import FormError, number, text, year

# arXiv wants one request in three seconds; a margin is kept, as to what all services announce.
SPEC = Spec("arxiv", "https://export.arxiv.org", interval=3.1, timeout=15, html_absence=True)

# Below the hundred ids that one call of arXiv's takes.
_BATCH = 80
# XML namespaces of the feed, of arXiv's own elements in it, and of the counts of a search.
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
_MOST_VERSIONS = 20  # of one preprint
_TITLE_WORDS, _OTHER_WORDS = 20, 8  # of a search
_NOTICE = 400  # characters of a comment or abstract in which a notice of withdrawal stands
_MALFORMED = re.compile(r"/api/errors#incorrect_id_format_for_(.+)$")
_VERSION = re.compile(r"v(\d+)$")  # `v5` of 1706.03762v5
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
    return merge_answers([await _lookup_batch(client, part) for part in chunks(list(dict.fromkeys(values)), _BATCH)])


async def _lookup_batch(client: Client, values: Sequence[str]) -> dict[str, Lookup]:
    """Look up as many ids as one request takes.

    What is no arXiv id would spoil the request, and is absent.  Most such values are seen here and not asked for; a
    further one is taken out once arXiv's error names it.  For any other error all that are left are Unavailable.
    """
    # Absent is what those stay that are not asked for, or no more once an error named them; others are written over.
    answers: dict[str, Lookup] = {value: Absent("arxiv", today()) for value in values}
    asked = [value for value in values if normal_arxiv(value)]
    # arXiv answers 400 to the whole list for the first id that it cannot read, and names that one: again without it.
    while asked:
        # Without max_results arXiv cuts the list after ten, and says so nowhere.
        query = parameters({"id_list": ",".join(asked), "max_results": len(asked)})
        reply = await client.ask(Ask("arxiv", "/api/query", query, want="xml", answers=(400,)))
        # The id that arXiv could not read, or the name of another error; "" if there is none.
        problem = "" if isinstance(reply, Unavailable | Missing) else find_error(reply.data)
        if problem in asked:
            asked.remove(problem)
            continue
        if problem:
            return answers | dict.fromkeys(asked, Unavailable("arxiv", f"refused: {problem}"))
        # By a record's ids; if the feed is not whole, what it lacks is Unavailable.
        return answers | answers_by_identifier("arxiv", asked, reply, entries, _names, _is_whole)
    return answers


async def versions(client: Client, value: str) -> Lookup:
    """Look up every version of a preprint, at most 20, the first one first, as titles and authors change.

    If `value` names a version, it is the last one.  Absent if arXiv does not have `value`; Unavailable if that or an
    earlier version could not be had.  An earlier version that arXiv does not have is left out.
    """
    latest = await lookup(client, value)
    if not isinstance(latest, Found):
        return latest
    version = _VERSION.search(latest.records[0].id)
    latest_version = number(version[1]) if version else None
    # The latest was looked up above.  Of very many versions the first ones are asked for, and those between left out.
    earlier_versions = range(1, min(latest_version or 1, _MOST_VERSIONS))
    earlier = await lookup_many(client, [f"{normal_arxiv(value)}v{it}" for it in earlier_versions])
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
        terms = f'ti:"{" ".join(_WORD.findall(question.words)[:_TITLE_WORDS])}"'
    else:
        terms = " AND ".join(f"all:{word}" for word in required_words(question.words)[:_OTHER_WORDS])
    query = parameters({"search_query": terms, "max_results": question.rows, "sortBy": "relevance"})
    return hits("arxiv", await client.ask(Ask("arxiv", "/api/query", query, want="xml")), entries)


def find_error(feed: Element) -> str:
    """The id that arXiv could not read, from its error feed; the name of any other error; "" if it is no error feed.

    An error is an entry with an id such as http://arxiv.org/api/errors#incorrect_id_format_for_9999.
    """
    for entry in feed.iter(f"{_ATOM}entry"):
        name = _text(entry, f"{_ATOM}id")
        if "/api/errors" in name:
            match = _MALFORMED.search(name)
            return match[1] if match else name.rpartition("#")[2] or "error"
    return ""


def entries(feed: Element) -> list[Record]:
    """The works of a feed; FormError for another document, or if a work has no title.

    And for a feed that counts hits and holds none, as arXiv's sometimes does: that must not read as absence.
    """
    if feed.tag != f"{_ATOM}feed" or (feed.find(f"{_ATOM}entry") is None and not _is_whole(feed)):
        raise FormError
    works = [it for it in feed.iter(f"{_ATOM}entry") if "/api/errors" not in _text(it, f"{_ATOM}id")]
    return list(require_titles(map(read_record, works)))


def _is_whole(feed: Element) -> bool:
    """True if the feed holds as many works as it counts."""
    return (number(_text(feed, f"{_SEARCH}totalResults")) or 0) <= len(feed.findall(f"{_ATOM}entry"))


def _names(record: Record) -> tuple[str, ...]:
    return record.id, record.identifiers.arxiv


def read_record(entry: Element) -> Record:
    """Read an entry of the feed; the record's `id` holds the version, 1706.03762v5, `identifiers.arxiv` does not.

    <id>http://arxiv.org/abs/1706.03762v5</id> <published>2017-06-12T17:57:34Z</published> of the first version,
    <updated> of this one, <author><name>Ashish Vaswani</name></author>, <link title="pdf" href="…"/>
    """
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
        # With the journal that the preprint names: an entry is right to name it, too.
        venue_aliases=("arXiv preprint", "CoRR", "arXiv.org", *((journal,) if journal else ())),
        type="preprint",
        identifiers=make_identifiers(arxiv_text=name, doi_text=_text(entry, f"{_ARXIV}doi")),
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
    """The withdrawal of a preprint, dated by its latest version, if its comment or abstract says so."""
    for name in (f"{_ARXIV}comment", f"{_ATOM}summary"):
        note = _text(entry, name)
        # Notices of withdrawal begin a comment or abstract; later on the words are those of a paper on withdrawals.
        if _WITHDRAWN.search(note[:_NOTICE]):
            return (Update("withdrawal", "arxiv", updated, note=note[:300]),)
    return ()


def _text(element: Element, name: str) -> str:
    return text(element.findtext(name))
