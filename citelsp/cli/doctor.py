"""citelsp doctor: what is found, configured and reachable."""

import argparse
import importlib.metadata
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.base import extras
from citelsp.base.text import write_count
from citelsp.cli import common, corpus_server, exits

if TYPE_CHECKING:
    from citelsp.base.settings import Endpoint, Settings
    from citelsp.corpus.index import Corpus

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
_SECONDS = 3.0  # that a connection may take


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--online", action="store_true", help="also test the connections to services and endpoints")
    common.add_settings(parser)


def run(options: argparse.Namespace) -> int:
    """Print versions, places, services and models, a line each, and at the end what to do; return the exit status.

    With --online it is UNFINISHED if a connection fails to what has to run; else OK, even if there is something to do.
    """
    settings = common.read_settings(options, common.workspace(Path.cwd()))
    versions = list(_list_versions())
    for name, value in (
        *versions,
        *_list_places(options, settings),
        *_list_services(settings),
        *_list_models(settings),
    ):
        _print_line(name, value)
    unreachable = _print_connections(settings) if options.online else []
    missing = [name for name, value in versions if value == _MISSING]
    advice = "\n".join(_list_to_do(settings, missing, unreachable))
    print(f"\n{advice or 'Ready.'}")
    return exits.UNFINISHED if unreachable else exits.OK


def _print_line(name: str, value: str) -> None:
    print(f"{name:20} {value}")


def _print_connections(settings: "Settings") -> list[str]:
    """Print of each service, endpoint and server whether it can be reached; of a corpus's server how its corpus is.

    Returns the names of those that cannot be, without those that need not run (`may_be_off`), such as Zotero; and those
    of servers that answer, but have no index of the name that the settings give.
    """
    unreachable = []
    for name, url, may_be_off in _list_addresses(settings):
        problem = _find_unreachable(url)
        if problem and may_be_off:
            _print_line(name, "not running")
        else:
            _print_line(name, problem or "reachable")
            if problem:
                unreachable.append(name)
    for name, state, answers in corpus_server.states(settings):  # none if the settings name none, or are offline
        _print_line(f"corpus {name}", state)
        if not answers:
            unreachable.append(f"corpus {name}")
    return unreachable


def _list_to_do(settings: "Settings", missing: list[str], unreachable: list[str]) -> Iterator[str]:
    """Yield what the user can do so that everything works; nothing if it does, as far as was looked.

    `missing`: libraries that come with citelsp and are not there.  `unreachable`: what did not answer, or lacks
    its index (see `_print_connections`); empty if nothing was tried, as without --online.
    """
    if missing:
        yield f"Install citelsp again: {', '.join(missing)} is missing."
    if settings.model.base_url and not settings.model.name:
        yield "Set model.name: without it the language model is not used."
    if settings.model.base_url and extras.is_missing("model"):
        yield f"Install the package openai, which asks the language model: {extras.command('model')}"
    if unreachable:
        yield f"Check your network and proxy, or your settings: {', '.join(unreachable)} cannot be used now."


def _list_versions() -> Iterator[tuple[str, str]]:
    """Yield the name and version of citelsp, Python and each library; `_MISSING` if it is not installed."""
    import citelsp

    yield "citelsp", f"{citelsp.__version__} in {Path(citelsp.__file__).parent}"
    yield "python", f"{platform.python_version()} in {sys.executable}, {platform.platform()}"
    for name in _LIBRARIES:
        try:
            yield name, importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield name, _MISSING


def _list_places(options: argparse.Namespace, settings: "Settings") -> Iterator[tuple[str, str]]:
    """Yield where settings, corpus, cache and log are, each with its name; of what is not there, where it would be.

    "workspace settings" are those of the project that the current folder belongs to.
    """
    from citelsp.base import log
    from citelsp.base.read_settings import workspace_file
    from citelsp.base.user_places import cache_directory, user_file
    from citelsp.corpus.index import default_path

    places = {
        "your settings": options.config or user_file(),
        "workspace settings": workspace_file(common.workspace(Path.cwd())),
        "corpus": default_path(settings),
        "cache": cache_directory(),
        "log": log.directory() / "citelsp.log",
    }
    for name, path in places.items():
        yield name, f"{path}{'' if path.exists() else ' (not there)'}"


def _list_services(settings: "Settings") -> Iterator[tuple[str, str]]:
    """Yield the name of each scholarly service, with its address or why it is not asked."""
    from citelsp.sources import service_specs

    for name in service_specs.DEFAULTS:
        why_not = service_specs.refusal(settings, name)
        key = ", with a key" if service_specs.has_key(service_specs.find_setting(settings, name)) else ""
        yield name, why_not or f"on{key}: {service_specs.base_url(settings, name)}"


def _list_models(settings: "Settings") -> Iterator[tuple[str, str]]:
    """Yield the servers of corpora and the models that rank and answer, by name, with why they are not used if so.

    “corpus's citations” stands among them: what was learnt from these ranks works in place of a model of embeddings.
    """
    for name, server in settings.corpus.servers.items():
        unused = ""
        if settings.offline:
            unused = "; not asked: offline"
        elif not server.base_url:
            unused = "; base_url is not set"
        yield f"corpus {name}", f"{server.index} at {server.base_url}{unused}"
    yield "language model", _describe_endpoint(settings, settings.model, "none (built-in rules are used)", named=True)
    yield "embeddings", _describe_embeddings(settings)
    yield "corpus's citations", _describe_citations(settings)
    yield "reranking", _describe_reranking(settings)


