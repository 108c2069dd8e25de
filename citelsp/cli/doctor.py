"""citelsp doctor: what is found, configured and reachable."""

import argparse
import importlib.metadata
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.base import extras
from citelsp.cli import common, corpus_server, exits

if TYPE_CHECKING:
    from citelsp.base.settings import Endpoint, Settings

HELP = "show versions, settings, folders and services, and whether citelsp is ready"
_LIBRARIES = (
    "pygls",
    "lsprotocol",
    "httpx",
    "bibtexparser",
    "pylatexenc",
    "rapidfuzz",
    "diskcache",
    "tantivy",
    "pypdfium2",
)
_MISSING = "missing"
_SECONDS = 3.0


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--online", action="store_true", help="also test the connections to services and endpoints")
    common.add_settings(parser)


def run(options: argparse.Namespace) -> int:
    settings = common.read_settings(options, Path.cwd())
    versions = list(_versions())
    for name, value in (*versions, *_places(options, settings), *_services(settings), *_models(settings)):
        print(f"{name:20} {value}")
    unreachable = []
    for name, url, optional in _addresses(settings) if options.online else ():
        problem = _unreachable(url)
        print(f"{name:20} {'not running' if problem and optional else problem or 'reachable'}")
        if problem and not optional:
            unreachable.append(name)
    missing = [name for name, value in versions if value == _MISSING]
    for name, state, answers in corpus_server.states(settings) if options.online else ():
        print(f"{f'corpus {name}':20} {state}")
        if not answers:
            unreachable.append(f"corpus {name}")
    print("\n" + ("\n".join(_to_do(settings, missing, unreachable)) or "Ready."))
    return exits.UNFINISHED if unreachable else exits.OK


def _to_do(settings: "Settings", missing: list[str], unreachable: list[str]) -> Iterator[str]:
    """What the user can do so that everything works; nothing if it does."""
    if missing:
        yield f"Install citelsp again: {', '.join(missing)} is missing."
    if settings.model.base_url and not settings.model.name:
        yield "Set model.name: without it the language model is not used."
    if settings.model.base_url and extras.missing("model"):
        yield f"Install the package openai, which asks the language model: {extras.command('model')}"
    if unreachable:
        names = ", ".join(unreachable)
        yield f"Check your network and proxy, or the addresses in your settings: {names} did not answer."


def _versions() -> Iterator[tuple[str, str]]:
    import citelsp

    yield "citelsp", f"{citelsp.__version__} in {Path(citelsp.__file__).parent}"
    yield "python", f"{platform.python_version()} in {sys.executable}, {platform.platform()}"
    for name in _LIBRARIES:
        try:
            yield name, importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield name, _MISSING


def _places(options: argparse.Namespace, settings: "Settings") -> Iterator[tuple[str, str]]:
    from citelsp.base import log
    from citelsp.base.read_settings import workspace_file
    from citelsp.base.user_places import cache_directory, user_file
    from citelsp.corpus.index import default_path

    places = {
        "your settings": options.config or user_file(),
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


def _models(settings: "Settings") -> Iterator[tuple[str, str]]:
    for name, server in settings.corpus.servers.items():
        unused = "; not asked: offline" if settings.offline else "" if server.base_url else "; base_url is not set"
        yield f"corpus {name}", f"{server.index} at {server.base_url}{unused}"
    yield "language model", _endpoint(settings, settings.model, "none (built-in rules are used)", named=True)
    yield "embeddings", _embeddings(settings)
    yield "corpus's citations", _citations(settings)
    yield "reranking", _reranking(settings)


def _endpoint(settings: "Settings", endpoint: "Endpoint", none: str, *, named: bool = False) -> str:
    """`named`: it is not used without the name of a model."""
    if not endpoint.base_url:
        return none
    unused = (
        "; not asked: offline" if settings.offline else "; not asked: name is not set" * (named and not endpoint.name)
    )
    return f"{endpoint.name or 'unnamed'} at {endpoint.base_url}{unused}"


def _embeddings(settings: "Settings") -> str:
    """Which model is in use, or why not, and how many works have its vectors."""
    from citelsp.meaning.local_embedder import LocalEmbedder, embedder
    from citelsp.meaning.model_folder import ModelError

    maker = embedder(settings)
    if not isinstance(maker, LocalEmbedder):
        shown = _endpoint(settings, settings.embeddings, "none (keyword search is used)")
        return f"{shown}; {_vectors(settings, maker.vectors)}" if maker else shown
    try:
        maker.model.check()
    except ModelError as problem:
        return f"not used: {problem}"
    return f"{maker.model.folder.name} on this machine; {_vectors(settings, maker.vectors)}"


def _citations(settings: "Settings") -> str:
    """What the corpus's own citations taught, and what that brought."""
    from citelsp.corpus import citation_words
    from citelsp.corpus.index import Corpus, default_path
    from citelsp.corpus.store import CorpusError

    try:
        with Corpus(default_path(settings)) as corpus:
            if (known := citation_words.describe(corpus)) is None:
                return "not learnt from; `citelsp corpus embed --from-citations` does"
            state = f"used; {_vectors(settings, known.vectors)}" if known.is_used else "not used, as it brought nothing"
            return f"learnt from {known.citing:,} papers: {state}"
    except CorpusError:
        return "not learnt from: there is no corpus"


def _reranking(settings: "Settings") -> str:
    from citelsp.meaning.local_reranker import LocalReranker, reranker
    from citelsp.meaning.model_folder import ModelError

    found = reranker(settings)
    if not isinstance(found, LocalReranker):
        return _endpoint(settings, settings.rerank, "none")
    try:
        found.check()
    except ModelError as problem:
        return f"not used: {problem}"
    return f"{found.model.folder.name} on this machine"


def _vectors(settings: "Settings", name: str) -> str:
    """How many works have one of this name."""
    from citelsp.corpus import dense
    from citelsp.corpus.index import Corpus, default_path
    from citelsp.corpus.store import CorpusError

    try:
        with Corpus(default_path(settings)) as corpus:
            count = dense.count(corpus, name)
            works = corpus.info().works
    except CorpusError as problem:
        return f"no vectors: {problem}"
    return f"{count:,} of {works:,} works have a vector" + (
        "" if count == works else f"; `citelsp corpus embed` computes the {works - count:,} missing"
    )


def _addresses(settings: "Settings") -> Iterator[tuple[str, str, bool]]:
    """Name and address of all that may be asked, and whether it need not run."""
    from citelsp.sources import registry

    for name in registry.enabled(settings):
        yield name, registry.base_url(settings, name), registry.SERVICES[name].default == "local"
    endpoints = {"language model": settings.model, "embeddings": settings.embeddings, "reranking": settings.rerank}
    for name, endpoint in endpoints.items():
        if endpoint.base_url and not settings.offline:
            yield name, endpoint.base_url, False


def _unreachable(url: str) -> str:
    """Why an address cannot be reached; "" if a connection opens, without asking it anything."""
    import socket
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    port = parts.port or {"http": 80}.get(parts.scheme, 443)
    try:
        socket.create_connection((parts.hostname or "", port), _SECONDS).close()
    except OSError as problem:
        return f"not reachable: {problem}"
    return ""
