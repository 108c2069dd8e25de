"""Reading JSON that a service may shape as it likes: total functions from any value to a plain one."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

LONGEST = 30_000  # characters that are read of anything: several times the longest abstract
_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")


def obj(value: object) -> Mapping[str, Any]:
    """The object, or an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> Sequence[Any]:
    """The list; a single value, as some services write lists of one, as a list of it; null as none."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def objects(value: object) -> list[Mapping[str, Any]]:
    return [item for item in items(value) if isinstance(item, dict)]


def text(value: object) -> str:
    """The string or number, spaces collapsed; of a list its first."""
    if isinstance(value, str):  # as nearly all are
        return _plain(value)
    return next(filter(None, map(_plain, items(value))), "")


def _plain(value: object) -> str:
    if isinstance(value, str):
        return " ".join(value[:LONGEST].split())
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


class FormError(ValueError):
    """An answer of another form than the service's own: an error, or a stranger's; nothing was learnt from it."""


def read_objects(value: object, *path: str) -> list[Mapping[str, Any]]:
    """The objects of the list below the keys; FormError if there is none, which is not an empty one."""
    found = dig(value, *path)
    if not isinstance(found, list):
        raise FormError
    return strict_objects(found)


def strict_objects(value: object) -> list[Mapping[str, Any]]:
    """The objects of a list that may accuse somebody: FormError if anything else stands among them."""
    found = objects(value)
    if len(found) != len(items(value)):
        raise FormError
    return found


def strict_text(value: object) -> str:
    """The first string of what may accuse somebody: FormError if it is anything but strings."""
    return next(filter(None, strict_texts(value)), "")


def strict_texts(value: object) -> list[str]:
    if not all(isinstance(it, str) and len(it) <= LONGEST for it in items(value)):
        raise FormError
    return texts(value)


def require_hits(value: object, found: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """What was found; FormError if that is nothing although `value`, the number of hits, is not 0."""
    if not found and number(value) != 0 and value is not None:
        raise FormError
    return found


def own(value: object, *names: str) -> Mapping[str, Any]:
    """The object that has one of these keys, as every one of the service's does; else FormError."""
    found = obj(value)
    if not any(name in found for name in names):
        raise FormError
    return found


def texts(value: object) -> list[str]:
    return [found for found in map(_plain, items(value)) if found]


def number(value: object) -> int | None:
    """An integer of less than 16 digits, also from its digits."""
    # Beyond that JSON's numbers are no longer exact in most programs, so no service means one.
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) < 10**15 else None
    stripped = value.strip() if isinstance(value, str) else ""
    return int(stripped) if stripped.isascii() and stripped.isdigit() and len(stripped) < 16 else None


def dig(value: object, *path: str) -> Any:  # noqa: ANN401  whatever lies there
    """What lies below the keys, None if one is missing."""
    for key in path:
        value = obj(value).get(key)
    return value


def year(value: object) -> int | None:
    """A plausible year of a work, from a number or the first four digits in a row."""
    if isinstance(value, str):
        four = _YEAR.search(value)
        value = four[0] if four else None
    found = number(value)
    return found if found is not None and 1400 <= found <= 2100 else None
