"""PubMed by the NCBI E-utilities.  Europe PMC holds the same records and more; this one is opt-in."""

from collections.abc import Iterator, Sequence

from citelsp.bibliography.names import Name
from citelsp.knowledge import Absent, Lookup, Record, Unavailable, Update
from citelsp.sources import clean, ids, kept
from citelsp.sources.http import Ask, Client, parameters
from citelsp.sources.question import Question, by_identifier, chunks, hits, merged, today
from citelsp.sources.reading import Missing
from citelsp.sources.shape import dig, obj, objects, own, text, texts, year

_BATCH = 100


@kept.lookups("pubmed")
async def lookup_many(client: Client, pmids: Sequence[str]) -> dict[str, Lookup]:
    """Up to 100 PMIDs a request."""
    parts = []
    for part in chunks(list(pmids), _BATCH):
        query = parameters({"db": "pubmed", "id": ",".join(part), "retmode": "json", "tool": "citelsp"})
        reply = await client.ask(Ask("pubmed", "/esummary.fcgi", query))
        parts.append(by_identifier("pubmed", part, reply, works, lambda record: [record.id]))
    return merged(parts)


async def lookup(client: Client, pmid: str) -> Lookup:
    return (await lookup_many(client, [pmid]))[pmid]


@kept.searches("pubmed")
async def search(client: Client, question: Question) -> Lookup:
    """By the title's words: two requests."""
    term = f"{question.words.replace('[', ' ').replace(']', ' ')}[ti]"
    query = parameters({"db": "pubmed", "term": term, "retmode": "json", "retmax": question.rows, "tool": "citelsp"})
    reply = await client.ask(Ask("pubmed", "/esearch.fcgi", query))
    if isinstance(reply, Unavailable | Missing):
        return hits("pubmed", reply, works)
    found = texts(dig(reply.data, "esearchresult", "idlist"))
    if not found and "idlist" not in obj(dig(reply.data, "esearchresult")):
        return Unavailable("pubmed", "an answer of another form")
    if not found:
        return Absent("pubmed", today())
    ask = Ask("pubmed", "/esummary.fcgi", parameters({"db": "pubmed", "id": ",".join(found), "retmode": "json"}))
    return hits("pubmed", await client.ask(ask), works)


def works(data: object) -> Iterator[Record]:
    result = own(obj(data).get("result"), "uids")
    return (read_record(result.get(uid)) for uid in texts(result.get("uids")))


def read_record(raw: object) -> Record:
    """A document summary; family names first, initials without dots."""
    work = obj(raw)
    named = {text(it.get("idtype")): text(it.get("value")) for it in objects(work.get("articleids"))}
    published, pages = year(work.get("pubdate")), text(work.get("pages"))
    kinds = {it.casefold() for it in texts(work.get("pubtype"))}
    return Record(
        source="pubmed",
        id=text(work.get("uid")),
        title=clean.title(text(work.get("title"))),
        authors=tuple(_author(text(it.get("name")), text(it.get("authtype"))) for it in objects(work.get("authors"))),
        years=tuple(dict.fromkeys(it for it in (published, year(work.get("epubdate"))) if it)),
        date=text(published),
        venue=text(work.get("fulljournalname")) or text(work.get("source")),
        venue_aliases=tuple(texts(work.get("source"))),
        type="article-journal",
        identifiers=ids.identifiers(
            doi_text=named.get("doi", ""), pmid=text(work.get("uid")), pmcid=ids.pmcid(named.get("pmc", ""))
        ),
        volume=text(work.get("volume")),
        issue=text(work.get("issue")),
        pages=pages,
        updates=(Update("retraction", "pubmed"),) if "retracted publication" in kinds else (),
    )


def _author(name: str, kind: str) -> Name:
    family, _, initials = name.rpartition(" ")
    if kind == "CollectiveName" or not family:
        return Name(name, literal=True)
    return Name(family, " ".join(f"{letter}." for letter in initials))
