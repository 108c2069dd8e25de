"""What `*`, `?`, `[…]` and `**` in a path stand for on the disk, looked for within bounds.

Hidden names need a pattern with a dot, as in a shell.  A pattern for folders stays inside the areas it may search:
outside, only the file's name may be a pattern.  Links to folders are followed if they lead inside, each folder once.
"""

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import inf
from typing import NamedTuple

from citelsp.base import bounds
from citelsp.workspace import link_paths
from citelsp.workspace.link_paths import ANY_FOLDERS

_MAGIC = re.compile(r"[*?\[]")
_ESCAPED = re.compile(r"\[([*?\[])\]")  # as glob.escape writes them
_LONGEST_SHOWN = 100  # characters of a pattern


class Listing(NamedTuple):
    """What was found; `cut` says why that is not all, "" if it is."""

    paths: list[str]
    cut: str = ""


@dataclass
class Allowance:
    """What may still be looked at."""

    names: int = bounds.NAMES
    seconds: float = bounds.SECONDS
    _ends: float = inf

    @contextmanager
    def timed(self) -> Iterator[None]:
        """While this lasts, the seconds pass."""
        self._ends = time.monotonic() + self.seconds
        try:
            yield
        finally:
            self.seconds = self._ends - time.monotonic()
            self._ends = inf

    def entries(self, directory: str) -> "list[os.DirEntry[str]]":
        """List what a directory holds, as far as the bound on names allows; empty if it cannot be read.

        `names` counts how many may still be looked at.  Of a directory that passes the bound, the names up to there are
        listed; the next call, or `check`, raises CutError.  Both do so, too, once the time is over.
        """
        self.check()
        try:
            with os.scandir(directory) as items:
                entries = list(islice(items, self.names + 1))
        except (OSError, ValueError):
            entries = []
        self.names -= len(entries)
        return entries

    def check(self) -> None:
        """CutError if something had to be left out."""
        if self.names < 0:
            raise CutError(f"covers more than {bounds.NAMES:,} names")
        if time.monotonic() > self._ends:
            raise CutError(f"takes longer than {bounds.SECONDS:g} seconds")


class CutError(Exception):
    """A bound ended a search; says which."""


Areas = Callable[[], Sequence[str]]  # the real paths of the folders in which a pattern may search folders
Search = Callable[[str, Areas, Allowance], Listing]  # see `find`


class Patterns:
    """What patterns stand for, `{a,b}` too: each is looked for once until files change, all within one allowance."""

    def __init__(self, search: Search, areas: Callable[[], Iterable[str]]) -> None:
        """`areas`: the folders in which a pattern may search folders."""
        self._search = search
        self._areas = areas
        self._known: dict[str, Listing] = {}
        self._allowance = Allowance()

    def find(self, pattern: str) -> Listing:
        if pattern not in self._known:
            self._known[pattern] = self._list_matches(link_paths.alternatives(pattern))
        return self._known[pattern]

    def _list_matches(self, alternatives: Sequence[str]) -> Listing:
        """List the paths that all of these patterns stand for; `cut` of the result says which bound was met first.

        `alternatives` are what braces give, `a.bib` and `b.bib` of `{a,b}.bib`; there are none if they are too many.
        """
        if not alternatives:
            return Listing([], f"matches more than {bounds.ALTERNATIVES} names, or one that is too long")
        # The folders outside of which only file names may be patterns, worked out once, if anybody asks.
        areas = cache(lambda: list(map(os.path.realpath, self._areas())))
        with self._allowance.timed():
            listings = [self._search(alternative, areas, self._allowance) for alternative in alternatives]
        paths = [path for listing in listings for path in listing.paths]
        cuts = [listing.cut for listing in listings if listing.cut]
        if len(paths) > bounds.FOUND:
            cuts.append(f"matches more than {bounds.FOUND:,} files")
        return Listing(paths[: bounds.FOUND], cuts[0] if cuts else "")

    def forget(self) -> None:
        self._known.clear()
        self._allowance = Allowance()

    def problems(self) -> list[str]:
        """Return a sentence for each pattern of which something was left out."""
        cut = {pattern: listing.cut for pattern, listing in self._known.items() if listing.cut}
        sentences: dict[str, str] = {}
        for pattern, why in cut.items():
            # Each is looked for with and without the ending: who wrote one should not read of two.
            stem = pattern.removesuffix(".bib")
            name = stem if stem in cut else pattern
            sentences[name] = f"{_shortened(name)} {why}; some of its files were not read."
        return list(sentences.values())


