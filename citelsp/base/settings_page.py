"""All settings as a table for people."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import MISSING
from typing import Any, Literal, get_args, get_origin, get_type_hints

from citelsp.base import settings

_TABLES = (Mapping[str, settings.Service], Mapping[str, settings.CorpusServer])


def table() -> str:
    """All settings as a Markdown table: name, type, default, meaning."""
    rows = [
        f"| `{name}` | {kind} | {default} | {meaning} |"
        for name, kind, default, meaning in _rows(settings.Settings, "", "")
    ]
    return "\n".join(["| setting | type | default | meaning |", "|---|---|---|---|", *rows]) + "\n"


def _rows(part: type, prefix: str, mark: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield name, type, default and meaning of each setting in a class, and in the classes of its members.

    `prefix` stands before the names.  `mark` is put behind the types: "¹" if a workspace's file may set all of it, ""
    if that is said of each member.
    """
    hints = get_type_hints(part)
    for member in dataclasses.fields(part):
        kind = hints[member.name]
        name = prefix + member.name
        own_mark = mark or ("¹" if member.metadata["workspace"] else "")
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            yield from _rows(kind, name + ".", own_mark)
        elif kind in _TABLES:
            yield from _rows(get_args(kind)[1], name + ".NAME.", own_mark)
        else:
            yield name, _kind_name(kind) + own_mark, _shown(_default(member)), _meaning(part, member)


def _meaning(part: type, member: "dataclasses.Field[Any]") -> str:
    if "meaning" not in member.metadata:
        where = f"{part.__name__}.{member.name} in base/settings.py"
        raise TypeError(f"{where} does not say what it means: write field(default=…, metadata=_meta(MEANING))")
    return str(member.metadata["meaning"])


def _default(part: "dataclasses.Field[Any]") -> object:
    return part.default_factory() if part.default is MISSING and callable(part.default_factory) else part.default


def _shown(default: object) -> str:
    if default is None or default in ((), {}, ""):
        return ""
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


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
