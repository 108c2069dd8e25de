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
    from citelsp.base.read_settings import Layer
    from citelsp.base.settings import Settings
    from citelsp.corpus.index import Corpus


N = TypeVar("N", int, float)
T = TypeVar("T")
_PROJECT_MARKS = (".citelsp.toml", ".git")  # what lies at the top of one
PRINT = Path("-")  # in the place of a file to write


def run_at_once(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for nothing, and return what it returns; RuntimeError if it waits.

    What the coroutine raises is for the caller.  Used instead of asyncio, which takes 40 ms to load.
    """
    try:
        work.send(None)  # the whole run, as nothing in it waits; a coroutine tells its end by StopIteration
    except StopIteration as done:
        value: T = done.value
        return value
    work.close()
    raise RuntimeError("it waits for something")


def add_action(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, what_it_does: str
) -> argparse.ArgumentParser:
    """Add an action of a command, `citelsp corpus add`, and return its parser.

    `what_it_does` stands in the list of actions, and as a sentence in the help of the action itself.
    """
    sentence = f"{what_it_does[0].upper()}{what_it_does[1:]}."
    return actions.add_parser(name, help=what_it_does, description=sentence)


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
    """Return a type for argparse: numbers of this kind, above nought and not infinite."""

    def read(text: str) -> N:
        number = kind(text)
        if not 0 < number < math.inf:
            raise argparse.ArgumentTypeError(f"{text} is not a number greater than 0")
        return number

    read.__name__ = "number"  # as argparse names it in its messages
    return read


class SettingsError(Exception):
    """The file of --config is not there or cannot be read; says so.

    Without it the usual settings would count, and not even those of the user, such as `offline`.
    """


def read_layer(options: argparse.Namespace) -> "tuple[Layer, list[str]]":
    """Return the layer of the user's own settings, or of the file of --config, and what is wrong with the file.

    The user's own file need not be there, and need not be whole.  One that is named has to: else SettingsError.  It is
    read once for options and their copies, as it may be a pipe.
    """
    from citelsp.base import read_settings as settings_files
    from citelsp.base import user_places

    if options.config is None:
        return settings_files.read_file(user_places.user_file())
    known: dict[Path, Layer] = vars(options).setdefault("layers", {})  # a copy of the options has the same mapping
    if options.config not in known:
        if not options.config.exists():
            raise SettingsError(say_missing(str(options.config)))
        known[options.config], problems = settings_files.read_file(options.config)
        if problems:
            raise SettingsError(problems[0])
    return known[options.config], []


def read_settings(options: argparse.Namespace, folder: Path | None = None) -> "Settings":
    """Read the user's settings, and over them those of `folder` if one is given; print a warning of what is wrong.

    SettingsError if --config names a file that cannot be read.  A setting that is wrong is left out.  A warning is
    printed once for options and their copies, of which each paper of many has one.  A folder may set only what is
    harmless (`trusted=False`); with --untrusted its settings of checks do not count.
    """
    from citelsp.base import read_settings as settings_files

    of_user, problems = read_layer(options)
    layers = [of_user]
    if folder:
        of_folder, problems_of_folder = settings_files.read_file(settings_files.workspace_file(folder), trusted=False)
        is_untrusted = getattr(options, "untrusted", False)
        layers.append(of_folder.without("checks") if is_untrusted else of_folder)
        problems += problems_of_folder
    merged, wrong_values = settings_files.merge(*layers)
    warned: set[str] = vars(options).setdefault("warned", set())  # a copy of the options has the same set
    for problem in (*problems, *wrong_values):
        if problem not in warned:
            warned.add(problem)
            warn(problem)
    return merged


def corpus_directory(options: argparse.Namespace, settings: "Settings") -> Path:
    from citelsp.corpus.index import default_path

    return options.corpus or default_path(settings)


def open_corpus(options: argparse.Namespace, *, create: bool = False) -> "Corpus":
    """Open the corpus of the options or settings; CorpusError if there is none and `create` is false."""
    from citelsp.corpus.index import Corpus

    return Corpus(corpus_directory(options, read_settings(options)), create=create)


def workspace(named: Path) -> Path:
    """Find the folder of the project that a file or a folder belongs to.

    It is the first of these that there is: the nearest folder around it with a project's mark, such as `.git`; the
    nearest with a main document of LaTeX, up to the current folder, if that is around it; its own folder.  The search
    upwards ends before the user's home and before the root, as neither all files of a user nor a disk are a project.
    """
    named = Path(os.path.normpath(named.absolute()))  # with `..` in it, the folder that it leads out of would count
    own = named if named.is_dir() else named.parent
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  # Path.home raises where there is none
    around: list[Path] = []  # from the nearest outwards
    for folder in (own, *own.parents):
        is_root = folder == folder.parent
        if folder == home or is_root:
            break
        around.append(folder)
    for folder in around:
        if any((folder / mark).exists() for mark in _PROJECT_MARKS):
            return folder
    current = Path.cwd()
    if current in around:
        for folder in around[: around.index(current) + 1]:
            if _has_main(folder):
                return folder
    return own


def _has_main(folder: Path) -> bool:
    """Return True if one of its first LaTeX files is a main document; a folder may have thousands."""
    from citelsp.base import bounds
    from citelsp.workspace.files import DiskFiles

    files = DiskFiles()
    outlines = (files.outline(str(path)) for path in islice(folder.glob("*.tex"), bounds.NAMERS))
    return any(outline and outline.is_root for outline in outlines)


def warn(message: str) -> None:
    from citelsp.base.text import still
    from citelsp.cli import paint

    sys.stderr.write(f"{paint.wrap(f'citelsp: {still(message)}', paint.width(sys.stderr))}\n")


def say_missing(written: str) -> str:
    """Say that there is no file of the name that a person wrote; of `-`, that standard input is not read there."""
    from citelsp.base.text import quote_name

    if written == "-":
        return "only check and export read standard input (-): name a file"
    return f"there is no {quote_name(written)}"


def fail(message: str) -> int:
    """Say why the command could not finish; the exit status of that."""
    warn(message)
    return exits.UNFINISHED
