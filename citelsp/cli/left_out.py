"""What lies in a folder and is not read: citations in other languages, folders that are left out."""

import os
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from citelsp.base import bounds
from citelsp.checks.finding import Note
from citelsp.syntax import languages
from citelsp.workspace.disk import LocalDisk, decode, is_open

_MISSED_IN_FOLDER = (".bib", ".tex")  # in a folder that is left out, notes and readmes are usual


class Kind(NamedTuple):
    """A language of manuscripts that is not read, and how keys are cited in it: group `keys`, parted by commas."""

    name: str
    cites: re.Pattern[str]

    def count_keys(self, text: str) -> int:
        """How many keys a manuscript cites; one that it cites several times counts once."""
        written = (key.strip() for match in self.cites.finditer(text) for key in match["keys"].split(","))
        return len(set(filter(None, written)))


_OTHER_LINES = r"(?:(?!\\end_inset)[^\n]*\n){0,9}?"  # of an inset of LyX: `before "see"`, `literal "false"`
_KINDS = {
    ".rst": Kind("reStructuredText", re.compile(r":(?:foot)?cite(?::\w+)*:`(?P<keys>[^`\n]+)`")),
    ".adoc": Kind("AsciiDoc", re.compile(r"\bcite(?:np)?:\[(?P<keys>[^\]\n]+)\]")),
    ".lyx": Kind("LyX", re.compile(rf'^LatexCommand \w*cite\w*\n{_OTHER_LINES}key "(?P<keys>[^"\n]*)"', re.MULTILINE)),
}


def notes(folders: Iterable[Path]) -> Iterator[Note]:
    """Yield notes about what lies in these folders or below them and is not read.

    These are folders that cannot be opened or are not searched, broken links to what would be read, and manuscripts in
    languages that citelsp cannot read, such as AsciiDoc, that cite something.  Whoever prints several notes together
    chooses a form in `{one|several}`, and puts “one key” or “3 keys” for `{keys}`, by the number of each note.
    """
    manuscripts: dict[Kind, list[str]] = defaultdict(list)  # by language: their paths
    for folder in folders:
        searched = dict.fromkeys(LocalDisk().list_folders(str(folder), bounds.DEPTH))
        for directory in searched:
            entries = _list_entries(directory)
            if entries is None:  # it was found in the folder around it, but may not be listed
                yield Note(directory, "the {folder|folders} cannot be opened, so nothing in {it|them} was read")
                continue
            for entry in entries:
                yield from _find_unread(entry, searched)
                kind = _KINDS.get(Path(entry.name).suffix.lower())
                if kind:
                    manuscripts[kind].append(entry.path)
    for kind, paths in manuscripts.items():  # one language after another, whichever folders they lie in
        for path in paths:
            count = kind.count_keys(_read_text(path))
            if count:
                yield Note(path, f"{{keys}} cited in {kind.name}, which is not read", count)


def _list_entries(directory: str) -> "list[os.DirEntry[str]] | None":
    """List what is in a folder, by name; None if it cannot be opened."""
    try:
        with os.scandir(directory) as found:
            return sorted(found, key=lambda it: it.name)
    except OSError:
        return None


def _find_unread(entry: "os.DirEntry[str]", searched: Container[str]) -> Iterator[Note]:
    """Yield a note if this is a broken link to what would be read, or a folder that is none of the searched ones.

    A hidden link would not be read: `.#paper.tex` is a lock of Emacs, and leads nowhere.
    """
    is_broken_link = entry.is_symlink() and not Path(entry.path).exists()
    if is_broken_link and not entry.name.startswith(".") and _is_read_by_ending(entry.name):
        yield Note(entry.path, "{a broken link|broken links}")
    elif entry.is_dir() and entry.path not in searched and not _links_to(searched, entry):
        yield from _find_unsearched(entry)


def _is_read_by_ending(name: str) -> bool:
    """Return True if whatever has this name is read as a manuscript or a bibliography."""
    language = languages.language_of_path(name)
    return language.by_ending or language.manuscript is not None


def _links_to(searched: Container[str], entry: "os.DirEntry[str]") -> bool:
    """Return True for a link to one of the searched folders: that is searched under its own name."""
    return entry.is_symlink() and os.path.realpath(entry.path) in searched


def _find_unsearched(folder: "os.DirEntry[str]") -> Iterator[Note]:
    """Yield a note about a folder that is not searched, if something may be missed in it.

    A folder that lies too deep, or among too many, always has a note, unless it is a virtual environment.  One that is
    hidden, a tool's or a link has one only if it holds bibliographies or LaTeX itself, not below; none if it cannot be
    opened.
    """
    names = [it.name for it in _list_entries(folder.path) or ()]
    if "pyvenv.cfg" in names:  # a virtual environment of Python: what packages hold is nobody's manuscript
        return
    if is_open(folder):  # neither hidden nor a tool's nor a link: only its place is against it
        yield Note(
            folder.path, f"more than {bounds.DEPTH} levels deep, or beyond {bounds.FOUND:,} folders: not searched"
        )
    elif any(it.lower().endswith(_MISSED_IN_FOLDER) for it in names):
        yield Note(folder.path, "bibliographies or LaTeX files in {this folder|these folders} were not searched")


def _read_text(path: str) -> str:
    """Return the file's text; "" if it cannot be read."""
    decoded = decode(LocalDisk().load(path) or b"")
    return decoded[0] if decoded else ""
