"""OpenReview, with the user's login (`key` is "user:password"): ICLR, NeurIPS, TMLR and workshops."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from http import HTTPStatus
from typing import Any

from citelsp.base.text import Document
from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup, Unavailable
from citelsp.sources import cached_lookups, clean, read_api_key, service_specs
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, parameters
from citelsp.sources.http_response import Missing
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import ReferenceQuery, hits
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import obj, read_objects, require_hits, strict_text, strict_texts, text
from citelsp.syntax import languages
from citelsp.syntax.bibtex import parsing

SPEC = Spec("openreview", "https://api2.openreview.net", interval=1.0)

_UNPUBLISHED = ("submitted", "rejected", "withdrawn", "desk reject", "under review")
_LATEST = 4e12  # milliseconds: beyond 2096 they are no date of a paper, and may be none that Python has


@cached_lookups.lookup("openreview")
async def lookup(client: Client, forum: str) -> Lookup:
    """Look a paper up by the id of its forum: openreview.net/forum?id=…"""
    return await _notes(client, "/notes", {"id": forum})


@cached_lookups.searches("openreview")
async def search(client: Client, question: ReferenceQuery) -> Lookup:
    terms = {
        "term": question.words,
        "type": "terms",
        "content": "title",
        "source": "forum",
        "limit": str(question.rows),
    }
    return await _notes(client, "/notes/search", terms)


async def _notes(client: Client, path: str, query: Mapping[str, str]) -> Lookup:
    token = await _token(client)
    if isinstance(token, Unavailable):
        return token
    headers = (("Authorization", f"Bearer {token}"),)
    reply = await client.ask(Ask("openreview", path, parameters(query), headers=headers))
    if isinstance(reply, Unavailable) and reply.status == HTTPStatus.UNAUTHORIZED:  # the token has expired
        client.tokens.pop("openreview", None)
    return hits("openreview", reply, works)


async def _token(client: Client) -> str | Unavailable:
    """Return the token of this process's login; log in if there is none yet.  Unavailable if that gives none.

    It stays in `client.tokens` until OpenReview refuses it; neither password nor token is stored anywhere else.
    """
    if "openreview" not in client.tokens:
        key = await read_api_key.read_key(service_specs.find_setting(client.settings, "openreview"))
        user, _, password = key.partition(":")
        if not password:
            return Unavailable("openreview", "needs a login: key = user:password")
        reply = await client.ask(Ask("openreview", "/login", body={"id": user, "password": password}))
        if isinstance(reply, Missing):
            return Unavailable("openreview", "no login there")
        if isinstance(reply, Unavailable):
            return reply
        token = text(obj(reply.data).get("token"))
        if not token:
            return Unavailable("openreview", "the login gave no token")
        client.tokens["openreview"] = token
    return client.tokens["openreview"]


def works(data: object) -> Iterator[Record]:
    return map(read_record, require_hits(obj(data).get("count"), read_objects(data, "notes")))


def read_record(raw: object) -> Record:
    """Read a note of either API: values stand plain in the first, "title": "…", below `value` in the second.

    {"forum": "rJ4km2R5t7", "content": {"title": {"value": "…"}, "authors": {"value": ["Jane Roe"]}, "venue": {"value":
    "ICLR 2019"}, "venueid": {"value": "ICLR.cc/2019/Conference"}, "_bibtex": {"value": "@inproceedings{roe2019,
    booktitle={International Conference on Learning Representations}}"}}, "pdate": 1546300800000}

    FormError if a title or name comes in another form: an entry must not be accused by a guess.
    """
    note = obj(raw)
    content = {name: _value(value) for name, value in obj(note.get("content")).items()}
    published = _published(note)
    kind, printed_venue = _read_bibtex(text(content.get("_bibtex")))
    names = [name for name in (printed_venue, text(content.get("venue"))) if name]
    # A rejected or pending paper also has a venue, in which it did not appear: “Submitted to ICLR 2024”, and in
    # earlier years “ICLR 2022 Submitted” with the venueid of the papers that were accepted.
    if _is_unpublished([*names, text(content.get("venueid"))]):
        names = []
    # Profiles also list what DBLP has of a person, preprints among them: “CoRR 2020”.
    is_preprint = not names or venues.is_preprint_server(names[0])
    forum = text(note.get("forum")) or text(note.get("id"))
    url = f"https://openreview.net/forum?id={forum}" if forum else ""
    return Record(
        source="openreview",
        id=forum,
        title=clean.title(strict_text(content.get("title"))),
        authors=tuple(map(clean.display_name, strict_texts(content.get("authors")))),
        years=(published.year,) if published else (),
        date=published.isoformat() if published else "",
        venue=names[0] if names else "",
        venue_aliases=tuple(names[1:]),
        type="preprint" if is_preprint else kind,
        identifiers=make_identifiers(url=url),
        abstract=clean.plain(text(content.get("abstract"))),
        url=url,
    )


def _value(value: object) -> Any:  # noqa: ANN401  a JSON value
    return value.get("value") if isinstance(value, dict) else value


def _published(note: Mapping[str, Any]) -> date | None:
    """The day of publication, else of being shown or made, given in milliseconds since 1970; None if none is known."""
    moment = next((note[name] for name in ("pdate", "odate", "cdate") if isinstance(note.get(name), int)), None)
    if moment is None or not 0 < moment < _LATEST:
        return None
    return datetime.fromtimestamp(moment / 1000, UTC).date()


def _read_bibtex(written: str) -> tuple[str, str]:
    """Read type and venue from the entry that OpenReview offers for a paper; a conference's, and "", if it has none.

    The entry alone tells a journal from a conference.  In early years papers of conferences were `@article`, too.
    """
    syntax = parsing.parse(Document("note.bib", written, languages.BIBTEX.name))
    if not syntax.entries:
        return "paper-conference", ""
    entry = Entry(syntax.entries.node(0), syntax.strings)
    venue = entry.text("journal") or entry.text("booktitle")
    is_article = entry.kind == "article" and venues.form(venue) not in ("conference", "workshop")
    return "article-journal" if is_article else "paper-conference", venue


def _is_unpublished(places: Iterable[str]) -> bool:
    """Whether venues or the venue's id, ICLR.cc/2024/Conference/Rejected_Submission, say so; also if there are none."""
    place = " ".join(places).casefold().replace("_", " ")
    return not place.strip() or any(word in place for word in _UNPUBLISHED)
