"""OpenReview, with the user's login (`key` is "user:password"): ICLR, NeurIPS, TMLR and workshops."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from citelsp.bibliography.record import Record
from citelsp.knowledge import Lookup, Unavailable
from citelsp.sources import cached_lookups, clean, ids, keys, registry
from citelsp.sources.connections import Ask, parameters
from citelsp.sources.http import Client
from citelsp.sources.http_answers import Missing
from citelsp.sources.reference_query import ReferenceQuery, hits
from citelsp.sources.shape import counted, listed, obj, strict_text, strict_texts, text

_UNPUBLISHED = ("submitted to", "rejected", "withdrawn", "desk reject", "under review")


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
    return hits("openreview", await client.ask(Ask("openreview", path, parameters(query), headers=headers)), works)


async def _token(client: Client) -> str | Unavailable:
    """One login for the process; neither password nor token is kept anywhere else."""
    if "openreview" not in client.tokens:
        user, _, password = (await keys.read(registry.setting(client.settings, "openreview"))).partition(":")
        if not password:
            return Unavailable("openreview", "needs a login: key = user:password")
        reply = await client.ask(Ask("openreview", "/login", body={"id": user, "password": password}))
        if isinstance(reply, Unavailable | Missing):
            return reply if isinstance(reply, Unavailable) else Unavailable("openreview", "no login there")
        client.tokens["openreview"] = text(obj(reply.data).get("token"))
    return client.tokens["openreview"]


def works(data: object) -> Iterator[Record]:
    return map(read_record, counted(obj(data).get("count"), listed(data, "notes")))


def read_record(raw: object) -> Record:
    """A note of either API: values stand plain in the first, below `value` in the second."""
    note = obj(raw)
    content = {name: _value(value) for name, value in obj(note.get("content")).items()}
    moment = next((note[name] for name in ("pdate", "odate", "cdate") if isinstance(note.get(name), int)), None)
    # Milliseconds; beyond 2096 they are no date of a paper, and may be none that Python has.
    when = datetime.fromtimestamp(moment / 1000, UTC) if moment is not None and 0 < moment < 4e12 else None
    # A rejected or pending paper also has a venue, “Submitted to ICLR 2024”, in which it did not appear.
    venue = text(content.get("venue"))
    is_published = not _is_unpublished(content)
    forum = text(note.get("forum")) or text(note.get("id"))
    return Record(
        source="openreview",
        id=forum,
        title=clean.title(strict_text(content.get("title"))),
        authors=tuple(map(clean.display_name, strict_texts(content.get("authors")))),
        years=(when.year,) if when else (),
        date=when.date().isoformat() if when else "",
        venue=venue if is_published else "",
        type="paper-conference" if venue and is_published else "preprint",
        identifiers=ids.identifiers(url=f"https://openreview.net/forum?id={forum}" if forum else ""),
        abstract=clean.plain(text(content.get("abstract"))),
        url=f"https://openreview.net/forum?id={forum}" if forum else "",
    )


def _value(value: object) -> Any:  # noqa: ANN401  a JSON value
    return value.get("value") if isinstance(value, dict) else value


def _is_unpublished(content: Mapping[str, Any]) -> bool:
    place = f"{text(content.get('venue'))} {text(content.get('venueid'))}".casefold().replace("_", " ")
    return not place.strip() or any(word in place for word in _UNPUBLISHED)
