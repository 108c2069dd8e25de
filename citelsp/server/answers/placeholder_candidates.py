"""Works for placeholders: what this machine finds at once, with what was learnt outside before."""

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from citelsp.base.settings import Settings
from citelsp.candidates import candidate_set, gather, quoting, search_words
from citelsp.corpus.place_query import Query
from citelsp.knowledge import Answers, Candidate, Meaning, Suggestion, Unavailable
from citelsp.server.answers import near_entries
from citelsp.server.state.lists import Basis
from citelsp.server.state.projects import Moment
from citelsp.workspace.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable

    from citelsp.candidates.gather import Here
    from citelsp.corpus.index import Corpus
    from citelsp.server.server import Server

T = TypeVar("T")


async def suggest(ls: "Server", moment: Moment, question: Question) -> Suggestion:
    """Return the list of works for a placeholder's question: the one made last, or a new one if anything changed since.

    What may change is the bibliographies, the corpus and the answers from outside: the `Basis` of a list.  Nobody
    outside is asked; what services and models said before counts, and how near titles lie in meaning by a model on this
    machine.  The list is kept in `ls.lists`.
    """
    answers = ls.knowledge.answers.get(question.key, Answers())
    near = await near_entries.find(ls, moment, question)
    if near:
        answers = replace(answers, meaning=replace(answers.meaning, near=near))

    def suggest_with(corpus: "Corpus | None") -> Suggestion:
        basis = Basis.of_project(moment.project, corpus, answers)
        made_before = ls.lists.known(question.key, basis)
        if made_before:
            return made_before
        here = gather.gather_locally(question, corpus, moment.project, ls.libraries, answers.meaning)
        suggestion = candidate_set.suggest(here, answers)
        ls.lists.keep(question, moment.project.settings, basis, suggestion)
        return suggestion

    return await _ask_corpus(ls, moment.project.settings, suggest_with)


async def add_quotes(ls: "Server", moment: Moment, question: Question, suggestion: Suggestion) -> Suggestion:
    """The suggestion with a passage of each work that speaks for it."""
    return await _ask_corpus(
        ls, moment.project.settings, lambda corpus: quoting.quote_each(question, suggestion, corpus)
    )


async def add_quote(ls: "Server", settings: Settings, question: Question, candidate: Candidate) -> Candidate:
    """The work with a passage that speaks for it; `settings` name the corpus, which may be left out by now."""
    return await _ask_corpus(ls, settings, lambda corpus: quoting.add_quote(Query(question), candidate, corpus))


async def gather_locally(ls: "Server", moment: Moment, question: Question, meaning: Meaning) -> "Here":
    """What this machine has for a question, by its words and what it means."""

    def gather_with(corpus: "Corpus | None") -> "Here":
        return gather.gather_locally(question, corpus, moment.project, ls.libraries, meaning)

    return await _ask_corpus(ls, moment.project.settings, gather_with)


async def _ask_corpus(ls: "Server", settings: Settings, ask: "Callable[[Corpus | None], T]") -> "T":
    """What `ask` answers of the user's corpus, in the worker thread; what is wrong with that is told to the author."""
    answer = await ls.projects.work(lambda _: ls.corpora.use(settings, ask))
    while ls.corpora.problems:
        ls.warn(ls.corpora.problems.pop())
    return answer


def learn(ls: "Server", question: Question, answers: Answers) -> None:
    """Remember what was answered outside for a question; for those asked longest ago it is forgotten."""
    all_answers = ls.learnt.answers.joined(ls.knowledge.answers, {question.key: answers})
    ls.knowledge = replace(ls.knowledge, answers=all_answers)


def services_allowed(moment: Moment) -> bool:
    """True if the author lets the services be searched, by command at least."""
    settings = moment.project.settings
    return settings.online.suggest != "off" and not settings.offline


def may_ask(moment: Moment) -> bool:
    """True if somebody outside may be asked: the services, or a model that the author set up."""
    settings = moment.project.settings
    has_model = bool(settings.model.base_url and settings.model.name)
    return services_allowed(moment) or (has_model and not settings.offline)


def was_asked(suggestion: Suggestion | None) -> bool:
    """True if somebody outside has had a say, or has begun to."""
    return bool(suggestion and any(suggestion.usage.get(it) for it in ("requests", "tokens_in")))


def extendable(suggestion: Suggestion | None) -> bool:
    """True if works to be cited beside those found may still be searched.

    That is if somebody outside was asked, and the search ended (`further`) before it found that nothing else fits.
    """
    return bool(suggestion and suggestion.further and not suggestion.abstained and was_asked(suggestion))


def silent(ls: "Server", question: Question) -> list[str]:
    """The services that were asked and did not answer."""
    answers = ls.knowledge.answers.get(question.key, Answers())
    return [it.source for it in answers.lookups if isinstance(it, Unavailable)]


def choose_words(question: Question) -> str:
    """The words that the services get."""
    return search_words.choose_words(Query(question))
