"""Questions of the editor: a document, a place in it and its project at the moment of asking."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types

from citelsp.base.text import Span
from citelsp.features import key_mentions
from citelsp.server.state.projects import Moment
from citelsp.server.wire.documents import span_in_text, span_of
from citelsp.server.wire.to_lsp import Places
from citelsp.workspace import unincluded_chapters
from citelsp.workspace.files import DiskFiles

if TYPE_CHECKING:
    from citelsp.server.server import Server

T = TypeVar("T")


async def take(ls: "Server", uri: str, place: types.Position | types.Range | None = None) -> Moment:
    """The document as it is now, with its project; nothing is awaited before the snapshot is taken."""
    return await ask(ls, uri, place, lambda moment: moment)


async def ask(ls: "Server", uri: str, place: types.Position | types.Range | None, answer: Callable[[Moment], T]) -> T:
    """Take a snapshot of the document and its project, and return what `answer` makes of it.

    `answer` runs in the worker thread that reads projects.  `place` is the cursor or selection, in the editor's lines
    and columns, from which the snapshot's span is made; without one the span is empty, at 0.
    """
    documents = ls.documents
    path = documents.path_of(uri)
    settings = ls.configuration.settings_of(path)
    # All that an answer rests on is taken here, at once; afterwards messages may change any of it.
    buffer = documents.get(path)
    knowledge = ls.knowledge
    lists = ls.lists.shown
    encoding = ls.encoding
    path = buffer.path if buffer else path  # spelled as when it was opened
    span_in_buffer = span_of(buffer, place, encoding) if buffer and place else Span(0, 0)
    versions = {open_buffer.path: open_buffer.version for open_buffer in documents}

    def work(files: DiskFiles) -> T:
        project = files.project(path, settings)
        source = project.sources.get(path)
        span = span_in_buffer
        # A document that the editor asks about without opening it: only now its text is read, from disk.
        if place and source and not buffer:
            span = span_in_text(source.document.text, place, encoding)
        places = Places(project, documents, versions, encoding)
        return answer(Moment(project, knowledge, path, span, places, lists))

    return await ls.projects.work(work)


async def take_with_sharers(ls: "Server", uri: str, place: types.Position) -> Moment:
    """Take a snapshot whose project has all manuscripts that share the bibliography of the key at `place`.

    So all citations of a key are found, wherever it was asked for.  The project has the chapters that no manuscript
    includes, too.  If there is no key at `place`, if its entry stands in the document itself or in no bibliography, or
    if the text was changed meanwhile, the snapshot has the document's own project, with such chapters.
    """
    moment = await take(ls, uri, place)
    mention = key_mentions.mention_at(moment.project, moment.path, moment.offset)
    for entry in moment.project.find(mention.key) if mention else ():
        bibliography = entry.source.document.path
        if bibliography == moment.path or bibliography not in moment.project.bibliographies:
            continue  # from a bibliography its project has all that share it anyway; \bibitem stands in the manuscript
        project = await ls.projects.project_of(bibliography, moment.project.settings)
        wide = unincluded_chapters.join_strays(project)
        source = moment.project.sources[moment.path]
        source_now = wide.sources.get(moment.path)
        # The wider project was read a moment later: if the author typed meanwhile, the places would be wrong.
        if source_now and source_now.document.text == source.document.text:
            return replace(moment, project=wide, places=replace(moment.places, project=wide))
    return replace(moment, project=unincluded_chapters.join_strays(moment.project))


async def take_all(ls: "Server") -> list[Moment]:
    """The projects of all open documents, each document in one of them only."""
    moments: list[Moment] = []
    open_documents = [(buffer.path, buffer.uri) for buffer in ls.documents]
    for path, uri in open_documents:
        if not any(path in moment.project.sources for moment in moments):
            moments.append(await take(ls, uri))
    return moments
