"""A marked-up fixture as a Project, without a disk, for tests of checks and features."""

from dataclasses import dataclass

from citelsp.base.settings import Settings
from citelsp.base.text import Document, apply
from citelsp.features.values import Change
from citelsp.syntax import languages
from citelsp.syntax import parse as parse_document
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source
from marks import Marked, parse


@dataclass
class World:
    marked: Marked
    project: Project

    @property
    def cursor(self) -> tuple[str, int]:
        assert self.marked.cursor
        return self.marked.cursor

    def after(self, change: Change) -> dict[str, str]:
        """The texts of the files that a change alters or creates."""
        texts = self.marked.files
        paths = dict.fromkeys(it.path for it in change.edits)
        edited = {path: apply(texts[path], [it for it in change.edits if it.path == path]) for path in paths}
        return edited | {it.path: it.text for it in change.files}

    def marks(self) -> set[tuple[str, int, int]]:
        return {it[:3] for it in self.marked.ranges}


def world(fixture: str, settings: Settings | None = None, read_only: tuple[str, ...] = ()) -> World:
    marked = parse(fixture)
    return World(marked, project_of(marked.files, settings, read_only))


def project_of(files: dict[str, str], settings: Settings | None = None, read_only: tuple[str, ...] = ()) -> Project:
    documents = [Document(path, text, languages.language_of_path(path).name) for path, text in files.items()]
    sources = {
        it.path: Source(it, parse_document(it), open=True, writable=it.path not in read_only) for it in documents
    }
    return Project(
        sources,
        settings or Settings(),
        manuscript=tuple(it.path for it in documents if not languages.language_of(it).bibliography),
        bibliographies=tuple(it.path for it in documents if languages.language_of(it).bibliography),
        rooted=True,
    )
