"""Verdicts kept in the user's cache by the content of the entry, for as long as their kind stays true.

What could not be checked is never kept, nor what is found right while the registry of its DOI is silent; any other
verdict but "verified" that some service had no part in is kept for a day.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, get_args

from citelsp.bibliography.identifiers import DATACITE_DOIS
from citelsp.bibliography.record import Record
from citelsp.knowledge import Difference, Effect, Holding, Ruling, Traced, Verdict, VerdictKind
from citelsp.sources import codec
from citelsp.sources.answer_cache import Cache
from citelsp.sources.shape import items, obj, objects, text

VERSION = 28  # of the form and of the rules: what older rules said is judged anew
_DAY = 86400.0
_UNDISPUTED: Mapping[str, tuple[tuple[str, str], ...]] = {}
_DAYS: Mapping[VerdictKind, float] = {
    "verified": 90,
    "retracted": 30,
    "mismatch": 7,
    "conflict": 7,
    "not-found": 7,
    "unconfirmed": 7,
}


async def read(cache: Cache | None, fingerprints: Sequence[str]) -> dict[str, Verdict]:
    """Read the cached verdicts of these fingerprints that are not too old."""
    return _read(await cache.get_texts("verdict", fingerprints)) if cache else {}


def read_at_once(cache: Cache, fingerprints: Sequence[str]) -> dict[str, Verdict]:
    """Do the same as `read`, but block until it is done."""
    return _read(cache.texts("verdict", fingerprints))


def holds_any(cache: Cache) -> bool:
    """False if no verdict is kept, so that no entry need be asked for its fingerprint."""
    return cache.holds_any("verdict")


def _read(stored: Mapping[str, str]) -> dict[str, Verdict]:
    found = {key: loads(it) for key, it in stored.items()}
    return {key: slim(verdict) for key, verdict in found.items() if verdict is not None}


async def write(cache: Cache | None, fingerprint: str, verdict: Verdict) -> None:
    """Cache a slim verdict for as many days as it may be; nothing is written if that is none, or without a cache."""
    days = _days(verdict)
    if cache is not None and days:
        await cache.put_text("verdict", fingerprint, dumps(verdict), days * _DAY)


def _days(verdict: Verdict) -> float:
    """Return for how many days the verdict stays in the cache; 0 if it is not cached."""
    days = _DAYS.get(verdict.kind, 0.0)
    if verdict.kind == "verified":
        return 0.0 if lacks_its_registry(verdict) else days
    return min(days, 1.0) if verdict.unavailable else days


def lacks_its_registry(verdict: Verdict) -> bool:
    """Whether Crossref, which alone knows the place in print for certain, and retractions, has still to be asked."""
    doi = verdict.record.identifiers.doi if verdict.record else ""
    silent = "crossref" in verdict.unavailable and "crossref" not in verdict.asked
    return silent and bool(doi) and not doi.startswith(DATACITE_DOIS)


def slim(verdict: Verdict) -> Verdict:
    """Return the verdict with only what findings and pop-ups need of it.

    Of the sources' own records those with notices (of a retraction, say) stay, and those that have an identifier of a
    kind of which the entry's own leads nowhere, as the finding names them; only the merged record keeps its abstract.
    To save memory, equal names and rulings become the same objects in all verdicts.
    """
    unregistered = {traced.name for traced in verdict.traced if traced.leads == "nowhere"}  # kinds: "doi"

    def serves_findings(record: Record) -> bool:
        return bool(record.updates) or any(getattr(record.identifiers, kind) for kind in unregistered)

    return replace(
        verdict,
        record=_slim(verdict.record, abstract=True) if verdict.record else None,
        records=tuple(map(_slim, filter(serves_findings, verdict.records))),
        alternatives=tuple(map(_slim, verdict.alternatives)),
        traced=tuple(map(_slim_traced, verdict.traced)),
        asked=_shared_names(verdict.asked),
        unavailable=_shared_names(verdict.unavailable),
        rules=tuple(
            _shared_ruling(ruling.subject, ruling.rule, ruling.effect, ruling.sources, ruling.sentence)
            for ruling in verdict.rules
        ),
    )


def dumps(verdict: Verdict) -> str:
    """As JSON."""
    return json.dumps({"version": VERSION, **codec.plain(verdict)}, ensure_ascii=False)


def _slim_traced(traced: Traced) -> Traced:
    """Return where an identifier leads, with the record only if it is another work's: the cited one is kept already."""
    other_work = traced.record if traced.leads == "elsewhere" else None
    return replace(traced, record=_slim(other_work) if other_work else None)


def loads(stored: str) -> Verdict | None:
    """Return the verdict that `dumps` wrote; None if it cannot be read."""
    try:
        return _verdict_in(obj(json.loads(stored)))
    except (ValueError, TypeError, IndexError, RecursionError):
        return None


def _slim(record: Record, *, abstract: bool = False) -> Record:
    return replace(
        record,
        abstract=record.abstract if abstract else "",
        references=(),
        open_access=(),
        origins=_shared_origins(tuple(record.origins.items())),
        disputed=record.disputed or _UNDISPUTED,
    )


# A server holds thousands of verdicts, of a dozen services, which say the same of most: equal values are one object.


@lru_cache(maxsize=512)
def _shared_origins(items: tuple[tuple[str, tuple[str, ...]], ...]) -> Mapping[str, tuple[str, ...]]:
    return dict(items)


@lru_cache(maxsize=2048)
def _shared_ruling(
    subject: str, rule: str, effect: Effect, sources: tuple[str, ...] = (), sentence: str = ""
) -> Ruling:
    return Ruling(subject, rule, effect, sources, sentence)


@lru_cache(maxsize=512)
def _shared_names(services: tuple[str, ...]) -> tuple[str, ...]:
    return services


def _verdict_in(stored: Mapping[str, Any]) -> Verdict | None:
    """Return the verdict that an object of JSON holds, one member for each field.

    None if it is of another VERSION, or of no known kind.  A member that is missing is empty.  TypeError, ValueError or
    IndexError if an object in it has other members than its class, or a record values of another form.
    """
    if stored.get("version") != VERSION or stored.get("kind") not in get_args(VerdictKind):
        return None
    return Verdict(
        kind=stored["kind"],
        reason=text(stored.get("reason")),
        record=_record_in(stored.get("record")),
        records=tuple(map(codec.record, objects(stored.get("records")))),
        traced=tuple(map(_traced_in, objects(stored.get("traced")))),
        is_unknown=stored.get("is_unknown") is True,
        differences=tuple(map(_difference_in, objects(stored.get("differences")))),
        alternatives=tuple(map(codec.record, objects(stored.get("alternatives")))),
        asked=tuple(map(text, items(stored.get("asked")))),
        unavailable=tuple(map(text, items(stored.get("unavailable")))),
        date=text(stored.get("date")),
        holding=_holding_in(stored.get("holding")),
        rules=tuple(map(_ruling_in, objects(stored.get("rules")))),
    )


def _holding_in(stored: object) -> Holding | None:
    return Holding(**obj(stored)) if stored else None


def _record_in(stored: object) -> Record | None:
    return codec.record(obj(stored)) if stored else None


def _traced_in(stored: Mapping[str, Any]) -> Traced:
    return Traced(**{**stored, "record": _record_in(stored.get("record"))})


def _difference_in(stored: Mapping[str, Any]) -> Difference:
    return Difference(**{**stored, "sources": tuple(items(stored.get("sources")))})


def _ruling_in(stored: Mapping[str, Any]) -> Ruling:
    return _shared_ruling(**{**stored, "sources": tuple(items(stored.get("sources")))})
