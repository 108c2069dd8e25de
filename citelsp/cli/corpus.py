"""citelsp corpus: the embedded index of papers."""

import argparse
import asyncio
import json
import os
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import common, corpus_server, exits, fetching_model, learning_citations, snapshot_adding

if TYPE_CHECKING:
    from collections.abc import Callable

    from citelsp.base.settings import Settings
    from citelsp.corpus.index import Corpus, CorpusInfo
    from citelsp.corpus.work import Work
    from citelsp.investigate import collect
    from citelsp.knowledge import Unavailable
    from citelsp.meaning.local_embedder import AnyEmbedder

HELP = "add papers to the local corpus, search it and maintain it"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes, from which `run` gets its options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = common.add_action(actions, "add", "add works from files, identifiers or Zotero")
    add.add_argument(
        "works",
        metavar="FILE|IDENTIFIER",
        nargs="*",
        help="a bibliography (.bib, .ris, EndNote's .xml) or JSON lines (also as .gz, .xz, .bz2), a PDF, a folder of "
        "PDFs; or a DOI, an arXiv id and the like, looked up",
    )
    add.add_argument(
        "--zotero", action="store_true", help="also add your Zotero library with its PDFs (Zotero must be running)"
    )
    add.add_argument("--groups", action="store_true", help="with --zotero: also add your group libraries")
    search = common.add_action(actions, "search", "list works that match some words, best first")
    search.add_argument("words", metavar="WORDS", nargs="+", help="of title, abstract or text")
    search.add_argument(
        "--k", type=common.amount(int), default=10, metavar="N", help="print at most N works (default: 10)"
    )
    info = common.add_action(actions, "info", "show where the corpus is and what is in it")
    remove = common.add_action(actions, "remove", "remove works by their ids")
    remove.add_argument("ids", metavar="ID", nargs="+", help="as `corpus search --format json` prints it")
    compact = common.add_action(actions, "compact", "rewrite the index, smaller and faster")
    embed = common.add_action(actions, "embed", "compute missing vectors with the model or endpoint of [embeddings]")
    ways = embed.add_mutually_exclusive_group()
    fetching_model.arguments(ways)
    learning_citations.arguments(ways)
    export = common.add_action(actions, "export", "print all works as JSON lines, which `add` can read")
    export.add_argument("--format", choices=("jsonl",), default="jsonl", help="default: jsonl")
    switch = common.add_action(actions, "switch", "let a server answer from the index that `add --beside` built")
    for action in (search, info, remove, compact, embed, export):
        corpus_server.arguments(action)
    corpus_server.arguments(add, writes=True)
    snapshot_adding.arguments(add)
    switch.add_argument("--to", metavar="NAME", required=True, help="the server, of [corpus.servers.NAME]")
    for action in (search, info):
        action.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    for action in (add, search, info, remove, compact, embed, export, switch):
        common.add_settings(action)
    for action in (add, search, info, remove, compact, embed, export):
        common.add_corpus(action)


def run(options: argparse.Namespace) -> int:
    """Do the action in the user's own corpus, or in that of the server that --to names; return the exit status.

    `add` makes the user's own if there is none; any other action is UNFINISHED then.
    """
    from citelsp.corpus.store import CorpusError

    if options.action == "embed" and options.fetch:  # the model is this machine's, whatever the corpus
        return fetching_model.run(options)
    if getattr(options, "to", None):
        if options.action == "embed" and options.from_citations:
            common.warn("--from-citations learns from a corpus on this machine: leave out --to")
            return exits.USAGE
        return corpus_server.run(options)
    misuse = _find_misuse_of_add(options) if options.action == "add" else ""
    if misuse:  # told before an empty corpus is made
        common.warn(misuse)
        return exits.USAGE
    # Without `switch`, which always has --to.
    actions: dict[str, Callable[[Corpus, argparse.Namespace], int]] = {
        "add": _add_files,
        "search": _search,
        "info": _info,
        "remove": _remove,
        "compact": _compact,
        "embed": _embed_works,
        "export": _export,
    }
    try:
        with common.open_corpus(options, create=options.action == "add") as corpus:
            return actions[options.action](corpus, options)
    except CorpusError as problem:
        return common.fail(str(problem))
    except KeyboardInterrupt:
        if options.action not in ("add", "embed"):
            raise
        # Learning replaces everything at its end; whatever else is interrupted, was written step by step.
        is_learning = options.action == "embed" and options.from_citations
        return common.fail(f"interrupted; {'all is as it was' if is_learning else 'what was added so far stays'}")


def _find_misuse_of_add(options: argparse.Namespace) -> str:
    """Say that `add` is given nothing to add, or options that do not go together; "" if nothing is wrong."""
    if "-" in options.works:
        return common.say_missing("-")
    if not options.works and not options.zotero and not options.openalex:
        return "give files or identifiers, --zotero or --openalex"
    if options.groups and not options.zotero:
        return "--groups needs --zotero"
    if options.beside:
        return "--beside is for the corpus on a server: name it with --to"
    return snapshot_adding.find_misuse(options)


