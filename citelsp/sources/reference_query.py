"""What is asked of every service in the same words, and how its answer becomes a Lookup."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from citelsp.bibliography.journal import Journal, called
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.knowledge import Absent, Found, Lookup, Unavailable
from citelsp.sources.http_answers import Missing, Reply
from citelsp.sources.shape import FormError


@dataclass(frozen=True, slots=True)
class ReferenceQuery:
    """A reference as far as it is known: a title, or text that holds one (a whole reference, or words to search by)."""

    title: str = ""
    authors: tuple[Name, ...] = ()
    year: int | None = None
    text: str = ""
    rows: int = 5  # hits wanted of each service
    within: tuple[str, ...] = ()  # ISSNs of the journal to search in, or OpenAlex's ids of it
    place: tuple[str, ...] = ()  # volume and first page of what stands in the journal that `text` names

    @property
    def search_years(self) -> tuple[int, ...]:
        """The first and the last year to search in, if little else is known than words or the journal; else ()."""
        return (self.year - 1, self.year + 1) if self.year and (self.text or self.within) else ()

    @property
    def words(self) -> str:
        """Title or text without TeX and with plain spaces, as services take it."""
        return searchable(self.title or self.text)


_COMMAND = re.compile(r"\\[a-zA-Z]+\s*|\\.|[{}$~]")


def searchable(text: str) -> str:
    """Words for a search field: TeX dropped, spaces collapsed, no closing full stop, at most 300 characters."""
    return " ".join(_COMMAND.sub(lambda it: " " if it[0] == "~" else "", text).replace("--", "-").split())[:300].rstrip(
        "."
    )


_LETTERS = re.compile(r"[^\W_]+")
_STOP = frozenset(
    {"a", "an", "the", "of", "for", "and", "in", "on", "to", "with", "by", "via", "is", "are", "from", "at", "as"}
)


def required_words(text: str) -> list[str]:
    """The words to ask a service for that wants every one of them met: articles and prepositions are left out."""
    found = _LETTERS.findall(text)
    # A title of stop words alone has to do with them.
    return [word for word in found if word.casefold() not in _STOP] or found


Answer = Reply | Missing | Unavailable
Reader = Callable[[Any], Iterable[Record]]


def today() -> str:
    return date.today().isoformat()


_STRANGE = "an unexpected answer"
_TITLE, _SHORT, _NAME = 2000, 1000, 500  # characters, at least four times those of any work on record here
_PEOPLE = 10_000  # the largest collaborations have half as many


def answer(source: str, reply: Answer, read: Reader) -> Lookup:
    """The records in an answer that have a title, as the others say nothing; if none has one, nothing was learnt.

    `read` raises FormError if the answer is not the service's own, which then says nothing either.
    """
    if isinstance(reply, Unavailable):
        return reply
    if isinstance(reply, Missing):
        return Absent(source, today())
    try:
        records = tuple(map(credible, read(reply.data)))
    except FormError:
        return Unavailable(source, _STRANGE)
    # Records without titles alone: an index that lost them, or another service's answer, but no proof of absence.
    telling = tuple(filter(is_titled, records))
    if records and not telling:
        return Unavailable(source, _STRANGE)
    return Found(source, telling, today()) if telling else Absent(source, today())


def hits(source: str, reply: Answer, read: Reader) -> Lookup:
    """The records in a list of hits, as `answer` reads them; if there is not even a list, nobody has searched."""
    return Unavailable(source, "404 for a list") if isinstance(reply, Missing) else answer(source, reply, read)


def named_journals(source: str, name: str, reply: Answer, read: Callable[[Any], Iterable[Journal]]) -> Lookup:
    """Of the journals in an answer those of this name; a registry answers with all that share a word with it."""
    if isinstance(reply, Unavailable):
        return reply
    if isinstance(reply, Missing):
        return Unavailable(source, "404 for a list")
    try:
        found = called(name, (it for it in read(reply.data) if len(it.title) <= _SHORT))
    except FormError:
        return Unavailable(source, _STRANGE)
    return Found(source, (), today(), found) if found else Absent(source, today())


def is_titled(record: Record) -> bool:
    return bool(record.title)


def credible(record: Record) -> Record:
    """The record; FormError if something in it is longer than any work's, and would take long to compare."""
    short = (record.venue, *record.venue_aliases, record.pages, record.volume, record.issue, record.publisher)
    people = (part for it in record.authors for part in (it.family, it.given, it.suffix))
    if (
        len(record.title) > _TITLE
        or len(record.authors) > _PEOPLE
        or any(len(it) > _SHORT for it in (*short, record.id))
        or any(len(it) > _NAME for it in people)
    ):
        raise FormError
    return record


def titled(records: Iterable[Record]) -> Iterator[Record]:
    """The works of a service that knows the titles of all its works; FormError if one has none."""
    for record in records:
        if not record.title:
            raise FormError
        yield record


def answers_by_identifier(
    source: str,
    values: Sequence[str],
    reply: Answer,
    read: Reader,
    name: Callable[[Record], Iterable[str]],
    is_whole: Callable[[Any], bool] = lambda _: True,
) -> dict[str, Lookup]:
    """One lookup for each value asked for at once; `name` tells the values that a record answers to.

    What an incomplete answer lacks is not absent, nor what an answer lacks that has something nobody asked for, or a
    record of another form, which spoils no other.
    """
    if isinstance(reply, Unavailable | Missing):
        return dict.fromkeys(values, reply if isinstance(reply, Unavailable) else Unavailable(source, "404 for a list"))
    asked = {value.casefold() for value in values}
    known: dict[str, Lookup] = {}
    try:
        lacking: Lookup = (
            Absent(source, today()) if is_whole(reply.data) else Unavailable(source, "an incomplete answer")
        )
        records = iter(read(reply.data))
    except FormError:
        return dict.fromkeys(values, Unavailable(source, _STRANGE))
    for record in _readable(records):
        if record is None:
            lacking = Unavailable(source, _STRANGE)
            continue
        keys = [key.casefold() for key in name(record)]
        for key in keys:
            known.setdefault(key, Found(source, (record,), today()))
        # Something nobody asked for: the answer is of another question, and what it lacks may well exist.
        if not asked.intersection(keys):
            lacking = Unavailable(source, "an answer to another question")
    return {value: known.get(value.casefold(), lacking) for value in values}


def _readable(records: Iterator[Record]) -> Iterator[Record | None]:
    """Each record, or None in the place of one that is not the service's own; the rest counts, if it can be read."""
    while True:
        try:
            record = next(records)
        except StopIteration:
            return
        except FormError:
            yield None
            continue
        try:
            [record] = titled([credible(record)])
        except FormError:
            yield None
        else:
            yield record


def merged(lookups: Iterable[Mapping[str, Lookup]]) -> dict[str, Lookup]:
    return {value: lookup for part in lookups for value, lookup in part.items()}


def chunks(values: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (values[start : start + size] for start in range(0, len(values), size))
