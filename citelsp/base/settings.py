"""Settings: frozen values, one class per part of the house, read from plain dicts.

    read(raw) → (Settings, problems)          one mapping
    merged(layer, layer, …) → the same        user file, workspace file, editor: later ones win, name by name

A bad value is named in a problem and its default used.  `trusted=False` reads what a workspace file may say: it may
switch checks and name bibliographies, never a URL, a key, a command or a path to write.  Each setting's meaning stands
in its field's metadata, from which `settings_table` is made.
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
from citelsp.base.text import quoted

T = TypeVar("T")
_DOTS, _PROBLEMS, _LENGTH = 200, 20, 300  # in one line; of one layer; characters of one problem
Level = Literal["error", "warning", "information", "hint", "off"]

SERVICES: Mapping[str, str] = {  # each with its name for people
    "crossref": "Crossref", "doi": "doi.org", "datacite": "DataCite", "arxiv": "arXiv", "openalex": "OpenAlex",
    "europepmc": "Europe PMC", "semantic_scholar": "Semantic Scholar", "aclanthology": "ACL Anthology",
    "openlibrary": "Open Library", "unpaywall": "Unpaywall", "dblp": "DBLP", "dblp_sparql": "DBLP",
    "pubmed": "PubMed", "inspire": "INSPIRE", "ads": "NASA ADS", "openreview": "OpenReview", "zbmath": "zbMATH",
    "zotero": "Zotero",
}  # fmt: skip


def _meta(meaning: str, *, workspace: bool = False, least: float | None = None, url: bool = False) -> dict[str, Any]:
    """A field's metadata.  `workspace`: a file in the workspace may set it, and everything below it."""
    return {"meaning": meaning, "workspace": workspace, "least": least, "url": url}


@dataclass(frozen=True, slots=True)
class SyntaxSettings:
    cite_commands: tuple[str, ...] = field(
        default=(), metadata=_meta("More LaTeX commands that take citekeys, without the backslash.")
    )
    bibliographies: tuple[str, ...] = field(
        default=(), metadata=_meta("Paths or globs of bibliographies that every manuscript may cite from.")
    )


@dataclass(frozen=True, slots=True)
class Completion:
    keys: bool | None = field(
        default=None,
        metadata=_meta("Complete citekeys; default: unless `beside` leaves them. Placeholders are not affected."),
    )
    limit: int = field(default=50, metadata=_meta("The maximum number of entries in a list.", least=1))
    fuzzy: bool = field(default=True, metadata=_meta("Find entries despite typing errors."))
    width: int = field(
        default=46, metadata=_meta("How many characters a row of a list is wide; titles are shortened to it.", least=30)
    )


@dataclass(frozen=True, slots=True)
class Checks:
    severity: Mapping[str, Level] = field(
        default_factory=dict,
        metadata=_meta("A severity for each code: error, warning, information, hint or off."),
    )
    unused_limit: int = field(
        default=1000, metadata=_meta("In a bibliography with more entries, unused ones are not reported.", least=0)
    )


@dataclass(frozen=True, slots=True)
class Writing:
    write_to: str = field(
        default="", metadata=_meta("The .bib file for new entries; default: the last one that the manuscript declares.")
    )
    save: bool = field(default=True, metadata=_meta("Save the .bib file after adding to it, if it was saved before."))
    citekey: str = field(
        default="{auth}{year}{shorttitle}", metadata=_meta("The pattern of new citekeys.", workspace=True)
    )
    dialect: Literal["auto", "bibtex", "biblatex"] = field(
        default="auto", metadata=_meta("The field names of new entries.", workspace=True)
    )


@dataclass(frozen=True, slots=True)
class Service:
    enabled: bool | None = field(default=None, metadata=_meta("Ask this service; default: depends on the service."))
    base_url: str = field(default="", metadata=_meta("Its address, such as a mirror or proxy.", url=True))
    key: str = field(default="", repr=False, metadata=_meta("Its key."))
    key_env: str = field(default="", metadata=_meta("The environment variable that contains its key."))
    key_command: tuple[str, ...] = field(default=(), metadata=_meta("A command that prints its key."))


