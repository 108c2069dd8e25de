"""Settings: frozen values, one class per part of the house, read from plain dicts.

    read(raw) → (Settings, problems)

A bad value is named in a problem and its default used.  `trusted=False` reads what a workspace file may say: it may switch
checks and name bibliographies, never a URL, a key, a command or a path to write.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Syntax:
    cite_commands: tuple[str, ...] = ()  # further LaTeX commands that take citekeys: "mycite"
    bibliographies: tuple[str, ...] = ()  # paths or globs that every manuscript may cite from


@dataclass(frozen=True, slots=True)
class Completion:
    limit: int = 50
    fuzzy: bool = True


@dataclass(frozen=True, slots=True)
class Checks:
    severity: Mapping[str, str] = field(default_factory=dict)  # code → error, warning, information, hint, off
    unused_limit: int = 1000  # above so many entries unused ones are not reported


@dataclass(frozen=True, slots=True)
class Writing:
    write_to: str = ""  # the .bib that new entries go to, where it is not the last declared one
    citekey: str = "{auth}{year}{shorttitle}"
    dialect: Literal["auto", "bibtex", "biblatex"] = "auto"


@dataclass(frozen=True, slots=True)
class Service:
    enabled: bool | None = None  # None: the service's own default
    base_url: str = ""
    key: str = field(default="", repr=False)
    key_env: str = ""
    key_command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Online:
    verify: Literal["save", "command", "off"] = "save"
    suggest: Literal["command", "auto", "off"] = "command"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint: a model, embeddings, or reranking."""

    base_url: str = ""
    name: str = ""
    key: str = field(default="", repr=False)
    key_env: str = ""
    key_command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corpus:
    path: str = ""  # directory of the index; default in the user's data directory
    watch: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    email: str = field(default="", repr=False)
    offline: bool = False
    proxy: str = field(default="", repr=False)  # for every service; default as the environment says (HTTPS_PROXY)
    inlay_hints: bool = False
    syntax: Syntax = Syntax()
    completion: Completion = Completion()
    checks: Checks = Checks()
    writing: Writing = Writing()
    online: Online = Online()
    services: Mapping[str, Service] = field(default_factory=dict)
    model: Endpoint = Endpoint()
    embeddings: Endpoint = Endpoint()
    rerank: Endpoint = Endpoint()
    corpus: Corpus = Corpus()


def read(raw: Mapping[str, Any], *, trusted: bool = True) -> tuple[Settings, list[str]]:
    """Settings from a mapping as TOML or an editor gives it, and what was wrong with it."""
    raise NotImplementedError


def cache_directory() -> Path:
    """The user's cache of answers and indexes; $CITELSP_CACHE_DIR moves it."""
    if given := os.environ.get("CITELSP_CACHE_DIR"):
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_cache_dir("citelsp", appauthor=False))
