"""citelsp corpus … --to NAME: the corpora on servers that the user's settings name."""

import argparse
import asyncio
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import common, exits, snapshot_adding

if TYPE_CHECKING:
    from citelsp.base.settings import CorpusServer, Settings
    from citelsp.corpus.server_state import ServerState
    from citelsp.corpus.servers import ServerCorpus
    from citelsp.corpus.work import Work
    from citelsp.knowledge import Candidate

NO_EMBEDDINGS = "no embeddings are set up: set [embeddings] model, or base_url and name, and switch off offline"
_SHARDS = 1  # parts of an index, each of which is searched by itself: many small ones cost more than one


def arguments(action: argparse.ArgumentParser, *, writes: bool = False) -> None:
    """Declare the option that names a server, for one action of `citelsp corpus`.

    If the action `writes`, also the options of a new index.
    """
    action.add_argument("--to", metavar="NAME", help="use the corpus on this server, of [corpus.servers.NAME]")
    if writes:
        action.add_argument(
            "--beside",
            action="store_true",
            help="with --to: add to a new index beside the one in use; `corpus switch` changes over",
        )
        action.add_argument(
            "--shards",
            type=common.amount(int),
            default=_SHARDS,
            metavar="N",
            help="with --to: parts of a new index, one for each 50 GB (default: 1)",
        )


def run(options: argparse.Namespace) -> int:
    """Do what `citelsp corpus ACTION --to NAME` asks for; return the exit status.

    It is UNFINISHED offline, if the settings have no such server or no address of it, and if the server fails.  An
    interrupted action that adds nothing leaves KeyboardInterrupt to the caller.
    """
    from citelsp.sources.search_server import UnavailableError

    settings = common.read_settings(options)
    servers = {name: setting for name, setting in settings.corpus.servers.items() if setting.base_url}
    if settings.offline:
        return common.fail("no server is asked offline: switch off offline")
    if options.to not in servers:
        others = f"use {' or '.join(servers)}, or " if servers else ""
        return common.fail(f"there is no server {options.to}: {others}set base_url in [corpus.servers.{options.to}]")
    try:
        return asyncio.run(_act(options, servers[options.to]))
    except UnavailableError as problem:
        return common.fail(f"{options.to}: {problem}")
    except KeyboardInterrupt:
        if options.action not in ("add", "embed"):
            raise
        return common.fail("interrupted; what was added so far stays, and the same command continues")


async def _act(options: argparse.Namespace, setting: "CorpusServer") -> int:
    """Do the action in the corpus on the server of this setting; return the exit status.

    UnavailableError if the server cannot be asked, or if it fails in the middle.
    """
    from citelsp.corpus.servers import ServerCorpus

    actions = {
        "add": _add_files, "search": _search, "remove": _remove, "export": _export, "info": _info, "compact": _compact,
        "embed": _embed_works, "switch": _switch,
    }  # fmt: skip
    corpus = ServerCorpus(options.to, setting)
    try:
        return await actions[options.action](corpus, options)
    finally:
        await corpus.aclose()


def _find_misuse_of_add(options: argparse.Namespace) -> str:
    """Say that `add` is given nothing to add to a server, or what it cannot add there; "" if nothing is wrong."""
    if options.zotero or options.groups:
        return "--zotero and --groups add to your own corpus: leave out --to"
    if "-" in options.works:
        return common.say_missing("-")
    if not options.works and not options.openalex:
        return "give files or --openalex"
    return snapshot_adding.find_misuse(options)


async def _add_files(corpus: "ServerCorpus", options: argparse.Namespace) -> int:
    """Add the works of each file that is named, and of a snapshot of OpenAlex if one is; return the exit status.

    What could not be added is warned of at the end, and keeps nothing else from being added; unless the server fails
    (UnavailableError), which ends it all.
    """
    from citelsp.base.text import quote_name
    from citelsp.cli.progress import Progress
    from citelsp.corpus import server_writing

    misuse = _find_misuse_of_add(options)
    if misuse:  # told before an index is made
        common.warn(misuse)
        return exits.USAGE
    problems: list[str] = []  # every step adds its own
    # The index in use, or with --beside the next one; it is made if it is not there.
    index = await server_writing.prepare(corpus.server, beside=options.beside, shards=options.shards)
    writer = server_writing.ServerWriter(corpus.server, index)
    for name, works in _read_files(options, problems):
        with Progress(quote_name(name)) as progress:
            added = await writer.add(progress.counted(works), progress.collect_problems_in(problems), progress.added)
        print(f"{quote_name(name)}: {added.new} new, {added.changed} changed, {added.same} unchanged", flush=True)
    if options.openalex:
        await snapshot_adding.add_to(writer, options, problems)
    for problem in problems:
        common.warn(problem)
    return exits.UNFINISHED if problems else exits.OK


def _read_files(options: argparse.Namespace, problems: list[str]) -> "Iterator[tuple[str, Iterator[Work]]]":
    """Yield each file that is named, with its works; add to `problems` what cannot be read."""
    from citelsp.cli import named_files
    from citelsp.corpus import imports

    for name in options.works:
        if named_files.is_there(name):
            yield name, imports.read(Path(name), problems.append)
        else:
            problems.append(f"{name}: there is no such file; identifiers are added to your own corpus only")


async def _search(corpus: "ServerCorpus", options: argparse.Namespace) -> int:
    return print_found(await corpus.search(" ".join(options.words), options.k), options)


