"""The disk as a project sees it: regular files only, bounded, in whatever encoding.  Nothing here writes."""

import codecs
import ntpath
import os
import re
import stat
import string
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple, Protocol

from citelsp.base import atomic, bounds, regular_files
from citelsp.syntax import languages
from citelsp.workspace import globs
from citelsp.workspace.globs import Allowance, Areas, CutError, Listing

_LIBRARIES = tuple(f".{it}" for it in languages.BIBTEX.endings)
_TOO_MANY = "has more files than citelsp searches for manuscripts"
_SKIPPED = frozenset(
    {"node_modules", "__pycache__", "site-packages", "venv", "env", "renv", "_site", "_book", "_build", "target"}
)
_METADATA = frozenset(
    {
        "_quarto.yml",
        "_quarto.yaml",
        "_metadata.yml",
        "_metadata.yaml",
        "_bookdown.yml",
        "conf.py",
        "_config.yml",
        "myst.yml",
    }
)
_BOOK = "_bookdown.yml"
# `book_filename: thesis` in _bookdown.yml.
_BOOK_OPTION = re.compile(rb"""(?m)^(book_filename|output_dir)[ \t]*:[ \t]*["']?([^\s"'#]++)""")
_MARKED_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOKED_AT = 8192  # bytes in which a file says what it is
# `% Encoding: UTF-8` or `\usepackage[latin1]`.
_DECLARED = re.compile(rb"(?i)(?:encoding[ \t]*[:=][ \t]*|\\usepackage[ \t]*\[)([a-z][a-z0-9_.-]{2,20})")
_TEX_ENCODINGS = {"ansinew": "cp1252", "applemac": "mac-roman", "latin9": "iso8859-15", "utf8x": "utf-8"}


class Stamp(NamedTuple):
    """What changes when a file changes, be it written in place or replaced by a rename."""

    mtime_ns: int
    size: int
    device: int
    inode: int


class Disk(Protocol):
    """What `files` asks of a disk."""

    def stamp(self, path: str) -> Stamp | None: ...  # None if there is no regular file; links are followed
    def load(self, path: str) -> bytes | None: ...
    def writable(self, path: str) -> bool: ...
    def real(self, path: str) -> str: ...
    def glob(self, pattern: str, areas: Areas, allowance: Allowance) -> Listing: ...  # see globs.find
    def list_folders(self, directory: str, depth: int) -> list[str]: ...  # existing directories, itself first
    def scan(self, directory: str, depth: int) -> Listing: ...  # manuscripts, their metadata, .bib files


class LocalDisk:
    """The disk of this machine."""

    def stamp(self, path: str) -> Stamp | None:
        try:
            found = os.stat(path)
        except (OSError, ValueError):
            return None
        # A device or a pipe may never end.
        if not stat.S_ISREG(found.st_mode):
            return None
        return Stamp(found.st_mtime_ns, found.st_size, found.st_dev, found.st_ino)

    def load(self, path: str) -> bytes | None:
        try:
            return regular_files.read(path, limit_of(path) + 1)
        except (OSError, ValueError):
            return None

    def writable(self, path: str) -> bool:
        return atomic.is_writable(path)

    def real(self, path: str) -> str:
        return os.path.realpath(path)

    def glob(self, pattern: str, areas: Areas, allowance: Allowance) -> Listing:
        return globs.find(pattern, areas, allowance)

    def list_folders(self, directory: str, depth: int) -> list[str]:
        if not os.path.isdir(directory):
            return []
        folders: list[str] = []
        with suppress(CutError):  # what was listed before counts
            for folder, _ in islice(_walk(directory, depth), bounds.FOUND):
                folders.append(folder)  # a bound may end the loop
        return folders

    def scan(self, directory: str, depth: int) -> Listing:
        """List the manuscripts and their metadata to this `depth` below a directory, then the .bib files.

        Manuscripts that bookdown generates are left out.  `cut` says what ended the search early, if anything; that
        there are more than bounds.FOUND bibliographies it does not say: they only help to find what a document names.
        """
        manuscripts: list[str] = []
        libraries: list[str] = []
        generated: set[str] = set()  # without endings
        cut = ""
        try:
            for parent, names in _walk(directory, min(depth, bounds.DEPTH)):
                generated.update(self._written_by_bookdown(parent, names))
                paths = [os.path.join(parent, name) for name in names]
                manuscripts += [path for path in paths if is_manuscript(path) and _stem(path) not in generated]
                libraries += [path for path in paths if path.lower().endswith(_LIBRARIES)]
                if len(manuscripts) > bounds.FOUND:
                    raise CutError(_TOO_MANY)
        except CutError as why:
            cut = str(why)
        # A book may be put into a folder that was looked at before its chapters were.
        manuscripts = [path for path in manuscripts if _stem(path) not in generated]
        return Listing([*manuscripts[: bounds.FOUND], *libraries[: bounds.FOUND]], cut)

    def _written_by_bookdown(self, directory: str, names: Sequence[str]) -> Iterator[str]:
        """Yield the paths, without endings, of the files that bookdown makes of all chapters in a directory.

        They lie beside the chapters and where it puts the book.  `names` are the files of the directory.  Nothing is
        yielded if it holds no book, or if the book has the name of its own source, `index`.
        """
        is_book = _BOOK in names and "index.rmd" in {name.lower() for name in names}
        if not is_book:
            return
        settings = self.load(os.path.join(directory, _BOOK)) or b""
        options = dict(_BOOK_OPTION.findall(settings))
        name = os.fsdecode(options.get(b"book_filename", b"_main"))
        # By this name the source itself would count as written by bookdown, as endings are not compared.
        if f"{name.lower()}.rmd" == "index.rmd":
            return
        output_folder = os.fsdecode(options.get(b"output_dir", b"_book"))
        for folder in ("", output_folder):
            yield os.path.normpath(os.path.join(directory, folder, name))


