"""doi.org: does a DOI exist, who registered it, and what its agency says of it (CSL-JSON)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from citelsp.bibliography.record import Record
from citelsp.knowledge import Absent, Lookup, Unavailable
from citelsp.sources import cached_lookups, crossref, service_specs
from citelsp.sources.answer_cache import ABSENT_SECONDS, FOUND_SECONDS
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, encode_segment
from citelsp.sources.http_response import Missing
from citelsp.sources.reference_query import answer, chunks, is_titled, today
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import objects, own, text

SPEC = Spec("doi", "https://doi.org", interval=0.3, concurrency=2, html_absence=True)

_CSL = "application/vnd.citationstyles.csl+json"
_BATCH = 25
_ABSENT = "none "  # before the day on which doi.org said so: what is cached of a DOI that does not exist


@dataclass(frozen=True, slots=True)
class Registered:
    """The DOI exists; `agency` is "Crossref", "DataCite", "mEDRA", …"""

    agency: str


@cached_lookups.lookup("doi")
async def lookup(client: Client, doi: str) -> Lookup:
    """Ask doi.org for the work, which passes the question on to the agency that registered the DOI.

    Absent means that the DOI does not exist.  Unavailable also if it exists, but its agency does not know it or says
    nothing of the work.
    """
    # 400: what is no DOI does not exist either.
    ask = Ask("doi", f"/{encode_segment(doi)}", accept=_CSL, answers=(400,))
    reply = await client.ask(ask)
    if isinstance(reply, Unavailable):
        return reply
    if isinstance(reply, Missing) or reply.status == 400:
        # A 404 behind the redirect is the agency's, which may lack what exists: only doi.org can say that it does not.
        is_authority = reply.url.startswith(f"{service_specs.base_url(client.settings, 'doi')}/")
        return Absent("doi", today()) if is_authority else Unavailable("doi", "registered, but unknown to its agency")
    work = answer("doi", reply, lambda data: filter(is_titled, [_read_record(data)]))
    # Absent is here what has a description without a title.
    return Unavailable("doi", "registered, but no service describes it") if isinstance(work, Absent) else work


def _read_record(data: object) -> Record:
    return replace(crossref.read_record(own(data, "DOI", "title")), source="doi")


async def agencies(client: Client, dois: Sequence[str]) -> Mapping[str, Registered | Absent | Unavailable]:
    """Tell who registered each DOI; Absent is the authority's word that it does not exist.  Both are cached."""
    answers: dict[str, Registered | Absent | Unavailable] = {}
    for doi in dois:
        cached = await _cached(client, doi)
        if cached:
            answers[doi] = cached
    asked = await _ask_agencies(client, [doi for doi in dict.fromkeys(dois) if doi not in answers])
    for doi, agency in asked.items():
        await _cache(client, doi, agency)
    return answers | dict(asked)


async def _cached(client: Client, doi: str) -> Registered | Absent | None:
    """Read from the cache what doi.org said of a DOI; None if it was not asked lately."""
    agency = await client.cache.get_text("doi", f"agency {doi.casefold()}") if client.cache else None
    if agency is None:
        return None
    return Absent("doi", agency.removeprefix(_ABSENT)) if agency.startswith(_ABSENT) else Registered(agency)


async def _cache(client: Client, doi: str, answer: Registered | Absent | Unavailable) -> None:
    if client.cache is None or isinstance(answer, Unavailable):
        return
    question = f"agency {doi.casefold()}"
    if isinstance(answer, Registered):
        await client.cache.put_text("doi", question, answer.agency, FOUND_SECONDS)
    else:
        await client.cache.put_text("doi", question, _ABSENT + answer.asked, ABSENT_SECONDS)


async def _ask_agencies(client: Client, dois: Sequence[str]) -> Mapping[str, Registered | Absent | Unavailable]:
    """Ask who registered each DOI, in groups of 25.

    An answer is [{"DOI": "10.1038/…", "RA": "Crossref"}, …], in any order.
    """
    answers: dict[str, Registered | Absent | Unavailable] = {}
    # The path parts DOIs by commas, escaped or not: a DOI with a comma is asked for alone.
    singles = [doi for doi in dois if "," in doi]
    groups = [*([doi] for doi in singles), *chunks([doi for doi in dois if doi not in singles], _BATCH)]
    for group in groups:
        path = ",".join(encode_segment(doi, keep="/:;()") for doi in group)
        reply = await client.ask(Ask("doi", f"/doiRA/{path}"))
        if isinstance(reply, Missing):
            reply = Unavailable("doi", "404 for registration agencies")
        if isinstance(reply, Unavailable):
            answers |= dict.fromkeys(group, reply)
            continue
        row_of = {text(row.get("DOI")).casefold(): row for row in objects(reply.data)}
        answers |= {doi: _read_agency(row_of.get(doi.casefold(), {})) for doi in group}
    return answers


def _read_agency(row: Mapping[str, object]) -> Registered | Absent | Unavailable:
    """{"RA": "Crossref"}, or {"status": "DOI does not exist"} or "Invalid DOI"; anything else says nothing."""
    agency = text(row.get("RA"))
    if agency:
        return Registered(agency)
    status = text(row.get("status")).casefold()
    if "not exist" in status or "invalid" in status:
        return Absent("doi", today())
    return Unavailable("doi", f"no agency named: {status or 'nothing'}")
