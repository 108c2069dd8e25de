"""What is asked of every service in the same words, and how its answer becomes a Lookup."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.registered_journal import Journal, find_journals
from citelsp.knowledge import Absent, Found, Lookup, Unavailable
from citelsp.sources.http_response import Missing, Reply
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


_COMMAND = re.compile(r"\\[a-zA-Z]+\s*|\\.|[{}$~]")  # TeX's
_SEARCHED = 300  # characters


def searchable(text: str) -> str:
    """Words for a search field: TeX dropped, spaces collapsed, no closing full stop, at most 300 characters."""
    without_tex = _COMMAND.sub(lambda it: " " if it[0] == "~" else "", text)
    words = " ".join(without_tex.replace("--", "-").split())
    return words[:_SEARCHED].rstrip(".")


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
# Characters, at least four times those of any work on record here: of titles, of other short texts, of people's names.
_LONGEST_TITLE, _LONGEST_TEXT, _LONGEST_NAME = 2000, 1000, 500
_MOST_PEOPLE = 10_000  # the largest collaborations have half as many


def answer(source: str, reply: Answer, read: Reader) -> Lookup:
    """Return the records that `read` finds in an answer and that have a title; Absent if there are none, or for a 404.

    Unavailable if there are only records without titles, or `read` raises FormError: such an answer is not the
    service's own, and nothing was learnt.
    """
    if isinstance(reply, Unavailable):
        return reply
    if isinstance(reply, Missing):
        return Absent(source, today())
    try:
        records = tuple(map(check_lengths, read(reply.data)))
    except FormError:
        return Unavailable(source, _STRANGE)
    with_titles = tuple(filter(is_titled, records))
    if with_titles:
        return Found(source, with_titles, today())
    # Records without titles alone: an index that lost them, or another service's answer, but no proof of absence.
    return Unavailable(source, _STRANGE) if records else Absent(source, today())


def hits(source: str, reply: Answer, read: Reader) -> Lookup:
    """Return the records in a list of hits, as `answer` does; Unavailable for a 404, as then nobody has searched."""
    return Unavailable(source, "404 for a list") if isinstance(reply, Missing) else answer(source, reply, read)


def named_journals(source: str, name: str, reply: Answer, read: Callable[[Any], Iterable[Journal]]) -> Lookup:
    """Choose the journals of this name in an answer: a registry answers with all that share a word with it.

    Absent if none of them has the name; Unavailable if `read` raises FormError, and for a 404, as then nobody has
    searched.  A journal whose title is longer than any is left out.
    """
    if isinstance(reply, Unavailable):
        return reply
    if isinstance(reply, Missing):
        return Unavailable(source, "404 for a list")
    try:
        journals = find_journals(name, (it for it in read(reply.data) if len(it.title) <= _LONGEST_TEXT))
    except FormError:
        return Unavailable(source, _STRANGE)
    return Found(source, (), today(), journals) if journals else Absent(source, today())


def is_titled(record: Record) -> bool:
    return bool(record.title)


def check_lengths(record: Record) -> Record:
    """Return the record; FormError if something in it is longer than any work has, and would take long to compare."""
    venues = (record.venue, *record.venue_aliases)
    short_texts = (*venues, record.pages, record.volume, record.issue, record.publisher, record.id)
    names = (part for it in record.authors for part in (it.family, it.given, it.suffix))
    if (
        len(record.title) > _LONGEST_TITLE
        or len(record.authors) > _MOST_PEOPLE
        or any(len(it) > _LONGEST_TEXT for it in short_texts)
        or any(len(it) > _LONGEST_NAME for it in names)
    ):
        raise FormError
    return record


def require_titles(records: Iterable[Record]) -> Iterator[Record]:
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
    """Sort the records of one answer by the values that were asked for, and return a lookup for each of these.

    After a 404 all are Unavailable, as `hits` has it.
    `name` gives the identifiers of a record, with which the values are compared in any letter case.
    A value without a record is Absent only if the answer is whole by `is_whole`, each record in it can be read, and
    each was asked for; else it is Unavailable.  A record of another form spoils no other.
    """
    if isinstance(reply, Missing):
        reply = Unavailable(source, "404 for a list")
    if isinstance(reply, Unavailable):
        return dict.fromkeys(values, reply)
    asked = {value.casefold() for value in values}
    answers: dict[str, Lookup] = {}
    try:
        is_complete = is_whole(reply.data)
        records = iter(read(reply.data))
    except FormError:
        return dict.fromkeys(values, Unavailable(source, _STRANGE))
    # What is said of the values without a record.
    others: Lookup = Absent(source, today()) if is_complete else Unavailable(source, "an incomplete answer")
    for record in _readable(records):
        if record is None:
            others = Unavailable(source, _STRANGE)
            continue
        keys = [key.casefold() for key in name(record)]
        for key in keys:  # of two records with one identifier the first counts
            answers.setdefault(key, Found(source, (record,), today()))
        # Something nobody asked for: the answer is of another question, and what it lacks may well exist.
        if not asked.intersection(keys):
            others = Unavailable(source, "an answer to another question")
    return {value: answers.get(value.casefold(), others) for value in values}


def _readable(records: Iterator[Record]) -> Iterator[Record | None]:
    """Yield each record, or None in the place of one that is not the service's own, or too long, or has no title.

    After a FormError the records that follow are read if the iterator goes on, as `map` does; a generator does not.
    """
    while True:
        try:
            record = next(records)
            is_readable = is_titled(check_lengths(record))
        except StopIteration:
            return
        except FormError:
            is_readable = False
        yield record if is_readable else None


def merge_answers(lookups: Iterable[Mapping[str, Lookup]]) -> dict[str, Lookup]:
    return {value: lookup for part in lookups for value, lookup in part.items()}


def chunks(values: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (values[start : start + size] for start in range(0, len(values), size))
