"""The documents of a workspace at one moment: which belong together, what they cite and which entries they can cite.

A Project is frozen.  It is built from `Files`, the only way to the disk, and holds everything that was read: the same
documents give the same answers.  Parsed sources are shared between snapshots as long as their documents are unchanged.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from citelsp.bibliography.entry import Entry
from citelsp.settings import Settings
from citelsp.syntax.nodes import Citation, EntryNode, Placeholder, Syntax
from citelsp.text import Document, Span


@dataclass(frozen=True, slots=True)
class Source:
    """A document with its syntax."""

    document: Document
    syntax: Syntax
    open: bool = False  # held by the editor
    writable: bool = True


class Files(Protocol):
    """How a project reaches documents: the editor's buffers first, then the disk, re-statted on use."""

    def read(self, path: str) -> Source | None: ...  # None where there is no such file, or it is too large or not text
    def glob(self, pattern: str) -> Sequence[str]: ...
    def manuscripts(self) -> Sequence[str]: ...  # the LaTeX and Markdown files of the workspace folders, bounded


@dataclass(frozen=True, slots=True)
class Place:
    """An entry at its place."""

    source: Source
    index: int

    @property
    def node(self) -> EntryNode:
        raise NotImplementedError

    @property
    def span(self) -> Span:
        """Of the whole entry, in its document."""
        raise NotImplementedError

    @property
    def key_span(self) -> Span:
        raise NotImplementedError

    @property
    def entry(self) -> Entry:
        raise NotImplementedError


@dataclass(frozen=True)
class Project:
    """All manuscripts that one document belongs to, with their bibliographies."""

    sources: Mapping[str, Source]
    settings: Settings
    manuscript: tuple[str, ...] = ()  # paths of the roots and all their parts, roots first
    bibliographies: tuple[str, ...] = ()  # in the order of declaration
    unresolved: tuple[tuple[str, Span], ...] = ()  # links that lead nowhere
    problems: tuple[str, ...] = field(default=())

    def entries(self) -> Iterator[Place]:
        raise NotImplementedError

    def find(self, key: str) -> list[Place]:
        raise NotImplementedError

    def citations(self) -> Iterator[tuple[Source, Citation]]:
        raise NotImplementedError

    def citation_at(self, path: str, offset: int) -> Citation | None:
        raise NotImplementedError

    def placeholder_at(self, path: str, offset: int) -> Placeholder | None:
        raise NotImplementedError

    @property
    def closed(self) -> bool:
        """True where every include and bibliography was resolved and nothing opaque was met, so an unknown key is undefined."""
        raise NotImplementedError


def build(files: Files, path: str, settings: Settings) -> Project:
    """The project of the document at `path`: the roots that include it, their parts, their bibliographies."""
    raise NotImplementedError
