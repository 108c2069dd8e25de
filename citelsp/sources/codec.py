"""Answers as JSON text and back.  Text that does not fit, say of another version, reads as no answer."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.bibliography.registered_journal import Journal
from citelsp.knowledge import Absent, Found, Lookup
from citelsp.sources.shape import items, obj, objects, text

# Raised as soon as a record means something else than before: answers of older versions are asked anew.
VERSION = 2
_KNOWN = frozenset(field.name for field in fields(Record))


def dumps(answer: Found | Absent) -> str:
    records = list(map(plain, answer.records)) if isinstance(answer, Found) else []
    content = {"version": VERSION, "found": isinstance(answer, Found), "asked": answer.asked, "records": records}
    if isinstance(answer, Found) and answer.journals:
        content["journals"] = list(map(plain, answer.journals))
    return json.dumps(content, ensure_ascii=False)


def lookup(source: str, stored: str) -> Lookup | None:
    """Read an answer that `dumps` wrote; None if it cannot be read, or another version of the code wrote it."""
    try:
        raw = obj(json.loads(stored))
        if raw.get("version") != VERSION:
            return None
        records = tuple(record(item) for item in objects(raw.get("records")))
        journals = tuple(_journal(item) for item in objects(raw.get("journals")))
    except (ValueError, TypeError, IndexError, RecursionError):
        return None
    asked = text(raw.get("asked"))  # on which day
    return Found(source, records, asked, journals) if raw.get("found") else Absent(source, asked)


def _journal(raw: Mapping[str, Any]) -> Journal:
    works = tuple((int(year), int(count)) for year, count in map(items, items(raw.get("works"))))
    return Journal(
        text(raw.get("source")),
        text(raw.get("id")),
        text(raw.get("title")),
        tuple(map(text, items(raw.get("names")))),
        tuple(map(text, items(raw.get("issns")))),
        works,
    )


def record(raw: Mapping[str, Any]) -> Record:
    """Make a record again of the mapping that `plain` made; members that a record does not have are left out.

    TypeError, ValueError or IndexError if `raw` is not the mapping of a record.
    """
    values: dict[str, Any] = {}
    for name, value in raw.items():
        if name in _KNOWN:
            values[name] = tuple(value) if isinstance(value, list) else value
    values["authors"] = tuple(Name(**author) for author in objects(raw.get("authors")))
    values["identifiers"] = Identifiers(**obj(raw.get("identifiers")))
    values["updates"] = tuple(Update(**update) for update in objects(raw.get("updates")))
    values["origins"] = {field: tuple(sources) for field, sources in obj(raw.get("origins")).items()}
    disputed: dict[str, tuple[tuple[str, str], ...]] = {}
    for field, pairs in obj(raw.get("disputed")).items():
        disputed[field] = tuple((text(items(pair)[0]), text(items(pair)[1])) for pair in pairs)  # source, its value
    values["disputed"] = disputed
    return Record(**values)


def plain(value: Any) -> Any:  # noqa: ANN401  a JSON value
    """Write a dataclass, or what its fields hold, as JSON; fields that have their defaults are left out."""
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, tuple | list):
        return list(map(plain, value))
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    known = _fields(type(value))  # type: ignore[arg-type]  # every class is hashable
    members = ((name, getattr(value, name), default) for name, default in known)
    return {name: plain(item) for name, item, default in members if item != default}


@cache
def _fields(kind: type) -> tuple[tuple[str, object], ...]:
    """Each field's name and default; MISSING equals no value."""
    return tuple(
        (member.name, member.default if member.default_factory is MISSING else member.default_factory())
        for member in fields(kind)
    )