@dataclass(frozen=True, slots=True)
class OnlineSettings:
    verify: Literal["save", "command", "off"] = field(
        default="save", metadata=_meta("When entries are checked: titles, authors and identifiers are sent.")
    )
    suggest: Literal["command", "auto", "off"] = field(
        default="command",
        metadata=_meta("When services are searched for a placeholder: words of the sentence are sent."),
    )


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model of some kind answers; what reranks has no more settings than this."""

    base_url: str = field(default="", metadata=_meta("Its address.", url=True))
    name: str = field(default="", metadata=_meta("The model's name there."))
    key: str = field(default="", repr=False, metadata=_meta("Its key."))
    key_env: str = field(default="", metadata=_meta("The environment variable that contains its key."))
    key_command: tuple[str, ...] = field(default=(), metadata=_meta("A command that prints its key."))
    seconds: float = field(default=120.0, metadata=_meta("How long one answer may take.", least=1))


@dataclass(frozen=True, slots=True)
class LanguageModel(Endpoint):
    """OpenAI's `/chat/completions`."""

    answers: Literal["auto", "tools", "json", "plain"] = field(
        default="auto", metadata=_meta("How the model answers: tool calls, a JSON schema, or plain instructions.")
    )
    price_in: float = field(default=0.0, metadata=_meta("USD for a million tokens read.", least=0))
    price_cached: float = field(default=0.0, metadata=_meta("USD for a million tokens read from its cache.", least=0))
    price_out: float = field(default=0.0, metadata=_meta("USD for a million tokens written.", least=0))


@dataclass(frozen=True, slots=True)
class Embeddings(Endpoint):
    """OpenAI's `/embeddings`."""

    query_prefix: str = field(default="", metadata=_meta("Text before each query sentence, such as `query: ` for E5."))
    work_prefix: str = field(
        default="", metadata=_meta("Text before title and abstract of a work, such as `passage: ` for E5.")
    )


@dataclass(frozen=True, slots=True)
class Agent:
    """What one search for a citation may cost; 0 means no limit."""

    turns: int = field(default=15, metadata=_meta("Maximum turns of one search.", least=0))
    tokens: int = field(default=60_000, metadata=_meta("Maximum tokens, input and output.", least=0))
    usd: float = field(default=0.25, metadata=_meta("Maximum price in USD, if the model's prices are known.", least=0))
    seconds: float = field(default=120.0, metadata=_meta("Maximum seconds.", least=0))
    requests: int = field(default=200, metadata=_meta("Maximum requests to services.", least=0))
    demonstration: bool = field(default=True, metadata=_meta("Show the model an example of a search."))
    titles: int = field(
        default=50, metadata=_meta("Titles that the first question shows to a model: more for long contexts.", least=5)
    )
    model: Literal["search", "pick"] = field(
        default="search",
        metadata=_meta("What the model does if none of the titles shown fits: search by itself, or leave it at that."),
    )
    program: str = field(default="", metadata=_meta("A file from `citelsp eval tune`: instructions for choosing."))


@dataclass(frozen=True, slots=True)
class CorpusServer:
    """A corpus for many authors, on a server that speaks as OpenSearch does."""

    base_url: str = field(default="", metadata=_meta("Its address; http only on this machine.", url=True))
    other_urls: tuple[str, ...] = field(default=(), metadata=_meta("Other nodes, asked if the first does not answer."))
    index: str = field(default="works", metadata=_meta("The index there, or an alias of it."))
    user: str = field(default="", metadata=_meta("The user there; reading is enough for authors."))
    key: str = field(default="", repr=False, metadata=_meta("The user's password."))
    key_env: str = field(default="", metadata=_meta("The environment variable that contains the password."))
    key_command: tuple[str, ...] = field(default=(), metadata=_meta("A command that prints the password."))
    ca_file: str = field(default="", metadata=_meta("The certificate that its own was signed with, if not public."))
    seconds: float = field(default=4.0, metadata=_meta("How long an answer may take.", least=0.1))


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    servers: Mapping[str, CorpusServer] = field(default_factory=dict, metadata=_meta("Corpora of your institution."))
    path: str = field(default="", metadata=_meta("The index's directory; default: in your data directory."))
    watch: tuple[str, ...] = field(default=(), metadata=_meta("Files and folders to keep indexed."))


Program = Literal["none", "texlab", "latex-workshop", "vimtex", "quarto", "tinymist"]


