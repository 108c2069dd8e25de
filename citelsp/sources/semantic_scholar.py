"""Semantic Scholar Graph and Recommendations APIs: titles, citation contexts, passages, similar papers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from citelsp.bibliography.identifiers import normal_arxiv, tell_arxiv_year
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import venue_names
from citelsp.knowledge import Evidence, Lookup, Unavailable
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, encode_segment, parameters
from citelsp.sources.http_response import Missing
from citelsp.sources.record_identifiers import make_identifiers, normal_pmcid
from citelsp.sources.reference_query import ReferenceQuery, answer, check_lengths, chunks, hits, require_titles
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
    text,
    texts,
    year,
)

# One request a second with a key, and no more is said of those without.
SPEC = Spec(
    "semantic_scholar",
    "https://api.semanticscholar.org",
    interval=1.1,
    attempts=2,
    key_header="x-api-key",
    keyed_interval=1.1,
    keyless=True,
)

_FIELDS = (
    "paperId,corpusId,externalIds,url,title,abstract,venue,publicationVenue,year,publicationDate,publicationTypes,journal,"
    "authors,citationCount,isOpenAccess,openAccessPdf"
)
# The service takes 500, but answers of more than 10 MB not at all, and abstracts come along.
_BATCH = 200
_MOST_LINKED = 1000  # rows of one request for references or citations
_QUESTION, _MOST_PAPERS = 300, 100  # characters and papers of a search for passages
_PREPRINTS = frozenset({"arxiv.org", "arxiv", "corr", "biorxiv", "medrxiv"})
_URL = re.compile(r"https?://[^\s,]+")
_GRAPH, _RECOMMEND = "/graph/v1", "/recommendations/v1"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage of a paper, as snippet search found it."""

    paper: str  # "CorpusId:…"
    title: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class CitationContexts:
    """One paper citing another, with the sentences that do."""

    record: Record  # the other end: cited by `references`, citing by `citations`
    contexts: tuple[str, ...]


@cached_lookups.searches("semantic_scholar")
async def match(client: Client, question: ReferenceQuery) -> Lookup:
    """The one paper with the closest title; always to be compared, as a near title matches too."""
    query = parameters({"query": _words(question), "fields": _FIELDS})
    return answer(
        "semantic_scholar", await client.ask(Ask("semantic_scholar", f"{_GRAPH}/paper/search/match", query)), papers
    )


async def search(client: Client, question: ReferenceQuery) -> Lookup:
    """Search the one match of a title, or the most relevant works for other words."""
    return await (match if question.title else relevance)(client, question)


@cached_lookups.searches("semantic_scholar")
async def relevance(client: Client, question: ReferenceQuery) -> Lookup:
    """Search by words, best first."""
    near = "-".join(map(str, question.search_years))
    query = parameters({"query": _words(question), "fields": _FIELDS, "limit": question.rows, "year": near})
    return hits("semantic_scholar", await client.ask(Ask("semantic_scholar", f"{_GRAPH}/paper/search", query)), papers)


@cached_lookups.lookup("semantic_scholar")
async def lookup(client: Client, value: str) -> Lookup:
    """Look a paper up by "DOI:…", "ARXIV:…", "ACL:…", "PMID:…", "CorpusId:…" or paper id."""
    ask = Ask("semantic_scholar", f"{_GRAPH}/paper/{encode_segment(value, keep='/:')}", (("fields", _FIELDS),))
    return answer("semantic_scholar", await client.ask(ask), lambda data: _rows([data]))


@cached_lookups.lookups("semantic_scholar")
async def lookup_many(client: Client, values: Sequence[str]) -> dict[str, Lookup]:
    """Look papers up by identifiers such as `DOI:10.1000/1` and `ARXIV:1706.03762`, 200 a request.

    A request is answered by a list with a paper, or null, for each, in their order.
    """
    answers: dict[str, Lookup] = {}
    for part in chunks(values, _BATCH):
        ask = Ask("semantic_scholar", f"{_GRAPH}/paper/batch", (("fields", _FIELDS),), body={"ids": list(part)})
        reply = await client.ask(ask)
        if isinstance(reply, Missing):
            reply = Unavailable("semantic_scholar", "404 for a batch")
        if isinstance(reply, Unavailable):
            answers |= dict.fromkeys(part, reply)
            continue
        rows = items(reply.data)
        # Rows carry no identifier that was asked for: only their order says whose they are.
        if len(rows) != len(part):
            answers |= dict.fromkeys(part, Unavailable("semantic_scholar", "an answer of the wrong length"))
            continue
        for value, row in zip(part, rows, strict=True):
            # `_rows` passes over a row of null, which leaves nothing: Absent.
            answers[value] = answer("semantic_scholar", replace(reply, data=[row]), _rows)
    return answers


async def references(client: Client, value: str, limit: int = 500) -> list[CitationContexts] | Unavailable:
    """Fetch what a paper cites; empty also if the publisher withholds the list."""
    return await _fetch_linked(client, value, "references", "citedPaper", limit)