def _add_files(corpus: "Corpus", options: argparse.Namespace) -> int:
    """Add everything that is named, then compute the vectors that works lack; return the exit status.

    What could not be added is warned of at the end, and keeps nothing else from being added.  If no embeddings are set
    up, nothing is printed of vectors.
    """
    from citelsp.corpus import citation_words

    problems: list[str] = []  # every step adds its own
    settings = common.read_settings(options)
    _add_named(corpus, options.works, settings, problems)
    if options.openalex:
        snapshot_adding.add(corpus, options, problems)
    if options.zotero:
        _add_zotero(corpus, settings, problems, groups=options.groups)
    citation_words.give_missing_vectors(corpus)  # those that the corpus's own citations taught, if they did
    new_vectors = _give_vectors(corpus, settings, problems)
    if new_vectors is not None:
        print(f"vectors: {new_vectors} new", flush=True)
    for problem in problems:
        common.warn(problem)
    return exits.UNFINISHED if problems else exits.OK


def _add_named(corpus: "Corpus", works: Sequence[str], settings: "Settings", problems: list[str]) -> None:
    """Add the works that are named on the command line: those in files one after another, then the others at once.

    Adds to `problems` what could not be read or found, and names that mean neither a file nor an identifier.  A title
    is one of these: of a search by title the likeliest work would be taken, which may be another one.
    """
    from citelsp.cli import named_files
    from citelsp.investigate import insert

    identifiers: list[str] = []
    for work in works:
        if named_files.is_there(work):
            _add_file(corpus, Path(work), problems)
        elif insert.read_identifiers(work):
            identifiers.append(work)
        else:
            problems.append(f"{work}: neither a file nor an identifier")
    if identifiers:
        _add_identified(corpus, identifiers, settings, problems)


def _add_file(corpus: "Corpus", path: Path, problems: list[str]) -> None:
    """Add the works in a file or a folder, and print how many were new, changed and unchanged.

    A PDF that was read before is not read again.  Adds to `problems` what could not be read.  But a folder of papers
    nearly always has some file that is no paper: if others in it were read, that is only warned of, and the command
    counts as finished.
    """
    from citelsp.base.text import quote_name
    from citelsp.cli.progress import Progress
    from citelsp.corpus import imports

    skipped: list[str] = []  # digests of files that were read before
    unread: list[str] = []

    def was_read_before(digest: str) -> bool:
        is_in_corpus = corpus.store.has_file(digest)
        if is_in_corpus:
            skipped.append(digest)
        return is_in_corpus

    name = quote_name(str(path))
    with Progress(name) as progress:
        works = progress.counted(imports.read(path, progress.collect_problems_in(unread), was_read_before))
        added = corpus.add(works, progress.added)
    others_were_read = added.new or added.changed or added.same or skipped
    if path.is_dir() and others_were_read:
        for problem in unread:
            common.warn(problem)
    else:
        problems += unread
    print(f"{name}: {added.new} new, {added.changed} changed, {added.same + len(skipped)} unchanged", flush=True)


def _add_identified(corpus: "Corpus", identifiers: Sequence[str], settings: "Settings", problems: list[str]) -> None:
    """Look works up by identifier and add each as soon as it is found; print how many.

    Adds to `problems` what failed.  `Corpus.add` goes through a plain iterator, so the event loop runs only while that
    waits for the next work.
    """
    from citelsp.base.text import write_count
    from citelsp.cli.progress import Progress
    from citelsp.investigate import collect
    from citelsp.sources.ask_services import Sources

    skipped: list[str] = []  # identifiers of works that are in the corpus already
    with asyncio.Runner() as runner, Progress(write_count(len(identifiers), "identifier")) as progress:
        sources = Sources(settings)
        works = collect.find_works(identifiers, sources, corpus, progress.collect_problems_in(problems), skipped.append)
        try:
            added = corpus.add(progress.counted(_run_stepwise(runner, works)), progress.added)
        finally:
            runner.run(works.aclose())
            runner.run(sources.aclose())
    same = added.same + len(skipped)
    print(f"identifiers: {added.new} new, {added.changed} changed, {same} unchanged", flush=True)


def _run_stepwise(runner: asyncio.Runner, works: "AsyncGenerator[Work, None]") -> "Iterator[Work]":
    """Yield the works one after another; everything else of the event loop goes on while one is waited for."""

    async def next_work() -> "Work | None":
        return await anext(works, None)

    while work := runner.run(next_work()):
        yield work


def _add_zotero(corpus: "Corpus", settings: "Settings", problems: list[str], *, groups: bool) -> None:
    """Add the user's Zotero library with its PDFs, and print how many works; with `groups` also the group libraries.

    Adds to `problems` what could not be read, or that Zotero did not answer.
    """
    from citelsp.cli.progress import Progress
    from citelsp.investigate import collect
    from citelsp.knowledge import Unavailable

    items = asyncio.run(_read_zotero(settings, groups=groups))
    if isinstance(items, Unavailable):
        problems.append(
            f"Zotero did not answer ({items.why}): start it, and let other applications "
            "communicate with it (Settings, Advanced)"
        )
        return
    skipped: list[str] = []  # titles of works that the corpus has as they are, with their PDFs
    with Progress("Zotero") as progress:
        works = collect.find_new_works(items, corpus, progress.collect_problems_in(problems), skipped.append)
        added = corpus.add(progress.counted(works), progress.added)
    same = added.same + len(skipped)
    print(f"Zotero: {added.new} new, {added.changed} changed, {same} unchanged", flush=True)