@dataclass(frozen=True, slots=True)
class Settings:
    email: str = field(default="", repr=False, metadata=_meta("Your e-mail address: some services then answer faster."))
    offline: bool = field(default=False, metadata=_meta("Send nothing over the network."))
    proxy: str = field(default="", repr=False, metadata=_meta("Proxy of all services; default: HTTPS_PROXY.", url=True))
    beside: tuple[Program, ...] = field(
        default=(),
        metadata=_meta(
            "Leave to these programs what both offer: keys, hovers, definitions and so on. Default: those that the"
            " editor runs."
        ),
    )
    inlay_hints: bool = field(default=False, metadata=_meta("Show author and year after each key.", workspace=True))
    lenses: bool = field(default=True, metadata=_meta("Show lines above paragraphs: evidence found.", workspace=True))
    syntax: SyntaxSettings = field(default=SyntaxSettings(), metadata=_meta("", workspace=True))
    completion: Completion = field(default=Completion(), metadata=_meta("", workspace=True))
    checks: Checks = field(default=Checks(), metadata=_meta("", workspace=True))
    writing: Writing = field(default=Writing(), metadata=_meta(""))
    online: OnlineSettings = field(default=OnlineSettings(), metadata=_meta(""))
    services: Mapping[str, Service] = field(default_factory=dict, metadata=_meta(", ".join(SERVICES)))
    model: LanguageModel = field(default=LanguageModel(), metadata=_meta("Default: no language model is used."))
    embeddings: Embeddings = field(default=Embeddings(), metadata=_meta(""))
    rerank: Endpoint = field(default=Endpoint(), metadata=_meta(""))
    corpus: CorpusSettings = field(default=CorpusSettings(), metadata=_meta(""))
    agent: Agent = field(default=Agent(), metadata=_meta(""))


@dataclass(frozen=True, slots=True)
class Layer:
    """Settings from one place, as TOML or JSON gives them."""

    raw: Mapping[str, Any]
    trusted: bool = True  # False for a file in the workspace
    origin: str = ""  # for people: "/home/me/.config/citelsp/config.toml"

    def without(self, name: str) -> "Layer":
        """The layer less one table at its top."""
        return dataclasses.replace(self, raw={it: value for it, value in self.raw.items() if _name(it) != name})


_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SERVER = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")


def _name(written: object) -> str:
    """A setting's name in our spelling; VS Code's are in camel case."""
    return _CAPITAL.sub("_", str(written)).lower().replace("-", "_")


class _UnfitError(Exception):
    """A value that its setting cannot have; says what it should be."""


def read(raw: Mapping[str, Any], *, trusted: bool = True) -> tuple[Settings, list[str]]:
    """Settings from a mapping as TOML or an editor gives it, and what was wrong with it."""
    return merged(Layer(raw, trusted))


def merged(*layers: Layer) -> tuple[Settings, list[str]]:
    """The settings of all layers, later ones over earlier ones, name by name, and what was wrong in which."""
    settings, problems = Settings(), list[str]()
    for layer in layers:
        reading = _SettingsReading(layer.trusted)
        settings = reading.over(settings, layer.raw, "")
        prefix = f"{layer.origin}: " if layer.origin else ""
        problems += [prefix + it[:_LENGTH] for it in reading.problems[:_PROBLEMS]]
        if (more := len(reading.problems) - _PROBLEMS) > 0:
            problems.append(f"{prefix}{more:,} more settings are wrong.")
    return settings, problems


def read_file(path: str | os.PathLike[str], *, trusted: bool = True) -> tuple[Layer, list[str]]:
    """The layer of a TOML file: empty if there is none, or if it cannot be read, which is said."""
    origin = os.fspath(path)
    most = bounds.SETTINGS
    try:
        data = _own(path, most + 1) if trusted else regular_files.read(path, most + 1)
        # tomllib takes time and memory by the square of the parts of a dotted name.
        if len(data) <= most and max((it.count(b".") for it in data.splitlines()), default=0) <= _DOTS:
            import tomllib  # most start without such a file

            return Layer(tomllib.loads(data.decode("utf-8-sig")), trusted, origin), []
        problem = f"larger than {most >> 10} kB, or with a line of more than {_DOTS} dots, and not read"
    except FileNotFoundError:
        return Layer({}, trusted, origin), []
    except (OSError, ValueError, RecursionError) as error:
        problem = str(error)
    return Layer({}, trusted, origin), [f"{origin}: {problem}"]


def _own(path: str | os.PathLike[str], most: int) -> bytes:
    """A file of the user's own, which may be a pipe from another program."""
    with Path(path).open("rb") as file:
        return file.read(most)


def user_file() -> Path:
    """The user's own settings: $XDG_CONFIG_HOME/citelsp/config.toml, else where the system keeps such files."""
    if folder := os.environ.get("XDG_CONFIG_HOME"):
        return Path(folder) / "citelsp" / "config.toml"
    import platformdirs

    return Path(platformdirs.user_config_dir("citelsp", appauthor=False)) / "config.toml"


def workspace_file(folder: str | os.PathLike[str]) -> Path:
    """The settings that a workspace folder brings: `.citelsp.toml`, or `citelsp.toml` if only that is there."""
    hidden, plain = Path(folder) / ".citelsp.toml", Path(folder) / "citelsp.toml"
    return plain if plain.is_file() and not hidden.is_file() else hidden