async def citations(client: Client, value: str, limit: int = 200) -> list[CitationContexts] | Unavailable:
    """Fetch what cites a paper."""
    return await _fetch_linked(client, value, "citations", "citingPaper", limit)


async def _fetch_linked(
    client: Client, value: str, kind: str, end: str, limit: int
) -> list[CitationContexts] | Unavailable:
    """Fetch at most `limit` papers (or _MOST_LINKED) that the paper `value` cites, or that cite it, with the sentences.

    `kind` is "references" or "citations", `end` the name that the other paper has in an answer, "citedPaper" or
    "citingPaper": {"data": [{"contexts": ["As shown in [3], …"], "citedPaper": {"paperId": "…", …}}]}.  What has no
    title is left out.  An empty list also if the service does not have the paper `value`.
    """
    query = parameters({"fields": f"contexts,{_FIELDS.replace(',abstract', '')}", "limit": min(limit, _MOST_LINKED)})
    path = f"{_GRAPH}/paper/{encode_segment(value, keep='/:')}/{kind}"
    reply = await client.ask(Ask("semantic_scholar", path, query))
    if isinstance(reply, Missing):
        return []
    if isinstance(reply, Unavailable):
        return reply
    linked: list[CitationContexts] = []
    try:
        # Null in the place of the list, if the publisher withholds it, is read as an empty one.
        for row in strict_objects(own(reply.data, "data").get("data")):
            record = check_lengths(read_record(row.get(end)))
            if record.title:
                linked.append(CitationContexts(record, tuple(texts(row.get("contexts")))))
    except FormError:
        return Unavailable("semantic_scholar", "an unexpected answer")
    return linked


async def snippets(
    client: Client, words: str, papers: Sequence[str] = (), limit: int = 10
) -> list[Snippet] | Unavailable:
    """Search the `limit` passages nearest to the words, in all papers or in those named by id (the first _MOST_PAPERS).

    Empty also if the service does not have these papers, or sends an answer of another form.
    """
    query = parameters({"query": words[:_QUESTION], "limit": limit, "paperIds": ",".join(papers[:_MOST_PAPERS])})
    reply = await client.ask(Ask("semantic_scholar", f"{_GRAPH}/snippet/search", query))
    if isinstance(reply, Missing):
        return []
    if isinstance(reply, Unavailable):
        return reply
    return [_passage(row) for row in objects(obj(reply.data).get("data"))]


def _passage(row: Mapping[str, Any]) -> Snippet:
    """{"snippet": {"text": "…", "snippetKind": "body", "section": ""}, "paper": {"corpusId": 17, "title": "…"}}."""
    snippet = obj(row.get("snippet"))
    paper = obj(row.get("paper"))
    kind = text(snippet.get("snippetKind"))
    section = text(snippet.get("section"))
    evidence = Evidence(text(snippet.get("text")), f"section {section}" if section else kind, "semantic_scholar")
    return Snippet(f"CorpusId:{text(paper.get('corpusId'))}", clean.title(text(paper.get("title"))), evidence)


async def recommendations(client: Client, positive: Sequence[str], limit: int = 20) -> Lookup:
    """Ask for at most `limit` papers that are like those with the ids in `positive`, recent and old.

    Absent if there are none, or if the service does not have those (404).
    """
    query = parameters({"fields": _FIELDS, "limit": limit})
    ask = Ask(
        "semantic_scholar",
        f"{_RECOMMEND}/papers/",
        query,
        body={"positivePaperIds": list(positive), "negativePaperIds": []},
    )
    return answer(
        "semantic_scholar",
        await client.ask(ask),
        lambda data: _rows(read_objects(data, "recommendedPapers")),
    )


def papers(data: object) -> Iterator[Record]:
    """The papers of a search; if there is none, the service sends a total and no list."""
    found = own(data, "data", "total")
    return _rows(require_hits(found.get("total"), read_objects(found, "data") if "data" in found else []))


def _rows(found: object) -> Iterator[Record]:
    return require_titles(read_record(own(item, "paperId")) for item in items(found) if item is not None)


def _words(question: ReferenceQuery) -> str:
    """The question's words as the service takes them."""
    spaced = question.words
    # Words with hyphens found nothing for years; the service's own advice is to write spaces.
    for mark in '-–—:"“”':
        spaced = spaced.replace(mark, " ")
    return " ".join(spaced.split())


