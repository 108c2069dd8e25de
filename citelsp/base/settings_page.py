"""All settings as a table for people."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from citelsp.base import settings

_TABLES = (Mapping[str, settings.Service], Mapping[str, settings.CorpusServer])


@dataclass(frozen=True, slots=True)
class Row:
    """A setting as people read of it."""

    name: str  # `completion.limit`, `services.NAME.key`
    kind: str  # its type in words, or its choices
    default: str
    meaning: str
    shared: bool  # a workspace's file may set it
    whole: bool  # a number without a fraction
    least: float | None  # of a number


def table() -> str:
    """All settings as a Markdown table: name, type, default, meaning."""
    lines = ["| setting | type | default | meaning |", "|---|---|---|---|"]
    for row in list_rows():
        mark = "¹" if row.shared else ""
        default = f"`{row.default}`" if row.default else ""
        lines.append(f"| `{row.name}` | {row.kind}{mark} | {default} | {row.meaning} |")
    return "\n".join(lines) + "\n"


def list_rows() -> Iterator[Row]:
    """Yield all settings, in the order in which they are declared."""
    return _list_members(settings.Settings, "", shared=False)


def _list_members(part: type, prefix: str, *, shared: bool) -> Iterator[Row]:
    """Yield each setting in a class, and in the classes of its members.

    `prefix` is put before the names.  `shared`: a workspace's file may set all of it; else each member says whether.
    """
    hints = get_type_hints(part)
    for member in dataclasses.fields(part):
        kind = hints[member.name]
        name = prefix + member.name
        is_shared = shared or member.metadata["workspace"]
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            yield from _list_members(kind, name + ".", shared=is_shared)
        elif kind in _TABLES:
            yield from _list_members(get_args(kind)[1], name + ".NAME.", shared=is_shared)
        else:
            default = _write_default(_default(member))
            meaning = _meaning(part, member)
            yield Row(name, _kind_name(kind), default, meaning, is_shared, kind is int, member.metadata["least"])


def _meaning(part: type, member: "dataclasses.Field[Any]") -> str:
    if "meaning" not in member.metadata:
        where = f"{part.__name__}.{member.name} in base/settings.py"
        raise TypeError(f"{where} does not say what it means: write field(default=…, metadata=_meta(MEANING))")
    return str(member.metadata["meaning"])


def _default(part: "dataclasses.Field[Any]") -> object:
    return part.default_factory() if part.default is MISSING and callable(part.default_factory) else part.default


def _write_default(default: object) -> str:
    if default is None or default in ((), {}, ""):
        return ""
    return str(default).lower() if isinstance(default, bool) else str(default)


def _kind_name(kind: object) -> str:
    """Return the type of a setting in words for people, by its annotation `kind`: its choices, if it has some.

    Any annotation that is not looked for here comes out as "table"; a new one that is no mapping has to be added.
    """
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        if get_origin(item) is Literal:
            return f"list of {', '.join(map(str, get_args(item)))}"
        return "list"  # of texts: there are no tuples of numbers
    names: dict[object, str] = {
        bool: "true, false",
        bool | None: "true, false",  # None stands for a setting that is left out
        int: "number",
        float: "number",
        str: "text",
    }
    return names.get(kind, "table")  # only `checks.severity`, which maps names to values
