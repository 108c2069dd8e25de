"""Candidates for placeholders: searched once for every question, then remembered."""

from dataclasses import replace
from typing import TYPE_CHECKING

from citelsp.corpus.query import Query
from citelsp.features import questions
from citelsp.investigate import relevance, suggest
from citelsp.knowledge import Suggestion
from citelsp.server.places import Moment
from citelsp.syntax.nodes import Placeholder

if TYPE_CHECKING:
    from citelsp.server.server import Server

_REMEMBERED = 300


async def of(ls: "Server", at: Moment, placeholder: Placeholder) -> Suggestion:
    """What is known for a placeholder, or what this machine finds at once."""
    question = questions.of(at.project, at.path, placeholder)
    known = ls.knowledge.suggestions.get(question)
    return known or await search(ls, at, placeholder)


async def search(ls: "Server", at: Moment, placeholder: Placeholder) -> Suggestion:
    """Search this machine anew and remember."""

    def ask() -> Suggestion:
        from citelsp.corpus.index import default_path

        corpus = ls.corpora.at(default_path(at.project.settings))
        return suggest.suggest(at.project, at.path, placeholder, ls.libraries, corpus)

    found = await ls.projects.work(lambda _: ask())
    while ls.corpora.problems:
        ls.warn(ls.corpora.problems.pop())
    remember(ls, questions.of(at.project, at.path, placeholder), found)
    return found


def services_allowed(at: Moment) -> bool:
    """True where the author lets the services be searched, by command at least."""
    settings = at.project.settings
    return settings.online.suggest != "off" and not settings.offline


def allowed(at: Moment) -> bool:
    """True where somebody outside may be asked: the services, or a model that the author set up."""
    settings = at.project.settings
    return services_allowed(at) or bool(settings.model.base_url and settings.model.name and not settings.offline)


def asked(suggestion: Suggestion | None) -> bool:
    """True where somebody outside has had a say, or has begun to."""
    return bool(suggestion and any(suggestion.usage.get(it) for it in ("requests", "tokens_in")))


def extendable(suggestion: Suggestion | None) -> bool:
    """True where works to be cited beside those found may still be searched."""
    return bool(suggestion and suggestion.further and not suggestion.abstained and asked(suggestion))


def wording(at: Moment, placeholder: Placeholder) -> str:
    """The words that the services get."""
    return relevance.wording(Query(suggest.place(at.project, at.path, placeholder)), None)


def remember(ls: "Server", question: str, found: Suggestion) -> None:
    remembered = {**ls.knowledge.suggestions, question: found}
    while len(remembered) > _REMEMBERED:
        del remembered[next(iter(remembered))]
    ls.knowledge = replace(ls.knowledge, suggestions=remembered)