class SteadyDisk(LocalDisk):
    """The disk of this machine as it was when each file was first looked at, as for one run of a command."""

    def __init__(self) -> None:
        self._known: dict[str, Stamp | None] = {}

    def stamp(self, path: str) -> Stamp | None:
        if path not in self._known:
            self._known[path] = super().stamp(path)
        return self._known[path]

    def forget(self) -> None:
        self._known.clear()


class EmptyDisk:
    """A disk without files, for documents that are none: what an editor has not saved, what was received."""

    def stamp(self, _path: str) -> Stamp | None:
        return None

    def load(self, _path: str) -> bytes | None:
        return None

    def writable(self, _path: str) -> bool:
        return True

    def real(self, path: str) -> str:
        return path

    def glob(self, _pattern: str, _areas: Areas, _allowance: Allowance) -> Listing:
        return Listing([])

    def list_folders(self, _directory: str, _depth: int) -> list[str]:
        return []

    def scan(self, _directory: str, _depth: int) -> Listing:
        return Listing([])


def _stem(path: str) -> str:
    """Return the path without its endings: knitr adds some of its own, as in `_main.knit.md`."""
    directory, name = os.path.split(path)
    return os.path.join(directory, name.partition(".")[0])


def identity(path: str, platform: str = sys.platform) -> str:
    """Return what all spellings of one path share: on Windows in any letter case, on macOS in either form of Unicode.

    Links and short names are not resolved here: the file itself tells them, if there is one.
    """
    if platform == "win32":
        return ntpath.normcase(path)
    return unicodedata.normalize("NFC", path) if platform == "darwin" and not path.isascii() else path


def is_inside(path: str, directory: str) -> bool:
    """True for the directory itself and whatever lies below it, by their names."""
    path = identity(path)
    directory = identity(directory)
    return path == directory or path.startswith(directory.rstrip(os.sep) + os.sep)


def is_manuscript(path: str) -> bool:
    """True for manuscripts, and for metadata that can name their bibliographies."""
    return languages.language_of_path(path).manuscript is not None or os.path.basename(path) in _METADATA


def limit_of(path: str) -> int:
    """Return the size in bytes above which a file is not read."""
    return bounds.BIBLIOGRAPHY if languages.language_of_path(path).bibliography else bounds.MANUSCRIPT


class DecodedText(NamedTuple):
    text: str
    encoding: str  # with which it becomes the same bytes again, but for the order of the bytes in UTF-16