def read_record(raw: object) -> Record:
    """Read a paper, in which the service may have merged preprint, publication and reprints.

    The record's years are then those of all of them, and `also_in` where else than in the venue it was printed.

    {"paperId": "649d…", "externalIds": {"DOI": "10.…", "ArXiv": "1905.01234"}, "title": "…", "authors": [{"name":
    "Jane Roe"}], "venue": "NeurIPS", "publicationVenue": {"name": "Neural Information …", "type": "conference",
    "alternate_names": ["NIPS"]}, "journal": {"name": "…", "volume": "9", "pages": "1-8"}, "year": 2019}

    FormError if a title, name, venue or pages come in another form: an entry must not be accused by a guess.
    """
    paper = obj(raw)
    external = obj(paper.get("externalIds"))
    place = _read_place(paper)
    preprint = normal_arxiv(text(external.get("ArXiv")))
    author_names = (strict_text(author.get("name")) for author in strict_objects(paper.get("authors")))
    authors, complete = clean.people(map(clean.display_name, author_names))
    volume = text(place.printed.get("volume"))
    years = (year(paper.get("year")), year(text(paper.get("publicationDate"))[:4]), tell_arxiv_year(preprint))
    acl = {"acl": text(external.get("ACL"))} if external.get("ACL") else {}  # without it the DOI may name the ACL id
    return Record(
        source="semantic_scholar",
        id=text(paper.get("paperId")),
        title=clean.title(strict_text(paper.get("title"))),
        authors=authors,
        authors_complete=complete,
        years=tuple(dict.fromkeys(it for it in years if it)),
        date=text(paper.get("publicationDate")) or text(paper.get("year")),
        venue=clean.plain(place.venue),
        venue_aliases=place.aliases,
        also_in=place.also_in,
        type=_type(paper, text(dig(paper, "publicationVenue", "type")), place.venue),
        identifiers=make_identifiers(
            doi_text=text(external.get("DOI")),
            arxiv_text=preprint,
            s2=text(paper.get("paperId")),
            pmid=text(external.get("PubMed")),
            pmcid=normal_pmcid(text(external.get("PubMedCentral"))),
            dblp=text(external.get("DBLP")),
            **acl,
        ),
        volume="" if volume.startswith("abs/") else volume,  # DBLP's, of preprints
        pages=strict_text(place.printed.get("pages")).replace(" ", ""),
        abstract=clean.plain(text(paper.get("abstract"))),
        url=text(paper.get("url")),
        open_access=tuple(_full_texts(paper)),
        citation_count=number(paper.get("citationCount")),
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a paper was published."""

    venue: str  # as the service writes it
    aliases: tuple[str, ...]  # other names of the venue
    also_in: tuple[str, ...]  # names that are certainly another venue's
    printed: Mapping[str, Any]  # with volume and pages in the venue; empty if those that are known are another venue's


def _read_place(paper: Mapping[str, Any]) -> _Place:
    """Read the venue of a paper, which may have three names: in full, for short, and that of its journal."""
    full_venue = obj(paper.get("publicationVenue"))
    journal = obj(paper.get("journal"))
    journal_name = text(journal.get("name"))
    # `venue` is empty in 7 of 100 records and often an acronym; `publicationVenue` has the full name.
    venue = strict_text(full_venue.get("name")) or strict_text(paper.get("venue")) or strict_text(journal.get("name"))
    also_named = [text(paper.get("venue")), journal_name]
    # Those that certainly name another venue: of an empty name, or a doubtful one, the outcome is "unknown".
    elsewhere = [it for it in dict.fromkeys(also_named) if venue_names.compare(venue, [it]) == "different"]
    aliases = [*texts(full_venue.get("alternate_names")), *also_named]
    return _Place(
        venue,
        tuple(dict.fromkeys(it for it in aliases if it and it != venue and it not in elsewhere)),
        tuple(elsewhere),
        {} if journal_name in elsewhere else journal,  # volume and pages are those of the journal
    )


def _type(paper: Mapping[str, Any], venue_type: str, venue: str) -> str:
    """Tell the type of a paper by its venue's name, else by `venue_type`, else by the paper's own kinds; "" if unknown.

    `venue_type` is what the service says of the venue, "conference", "journal" or ""; the paper's own kinds are
    {"publicationTypes": ["JournalArticle", …]}.
    """
    if venue.casefold() in _PREPRINTS:
        return "preprint"
    kinds = texts(paper.get("publicationTypes"))
    if venue_type == "conference" or ("Conference" in kinds and venue_type != "journal"):
        return "paper-conference"
    if venue_type == "journal" or "JournalArticle" in kinds:
        return "article-journal"
    if "Book" in kinds:
        return "book"
    return "chapter" if "BookSection" in kinds else ""


def _full_texts(paper: Mapping[str, Any]) -> list[str]:
    """The PDF of {"openAccessPdf": {"url": "", "disclaimer": "Notice: … at https://arxiv.org/abs/…, which …"}}.

    If the address of an open work is withheld, the first one that the disclaimer names.
    """
    address = text(dig(paper, "openAccessPdf", "url"))
    if address:
        return [address]
    in_disclaimer = _URL.search(text(dig(paper, "openAccessPdf", "disclaimer")))
    return [in_disclaimer[0].rstrip(".")] if in_disclaimer and paper.get("isOpenAccess") else []
