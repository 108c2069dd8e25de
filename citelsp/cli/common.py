"""Options and outputs that several commands share."""

import argparse
import math
import os
import sys
from collections.abc import Callable, Coroutine
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from citelsp.cli import exits

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.corpus.index import Corpus


N = TypeVar("N", int, float)
T = TypeVar("T")
_MARKS = (".citelsp.toml", ".git")
PRINT = Path("-")  # in the place of a file to write


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns that waits for nothing: asyncio, which takes 40 ms to load, is not needed."""
    try:
        work.send(None)
    except StopIteration as done:
        value: T = done.value
        return value
    work.close()
    raise RuntimeError("it waits for something")


def add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="use this settings file instead of your own (see `citelsp doctor`)",
    )


def add_corpus(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--corpus", metavar="DIR", type=Path, help="use this corpus instead of your own")


def amount(kind: type[N]) -> Callable[[str], N]:
    """Reads a number above nought."""

    def read(text: str) -> N:
        found = kind(text)
        if not 0 < found < math.inf:
            raise argparse.ArgumentTypeError(f"{text} is not a number greater than 0")
        return found

    read.__name__ = "number"
    return read


def read_settings(options: argparse.Namespace, folder: Path | None = None) -> "Settings":
    """The user's settings and those of a folder; what is wrong in them goes to standard error."""
    from citelsp.base import read_settings, user_places

    user, problems = read_settings.read_file(options.config or user_places.user_file())
    layers = [user]
    if folder:
        own, unread = read_settings.read_file(read_settings.workspace_file(folder), trusted=False)
        layers.append(own.without("checks") if getattr(options, "untrusted", False) else own)
        problems += unread
    merged, wrong = read_settings.merged(*layers)
    for problem in (*problems, *wrong):
        warn(problem)
    return merged


def corpus_directory(options: argparse.Namespace, settings: "Settings") -> Path:
    from citelsp.corpus.index import default_path

    return options.corpus or default_path(settings)


def open_corpus(options: argparse.Namespace, *, create: bool = False) -> "Corpus":
    """CorpusError if there is none."""
    from citelsp.corpus.index import Corpus

    return Corpus(corpus_directory(options, read_settings(options)), create=create)


def workspace(named: Path) -> Path:
    """The nearest folder around it with a project's mark, but never the user's home; else its own folder.

    If that has no main document of LaTeX, then the nearest above that has one, up to the folder that the user is in.
    """
    own = named if named.is_dir() else named.parent
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  # Path.home raises where there is none
    around: list[Path] = []
    for folder in (own, *own.parents):
        if folder in (home, folder.parent):
            break
        around.append(folder)
    for folder in around:
        if any((folder / mark).exists() for mark in _MARKS):
            return folder
    current = Path.cwd()
    if current in around:
        for folder in around[: around.index(current) + 1]:
            if _has_main(folder):
                return folder
    return own


def _has_main(folder: Path) -> bool:
    from citelsp.base import bounds
    from citelsp.workspace.files import DiskFiles

    outlines = map(DiskFiles().outline, map(str, islice(folder.glob("*.tex"), bounds.NAMERS)))
    return any(it and it.is_root for it in outlines)


def warn(message: str) -> None:
    from citelsp.base.text import still
    from citelsp.cli import paint

    sys.stderr.write(f"{paint.wrapped(f'citelsp: {still(message)}', paint.width(sys.stderr))}\n")


def fail(message: str) -> int:
    """Says why the command could not finish; the exit status of that."""
    warn(message)
    return exits.UNFINISHED
