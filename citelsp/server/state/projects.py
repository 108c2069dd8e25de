"""The documents of the editor over the disk, the projects that they belong to, and one of these at a moment.

Messages change the buffers at once; what follows from them (parsing, reading files) is done by one worker thread in the
order of the messages.  So the server answers meanwhile, and every answer is about the text at the time of its question.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from citelsp.base.parse_cache import ParseCache
from citelsp.base.settings import Settings
from citelsp.base.text import Document, Span
from citelsp.knowledge import Knowledge, Lists
from citelsp.server.wire.documents import Buffer, OpenDocuments, TextChange
from citelsp.server.wire.to_lsp import Places
from citelsp.syntax import languages
from citelsp.syntax.languages.language import Language
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.project import Project
from citelsp.workspace.roots import NOWHERE

T = TypeVar("T")
Texts = Mapping[Buffer, Document]  # of the buffers that changed, at the time of a question
_Layout = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]  # folders, commands, bibliographies to write to
Step = Callable[[DiskFiles, Texts], None]  # a change that the worker makes before its next answer


@dataclass(frozen=True, slots=True)
class Moment:
    """Everything that an answer depends on.  `span` is what the question is about; a position is an empty span."""

    project: Project
    knowledge: Knowledge
    path: str
    span: Span
    places: Places
    lists: Lists

    @property
    def offset(self) -> int:
        return self.span.start

    @property
    def language(self) -> Language:
        source = self.project.sources.get(self.path)
        return source.language if source else languages.OTHER


class Projects:
    """Open documents and workspace folders."""

    def __init__(self, documents: OpenDocuments, cache: ParseCache | None = None) -> None:
        self.documents = documents
        self._cache = cache
        self._layout: _Layout = ((), (), ())
        self.lent = ""  # the bibliography for manuscripts that name none
        self.fetched: dict[str, str] = {}  # the files of bibliographies by their addresses
        self._files = DiskFiles(cache=cache)
        self._steps: list[Step] = []
        self._changed: set[Buffer] = set()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="projects")

    def set_up(self, folders: Iterable[str], cite_commands: Iterable[str], write_to: Iterable[str]) -> None:
        """Set the workspace's folders, the author's own cite commands, and the bibliographies to write to.

        If any of them differs from before, all files are read anew, and the open documents put over them again; what
        was lent (a bibliography for manuscripts that name none) and fetched from the web stays.
        """
        layout = tuple(folders), tuple(cite_commands), tuple(write_to)
        named_folders, named_commands, named_bibliographies = layout
        # Where documents without a file are taken to stand.
        self.documents.folder = next(iter(named_folders), NOWHERE)
        # Editors send their settings again at any change: reading everything anew takes seconds in a large project.
        if layout == self._layout:
            return
        self._layout = layout
        self._files = DiskFiles(named_folders, named_commands, write_to=named_bibliographies, cache=self._cache)
        self._files.lend(self.lent)
        self._files.provide(self.fetched)
        # Changes that wait for the worker are of the files before; the buffers, opened anew below, have them already.
        self._steps = []
        self._changed = set()
        for buffer in self.documents:
            self.opened(buffer)

    def opened(self, buffer: Buffer) -> None:
        document = buffer.document
        self._steps.append(lambda files, _: files.open(document.path, document.text, document.language))

    def changed(self, buffer: Buffer, change: TextChange) -> None:
        """Have the worker follow a change of a buffer; its text is joined only when somebody asks."""

        def step(files: DiskFiles, texts: Texts) -> None:
            files.note_change(buffer.path, change.span, change.inserted, lambda: texts[buffer])

        self._changed.add(buffer)
        self._steps.append(step)

    def lend(self, path: str) -> bool:
        """Have manuscripts that name no bibliography borrow this one; True if they had none, or another."""
        is_new = path != self.lent
        self.lent = path
        if is_new:
            self._steps.append(lambda files, _: files.lend(path))
        return is_new

    def provide(self, fetched: Mapping[str, str]) -> bool:
        """Add the files of bibliographies by their addresses; True if there was any new one."""
        all_fetched = {**self.fetched, **fetched}
        is_new = all_fetched != self.fetched
        self.fetched = all_fetched
        if is_new:
            self._steps.append(lambda files, _: files.provide(all_fetched))
        return is_new

    def closed(self, path: str) -> None:
        self._steps.append(lambda files, _: files.close(path))

    def files_changed(self) -> None:
        """Files came or went; contents are looked at again anyway."""
        self._steps.append(lambda files, _: files.refresh())

    async def project_of(self, path: str, settings: Settings) -> Project:
        """The project of a document as it is now, whatever happens to it before the answer."""
        return await self.work(lambda files: files.project(path, settings))

    async def work(self, ask: Callable[[DiskFiles], T]) -> T:
        """Run `ask` in the worker thread, once all changes and questions before it are done, and return its answer.

        Changes are collected as steps; the worker makes those that came since the last question before it asks.
        """
        files = self._files
        steps = self._steps
        # The texts of changed buffers are taken here and not in the thread, where they could be a keystroke further.
        texts = {buffer: buffer.document for buffer in self._changed}
        self._steps = []
        self._changed = set()

        def run() -> T:
            for step in steps:
                step(files, texts)
            return ask(files)

        # A cancelled question must not take its steps with it: later answers rest on these changes too.
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._worker, run))

    def call(self, ask: Callable[[], T]) -> T:
        """Run `ask` in the worker thread for another thread, which waits; the worker itself would wait for ever."""
        return self._worker.submit(ask).result()

    def stop(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)