def cache_directory() -> Path:
    """The user's cache of answers and indexes; $CITELSP_CACHE_DIR moves it."""
    if folder := os.environ.get("CITELSP_CACHE_DIR"):
        return Path(folder)
    import platformdirs

    return Path(platformdirs.user_cache_dir("citelsp", appauthor=False))


@dataclass
class _SettingsReading:
    """Reads one layer; collects what is wrong with it."""

    trusted: bool
    problems: list[str] = field(default_factory=list)

    def over(self, before: T, raw: Mapping[str, Any], prefix: str, *, allowed: bool = False) -> T:
        """The dataclass value with everything that `raw` sets well."""
        known = {it.name: it for it in dataclasses.fields(before)}  # type: ignore[arg-type]  # T is one of the classes above
        hints, changes = get_type_hints(type(before)), dict[str, Any]()
        for key, value in raw.items():
            written = quoted(str(key))
            name = _name(key)
            if name not in known:
                self.problems.append(f"There is no setting {prefix}{written}.")
                continue
            meta = known[name].metadata
            may = self.trusted or allowed or meta["workspace"]
            nested = dataclasses.is_dataclass(hints[name]) and isinstance(value, Mapping)
            if value is None:
                continue
            # A table at the top may be mixed: each of its members is judged by itself.
            if not may and not (nested and not prefix):
                self.problems.append(f"{prefix}{written} counts only in your own settings, not in a workspace's.")
                continue
            try:
                changes[name] = self._value(getattr(before, name), hints[name], value, f"{prefix}{written}", may=may)
                _bounded(changes[name], meta)
            except _UnfitError as unfit:
                changes.pop(name, None)
                # A key or an address must not stand in a message, which may end up in a log or a picture.
                shown = _quoted(value) if known[name].repr else "what is there"
                self.problems.append(f"{prefix}{written} should be {unfit}; {shown} is ignored.")
        return dataclasses.replace(before, **changes)  # type: ignore[type-var]  # T is one of the classes above

    def _value(self, before: object, kind: object, value: object, name: str, *, may: bool) -> object:
        if dataclasses.is_dataclass(kind):
            if not isinstance(value, Mapping):
                raise _UnfitError("a table")
            return self.over(before, value, name + ".", allowed=may)
        if get_origin(kind) is Mapping and isinstance(before, Mapping):
            return self._table(before, get_args(kind)[1], value, name)
        return _simple(kind, value)

    def _table(self, before: Mapping[str, Any], kind: object, value: object, name: str) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise _UnfitError("a table")
        found = dict(before)
        for key, item in value.items():
            try:
                if kind is Service or kind is CorpusServer:
                    known = _service(key) if kind is Service else _server_name(key)
                    found[known] = self._value(before.get(key, kind()), kind, item, f"{name}.{key}", may=True)
                else:
                    found[str(key)] = _simple(kind, item)
            except _UnfitError as unfit:
                self.problems.append(f"{name}.{quoted(str(key))} should be {unfit}; {_quoted(item)} is ignored.")
        return found


def _service(name: object) -> str:
    if str(name) not in SERVICES:
        raise _UnfitError(f"one of {', '.join(SERVICES)}")
    return str(name)


def _server_name(name: object) -> str:
    # It names the works' origin in lists, where it must be told from services and from this machine's corpus.
    if not _SERVER.fullmatch(str(name)) or str(name) in {*SERVICES, "library", "corpus"}:
        raise _UnfitError("named in small letters, digits, - and _, unlike any service")
    return str(name)


def _simple(kind: object, value: object) -> object:
    if get_origin(kind) in (Union, UnionType):
        kind = next(it for it in get_args(kind) if it is not type(None))
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise _UnfitError(f"one of {', '.join(get_args(kind))}")
        return value
    if get_origin(kind) is tuple and get_origin(item := get_args(kind)[0]) is Literal:
        return tuple(_simple(item, it) for it in (value if isinstance(value, list | tuple) else [value]))
    if get_origin(kind) is tuple:
        if not isinstance(value, list | tuple) or not all(isinstance(it, str) for it in value):
            raise _UnfitError("a list of texts")
        return tuple(value)
    names: dict[object, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise _UnfitError(names[kind])
    return value


def _bounded(value: object, meta: Mapping[str, Any]) -> None:
    if meta["least"] is not None and isinstance(value, int | float) and value < meta["least"]:
        raise _UnfitError(f"at least {meta['least']}")
    if meta["url"] and value and not _is_address(str(value)):
        raise _UnfitError("an address that begins with http:// or https://")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        known = parts.scheme in {"http", "https", "socks5"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none, half an IPv6 address
        return False
    return known and text.isprintable() and " " not in text


def _quoted(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