def _describe_endpoint(settings: "Settings", endpoint: "Endpoint", none: str, *, named: bool = False) -> str:
    """Describe a model that is asked at an address, with the reason if it is not asked.

    Returns `none`, the sentence for it, if the settings have no address.  A `named` one is not asked unless the
    settings have the model's name, too; others may serve a single model, and are asked without a name.  `endpoint`: its
    settings, `base_url` and `name`.
    """
    if not endpoint.base_url:
        return none
    unused = ""
    if settings.offline:
        unused = "; not asked: offline"
    elif named and not endpoint.name:
        unused = "; not asked: name is not set"
    return f"{endpoint.name or 'unnamed'} at {endpoint.base_url}{unused}"


def _describe_embeddings(settings: "Settings") -> str:
    """Say which model of embeddings is in use, or why none is, and how many works have its vectors."""
    from citelsp.meaning.local_embedder import LocalEmbedder, embedder
    from citelsp.meaning.model_folder import ModelError

    maker = embedder(settings)
    if not isinstance(maker, LocalEmbedder):  # one at an address; None if none is set up, or offline
        shown = _describe_endpoint(settings, settings.embeddings, "none (keyword search is used)")
        return f"{shown}; {_count_vectors(settings, maker.vectors)}" if maker else shown
    try:
        maker.model.check()
    except ModelError as problem:
        return f"not used: {problem}"
    return f"{maker.model.folder.name} on this machine; {_count_vectors(settings, maker.vectors)}"


def _describe_citations(settings: "Settings") -> str:
    """Say what was learnt from the corpus's own citations, and whether that is used.

    It is used if it found cited works better when it was tested, but only by searches without a model of embeddings.
    """
    from citelsp.corpus import citation_words
    from citelsp.corpus.index import Corpus, default_path
    from citelsp.corpus.store import CorpusError

    try:
        with Corpus(default_path(settings)) as corpus:
            known = citation_words.describe(corpus)
            model_is_asked = _has_vectors_of_model(corpus, settings)
    except CorpusError as problem:  # there is none, or it is damaged
        return f"not learnt from: {problem}"
    if known is None:
        return "not learnt from; `citelsp corpus embed --from-citations` does"
    if not known.is_used:
        state = "not used, as it brought nothing"
    elif model_is_asked:
        state = "not used, as the model of embeddings has vectors"
    else:
        state = f"used; {_count_vectors(settings, known.vectors)}"
    return f"learnt from {known.citing:,} papers: {state}"


def _has_vectors_of_model(corpus: "Corpus", settings: "Settings") -> bool:
    """Return True if searches ask a model of embeddings: it is set up, can be used, and a work has a vector of it."""
    from citelsp.corpus import dense
    from citelsp.meaning.local_embedder import LocalEmbedder, embedder
    from citelsp.meaning.model_folder import ModelError

    maker = embedder(settings)
    if maker is None:
        return False
    if isinstance(maker, LocalEmbedder):
        try:
            maker.model.check()
        except ModelError:
            return False
    return dense.count(corpus, maker.vectors) > 0


def _describe_reranking(settings: "Settings") -> str:
    """Say which model reranks candidates, or why none does.  A model on this machine comes before an endpoint."""
    from citelsp.meaning.local_reranker import LocalReranker, reranker
    from citelsp.meaning.model_folder import ModelError

    in_use = reranker(settings)
    if not isinstance(in_use, LocalReranker):  # one at an address; None if none is set up, or offline
        return _describe_endpoint(settings, settings.rerank, "none")
    try:
        in_use.check()
    except ModelError as problem:
        return f"not used: {problem}"
    return f"{in_use.model.folder.name} on this machine"


def _count_vectors(settings: "Settings", name: str) -> str:
    """Say how many works of the corpus have a vector of the kind `name`, and how the others get one.

    Vectors of different models, or of the citations, have different names.  If there is no corpus or it cannot be
    opened, says why.
    """
    from citelsp.corpus import dense
    from citelsp.corpus.index import Corpus, default_path
    from citelsp.corpus.store import CorpusError

    try:
        with Corpus(default_path(settings)) as corpus:
            count = dense.count(corpus, name)
            works = corpus.info().works
    except CorpusError as problem:
        return f"no vectors: {problem}"
    advice = "" if count == works else f"; `citelsp corpus embed` computes the {works - count:,} missing"
    return f"{count:,} of {write_count(works, 'work has', 'works have')} a vector{advice}"


def _list_addresses(settings: "Settings") -> Iterator[tuple[str, str, bool]]:
    """Yield name and address of each service and endpoint that may be asked, and whether it may be off; offline none.

    Zotero may be off: it is asked whenever it runs.  GROBID may not, though it runs on this machine, too: it is asked
    only if the settings switch it on.
    """
    from citelsp.sources import service_specs

    for name in service_specs.enabled(settings):
        is_on_this_machine = service_specs.DEFAULTS[name] == "local"  # true of Zotero alone
        yield name, service_specs.base_url(settings, name), is_on_this_machine
    endpoints = {"language model": settings.model, "embeddings": settings.embeddings, "reranking": settings.rerank}
    for name, endpoint in endpoints.items():
        if endpoint.base_url and not settings.offline:
            yield name, endpoint.base_url, False


def _find_unreachable(url: str) -> str:
    """Say why an address cannot be reached; "" if a connection opens.  Nothing is asked over it.

    `url` is one that the settings accepted: it has a scheme and a host, and its port, if it has one, is a number.
    """
    import socket
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    port = parts.port or (80 if parts.scheme == "http" else 443)
    try:
        socket.create_connection((parts.hostname or "", port), timeout=_SECONDS).close()
    except (OSError, UnicodeError) as problem:  # the latter of a name that is none, such as one with two dots
        return f"not reachable: {problem}"
    return ""
