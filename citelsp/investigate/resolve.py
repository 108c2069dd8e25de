"""Works for a placeholder by the agent: what it may look at, made of a project, the corpus and the services."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import TypeVar

from citelsp.agent.chat import Chat
from citelsp.agent.environment import Answer, Environment, Library, Online, paragraphs
from citelsp.agent.services import Scholarly
from citelsp.bibliography.library.index import Libraries
from citelsp.corpus.helpers import Helpers
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Place, Query, marked
from citelsp.investigate import contexts, search, suggest
from citelsp.investigate.contexts import Contexts
from citelsp.knowledge import Candidate, Suggestion
from citelsp.project import Project
from citelsp.sources.ask import Sources
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
    text, whole = project.sources[path].document.text, placeholder.whole
    before = paragraphs(text[max(0, whole.start - _AROUND) : whole.start])
    after = paragraphs(text[whole.end : whole.end + _AROUND])
    place, around = suggest.place(project, path, placeholder), (before[-_PARAGRAPHS:], after[:_PARAGRAPHS])
    known = of_place(place, reach, around, report)
    said = contexts.of(project, path, placeholder, known.query)
    library = _told(reach.library, (known.query, said)) if reach.library else None
    return replace(known, exclude=said.beside if said else frozenset(), library=library)


def of_place(
    place: Place,
    reach: Reach,
    around: tuple[Sequence[str], Sequence[str]] = ((), ()),
    report: Report = lambda _: None,
) -> Environment:
    """With a model the services are actions; without one they are searched once, and what they find is merged."""
    online = services = None
    if reach.sources and reach.chat:
        services = Scholarly(reach.sources)
    elif reach.sources:
        online = _online(place, reach.sources, reach, report)
    before, after = map(tuple, around)
    library = _told(reach.library, (Query(place), None)) if reach.library else None
    return Environment(place, reach.corpus, services, library, online, before, after, helpers=reach.helpers)


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


def _online(place: Place, sources: Sources, reach: Reach, report: Report) -> Online:
    async def ask(here: Suggestion) -> Answer:
        found = await search.exhausted(place, here, sources, reach.corpus, report, reach.helpers)
        doubt = found.reason if found.abstained else ""
        return Answer(found.candidates, requests=int(found.usage.get("requests", 0)), doubt=doubt)

    return ask
