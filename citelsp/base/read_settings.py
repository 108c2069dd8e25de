"""Settings read from plain dicts, as TOML or an editor gives them.

    read(raw) → (Settings, problems)          one mapping
    merge(layer, layer, …) → the same         user file, workspace file, editor: later ones win, name by name

A bad value is named in a problem and its default used.  `trusted=False` reads what a workspace file may say: it may
switch checks and name bibliographies, never a URL, a key, a command or a path to write.
"""

import dataclasses
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

from citelsp.base import bounds, regular_files
from citelsp.base.settings import SERVICES, CorpusServer, Service, Settings
from citelsp.base.text import quote_name, write_count

T = TypeVar("T")
_MOST_DOTS = 200  # in one line of a file
_MOST_PROBLEMS = 20  # of one layer that are named
_LONGEST_PROBLEM = 300  # characters
_LONGEST_VALUE = 40  # characters of a value that is shown in a problem


@dataclass(frozen=True, slots=True)
class Layer:
    """Settings from one place, as TOML or JSON gives them."""

    raw: Mapping[str, Any]
    trusted: bool = True  # False for a file in the workspace
    origin: str = ""  # for people: "/home/me/.config/citelsp/config.toml"

    def without(self, name: str) -> "Layer":
        """Return the layer without one table at its top."""
        return dataclasses.replace(self, raw={it: value for it, value in self.raw.items() if _name(it) != name})


_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SERVER = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")


def _name(written: object) -> str:
    """Return a setting's name in our spelling; VS Code's are in camel case."""
    return _CAPITAL.sub("_", str(written)).lower().replace("-", "_")


class _UnfitError(Exception):
    """A value that its setting cannot have; says what it should be."""


def read(raw: Mapping[str, Any], *, trusted: bool = True) -> tuple[Settings, list[str]]:
    """Settings from a mapping as TOML or an editor gives it, and what was wrong with it."""
    return merge(Layer(raw, trusted))


def merge(*layers: Layer) -> tuple[Settings, list[str]]:
    """Merge layers of settings, later ones over earlier ones, name by name; return also what is wrong in each layer.

    A layer is what one file or editor sets, as it was read (`raw`); what is wrong in it is left out.
    """
    settings = Settings()
    problems: list[str] = []
    for layer in layers:
        reading = _SettingsReading(layer.trusted)
        settings = reading.apply(settings, layer.raw, prefix="")
        prefix = f"{layer.origin}: " if layer.origin else ""
        problems += [prefix + problem[:_LONGEST_PROBLEM] for problem in reading.problems[:_MOST_PROBLEMS]]
        further = len(reading.problems) - _MOST_PROBLEMS
        if further > 0:
            problems.append(f"{prefix}{write_count(further, 'more setting is', 'more settings are')} wrong.")
    return settings, problems


def read_file(path: str | os.PathLike[str], *, trusted: bool = True) -> tuple[Layer, list[str]]:
    """Read a TOML file of settings; return its layer, and what is wrong with the file.

    The layer is empty if there is no file (nothing is wrong then), or if it cannot be read.  A file that is not
    `trusted`, which is a workspace's, may set less, and must be a regular file.
    """
    origin = os.fspath(path)
    most = bounds.SETTINGS
    empty = Layer({}, trusted, origin)
    try:
        data = _read_own_file(path, most + 1) if trusted else regular_files.read(path, most + 1)
        # tomllib takes time and memory by the square of the parts of a dotted name.
        most_dots = max((line.count(b".") for line in data.splitlines()), default=0)
        if len(data) > most or most_dots > _MOST_DOTS:
            problem = f"larger than {most >> 10} kB, or with a line of more than {_MOST_DOTS} dots, and not read"
            return empty, [f"{origin}: {problem}"]
        import tomllib  # most start without such a file

        return Layer(tomllib.loads(data.decode("utf-8-sig")), trusted, origin), []
    except FileNotFoundError:
        return empty, []
    except (OSError, ValueError, RecursionError) as error:
        return empty, [f"{origin}: {error}"]


def _read_own_file(path: str | os.PathLike[str], most: int) -> bytes:
    """Read a file of the user's own, which may be a pipe from another program."""
    with Path(path).open("rb") as file:
        return file.read(most)


def workspace_file(folder: str | os.PathLike[str]) -> Path:
    """Return the settings file of a workspace folder: `.citelsp.toml`, or `citelsp.toml` if only that is there."""
    hidden = Path(folder) / ".citelsp.toml"
    plain = Path(folder) / "citelsp.toml"
    return plain if plain.is_file() and not hidden.is_file() else hidden


