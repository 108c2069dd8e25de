"""The corpus follows the files and folders that the author named in `corpus.watch`."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from citelsp.server.jobs import progress

if TYPE_CHECKING:
    from citelsp.base.settings import Embeddings, Settings
    from citelsp.corpus.index import Corpus
    from citelsp.corpus.ranking_endpoints import Helpers
    from citelsp.meaning.local_embedder import AnyEmbedder
    from citelsp.server.server import Server

logger = logging.getLogger(__name__)

_PAUSE = 2.0  # seconds after the start, so that the first answers do not wait
_RHYTHM = 60.0  # seconds between two looks
_Watched = tuple[Path, tuple[str, ...]]  # a corpus, and what it follows


async def follow(ls: "Server") -> None:
    """Every _RHYTHM seconds read what is new or changed in watched papers, and have an embedder give works vectors.

    Watched are the files and folders that the author named in `corpus.watch`.  It ends only if the author cancels a
    progress bar: what is watched is then left alone until the next start.
    """
    await asyncio.sleep(_PAUSE)  # so that the first answers after the start do not wait
    # Corpora of which every work has a vector, with the settings of the vectors: left alone until something is new.
    whole: set[tuple[Path, Embeddings]] = set()
    while True:
        for watched, settings in (await asyncio.to_thread(_list_watched, ls)).items():
            path, _ = watched
            corpus = path, settings.embeddings
            if await _catch_up(ls, watched):
                whole.discard(corpus)
            if corpus not in whole and await _embed_works(ls, path, settings):
                whole.add(corpus)
        await asyncio.sleep(_RHYTHM)


def _list_watched(ls: "Server") -> "dict[_Watched, Settings]":
    """Each corpus with what it follows, and the settings that say so: the first ones of several that are alike."""
    from citelsp.corpus.index import default_path

    every = ls.configuration.all()
    return {(default_path(it), it.corpus.watch): it for it in reversed(every) if it.corpus.watch}


async def _catch_up(ls: "Server", watched: _Watched) -> bool:
    """Read what is new or changed, under a progress bar; return True if there was something to read.

    True also if the reading failed, which the log says.  `watched`: the corpus and the folders and files that it
    follows.
    """
    count_of_files = await asyncio.to_thread(_count_new, watched)
    if not count_of_files:
        return False
    loop = asyncio.get_running_loop()
    stop = Event()
    async with progress(ls.work_done_progress, "Reading watched papers", shown=ls.client.progress) as report:

        def report_count(count: int) -> None:
            # Called in the thread that reads. More files may come meanwhile than there were at first.
            part = min(1.0, count / count_of_files)
            loop.call_soon_threadsafe(report, f"{count} of {count_of_files} files", part)

        try:
            await asyncio.to_thread(_read_changed, watched, report_count, stop)
        finally:
            # Cancelling leaves the thread reading: the event stops it at the next file.
            stop.set()
    return True


def _count_new(watched: _Watched) -> int:
    """Count the watched files that are new or changed since they were read.

    The corpus is made if there is none.  0 also if it is busy or cannot be used, which the log says.
    """
    from citelsp.corpus import changed_files
    from citelsp.corpus.index import Corpus
    from citelsp.corpus.store import CorpusError

    path, followed = watched
    try:
        with Corpus(path, create=True) as corpus:
            return len(changed_files.list_changed(corpus, followed))
    except (CorpusError, OSError) as problem:
        logger.warning("watched papers: %s", problem)
        return 0


def _read_changed(watched: _Watched, report_count: Callable[[int], None], stop: Event) -> None:
    """Read the files that are new or changed into the corpus, until `stop` is set, and give its citations vectors.

    `report_count` gets the number of files read so far.  The log says how many works came, or what went wrong.
    """
    from citelsp.corpus import changed_files, citation_words
    from citelsp.corpus.index import Corpus
    from citelsp.corpus.store import CorpusError

    path, followed = watched
    try:
        with Corpus(path, create=True) as corpus:
            added = changed_files.update(corpus, followed, lambda it: logger.info("%s", it), report_count, stop.is_set)
            citation_words.give_missing_vectors(corpus)
        logger.info("watched papers: %d new, %d changed", added.new, added.changed)
    except (CorpusError, OSError) as problem:
        logger.warning("watched papers: %s", problem)


async def _embed_works(ls: "Server", path: Path, settings: "Settings") -> bool:
    """Give the works of the corpus at `path` vectors, as `citelsp corpus add` does; return True if every work has one.

    False also if there is no embedder, if it failed lately, or if the corpus cannot be used, which the log says.  An
    embedder on another machine gets no work if `online.suggest` is off: then nothing of a search may leave this one.
    """
    from citelsp.corpus.store import CorpusError

    async with ls.endpoints.opened(settings) as endpoints:
        helpers = endpoints.helpers.on_this_machine() if settings.online.suggest == "off" else endpoints.helpers
        if helpers.embedder is None or helpers.embedder.rests:  # left alone for a while, as it failed lately
            return False
        try:
            async with _open_corpus(path) as corpus:
                # `remote` is the embedder itself, also one on this machine.
                return await _embed_waiting(ls, corpus, helpers, helpers.embedder.remote)
        except (CorpusError, OSError) as problem:
            logger.warning("vectors: %s", problem)
            return False


async def _embed_waiting(ls: "Server", corpus: "Corpus", helpers: "Helpers", embedder: "AnyEmbedder") -> bool:
    """Have the embedder give a vector to each work without one, under a progress bar; return True if all have one now.

    The author is told, once, before titles go to an embedder on another machine.
    """
    from citelsp.corpus import dense

    waiting = await asyncio.to_thread(dense.list_waiting, corpus, embedder.vectors)
    if not waiting:
        return True
    if not embedder.is_here:
        ls.online.tell("rank", [f"{embedder.name} at {embedder.host}"])
    async with progress(ls.work_done_progress, "Computing vectors", shown=ls.client.progress) as report:

        def report_count(done: int) -> None:
            report(f"{done} of {len(waiting)} works", done / len(waiting))

        return await helpers.embed(corpus, waiting, report_count)


@asynccontextmanager
async def _open_corpus(path: Path) -> "AsyncIterator[Corpus]":
    from citelsp.corpus.index import Corpus

    corpus = await asyncio.to_thread(Corpus, path)
    try:
        yield corpus
    finally:
        await asyncio.to_thread(corpus.close)
