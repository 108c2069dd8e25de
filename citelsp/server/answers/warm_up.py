"""What the first list of a manuscript would wait for, worked out after opening, while the author rests."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from citelsp.server.answers import near_entries
from citelsp.server.state import snapshot

if TYPE_CHECKING:
    from citelsp.bibliography.completion_search.libraries import Library
    from citelsp.server.server import Server
    from citelsp.server.state.projects import Moment

_PAUSE = 1.0  # seconds after opening, so that the first answers do not wait


def schedule(ls: "Server", uri: str) -> None:
    ls.jobs.later(f"prepare {uri}", _PAUSE, lambda: _prepare_project(ls, uri))


async def _prepare_project(ls: "Server", uri: str) -> None:
    """Read ahead what the first completion lists of a document will need, while the author rests.

    That is the sentences that cite; if there are placeholders, also the bibliographies, the corpus, and titles for a
    model on this machine.  `ls.prepared` notes the document, and forgets those that were closed.
    """
    moment = await snapshot.take(ls, uri)
    libraries: dict[str, Library] = {}  # by path of the bibliography
    await ls.findings.work_aside(_list_steps(ls, moment, libraries))  # between findings, while the author rests

    def adopt(_: object) -> None:
        for path, library in libraries.items():
            ls.libraries.offer(path, library)
        if libraries:  # there are some only if there are placeholders, whose lists also need the corpus
            ls.corpora.corpus_of(moment.project.settings)  # opens it

    # The libraries and the corpus belong to the thread in which lists are made: no other may touch them.
    await ls.projects.work(adopt)
    near_entries.read_ahead(ls, moment)
    still_open = {buffer.uri for buffer in ls.documents}
    ls.prepared = still_open & {*ls.prepared, uri}


def _list_steps(ls: "Server", moment: "Moment", libraries: "dict[str, Library]") -> Iterator[None]:
    """Read ahead piece by piece, with a step (`yield`) between two, at which the reading may pause for the author.

    First the sentences that cite, by which entries are ranked; if there are placeholders, then the hashes by which
    copies of one work are found, and the bibliographies' libraries, which are put into `libraries` by path.
    """
    from citelsp.candidates import warm_up

    yield  # the import is a piece, too
    yield from warm_up.sentences(moment.project)
    if not any(part.syntax.placeholders for part in moment.project.parts):
        return  # only who has placeholders left will ask for their lists: others need none of this, and its memory
    from citelsp.server.answers import placeholder_completion  # noqa: F401  what it imports is a third of a first list

    yield
    yield from warm_up.copies(moment.project)
    for source in moment.project.defining:
        entries = source.syntax.entries
        if entries is not None:
            libraries[source.document.path] = ls.libraries.read(entries, moment.project.strings(source))
            yield
