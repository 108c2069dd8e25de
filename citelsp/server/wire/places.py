"""A project at a moment as the editor sees it: documents by URI, places by line and column."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lsprotocol import types

from citelsp.base.text import Span
from citelsp.knowledge import Knowledge, Lists
from citelsp.server.wire import lines
from citelsp.server.wire.documents import OpenDocuments, uri_of
from citelsp.server.wire.lines import Encoding, Landmarks
from citelsp.syntax import languages
from citelsp.syntax.languages.language import Language
from citelsp.workspace.project import Project


@dataclass(frozen=True, slots=True)
class Places:
    """Turns paths and spans of a project into URIs and ranges in the client's units.

    `versions` are of the open documents when the project was asked for.
    """

    project: Project
    documents: OpenDocuments
    versions: Mapping[str, int]
    encoding: Encoding

    def uri(self, path: str) -> str:
        """The URI of a path, in the editor's own spelling if it holds the document."""
        buffer = self.documents.get(path)
        return buffer.uri if buffer else uri_of(path)

    def ranges(self, path: str, spans: Iterable[Span]) -> dict[Span, types.Range]:
        """All ranges of one document at once; in a file that was not read everything is at its start."""
        distinct = list(spans)
        source = self.project.sources.get(path)
        text = source.document.text if source else ""
        offsets = [it for span in distinct for it in (span.start, span.end)]
        found = lines.positions(text, offsets, self.encoding, self._landmarks(path))
        return {it: types.Range(types.Position(*found[it.start]), types.Position(*found[it.end])) for it in distinct}

    def range(self, path: str, span: Span) -> types.Range:
        return self.ranges(path, [span])[span]

    def _landmarks(self, path: str) -> Landmarks:
        buffer = self.documents.get(path)
        # Landmarks of a later text would lead into the middle of lines.
        return buffer.landmarks if buffer and buffer.version == self.versions.get(path) else Landmarks()


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
