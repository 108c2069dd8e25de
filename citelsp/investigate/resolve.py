"""Works for a placeholder by the agent: what it may look at, made of a project, the corpus and the services."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import TypeVar

from citelsp import question as questions
from citelsp.agent.chat import Chat
from citelsp.agent.environment import Answer, Environment, Library, Online
from citelsp.agent.services import Scholarly
from citelsp.bibliography.library.index import Libraries
from citelsp.corpus.helpers import Helpers
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Query
from citelsp.investigate import contexts, search, suggest
from citelsp.investigate.contexts import Contexts
from citelsp.knowledge import Candidate, Suggestion
from citelsp.project import Project
from citelsp.question import Question, marked
from citelsp.sources.ask import Sources
from citelsp.syntax import prose, sentences
from citelsp.syntax.nodes import Placeholder

MOST = 3  # works that are cited together

_AROUND = 20_000  # characters of the manuscript that a model may ask for, on either side
_PARAGRAPHS = 6
_TELLING = 300  # characters by which a sentence is known, as an action's words are cut

T = TypeVar("T")
AskedPlace = tuple[Query, Contexts | None]  # a place, and what the manuscript tells of it
OwnEntries = Callable[[str, int, AskedPlace | None], Sequence[Candidate]]  # as Library; the place its words are of
Within = Callable[[Callable[[], T]], T]  # runs a function where the libraries may be used
Report = Callable[[search.Step], None]


@dataclass(frozen=True, slots=True)
class Reach:
    """Where works may be looked for; None: not there."""

    library: OwnEntries | None = None
    corpus: Corpus | None = None
    sources: Sources | None = None
    chat: Chat | None = None
    helpers: Helpers = Helpers()  # noqa: RUF009  a frozen value


def environment(
    project: Project, path: str, placeholder: Placeholder, reach: Reach, report: Report = lambda _: None
) -> Environment:
    """What a search for this placeholder may look at.  `report` is told of each service that has answered."""
    source = project.sources[path]
    wide = prose.around(source.document, source.syntax, placeholder.whole, _AROUND)
    before, after = sentences.paragraphs(wide.before), sentences.paragraphs(wide.after)
    question = questions.of(project, path, placeholder)
    known = of_question(question, reach, (before[-_PARAGRAPHS:], after[:_PARAGRAPHS]), report)
    said = contexts.of(project, known.query)
    library = _told(reach.library, (known.query, said)) if reach.library else None
    return replace(known, library=library)


def of_question(
    question: Question,
    reach: Reach,
    around: tuple[Sequence[str], Sequence[str]] = ((), ()),
    report: Report = lambda _: None,
) -> Environment:
    """With a model the services are actions; without one they are searched once, and what they find is merged."""
    online = services = None
    if reach.sources and reach.chat:
        services = Scholarly(reach.sources)
    elif reach.sources:
        online = _online(question, reach.sources, reach, report)
    before, after = map(tuple, around)
    library = _told(reach.library, (Query(question), None)) if reach.library else None
    return Environment(
        question, reach.corpus, services, library, online, before, after, question.beside, helpers=reach.helpers
    )


def _told(entries: OwnEntries, place: AskedPlace) -> Library:
    """The entries by any words; what is known of a place, its hint too, counts where its sentence is asked for."""
    asked = " ".join(place[0].sentence.split())[:_TELLING]
    return lambda words, limit: entries(words, limit, place if words[:_TELLING] == asked else None)


def library(
    project: Project, libraries: Libraries, corpus: Corpus | None, within: Within[Sequence[Candidate]] | None = None
) -> OwnEntries | None:
    """The author's own entries; None where there are none.  Usable from any thread."""
    if not any(len(it.syntax.entries or ()) for it in project.defining):
        return None
    lock = Lock()

    def locked(ask: Callable[[], Sequence[Candidate]]) -> Sequence[Candidate]:
        with lock:
            return ask()

    def find(words: str, limit: int, place: AskedPlace | None) -> Sequence[Candidate]:
        run, (query, around) = within or locked, place or (Query(marked(words)), None)
        return run(lambda: suggest.of_library(project, libraries, query, corpus, around)[:limit])

    return find


def _online(question: Question, sources: Sources, reach: Reach, report: Report) -> Online:
    async def ask(here: Suggestion) -> Answer:
        found = await search.exhausted(question, here, sources, reach.corpus, report, reach.helpers)
        doubt = found.reason if found.abstained else ""
        return Answer(found.candidates, requests=int(found.usage.get("requests", 0)), doubt=doubt)

    return ask
