"""Answers as JSON text and back.  Text that does not fit, say of another version, reads as no answer."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.knowledge import Absent, Found, Lookup, Record, Update
from citelsp.sources.shape import items, obj, objects, text

VERSION = 2
_KNOWN = frozenset(field.name for field in fields(Record))


def dumps(answer: Found | Absent) -> str:
    records = [slim(asdict(record)) for record in answer.records] if isinstance(answer, Found) else []
    content = {"version": VERSION, "found": isinstance(answer, Found), "asked": answer.asked, "records": records}
    return json.dumps(content, ensure_ascii=False)


def lookup(source: str, stored: str) -> Lookup | None:
    """The answer that `dumps` wrote; None where it cannot be read."""
    try:
        raw = obj(json.loads(stored))
        if raw.get("version") != VERSION:
            return None
        records = tuple(record(item) for item in objects(raw.get("records")))
    except (ValueError, TypeError):
        return None
    asked = text(raw.get("asked"))
    return Found(source, records, asked) if raw.get("found") else Absent(source, asked)


def record(raw: Mapping[str, Any]) -> Record:
    """Raises TypeError where the mapping is not that of a record."""
    plain: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in raw.items() if name in _KNOWN
    }
    plain["authors"] = tuple(Name(**it) for it in objects(raw.get("authors")))
    plain["identifiers"] = Identifiers(**obj(raw.get("identifiers")))
    plain["updates"] = tuple(Update(**it) for it in objects(raw.get("updates")))
    plain["origins"] = {name: tuple(value) for name, value in obj(raw.get("origins")).items()}
    plain["disputed"] = {
        name: tuple((text(items(it)[0]), text(items(it)[1])) for it in value)
        for name, value in obj(raw.get("disputed")).items()
    }
    return Record(**plain)


def slim(value: Any) -> Any:  # noqa: ANN401  a JSON value
    """Without what is empty and has a default."""
    if isinstance(value, dict):
        items_ = {name: slim(item) for name, item in value.items()}
        return {name: item for name, item in items_.items() if item not in ("", None, [], {}, ())} | _kept(value)
    return [slim(item) for item in value] if isinstance(value, tuple | list) else value


def _kept(value: Mapping[str, Any]) -> dict[str, Any]:
    """Fields without a default are written even if empty."""
    return {name: value[name] for name in ("source", "id", "title", "family", "kind") if name in value}
