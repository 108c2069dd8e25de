"""What is asked of every service in the same words, and how its answer becomes a Lookup."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from citelsp.bibliography.names import Name
from citelsp.knowledge import Absent, Found, Lookup, Record, Unavailable
from citelsp.sources.reading import Missing, Reply
from citelsp.sources.shape import FormError


@dataclass(frozen=True, slots=True)
class Question:
    """A reference as far as it is known: a title, or text that holds one (a whole reference, or words to search by)."""

    title: str = ""
    authors: tuple[Name, ...] = ()
    year: int | None = None
    text: str = ""
    rows: int = 5  # hits wanted of each service

    @property
    def near(self) -> tuple[int, ...]:
        """The first and the last year to search in, where all that is known beside the year are words; else ()."""
        return (self.year - 1, self.year + 1) if self.year and self.text else ()

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


Answer = Reply | Missing | Unavailable
Reader = Callable[[Any], Iterable[Record]]


def today() -> str:
    return date.today().isoformat()


_STRANGE = "an answer of another form"


def answer(source: str, reply: Answer, read: Reader) -> Lookup:
    """The records in an answer; records without a title say nothing and do not count.

    `read` raises FormError where the answer is not the service's own, which then says nothing.
    """
    if isinstance(reply, Unavailable):
        return reply
    try:
        records = () if isinstance(reply, Missing) else tuple(record for record in read(reply.data) if record.title)
    except FormError:
        return Unavailable(source, _STRANGE)
    return Found(source, records, today()) if records else Absent(source, today())


def hits(source: str, reply: Answer, read: Reader) -> Lookup:
    """As `answer`, of a list: where even that is not there, nobody has searched."""
    return Unavailable(source, "404 for a list") if isinstance(reply, Missing) else answer(source, reply, read)


def by_identifier(
    source: str,
    values: Sequence[str],
    reply: Answer,
    read: Reader,
    name: Callable[[Record], Iterable[str]],
    is_whole: Callable[[Any], bool] = lambda _: True,
) -> dict[str, Lookup]:
    """One lookup for each value asked for at once; `name` tells the values that a record answers to.

    What half an answer lacks is not absent.
    """
    lookup = hits(source, reply, read)
    if isinstance(lookup, Unavailable):
        return dict.fromkeys(values, lookup)
    records = lookup.records if isinstance(lookup, Found) else ()
    known: dict[str, Lookup] = {}
    for record in records:
        for key in name(record):
            known.setdefault(key.casefold(), Found(source, (record,), today()))
    is_half = isinstance(reply, Reply) and not is_whole(reply.data)
    lacking = Unavailable(source, "half an answer") if is_half else Absent(source, today())
    return {value: known.get(value.casefold(), lacking) for value in values}


def merged(lookups: Iterable[Mapping[str, Lookup]]) -> dict[str, Lookup]:
    return {value: lookup for part in lookups for value, lookup in part.items()}


def chunks(values: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (values[start : start + size] for start in range(0, len(values), size))