def find(pattern: str, areas: Areas, allowance: Allowance) -> Listing:
    """List the paths that an absolute pattern without braces stands for, in order; `cut` says what ended the search.

    `areas` gives the folders outside of which only the file's name may be a pattern; `allowance` bounds the search.
    """
    start, parts = _split_pattern(pattern)
    # A workspace is not trusted: `/**/*.bib` would search the whole machine.
    if len(parts) > 1 and not _is_inside(start, areas):
        return Listing([], "leads outside the workspace, where only file names may contain *, ? or [")
    paths: list[str] = []
    cut = ""
    try:
        for path in _matching(start, parts, areas, allowance):
            if len(paths) == bounds.FOUND:
                raise CutError(f"matches more than {bounds.FOUND:,} files")
            paths.append(path)
    except CutError as why:
        cut = str(why)
    return Listing(sorted(paths), cut)


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}…"


def _split_pattern(pattern: str) -> tuple[str, list[str]]:
    """Split a pattern into the directory before its first wildcard, and the names from there on.

    `/home/ada/*.bib` → `/home/ada`, [`*.bib`]; a repeated `**` becomes one, and a last one gets a `*` for the files.
    """
    drive, below_drive = os.path.splitdrive(pattern)
    names = below_drive.split(os.sep)
    plain = 0  # how many names at the beginning have no wildcard; the last name, of the file, is never counted
    while plain < len(names) - 1 and not _MAGIC.search(_ESCAPED.sub("", names[plain])):
        plain += 1
    start = os.sep.join(_ESCAPED.sub(r"\1", name) for name in names[:plain])
    parts: list[str] = []
    for name in names[plain:]:
        is_repeated = name == ANY_FOLDERS and parts[-1:] == [ANY_FOLDERS]
        if not is_repeated:
            parts.append(name)
    if parts[-1] == ANY_FOLDERS:
        parts.append("*")
    return drive + (start or os.sep), parts


def _matching(start: str, parts: Sequence[str], areas: Areas, allowance: Allowance) -> Iterator[str]:
    """Yield the paths of files and folders below `start` whose names match a pattern's parts one after the other.

    The search goes level by level, so that if a bound ends it, it has seen what lies near; each folder is listed once.
    CutError is raised if a bound is met, or, at the end, if a link out of `areas` was not followed.
    """
    # Folders to be looked into, each with the numbers of the parts that the names in it may match next, and its depth.
    queue = [(start, frozenset([0]), 0)]
    seen: set[object] = set()
    outside = ""
    for directory, next_parts, depth in queue:
        # `**` may stand for no folder at all: then the part behind it comes next.
        next_parts |= {part + 1 for part in next_parts if parts[part] == ANY_FOLDERS}
        identity = _identity(directory)
        # By what the folder is, not its name: links that lead back would otherwise never end.
        if identity is None or (identity, next_parts) in seen:
            continue
        seen.add((identity, next_parts))
        for entry in allowance.entries(directory):
            matched = {part for part in next_parts if link_paths.matches_name(entry.name, parts[part])}
            last_part = len(parts) - 1
            if last_part in matched:
                yield entry.path
            # Below a folder that `**` matches it may match again; any other part is done with.  Behind the last part,
            # which is never `**`, nothing is left to match.
            onward = frozenset(part if parts[part] == ANY_FOLDERS else part + 1 for part in matched - {last_part})
            if not onward or not _is_folder(entry):
                continue
            if depth == bounds.PATTERN_DEPTH:
                raise CutError(f"covers folders more than {depth} deep")
            if entry.is_symlink() and not _is_inside(entry.path, areas):
                outside = outside or f"does not follow {entry.path}, a link to a folder outside the workspace"
            else:
                queue.append((entry.path, onward, depth + 1))
    allowance.check()  # the last directory may have passed the bound
    if outside:
        raise CutError(outside)


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _identity(directory: str) -> tuple[int, int] | None:
    try:
        found = os.stat(directory)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _is_inside(path: str, areas: Areas) -> bool:
    """True if the path, links followed, lies in one of the areas."""
    real = os.path.realpath(path)
    return any(real == area or real.startswith(area.rstrip(os.sep) + os.sep) for area in areas())