def print_found(candidates: "Sequence[Candidate]", options: argparse.Namespace) -> int:
    """Print what a search found, in the user's own corpus or on a server, as text or JSON; return the exit status.

    It is OK, too, if nothing was found: then nothing is printed, or an empty list as JSON.
    """
    from citelsp.cli import paint
    from citelsp.cli.suggest import candidate_fields

    if options.format == "json":
        fields = [candidate_fields(candidate, rank) for rank, candidate in enumerate(candidates, 1)]
        print(paint.escape_json(json.dumps(fields, ensure_ascii=False)))
        return exits.OK
    for rank, candidate in enumerate(candidates, 1):
        print(paint.work(candidate.record, f"{rank}. "))
    return exits.OK


async def _embed_works(corpus: "ServerCorpus", options: argparse.Namespace) -> int:
    """Compute a vector with the model in use for every work that has none, or one of an older text.

    Returns the exit status.  Works that the server rejects are warned of at the end.  If the model fails, the vectors
    written until then stay, and only its failure is told: rejected works have no vector, so the next run meets them.
    """
    from citelsp.cli.progress import Progress
    from citelsp.corpus import server_vectors
    from citelsp.meaning.local_embedder import embedder
    from citelsp.sources.model_endpoints import EndpointError

    settings = common.read_settings(options)
    problems: list[str] = []
    maker = embedder(settings, threads=os.cpu_count() or 1)
    if maker is None:
        return common.fail(NO_EMBEDDINGS)
    with Progress("vectors") as progress:
        try:
            done = await server_vectors.update(
                corpus.server, maker, progress.collect_problems_in(problems), progress.added
            )
        except EndpointError as failure:
            return common.fail(f"{failure}; the same command continues from here")
        finally:
            await maker.aclose()
    print(f"{done} embedded")
    for problem in problems:
        common.warn(problem)
    return exits.UNFINISHED if problems else exits.OK


async def _remove(corpus: "ServerCorpus", options: argparse.Namespace) -> int:
    """Remove works by their ids; the exit status, UNFINISHED if some id is no work's, or the server rejects it."""
    from citelsp.corpus import server_writing

    index = await server_writing.index_in_use(corpus.server)
    writer = server_writing.ServerWriter(corpus.server, index)
    known = await writer.digests(options.ids)
    removed = await writer.remove(list(known), common.warn)  # it warns of those that the server rejects
    print(f"{len(removed)} removed")
    for id_ in options.ids:
        if id_ not in known:
            common.warn(f"{id_}: there is no such work")
    return exits.OK if set(options.ids) == set(removed) else exits.UNFINISHED


async def _export(corpus: "ServerCorpus", _: argparse.Namespace) -> int:
    from citelsp.cli.paint import escape_json
    from citelsp.corpus import server_writing
    from citelsp.corpus.work import to_mapping

    async for work in server_writing.works(corpus.server):
        print(escape_json(json.dumps(to_mapping(work), ensure_ascii=False)))
    return exits.OK


async def _info(corpus: "ServerCorpus", options: argparse.Namespace) -> int:
    from citelsp.corpus import server_state

    state = await server_state.read(corpus.server)
    vectors = await _count_vectors(corpus, common.read_settings(options))
    if options.format == "json":
        print(json.dumps({"name": corpus.name, **state.mapping(), "vectors": vectors}))
    else:
        print(f"{corpus.name}: {_write_sentence(corpus.name, state, vectors)}")
    return exits.OK


async def _count_vectors(corpus: "ServerCorpus", settings: "Settings") -> int | None:
    """Count the works that have a vector of the model in use; None if there is no model."""
    from citelsp.corpus import server_vectors
    from citelsp.meaning.local_embedder import embedder

    maker = embedder(settings)
    return await server_vectors.count(corpus.server, maker.vectors) if maker else None


def _write_sentence(name: str, state: "ServerState", vectors: int | None) -> str:
    """Say how a server's corpus is; `vectors`: how many works have one, None if no model makes any."""
    if vectors is None:
        return state.sentence()
    advice = "" if vectors >= state.works else f"; `citelsp corpus embed --to {name}` computes them"
    return f"{state.sentence()}, {vectors:,} have a vector{advice}"


async def _compact(corpus: "ServerCorpus", _: argparse.Namespace) -> int:
    from citelsp.corpus import server_writing

    print(f"{await server_writing.compact(corpus.server)} was rewritten: it is smaller and faster now")
    return exits.OK


async def _switch(corpus: "ServerCorpus", _: argparse.Namespace) -> int:
    from citelsp.corpus import server_writing

    before, now = await server_writing.switch(corpus.server)
    print(f"{corpus.server.setting.index} leads to {now} now; {before} may be deleted")
    return exits.OK


def states(settings: "Settings") -> Iterator[tuple[str, str, bool]]:
    """Ask each server of the settings how it is; yield its name, its state in words, and whether it answered.

    If it does not answer both questions, of its works and of their vectors, why not stands for its state.  Servers
    without an address are left out; offline there are none.
    """
    from citelsp.corpus import server_state
    from citelsp.corpus.servers import open_servers
    from citelsp.sources.search_server import UnavailableError

    async def read_all() -> list[tuple[str, str, bool]]:
        states_so_far = []
        async with open_servers(settings) as servers:
            for corpus in servers.corpora:
                try:
                    state = await server_state.read(corpus.server)
                    vectors = await _count_vectors(corpus, settings)
                    states_so_far.append((corpus.name, _write_sentence(corpus.name, state, vectors), True))
                except UnavailableError as problem:
                    states_so_far.append((corpus.name, str(problem), False))
        return states_so_far

    yield from asyncio.run(read_all())