@dataclass
class _SettingsReading:
    """Reads one layer; collects what is wrong with it."""

    trusted: bool
    problems: list[str] = field(default_factory=list)

    def apply(self, before: T, raw: Mapping[str, Any], prefix: str, *, allowed: bool = False) -> T:
        """Return the table `before`, a dataclass, with everything that `raw` sets and that is right.

        What is wrong is added to `self.problems`.  `prefix` is the table's name with a dot, "" at the top.  A file of
        the user's own (`self.trusted`) may set everything; a workspace's, which a stranger may have written, only
        settings that say so, or all of the table if it is `allowed`.
        """
        members = {member.name: member for member in dataclasses.fields(before)}  # type: ignore[arg-type]  # T is one of the settings' classes
        hints = get_type_hints(type(before))
        changes: dict[str, Any] = {}
        for key, value in raw.items():
            written = quote_name(str(key))
            name = _name(key)  # VS Code's are in camel case, ours have underscores
            if name not in members:
                self.problems.append(f"There is no setting {prefix}{written}.")
                continue
            if value is None:  # null in an editor's JSON: it is not set there
                continue
            meta = members[name].metadata
            may_be_set = self.trusted or allowed or bool(meta["workspace"])
            is_table = dataclasses.is_dataclass(hints[name]) and isinstance(value, Mapping)
            # A table at the top may be mixed: each of its members is judged by itself.
            is_judged_by_members = is_table and not prefix
            if not may_be_set and not is_judged_by_members:
                self.problems.append(f"{prefix}{written} counts only in your own settings, not in a workspace's.")
                continue
            try:
                read_value = self._value(
                    getattr(before, name), hints[name], value, f"{prefix}{written}", may_be_set=may_be_set
                )
                _check_bounds(read_value, meta)
                changes[name] = read_value
            except _UnfitError as unfit:
                # A key or an address must not stand in a message, which may end up in a log or a picture.
                # It may also stand where the table belongs that has a place for it: `model = "sk-…"`.
                is_one_value = not dataclasses.is_dataclass(hints[name]) and get_origin(hints[name]) is not Mapping
                shown = _quoted(value) if members[name].repr and is_one_value else "what is there"
                self.problems.append(f"{prefix}{written} should be {unfit}; {shown} is ignored.")
        return dataclasses.replace(before, **changes)  # type: ignore[type-var]  # T is one of the settings' classes

    def _value(self, before: object, kind: object, value: object, name: str, *, may_be_set: bool) -> object:
        """Read the new value of a setting of type `kind`, which was `before`; _UnfitError if it cannot have it."""
        if dataclasses.is_dataclass(kind):
            if not isinstance(value, Mapping):
                raise _UnfitError("a table")
            return self.apply(before, value, name + ".", allowed=may_be_set)
        if get_origin(kind) is Mapping and isinstance(before, Mapping):  # always: for the type checker
            return self._table(before, get_args(kind)[1], value, name)
        return _check_simple_value(kind, value)

    def _table(self, before: Mapping[str, Any], kind: object, value: object, name: str) -> Mapping[str, Any]:
        """Read a table whose names are no settings, such as that of services, and whose values are of type `kind`.

        Names of `before` that `value` does not mention stay.  An item that is wrong is left out, and added to
        `self.problems`; _UnfitError if `value` is no table.  `name`: of the table, for messages.
        """
        if not isinstance(value, Mapping):
            raise _UnfitError("a table")
        table = dict(before)
        for key, item in value.items():
            try:
                # Services are known by their names; a server's name is the user's own choice.
                if kind is Service or kind is CorpusServer:
                    checked_key = _service(key) if kind is Service else _server_name(key)
                    item_before = before.get(key, kind())
                    # `apply` rejects such a table as a whole unless all of it may be set: here everything may.
                    table[checked_key] = self._value(item_before, kind, item, f"{name}.{key}", may_be_set=True)
                else:
                    table[str(key)] = _check_simple_value(kind, item)
            except _UnfitError as unfit:
                # What stands under a service's wrong name may hold a key as well.
                shown = "what is there" if kind in (Service, CorpusServer) else _quoted(item)
                self.problems.append(f"{name}.{quote_name(str(key))} should be {unfit}; {shown} is ignored.")
        return table


def _service(name: object) -> str:
    if str(name) not in SERVICES:
        raise _UnfitError(f"one of {', '.join(SERVICES)}")
    return str(name)


def _server_name(name: object) -> str:
    # It names the works' origin in lists, where it must be told from services and from this machine's corpus.
    if not _SERVER.fullmatch(str(name)) or str(name) in {*SERVICES, "library", "corpus"}:
        raise _UnfitError("named in small letters, digits, - and _, unlike any service")
    return str(name)


def _check_simple_value(kind: object, value: object) -> object:
    """Return the value as the setting's type `kind` has it.

    A list becomes a tuple, as does a single one of several choices; a whole number becomes a float if `kind` is that.
    If the value is of another type, or none of the choices, _UnfitError says what it should be.
    """
    if get_origin(kind) in (Union, UnionType):  # `bool | None`: None is said by leaving the setting out
        kind = next(part for part in get_args(kind) if part is not type(None))
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise _UnfitError(f"one of {', '.join(get_args(kind))}")
        return value
    if get_origin(kind) is tuple:
        item_kind = get_args(kind)[0]
        if get_origin(item_kind) is Literal:
            choices = value if isinstance(value, list | tuple) else [value]  # one may stand without brackets
            return tuple(_check_simple_value(item_kind, choice) for choice in choices)
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            raise _UnfitError("a list of texts")
        return tuple(value)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:  # not by isinstance, to which True is a whole number
        names: dict[object, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
        raise _UnfitError(names[kind])
    return value


def _check_bounds(value: object, meta: Mapping[str, Any]) -> None:
    if meta["least"] is not None and isinstance(value, int | float) and value < meta["least"]:
        raise _UnfitError(f"at least {meta['least']}")
    if meta["url"] and value and not _is_address(str(value)):
        raise _UnfitError("an address that begins with http:// or https://")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        is_url = parts.scheme in {"http", "https", "socks5"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none, half an IPv6 address
        return False
    return is_url and text.isprintable() and " " not in text


def _quoted(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"
