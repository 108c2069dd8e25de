"""PubMed by the NCBI E-utilities.  Europe PMC holds the same records and more; this one is opt-in."""

from collections.abc import Iterator, Sequence

from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.knowledge import Lookup, Unavailable
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, parameters
from citelsp.sources.http_response import Missing
from citelsp.sources.record_identifiers import make_identifiers, normal_pmcid
from citelsp.sources.reference_query import ReferenceQuery, answers_by_identifier, chunks, hits, merge_answers
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import (
    FormError,
    dig,
    number,
    obj,
    objects,
    own,
    read_objects,
    strict_objects,
    strict_text,
    strict_texts,
    text,
    texts,
    year,
)

# NCBI takes three requests a second, ten with a key.
SPEC = Spec(
    "pubmed",
    "https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
    interval=0.35,
    concurrency=2,
    keyed_interval=0.11,
    key_query="api_key",
    email_query="email",
)

# NCBI wants lists of more than 200 by POST.
_BATCH = 100


@cached_lookups.lookups("pubmed")
async def lookup_many(client: Client, pmids: Sequence[str]) -> dict[str, Lookup]:
    """Look articles up, 100 PMIDs a request."""
    parts = []
    for part in chunks(list(pmids), _BATCH):
        reply = await client.ask(_ask_summaries(part))
        parts.append(answers_by_identifier("pubmed", part, reply, works, lambda record: [record.id]))
    return merge_answers(parts)


async def lookup(client: Client, pmid: str) -> Lookup:
    return (await lookup_many(client, [pmid]))[pmid]


@cached_lookups.searches("pubmed")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    """Search by the title's words, in two requests: one for PMIDs, one for the works that have these.

    The first is answered by {"esearchresult": {"idlist": ["312…"]}}.
    """
    words = question.words.replace("[", " ").replace("]", " ")  # brackets hold the name of a field
    term = f"{words}[ti]"
    query = parameters({"db": "pubmed", "term": term, "retmode": "json", "retmax": question.rows, "tool": "citelsp"})
    reply = await client.ask(Ask("pubmed", "/esearch.fcgi", query))
    if isinstance(reply, Unavailable | Missing):
        return hits("pubmed", reply, works)
    pmids = texts(dig(reply.data, "esearchresult", "idlist"))
    if not pmids:  # Absent if the answer counts none, too; else Unavailable
        return hits("pubmed", reply, _expect_no_works)
    return hits("pubmed", await client.ask(_ask_summaries(pmids)), works)


def _ask_summaries(pmids: Sequence[str]) -> Ask:
    query = parameters({"db": "pubmed", "id": ",".join(pmids), "retmode": "json", "tool": "citelsp"})
    return Ask("pubmed", "/esummary.fcgi", query)


def _expect_no_works(data: object) -> list[Record]:
    """The works of a search that has none; FormError if it counts some."""
    result = obj(dig(data, "esearchresult"))
    if read_objects(result, "idlist") or number(result.get("count")) != 0:
        raise FormError
    return []


def works(data: object) -> Iterator[Record]:
    """The works of {"result": {"uids": ["31234567"], "31234567": {"uid": "31234567", …}}}.

    What has an error instead of a record, {"uid": "1", "error": "…"}, is not there.
    """
    result = own(obj(data).get("result"), "uids")
    if not isinstance(result["uids"], list):
        raise FormError
    summaries = (own(result.get(uid), "uid") for uid in strict_texts(result.get("uids")))
    return (read_record(it) for it in summaries if not it.get("error"))


def read_record(raw: object) -> Record:
    """Read a document summary; in it family names come first, and initials have no dots.

    {"uid": "31234567", "title": "….", "authors": [{"name": "Roe JA", "authtype": "Author"}], "pubdate": "2019 May 2",
    "fulljournalname": "…", "source": "J Ex", "articleids": [{"idtype": "doi", "value": "10.…"}], "pubtype": ["…"]}

    FormError if a title, name, venue or pages come in another form: an entry must not be accused by a guess.
    """
    work = obj(raw)
    value_of = {text(it.get("idtype")): text(it.get("value")) for it in objects(work.get("articleids"))}
    published = year(work.get("pubdate"))
    people = strict_objects(work.get("authors"))
    authors, complete = clean.people(_author(strict_text(it.get("name")), text(it.get("authtype"))) for it in people)
    kinds = {it.casefold() for it in texts(work.get("pubtype"))}
    return Record(
        source="pubmed",
        id=text(work.get("uid")),
        title=clean.title(strict_text(work.get("title"))),
        authors=authors,
        authors_complete=complete,
        years=tuple(dict.fromkeys(it for it in (published, year(work.get("epubdate"))) if it)),
        date=text(published),
        venue=strict_text(work.get("fulljournalname")) or strict_text(work.get("source")),
        venue_aliases=tuple(texts(work.get("source"))),
        type="preprint" if "preprint" in kinds else "article-journal",
        identifiers=make_identifiers(
            doi_text=value_of.get("doi", ""), pmid=text(work.get("uid")), pmcid=normal_pmcid(value_of.get("pmc", ""))
        ),
        volume=text(work.get("volume")),
        issue=text(work.get("issue")),
        pages=strict_text(work.get("pages")),
        updates=(Update("retraction", "pubmed"),) if "retracted publication" in kinds else (),
    )


def _author(name: str, kind: str) -> Name:
    family, _, initials = name.rpartition(" ")
    if kind == "CollectiveName" or not family:
        return Name(name, literal=True)
    return Name(family, " ".join(f"{letter}." for letter in initials))
