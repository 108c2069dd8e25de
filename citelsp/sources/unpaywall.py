"""Unpaywall: where a DOI can be read freely."""

from collections.abc import Mapping
from typing import Any

from citelsp.bibliography.identifiers import normal_doi
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup
from citelsp.sources import cached_lookups, clean
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, encode_segment
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import answer
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import obj, objects, own, strict_objects, strict_text, text, year

SPEC = Spec("unpaywall", "https://api.unpaywall.org", interval=0.1, concurrency=2, email_query="email")

_TYPES = {"journal-article": "article-journal", "proceedings-article": "paper-conference", "posted-content": "preprint"}


@cached_lookups.lookup("unpaywall")
async def lookup(client: Client, doi: str) -> Lookup:
    return answer(
        "unpaywall",
        await client.ask(Ask("unpaywall", f"/v2/{encode_segment(doi)}")),
        lambda data: [read_record(own(data, "doi"))],
    )


def read_record(raw: object) -> Record:
    """Read a DOI object; the best of the places where it can be read freely comes first in `open_access`.

    {"doi": "10.…", "title": "…", "z_authors": [{"raw_author_name": "Jane Roe"}], "year": 2019, "journal_name": "…",
    "genre": "journal-article", "best_oa_location": {"url_for_pdf": null, "url": "https://…"}, "oa_locations": [{…}]}

    FormError if the service sends a title, name or venue in another form: an entry must not be accused by a guess.
    """
    work = obj(raw)
    doi = normal_doi(text(work.get("doi")))
    published = year(work.get("year"))
    places = [obj(work.get("best_oa_location")), *objects(work.get("oa_locations"))]
    links = (text(place.get("url_for_pdf")) or text(place.get("url")) for place in places)
    authors, complete = clean.people(map(_author, strict_objects(work.get("z_authors"))))
    return Record(
        source="unpaywall",
        id=doi,
        title=clean.title(strict_text(work.get("title"))),
        authors=authors,
        authors_complete=complete,
        years=(published,) if published else (),
        date=text(work.get("published_date")),
        venue=clean.plain(strict_text(work.get("journal_name"))),
        type=_TYPES.get(text(work.get("genre")), ""),
        identifiers=make_identifiers(doi_text=doi),
        publisher=text(work.get("publisher")),
        open_access=tuple(dict.fromkeys(filter(None, links))),
    )


def _author(raw: Mapping[str, Any]) -> Name:
    # Older records have parts, newer ones a name in one string.
    family = strict_text(raw.get("family"))
    if family:
        return clean.person(strict_text(raw.get("given")), family)
    return clean.display_name(strict_text(raw.get("raw_author_name")))