def decode(data: bytes) -> DecodedText | None:
    """Decode the bytes of a file, and tell the encoding; None if they are no text.

    Tried are a byte order mark, then UTF-8, then what the file says of itself (`% Encoding:`, inputenc), then Windows'
    Western code page, then ISO 8859-1, which fits everything.  Newlines stay as they are.  An encoding that would not
    write the same bytes again is passed over, as that of Arabic on old Macs, in which two bytes mean one letter.
    """
    # UTF-32 is not read.  It comes first, as the little-endian mark begins with that of UTF-16.
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return None
    for mark, encoding in _MARKED_ENCODINGS:
        text = _decoded(data, encoding) if data.startswith(mark) else None
        if text is not None:
            return DecodedText(text, encoding)
    # A text has no zero bytes but in UTF-16, which a mark announces; git looks for them in about as many bytes.  But a
    # crash may leave some behind a text, which TeX does not reach.
    looked_at = data[:_LOOKED_AT]
    if b"\0" in (looked_at.rstrip(b"\0") or looked_at):
        return None
    # UTF-8 first, whatever the file says: hardly any other text happens to be valid UTF-8, and declarations go stale.
    text = _decoded(data, "utf-8")
    if text is not None:
        return DecodedText(text, "utf-8")
    for encoding in (*_declared(data), "cp1252"):
        text = _decoded(data, encoding)
        if text is not None and text.encode(encoding, "replace") == data:
            return DecodedText(text, encoding)
    return DecodedText(data.decode("latin-1"), "latin-1")


def wrong_line(data: bytes) -> int:
    """Return the first line, counted from 1, that is no valid UTF-8 in a text that otherwise is; 0 if there is none.

    A text in another encoding gives 0 too: it is in UTF-8 if more than half of its characters beyond ASCII are valid.
    """
    try:
        data.decode()
    except UnicodeDecodeError as problem:
        first_wrong_line = data.count(b"\n", 0, problem.start) + 1
    else:
        return 0
    beyond_ascii = [character for character in data.decode(errors="replace") if not character.isascii()]
    wrong = beyond_ascii.count("\ufffd")
    return first_wrong_line if len(beyond_ascii) > 2 * wrong else 0


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _declared(data: bytes) -> Iterator[str]:
    """Yield the encodings that a file says it has, by Python's names; none of UTF-8's kind or unknown to Python.

    Nor one in which ASCII reads otherwise, as IBM's of mainframes: the file says it in ASCII.
    """
    for match in _DECLARED.finditer(data, 0, _LOOKED_AT):
        name = match[1].decode("ascii").lower()
        try:
            codec = codecs.lookup(_TEX_ENCODINGS.get(name, name))
        except LookupError:
            continue
        if codec._is_text_encoding and not codec.name.startswith("utf") and _reads_ascii(codec.name):
            yield codec.name


def _reads_ascii(encoding: str) -> bool:
    """True if ASCII means the same in this encoding, also a backslash before letters, which some take for an escape."""
    ascii_text = f"{string.ascii_letters}{string.digits}@{{=#%$~&}}\\u00e9"
    try:
        return ascii_text.encode().decode(encoding) == ascii_text
    except UnicodeError:  # Python has an encoding “undefined”, which decodes nothing
        return False


def _walk(directory: str, depth: int) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield directories from the top, level by level, each with the names of its files; hidden ones are left out.

    Below the first `directory`, `depth` levels are searched.  CutError is raised once the directories hold more names
    than may be looked at; the one that goes beyond that is still yielded, with as many of its names as may be.
    """
    level = [directory]
    allowance = Allowance()
    for _ in range(depth + 1):
        next_level: list[str] = []
        for current in level:
            # Raises CutError if the directory before went beyond the bound.
            entries = sorted(allowance.entries(current), key=lambda entry: entry.name)
            names = [entry.name for entry in entries if not entry.name.startswith(".") and _is_file(entry)]
            # A virtual environment by any name holds thousands of files, none of them the author's.
            if current != directory and "pyvenv.cfg" in names:
                continue
            yield current, names
            # Folders that are neither links nor hidden, nor those of tools.
            next_level += [entry.path for entry in entries if is_open(entry)]
        level = next_level
    allowance.check()  # the last directory may have gone beyond the bound


def is_open(entry: "os.DirEntry[str]") -> bool:
    """True for a folder that is searched, if it lies in one."""
    if entry.name.startswith(".") or entry.name in _SKIPPED:
        return False
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_file(entry: "os.DirEntry[str]") -> bool:
    """True for a regular file, or a link to one."""
    try:
        return entry.is_file()
    except OSError:
        return False