async def _read_zotero(settings: "Settings", *, groups: bool) -> "Sequence[collect.ZoteroItem] | Unavailable":
    from citelsp.cli import verify_online
    from citelsp.investigate import collect

    async with verify_online.open_sources(settings) as sources:
        return await collect.read_zotero(sources, groups=groups)


def _search(corpus: "Corpus", options: argparse.Namespace) -> int:
    return corpus_server.print_found(corpus.search(" ".join(options.words), options.k), options)


def _info(corpus: "Corpus", options: argparse.Namespace) -> int:
    from citelsp.corpus import fitted_weights

    facts = asdict(corpus.info()) | {"path": str(corpus.path), "ranking_fitted_on": fitted_weights.fitted_on()}
    if options.format == "json":
        print(json.dumps(facts))
    else:
        print("\n".join(_describe_corpus(corpus.info())))
    return exits.OK


def _describe_corpus(info: "CorpusInfo") -> Iterator[str]:
    from citelsp.base.text import write_count

    yield f"{write_count(info.works, 'paper')} in {info.path} ({info.bytes / 1e6:.1f} MB)"
    yield f"{info.abstracts:,} with an abstract, {info.with_text:,} with full text"
    yield f"{info.with_references:,} with references, {write_count(info.citations, 'citation')} in all"
    yield f"{write_count(info.files, 'PDF file')} read"


def _remove(corpus: "Corpus", options: argparse.Namespace) -> int:
    """Remove works by their ids; the exit status, UNFINISHED if there is no work of some id."""
    removed = corpus.remove(options.ids)
    print(f"{len(removed)} removed")
    unknown = [id_ for id_ in options.ids if id_ not in removed]
    for id_ in unknown:
        common.warn(f"{id_}: there is no such work")
    return exits.UNFINISHED if unknown else exits.OK


def _compact(corpus: "Corpus", _: argparse.Namespace) -> int:
    before = corpus.info().bytes
    corpus.compact()
    print(f"{before / 1e6:.1f} MB before, {corpus.info().bytes / 1e6:.1f} MB now")
    return exits.OK


def _embed_works(corpus: "Corpus", options: argparse.Namespace) -> int:
    """Compute a vector for every work that has none of its present text; return the exit status.

    With --from-citations, which learns its own vectors from who cites whom, do that instead.  If no embeddings are
    set up, the status is OK if works have vectors that were learnt so, else UNFINISHED.
    """
    if options.from_citations:
        return learning_citations.run(corpus, options)
    from citelsp.corpus import citation_words

    settings = common.read_settings(options)
    problems: list[str] = []
    citation_words.give_missing_vectors(corpus)  # those that the corpus's own citations taught, if they did
    count = _give_vectors(corpus, settings, problems)
    if count is None:  # the settings name no model
        of_citations = citation_words.describe(corpus)
        if of_citations and of_citations.is_used:
            print("every work has the vector that citations taught; no other embeddings are set up")
            return exits.OK
        return common.fail(corpus_server.NO_EMBEDDINGS)
    print(f"{count} embedded")
    return common.fail(problems[0]) if problems else exits.OK  # one at most: why the endpoint failed


def _give_vectors(corpus: "Corpus", settings: "Settings", problems: list[str]) -> int | None:
    """Give a vector to every work that has none of its present text; return how many, None if no embeddings are set up.

    Adds to `problems` why not all have one now.
    """
    from citelsp.meaning.local_embedder import embedder

    maker = embedder(settings, threads=os.cpu_count() or 1)
    return asyncio.run(_embed_missing(corpus, maker, problems)) if maker else None


async def _embed_missing(corpus: "Corpus", maker: "AnyEmbedder", problems: list[str]) -> int:
    """Have `maker` compute a vector for each work that has none of its present text, and close it; return how many.

    If the model or its endpoint fails, those before have theirs, and why it failed is added to `problems`.
    """
    from citelsp.cli.progress import Progress
    from citelsp.corpus import dense
    from citelsp.sources.model_endpoints import EndpointError

    done = 0

    def report(count: int) -> None:  # the only one to tell how many, if `update` fails
        nonlocal done
        done = count
        progress.added(count)

    with Progress("vectors") as progress:
        try:
            await dense.update(corpus, maker, dense.list_waiting(corpus, maker.vectors), report)
        except EndpointError as problem:
            problems.append(f"{problem}; `citelsp corpus embed` continues from here")
        finally:
            await maker.aclose()
    return done


def _export(corpus: "Corpus", _: argparse.Namespace) -> int:
    from citelsp.cli.paint import escape_json
    from citelsp.corpus.work import to_mapping

    for work in corpus.works():
        print(escape_json(json.dumps(to_mapping(work), ensure_ascii=False)))
    return exits.OK
