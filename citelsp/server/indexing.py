"""The corpus follows the files and folders that the author named in `corpus.watch`."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from citelsp.server.jobs import progress

if TYPE_CHECKING:
    from citelsp.server.server import Server

logger = logging.getLogger(__name__)

_PAUSE = 2.0  # seconds after the start, so that the first answers do not wait
_RHYTHM = 60.0  # seconds between two looks
_Watched = tuple[Path, tuple[str, ...]]  # a corpus, and what it follows


async def follow(ls: "Server") -> None:
    """Read what is new or changed in watched files, now and again, as long as the server runs."""
    await asyncio.sleep(_PAUSE)
    while True:
        for watched in await asyncio.to_thread(_watched, ls):
            await _catch_up(ls, watched)
        await asyncio.sleep(_RHYTHM)


def _watched(ls: "Server") -> list[_Watched]:
    from citelsp.corpus.index import default_path

    every = ls.configuration.all()
    return list(dict.fromkeys((default_path(it), it.corpus.watch) for it in every if it.corpus.watch))


async def _catch_up(ls: "Server", watched: _Watched) -> None:
    news = await asyncio.to_thread(_news, watched)
    if not news:
        return
    loop, stop = asyncio.get_running_loop(), Event()
    async with progress(ls.work_done_progress, "Reading watched papers", shown=ls.client.progress) as report:

        def told(count: int) -> None:
            loop.call_soon_threadsafe(report, f"{count} of {news} files", min(1.0, count / news))

        try:
            await asyncio.to_thread(_read, watched, told, stop)
        finally:
            stop.set()


def _news(watched: _Watched) -> int:
    """How many files are to be read; none where the corpus is busy or cannot be used, which the log says."""
    from citelsp.corpus import watch
    from citelsp.corpus.index import Corpus
    from citelsp.corpus.store import CorpusError

    try:
        with Corpus(watched[0], create=True) as corpus:
            return len(watch.changed(corpus, watched[1]))
    except (CorpusError, OSError) as problem:
        logger.warning("watched papers: %s", problem)
        return 0


def _read(watched: _Watched, told: Callable[[int], None], stop: Event) -> None:
    from citelsp.corpus import watch
    from citelsp.corpus.index import Corpus
    from citelsp.corpus.store import CorpusError

    try:
        with Corpus(watched[0], create=True) as corpus:
            added = watch.update(corpus, watched[1], lambda it: logger.info("%s", it), told, stop.is_set)
        logger.info("watched papers: %d new, %d changed", added.new, added.changed)
    except (CorpusError, OSError) as problem:
        logger.warning("watched papers: %s", problem)
