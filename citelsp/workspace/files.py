"""Documents for projects: the editor's buffers over the disk, each parsed once for as long as it stays the same."""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple

from citelsp import syntax
from citelsp.base import bounds
from citelsp.base.footprint import Shelf
from citelsp.base.parse_cache import ParseCache
from citelsp.base.settings import Settings
from citelsp.base.splice import Splice, difference, join_splices
from citelsp.base.text import Document, Span
from citelsp.syntax import languages
from citelsp.syntax.languages.language import Language
from citelsp.syntax.languages.latex.cite_commands import bare
from citelsp.syntax.nodes import Syntax
from citelsp.workspace import (
    cached_entries,
    include_graph,
    incremental_project,
    link_paths,
    link_scan,
    roots,
    texmf,
)
from citelsp.workspace.disk import (
    Disk,
    LocalDisk,
    Stamp,
    SteadyDisk,
    decode,
    identity,
    is_inside,
    is_manuscript,
    limit_of,
)
from citelsp.workspace.file_versions import Stamps
from citelsp.workspace.folder_survey import Survey, survey
from citelsp.workspace.globs import Listing, Patterns
from citelsp.workspace.link_paths import Namers
from citelsp.workspace.project import Project
from citelsp.workspace.roots import Unread
from citelsp.workspace.source import Source

_UNSETTLED_NS = 100_000_000  # a file changed so shortly before it was read may change again under the same stamp
_UNREAD: Mapping[Unread, Callable[[str], str]] = {
    "large": lambda path: f"is larger than {limit_of(path) >> 20} MB",
    "denied": lambda _: "cannot be opened",
    "binary": lambda _: "is not text",
}


