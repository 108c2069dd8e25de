"""citelsp doctor: what is found, configured and reachable."""

import argparse
import importlib.metadata
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from citelsp.settings import Settings

HELP = "show what is found, configured and reachable; asks nobody unless --online"
_LIBRARIES = (
    "pygls",
    "lsprotocol",
    "httpx",
    "openai",
    "bibtexparser",
    "pylatexenc",
    "rapidfuzz",
    "diskcache",
    "tantivy",
    "pypdfium2",
)
_SECONDS = 3.0


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--online", action="store_true", help="also try to reach the services that are switched on")
    common.add_settings(parser)


def run(given: argparse.Namespace) -> int:
    settings = common.read_settings(given, Path.cwd())
    for name, value in (*_versions(), *_places(given, settings), *_services(settings)):
        print(f"{name:20} {value}")
    if not given.online:
        return exits.OK
    from citelsp.sources import registry

    missed = False
    for name, problem in _reached(settings):
        optional = registry.SERVICES[name].default == "local"
        print(f"{name:20} {'not running' if problem and optional else problem or 'reachable'}")
        missed |= bool(problem) and not optional
    return exits.UNFINISHED if missed else exits.OK


def _versions() -> Iterator[tuple[str, str]]:
    import citelsp

    yield "citelsp", f"{citelsp.__version__} in {Path(citelsp.__file__).parent}"
    yield "python", f"{platform.python_version()} in {sys.executable}, {platform.platform()}"
    for name in _LIBRARIES:
        try:
            yield name, importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield name, "missing"


def _places(given: argparse.Namespace, settings: "Settings") -> Iterator[tuple[str, str]]:
    from citelsp import log
    from citelsp.corpus.index import default_path
    from citelsp.settings import cache_directory, user_file, workspace_file

    places = {
        "your settings": given.config or user_file(),
        "workspace settings": workspace_file(Path.cwd()),
        "corpus": default_path(settings),
        "cache": cache_directory(),
        "log": log.directory() / "citelsp.log",
    }
    for name, path in places.items():
        yield name, f"{path}{'' if path.exists() else ' (not there)'}"


def _services(settings: "Settings") -> Iterator[tuple[str, str]]:
    from citelsp.sources import registry

    for name in registry.SERVICES:
        why = registry.refusal(settings, name)
        key = ", with a key" if registry.has_key(registry.setting(settings, name)) else ""
        yield name, why or f"on{key}: {registry.base_url(settings, name)}"
    yield "language model", settings.model.base_url or "none: the rule policy answers"


def _reached(settings: "Settings") -> Iterator[tuple[str, str]]:
    """Each service with why it cannot be reached; "" where a connection opens, without asking it anything."""
    import socket
    from urllib.parse import urlsplit

    from citelsp.sources import registry

    for name in registry.enabled(settings):
        parts = urlsplit(registry.base_url(settings, name))
        port = parts.port or {"http": 80}.get(parts.scheme, 443)
        try:
            socket.create_connection((parts.hostname or "", port), _SECONDS).close()
        except OSError as problem:
            yield name, f"not reachable: {problem}"
        else:
            yield name, ""
