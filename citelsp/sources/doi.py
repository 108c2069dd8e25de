"""doi.org: does a DOI exist, who registered it, and what its agency says of it (CSL-JSON)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from citelsp.knowledge import Absent, Lookup, Unavailable
from citelsp.sources import cached_lookups, crossref, registry
from citelsp.sources.answer_cache import ABSENT_SECONDS, FOUND_SECONDS
from citelsp.sources.connections import Ask, encoded
from citelsp.sources.http import Client
from citelsp.sources.http_answers import Missing
from citelsp.sources.reference_query import answer, chunks, today
from citelsp.sources.shape import objects, own, text

_CSL = "application/vnd.citationstyles.csl+json"
_BATCH = 25
_NONE = "none "


@dataclass(frozen=True, slots=True)
class Registered:
    """The DOI exists; `agency` is "Crossref", "DataCite", "mEDRA", …"""

    agency: str


@cached_lookups.lookup("doi")
async def lookup(client: Client, doi: str) -> Lookup:
    """The work by content negotiation.  Absent means that the DOI does not exist."""
    ask = Ask("doi", f"/{encoded(doi)}", accept=_CSL, answers=(400,))
    reply = await client.ask(ask)
    if isinstance(reply, Unavailable):
        return reply
    if isinstance(reply, Missing) or reply.status == 400:
        # A 404 behind the redirect is the agency's, which may lack what exists: only doi.org can say that it does not.
        is_authority = reply.url.startswith(registry.base_url(client.settings, "doi"))
        return Absent("doi", today()) if is_authority else Unavailable("doi", "registered, but unknown to its agency")
    found = answer("doi", reply, lambda data: [replace(crossref.read_record(own(data, "DOI", "title")), source="doi")])
    return Unavailable("doi", "registered, but no service describes it") if isinstance(found, Absent) else found


async def agencies(client: Client, dois: Sequence[str]) -> Mapping[str, Registered | Absent | Unavailable]:
    """Who registered each DOI; Absent is the authority's word that it does not exist.  Both are kept."""
    known = {doi: cached for doi in dois if (cached := await _cached(client, doi))}
    asked = await _agencies(client, [doi for doi in dict.fromkeys(dois) if doi not in known])
    for doi, agency in asked.items():
        await _cache(client, doi, agency)
    return known | dict(asked)


async def _cached(client: Client, doi: str) -> Registered | Absent | None:
    agency = await client.cache.get_text("doi", f"agency {doi.casefold()}") if client.cache else None
    if agency is None:
        return None
    return Absent("doi", agency.removeprefix(_NONE)) if agency.startswith(_NONE) else Registered(agency)


async def _cache(client: Client, doi: str, answer: Registered | Absent | Unavailable) -> None:
    if client.cache is None or isinstance(answer, Unavailable):
        return
    text, seconds = (
        (answer.agency, FOUND_SECONDS) if isinstance(answer, Registered) else (_NONE + answer.asked, ABSENT_SECONDS)
    )
    await client.cache.put_text("doi", f"agency {doi.casefold()}", text, seconds)


async def _agencies(client: Client, dois: Sequence[str]) -> Mapping[str, Registered | Absent | Unavailable]:
    found: dict[str, Registered | Absent | Unavailable] = {}
    # The path parts DOIs by commas, escaped or not.
    singles = [doi for doi in dois if "," in doi]
    groups = [*([doi] for doi in singles), *chunks([doi for doi in dois if doi not in singles], _BATCH)]
    for part in groups:
        path = ",".join(encoded(doi, keep="/:;()") for doi in part)
        reply = await client.ask(Ask("doi", f"/doiRA/{path}"))
        if isinstance(reply, Unavailable | Missing):
            trouble = reply if isinstance(reply, Unavailable) else Unavailable("doi", "404 for registration agencies")
            found |= dict.fromkeys(part, trouble)
            continue
        rows = {text(row.get("DOI")).casefold(): row for row in objects(reply.data)}
        found |= {doi: _registered(rows.get(doi.casefold(), {})) for doi in part}
    return found


def _registered(row: Mapping[str, object]) -> Registered | Absent | Unavailable:
    agency = text(row.get("RA"))
    if agency:
        return Registered(agency)
    status = text(row.get("status")).casefold()
    if "not exist" in status or "invalid" in status:
        return Absent("doi", today())
    return Unavailable("doi", f"no agency named: {status or 'nothing'}")