@dataclass
class _Buffer:
    """An open document: the source as last parsed, and which part of it changed since."""

    source: Source
    document: Callable[[], Document]
    touched: Splice | None = None  # in the source's text, by what stands there now


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A file as it was read."""

    stamp: Stamp | None  # None: to be looked at again
    settled: bool  # False if it was changed so shortly before that it may change again under the same stamp
    source: Source


class _Content(NamedTuple):
    text: str
    encoding: str
    data: bytes


class DiskFiles:
    """`roots.Files` over a disk.

    One writer (`open`, `change` or `note_change`, `close`, `refresh`), any number of readers; what was read stays
    valid.  Paths are absolute.
    """

    def __init__(
        self,
        folders: Iterable[str] = (),
        cite_commands: Sequence[str] = (),
        *,
        write_to: Sequence[str] = (),
        environment: Mapping[str, str] = os.environ,
        disk: Disk | None = None,
        cache: ParseCache | None = None,
    ) -> None:
        """Begin without documents; `folders` are the workspace's, `cite_commands` the author's own commands that cite.

        `write_to` are files outside the folders that the user lets us write to; `environment` has TeX's search paths;
        files are read from `disk`, or from the machine's as it is at the moment; commands give one on which each file
        stays as it was at the first look (`SteadyDisk`), and an empty one for what was received.  `cache` keeps what is
        read of large bibliographies.
        """
        self._folders = tuple(map(os.path.normpath, folders))
        self._cite_commands = tuple(cite_commands)
        self._write_to = tuple(map(os.path.normpath, write_to))
        self._environment = dict(environment)
        self._disk: Disk = disk or LocalDisk()
        self._cache = cache
        self._lock = threading.RLock()
        # The keys of these are what `identity` makes of paths.
        self._buffers: dict[str, _Buffer] = {}  # documents that an editor has
        self._loaded: dict[str, _Loaded] = {}  # files as they were last read
        self._shelf = Shelf[str](bounds.CACHED_TEXT, bounds.CACHED)  # says which of `_loaded` to drop, for memory
        self._outlines: dict[str, tuple[Stamp, Syntax]] = {}
        self._stamps = Stamps(self._disk.stamp)
        # (variable of kpathsea, base) → the directories that it names; ("", directory) → the .bib files in it
        self._directories: dict[tuple[str, str], list[str]] = {}
        self._unread: dict[str, Unread] = {}  # why a path could not be read
        self._answers: dict[tuple[str, ...], tuple[object, bool]] = {}  # of `recall`: (`about`, answer)
        self._patterns = Patterns(self._disk.glob, self._searched)
        self._index = Namers()  # who names a file
        self._survey = Survey()  # what lies in the folders
        self._manuscripts: dict[str, list[str]] | None = None  # by directory; None: to be looked at again
        self._mains: dict[str, Sequence[str]] = {}  # main documents by directory, while nothing changes
        self._distributed: dict[str, str] | None = None  # .bib files that come with TeX, by name; None: not looked for
        self._distributed_styles: dict[str, str | None] = {}  # .bst files that come with TeX; None if there is none
        self._stale = True  # files came or went: `_survey` has to be made anew
        self._borrowed = ""  # the bibliography that is lent to manuscripts that name none
        self._fetched: Mapping[str, str] = {}  # bibliographies on the web: address → file

    def provide(self, fetched: Mapping[str, str]) -> None:
        """Take these files for bibliographies on the web: address → file."""
        with self._lock:
            if fetched != self._fetched:
                self._fetched = dict(fetched)
                self._files_changed()

    def fetched(self, address: str) -> str:
        return self._fetched.get(address, "")

    def lend(self, path: str) -> None:
        """Lend the bibliography at `path` to manuscripts that name none; "" lends none any more."""
        with self._lock:
            if path != self._borrowed:
                self._borrowed = path
                self._files_changed()

    def borrowed(self) -> str:
        return self._borrowed

    def open(self, path: str, text: str, language_id: str = "", *, edited: bool = True) -> None:
        """Take this text for the file's from now on.

        `language_id` is the editor's name of its language, for a path that doesn't tell; `edited` is True if an editor
        shows the text, so that findings are about all of its entries and not the cited ones alone.
        """
        with self._lock:
            path = os.path.normpath(path)
            language = languages.language_of_path(path, language_id).name
            loaded = self._loaded.get(identity(path))
            known = loaded.source if loaded else None
            # The document as the file had it, if it is the same: one text in memory, and nothing to parse.
            document = cached_entries.as_known(Document(path, text, language), known.document if known else None)
            source = Source(document, self._syntax(document, known), open=edited)
            self._buffers[identity(path)] = _Buffer(source, lambda: source.document)
            self._files_changed()
            self._note(source)

    def change(self, path: str, edits: Iterable[tuple[Span, str]]) -> None:
        """Apply edits to an open document one after the other, each counting in the text that the one before it left.

        This is for callers that hold no text themselves; the server, which does, calls `note_change`.
        """
        with self._lock:
            buffer = self._buffers[identity(path)]
            document = buffer.document()
            text = document.text
            for span, new_text in edits:
                text = text[: span.start] + new_text + text[span.end :]
                buffer.touched = join_splices(buffer.touched, Splice(span, len(new_text)))
            fresh = Document(document.path, text, document.language)
            buffer.document = lambda: fresh

    def replace(self, path: str, text: str) -> None:
        """Take `text` for the whole text of an open document; only what differs from before counts as changed."""
        with self._lock:
            span, new_text = difference(self._buffers[identity(path)].document().text, text)
            self.change(path, [(span, new_text)])

    def note_change(self, path: str, span: Span, inserted: int, document: Callable[[], Document]) -> None:
        """Note that the editor's buffer changed: `inserted` characters stand in the place of `span` of the old text.

        `document()` returns the latest text; it is called only when somebody reads.
        """
        with self._lock:
            buffer = self._buffers[identity(path)]
            buffer.touched = join_splices(buffer.touched, Splice(span, inserted))
            buffer.document = document

    def close(self, path: str) -> None:
        """Drop the editor's text of a document: the file on disk counts again."""
        with self._lock:
            source = self._source_of_buffer(self._buffers[identity(path)])
            del self._buffers[identity(path)]
            # The file may differ from what the editor showed, but seldom does: its entries can stay the same objects.
            self._loaded[identity(path)] = _Loaded(None, settled=False, source=source)
            self._index.forget(source.document.path)
            self._outlines.pop(identity(path), None)  # so that what the file names is noted when it is looked at
            self._files_changed()

    def refresh(self) -> None:
        """Look at the folders anew at the next use; call it when files came or went, and when a document was saved."""
        with self._lock:
            self._directories.clear()
            if isinstance(self._disk, SteadyDisk):
                self._disk.forget()
            self._files_changed()

    def read(self, path: str, language: Language | None = None) -> Source | None:
        """Return the document at a path: an editor's buffer, else the file, read again if it changed.

        None if there is no file, or it cannot be read.  `language` counts for a file whose name doesn't tell it.  Of a
        file with several names (links) the document has one: that in the editor, else the one that was read first.
        """
        with self._lock:
            buffer = self._buffers.get(identity(path))
            if buffer is not None:
                return self._source_of_buffer(buffer)
            stamp = self._stamps.stamp_of(path)
            if stamp is None:
                self._loaded.pop(identity(path), None)
                self._unread.pop(path, None)
                return None
            # Two links to one .bib would report everything in it twice.
            name = self._stamps.name_of(path, stamp)
            if name != path:
                return self.read(name, language)  # not again and again: `name_of` gives `name` for itself
            loaded = self._loaded.get(identity(path))
            # A file that is not settled was changed so lately that it may change again without a new stamp.
            if loaded and loaded.settled and loaded.stamp == stamp:
                return loaded.source
            return self._load_source(path, stamp, language, loaded)

    def outline(self, path: str) -> Syntax | None:
        """Return the links and the root of a document, by a quick look if it is not read yet; None if there is no file.

        One that cannot be read has no links.  What is found is noted in the index of who names a file.
        """
        with self._lock:
            if identity(path) in self._buffers:
                source = self.read(path)
                return source.syntax if source else None
            stamp = self._stamps.stamp_of(path)
            if stamp is None:
                return None
            loaded = self._loaded.get(identity(path))
            if loaded and loaded.settled and loaded.stamp == stamp:
                return loaded.source.syntax
            outlined_at, outline = self._outlines.get(identity(path), (None, None))
            if outline and outlined_at == stamp:
                return outline
            is_settled = _is_settled(stamp)
            content = self._read_content(path, stamp)
            language = languages.language_of_path(path)
            outline = link_scan.skim(Document(path, content.text if content else "", language.name))
            if is_settled:
                self._outlines[identity(path)] = (stamp, outline)
            self._index.note(path, outline)
            return outline

    def glob(self, pattern: str) -> Listing:
        with self._lock:
            paths, cut = self._patterns.find(pattern)
            matching = [path for path in self._opened_paths() if link_paths.matches(path, pattern)]
            return Listing(sorted({*paths, *matching}), cut)

    def _opened_paths(self) -> list[str]:
        return [buffer.source.document.path for buffer in self._buffers.values()]

    def bibliographies(self, directory: str) -> Sequence[str]:
        with self._lock:
            if ("", directory) not in self._directories:
                inside = os.path.join(link_paths.escaped(directory), "*.bib")
                self._directories["", directory] = self._patterns.find(inside).paths
            paths = dict.fromkeys(self._directories["", directory])
            for path in self._opened_paths():
                if os.path.dirname(path) == directory and path.lower().endswith(".bib"):
                    paths[path] = None
            return list(paths)

    def libraries(self, name: str) -> Sequence[str]:
        with self._lock:
            paths = dict.fromkeys((*self._look_around().libraries.get(name.lower(), ()), *self._opened_paths()))
            return [path for path in paths if os.path.basename(path).lower() == name.lower()]

    def distributed(self, name: str) -> str | None:
        with self._lock:
            if self._distributed is None:
                trees = [self._disk.scan(tree, bounds.DEPTH).paths for tree in texmf.directories(self._environment)]
                # Of two files of one name the first tree's counts, and so comes last.
                self._distributed = {os.path.basename(path): path for paths in reversed(trees) for path in paths}
            return self._distributed.get(name)

    def distributed_style(self, name: str) -> str | None:
        with self._lock:
            if name not in self._distributed_styles:
                self._distributed_styles[name] = self._find_distributed_style(name)
            return self._distributed_styles[name]

    def _find_distributed_style(self, name: str) -> str | None:
        for tree in texmf.directories(self._environment, texmf.STYLES):
            for folder in self._disk.list_folders(tree, bounds.DEPTH):
                path = os.path.join(folder, f"{name}.bst")
                if self._disk.stamp(path):
                    return path
        return None

    def unread(self, path: str) -> Unread:
        with self._lock:
            return self._unread.get(path, "")

    def describe_unread(self, path: str) -> str:
        """Return the sentence of `problems` about a file that could not be read; "" if there is none about it."""
        why = self.unread(path)
        return f"{path} {_UNREAD[why](path)} and was not read." if why else ""

    def manuscripts(self) -> Sequence[str]:
        with self._lock:
            return [path for paths in self._by_directory().values() for path in paths]

    def mains(self, directory: str) -> Sequence[str]:
        with self._lock:
            # On another disk a file may change between two uses, and with it what is a main document.
            mains = self._mains.get(directory) if isinstance(self._disk, SteadyDisk) else None
            if mains is None:
                mains = [path for path in self._by_directory().get(directory, ()) if roots.is_main(self, path)]
                self._mains[directory] = mains
            return mains

    def cells(self, path: str) -> Sequence[str]:
        with self._lock:
            return roots.cells_among(self._opened_paths(), path)

    def packages(self) -> AbstractSet[str]:
        with self._lock:
            return self._look_around().packages

    def learn(self, cite_commands: Iterable[str]) -> bool:
        """Take the commands for cite commands from now on, and read documents anew that may hold a new one.

        True if any of the commands is new.
        """
        with self._lock:
            new = tuple(dict.fromkeys(name for name in cite_commands if name not in self._cite_commands))
            if not new:
                return False
            self._stamps.forget()  # answers cached by the stamps of files rest on the commands, too
            self._cite_commands += new
            # Only a document in which a new command's name stands can read differently with it.
            self._loaded = {key: it for key, it in self._loaded.items() if not _names_any(it.source, new)}
            for buffer in self._buffers.values():
                if _names_any(self._source_of_buffer(buffer), new):
                    parsed = syntax.parse(buffer.source.document, self._cite_commands)
                    buffer.source = Source(buffer.source.document, parsed, open=buffer.source.open)
            return True

    def mentions(self, path: str) -> Sequence[str]:
        with self._lock:
            self._look_around()
            for buffer in self._buffers.values():
                self._source_of_buffer(buffer)
            return self._index.mentions(path)

    def exists(self, path: str) -> bool:
        with self._lock:
            return identity(path) in self._buffers or self._stamps.stamp_of(path) is not None

    def same(self, path: str, other: str) -> bool:
        if identity(path) == identity(other):
            return True
        with self._lock:
            return self._stamps.same(path, other)

    def recall(self, question: tuple[str, ...], about: object, ask: Callable[[], bool]) -> bool:
        with self._lock:
            answered = self._answers.get(question)
            if answered is None or answered[0] is not about:
                answered = self._answers[question] = about, ask()
            _, answer = answered
            return answer

    def project(self, path: str, settings: Settings) -> Project:
        """Return the project of a document; the same object as long as nothing changed that it was read from."""
        with self._lock:
            opened = tuple(map(self._source_of_buffer, self._buffers.values()))
            build = partial(include_graph.build, self, path, settings)
            return self._stamps.answer(
                path, (settings, opened), build, incremental_project.carry_over, self._is_settled
            )

    def directories(self, variable: str, base: str) -> Sequence[str]:
        with self._lock:
            if (variable, base) not in self._directories:
                written = link_paths.search_path(variable, self._environment, base)
                folders = self._folders_below(written)
                self._directories[variable, base] = list(dict.fromkeys(islice(folders, bounds.SEARCHED)))
            return self._directories[variable, base]

    def _folders_below(self, tops: Iterable[tuple[str, bool]]) -> Iterator[str]:
        for top, deep in tops:
            yield from self._disk.list_folders(top, bounds.DEPTH if deep else 0)

    def folders(self) -> Sequence[str]:
        return self._folders

    def problems(self) -> Sequence[str]:
        """Return sentences about what was not read or not searched: files, folders, search paths, patterns."""
        with self._lock:
            unread = list(map(self.describe_unread, self._unread))
            crowded = {  # of the search paths of TeX those with as many folders as are searched
                variable
                for (variable, _), folders in self._directories.items()
                if variable and len(folders) >= bounds.SEARCHED
            }
            bound = f"more than {bounds.SEARCHED:,} folders, not all of which were searched"
            unsearched = [f"{variable} names {bound}." for variable in crowded]
            return [*unread, *self._survey.cut, *unsearched, *self._patterns.problems()]

    def _source_of_buffer(self, buffer: _Buffer) -> Source:
        """Return the source of an open document, parsed again if it changed; the buffer gets the new one.

        `touched` joins all changes since it was parsed.
        """
        if buffer.touched is None:
            return buffer.source
        old = buffer.source
        document = buffer.document()
        replaced = buffer.touched.replaced
        new_text = document.text[replaced.start : replaced.start + buffer.touched.length]
        parsed = syntax.reparse(old.syntax, document, replaced, new_text, self._cite_commands)
        buffer.source = Source(document, parsed, open=old.open)
        buffer.touched = None
        self._note(buffer.source)
        return buffer.source

    def _syntax(self, document: Document, before: Source | None, data: bytes | None = None) -> Syntax:
        """Parse the document; what is known of its text `before` is used again, if there was one.

        `data` are the bytes of the text if it was read from a file.
        """
        if before is None or before.document.language != document.language:
            return cached_entries.parse(document, data, self._cite_commands, self._cache)
        if before.document.text == document.text:
            return before.syntax
        span, new_text = difference(before.document.text, document.text)
        return syntax.reparse(before.syntax, document, span, new_text, self._cite_commands)

    def _load_source(self, path: str, stamp: Stamp, language: Language | None, before: _Loaded | None) -> Source | None:
        """Load the source of a file as it is now, by `_make_source`; None if it cannot be read.

        The result is put into `_loaded`; what was read longest ago is dropped from there if it is too much.
        """
        content = self._read_content(path, stamp)
        if content is None:
            return None
        is_settled = _is_settled(stamp)
        source = self._make_source(path, content, language, before.source if before else None)
        self._loaded[identity(path)] = _Loaded(stamp, is_settled, source)
        for dropped in self._shelf.note(identity(path), len(content.text)):
            self._loaded.pop(dropped, None)
        self._note(source)
        return source

    def _make_source(self, path: str, content: _Content, language: Language | None, old: Source | None) -> Source:
        """Return the source of a file with this content, parsed as far as it differs from `old`, its last reading.

        If nothing differs, it is `old` itself.  `language` counts for a file whose name doesn't tell it.
        """
        by_name = languages.language_of_path(path)
        written_in = language if by_name is languages.OTHER and language else by_name
        document = Document(path, content.text, written_in.name)
        document = cached_entries.as_known(document, old.document if old else None)
        writable = self._writable(path)
        is_as_before = (
            old is not None
            and old.document is document
            and not old.open  # as it was in an editor, when all of it counted
            and old.writable == writable
            and old.encoding == content.encoding
        )
        if old is not None and is_as_before:
            return old
        parsed = self._syntax(document, old, content.data)
        return Source(document, parsed, open=False, writable=writable, encoding=content.encoding)

    def _read_content(self, path: str, stamp: Stamp) -> _Content | None:
        """Return what a file holds; None if it cannot be read, of which the reason is noted in `_unread`."""
        limit = limit_of(path)
        self._unread.pop(path, None)
        if stamp.size > limit:
            self._unread[path] = "large"
            return None
        data = self._disk.load(path)
        if data is None:
            self._unread[path] = "denied"
            return None
        if len(data) > limit:  # it has grown meanwhile
            self._unread[path] = "large"
            return None
        decoded = decode(data)
        if decoded is None:
            self._unread[path] = "binary"
            return None
        return _Content(decoded.text, decoded.encoding, data)

    def _files_changed(self) -> None:
        """Look again, at the next use, at everything that depends on which files there are."""
        self._stale = True
        self._manuscripts = None
        self._mains.clear()
        self._patterns.forget()
        self._answers.clear()
        self._stamps.rename(self._opened_paths())

    def _is_settled(self, path: str) -> bool:
        """False if the file may read otherwise under the same stamp: it was just written, or could not be read."""
        loaded = self._loaded.get(identity(path))
        return path not in self._unread and (loaded is None or loaded.settled)

    def _writable(self, path: str) -> bool:
        """True if we may write the file: in a folder of the workspace, or one that the user lets us write to."""
        real = self._disk.real(path)
        writable_areas = (*self._areas(), *self._write_to)
        is_ours = any(is_inside(real, self._disk.real(area)) for area in writable_areas)
        return is_ours and self._disk.writable(path)

    def _areas(self) -> Iterable[str]:
        """Return the workspace folders, and the directories of open documents that lie in none of them."""
        directories = map(os.path.dirname, self._opened_paths())
        outside = [
            directory
            for directory in directories
            if not any(is_inside(directory, folder) for folder in (*self._folders, roots.NOWHERE))
        ]
        return dict.fromkeys((*self._folders, *outside))

    def _searched(self) -> Iterable[str]:
        """Yield the folders that a pattern may search: the areas, and those of the user's search paths (TEXINPUTS)."""
        yield from self._areas()
        for (variable, _), folders in self._directories.items():
            if variable:
                yield from folders

    def _by_directory(self) -> dict[str, list[str]]:
        """Return the paths of the manuscripts by directory."""
        survey = self._look_around()
        if self._manuscripts is None:
            opened = filter(is_manuscript, self._opened_paths())
            self._manuscripts = {}
            for path in dict.fromkeys((*survey.found, *opened)):
                if languages.language_of_path(path).manuscript:
                    self._manuscripts.setdefault(os.path.dirname(path), []).append(path)
        return self._manuscripts

    def _note(self, source: Source) -> None:
        if is_manuscript(source.document.path) or source.language.manuscript:
            self._index.note(source.document.path, source.syntax)

    def _look_around(self) -> Survey:
        """Return what lies in the folders; if files came or went, look anew and outline each manuscript."""
        if not self._stale:
            return self._survey
        self._stale = False
        before = self._survey
        self._survey = survey(self._disk, self._folders, self._areas())
        for path in set(before.found) - set(self._survey.found):
            self._unread.pop(path, None)
            # An open document still names what it names.  Of any other, nothing is kept: moved back as it was, it has
            # to be noted anew.
            if identity(path) not in self._buffers:
                self._index.forget(path)
                self._outlines.pop(identity(path), None)
                self._loaded.pop(identity(path), None)
        for path in self._survey.found:
            self.outline(path)
        return self._survey


def _is_settled(stamp: Stamp) -> bool:
    """False if a file was changed so lately that it may change again unseen, and is to be read again next time.

    Clocks of file systems tick in up to some hundredths of a second; two changes within one tick have one stamp.
    """
    return not 0 <= time.time_ns() - stamp.mtime_ns < _UNSETTLED_NS


def _names_any(source: Source, commands: Sequence[str]) -> bool:
    """True for a manuscript in which one of the commands stands."""
    text = source.document.text
    return source.language.manuscript is not None and any(f"\\{bare(command)}" in text for command in commands)
