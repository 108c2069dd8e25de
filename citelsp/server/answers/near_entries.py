"""How near the author's own entries lie to a placeholder, by the model of `[embeddings]` if it is on this machine.

Titles and sentences are given their vectors in the background; a list waits for those of its own sentence a moment, and
is made of words alone if they do not come.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING
from weakref import ref

from citelsp.knowledge import Nearness
from citelsp.server.state.projects import Moment
from citelsp.workspace import question as questions
from citelsp.workspace.question import Question

if TYPE_CHECKING:
    from citelsp.server.server import Server

_WAIT = 0.15  # seconds that a list waits for the vectors of its sentence
_MOST = 10_000  # titles that are given vectors; of a larger library the others count as neither near nor far
_AHEAD = 20  # placeholders whose sentences are given vectors before anybody asks
_JOB = "near entries"


async def find(ls: "Server", moment: Moment, question: Question) -> Nearness | None:
    """Return how near in meaning the titles of the project's entries lie to the text around a placeholder.

    An embedding model on this machine computes that in the background; this waits for it only briefly (_WAIT) and
    returns what is known then: the next list may know more titles.  None if there is no such model, if it failed
    lately, if nothing is known yet, or if words in the placeholder (its hint) already say what is meant.
    """
    settings = moment.project.settings
    if not settings.embeddings.model or question.hint.strip():
        return None
    from citelsp.investigate import search

    async with ls.endpoints.opened(settings) as endpoints:
        embedder = endpoints.helpers.embedder
        if embedder is None or embedder.rests:  # left alone for a while, as it failed lately
            return None
        near = search.known_near(question, endpoints.helpers)
        # `near_of`: the bibliographies whose titles the model read last.
        has_new_bibliography = ls.near_of != _identify_bibliographies(moment)
        if near is None or has_new_bibliography:  # the text or some titles have not been read by the model yet
            ready = asyncio.Event()  # set once it has read the text
            # This ends what still runs under the name, such as `read_ahead`'s: the author waits for this question.
            ls.jobs.start(_JOB, _learn_titles(ls, moment, [question], ready))
            with suppress(TimeoutError):
                async with asyncio.timeout(_WAIT):
                    await ready.wait()
        return search.known_near(question, endpoints.helpers)


def read_ahead(ls: "Server", moment: Moment) -> None:
    """Learn the titles of a project with placeholders, and what stands around these, before a list is asked for."""
    if not moment.project.settings.embeddings.model:
        return
    first_questions = list(islice(_list_unhinted(moment), _AHEAD))
    if first_questions:
        ls.jobs.start(_JOB, _learn_titles(ls, moment, first_questions, asyncio.Event()))


def _list_unhinted(moment: Moment) -> Iterator[Question]:
    """What the placeholders ask in which no words say what is meant."""
    for source in moment.project.parts:
        for placeholder in source.syntax.placeholders:
            if not placeholder.words.strip():
                yield questions.placeholder_question(moment.project, source.document.path, placeholder)


async def _learn_titles(ls: "Server", moment: Moment, questions: Sequence[Question], ready: asyncio.Event) -> None:
    """Have a model on this machine compare the project's first _MOST titles with the text around these placeholders.

    A question is what a placeholder asks: the sentence and the words around it.  `ready` is set once the model has read
    these, so that they can be compared with titles it knew before, or if there is no model.  Side effect: `ls.near_of`
    is set to the bibliographies whose titles these are.
    """
    from citelsp.investigate import search

    # From the beginning: a list that is asked for meanwhile goes on with what is known, and begins nothing anew.
    ls.near_of = _identify_bibliographies(moment)
    titles = await ls.projects.work(lambda _: [place.entry.title for place in islice(moment.project.entries(), _MOST)])
    async with ls.endpoints.opened(moment.project.settings) as endpoints:
        await search.learn_near(questions, titles, endpoints.helpers, ready.set)
    ready.set()


def _identify_bibliographies(moment: Moment) -> tuple[object, ...]:
    """The bibliographies as they are now: after a change they are others.  Weakly, so that none is kept alive."""
    return tuple(map(ref, moment.project.defining))
