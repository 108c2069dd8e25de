"""Works for a placeholder by the agent: what it may look at, made of a project, the corpus and the services."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TypeVar

from citelsp.agent.chat import Chat
from citelsp.agent.environment import Environment, Library
from citelsp.agent.services import Scholarly
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.candidates import entries
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.corpus.ranking_endpoints import Helpers
from citelsp.corpus.servers import Servers
from citelsp.knowledge import Candidate
from citelsp.sources.ask_services import Sources
from citelsp.syntax import prose
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace import question as questions
from citelsp.workspace.project import Project
from citelsp.workspace.question import Question, read_marked

MOST_FURTHER = 3  # works that a further search of the model may add at a place

_AROUND = 20_000  # characters on either side of a place, of which no run of words goes to services
_PARAGRAPHS = 6  # on either side of a place
_COMPARED = 300  # characters of an action's words, which may be cut, that show whether they are the sentence

T = TypeVar("T")
# Searches by words for so many entries, best first; the query is that of the place that the words are of, if any.
OwnEntries = Callable[[str, int, Query | None], Sequence[Candidate]]
Within = Callable[[Callable[[], T]], T]  # runs a function where the libraries may be used


@dataclass(frozen=True, slots=True)
class Reach:
    """Where works may be looked for; None: not there."""

    library: OwnEntries | None = None
    corpus: Corpus | None = None
    sources: Sources | None = None
    chat: Chat | None = None
    helpers: Helpers = Helpers()  # noqa: RUF009  a frozen value
    servers: Servers = Servers()  # noqa: RUF009  a frozen value


def make_environment(project: Project, path: str, placeholder: Placeholder, reach: Reach) -> Environment:
    """What a search for this placeholder may look at."""
    source = project.sources[path]
    wide = prose.prose_around(source.document, source.syntax, placeholder.whole, _AROUND, questions.acronyms(project))
    before = prose.paragraphs(wide.before)
    after = prose.paragraphs(wide.after)
    question = questions.placeholder_question(project, path, placeholder)
    return make_environment_of_question(question, reach, (before[-_PARAGRAPHS:], after[:_PARAGRAPHS]))


def make_environment_of_question(
    question: Question, reach: Reach, around: tuple[Sequence[str], Sequence[str]] = ((), ())
) -> Environment:
    """What a search for this question may look at; `around` are the paragraphs before and after its place.

    What the sentence cites already (`question.beside`) is not offered.
    """
    services = Scholarly(reach.sources) if reach.sources else None
    before, after = map(tuple, around)
    library = _search_with_place(reach.library, Query(question)) if reach.library else None
    return Environment(
        question,
        corpus=reach.corpus,
        services=services,
        library=library,
        before=before,
        after=after,
        exclude=question.beside,
        helpers=reach.helpers,
        servers=reach.servers,
    )


def _search_with_place(find: OwnEntries, place: Query) -> Library:
    """`find` for any words; if they are the sentence of the place, what else is known of it counts too, as its hint."""
    sentence = " ".join(place.sentence.split())[:_COMPARED]
    return lambda words, limit: find(words, limit, place if words[:_COMPARED] == sentence else None)


def open_library(
    project: Project, libraries: Libraries, corpus: Corpus | None, within: Within[Sequence[Candidate]] | None = None
) -> OwnEntries | None:
    """Return a function that searches the author's own entries by words, from any thread; None if there are no entries.

    Each entry comes with the passage that answers the words; `corpus`, if there is one, says which words are rare.
    `libraries` may be used by one thread at a time.  `within` runs a function where that holds, such as on the worker
    thread of the server; without it each search holds a lock.
    """
    if not any(len(source.syntax.entries or ()) for source in project.defining):
        return None
    lock = Lock()

    def run_locked(ask: Callable[[], Sequence[Candidate]]) -> Sequence[Candidate]:
        with lock:
            return ask()

    run = within or run_locked

    def find(words: str, limit: int, place: Query | None) -> Sequence[Candidate]:
        query = place or Query(read_marked(words, hint=words))  # without a place the words are all that is asked
        return run(lambda: entries.candidates(project, libraries, query, corpus)[:limit])

    return find
