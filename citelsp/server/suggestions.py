"""Candidates for placeholders: searched once a question, then remembered until an entry or the corpus changes."""

from dataclasses import replace
from typing import TYPE_CHECKING

from citelsp import question as questions
from citelsp.corpus.query import Query
from citelsp.investigate import relevance, suggest
from citelsp.investigate.suggest import Basis
from citelsp.knowledge import Suggestion
from citelsp.question import Question
from citelsp.server.places import Moment
from citelsp.syntax.nodes import Placeholder

if TYPE_CHECKING:
    from citelsp.corpus.index import Corpus
    from citelsp.server.server import Server

_REMEMBERED = 300


async def of(ls: "Server", at: Moment, placeholder: Placeholder) -> Suggestion:
    """What this machine finds at once, with what was found outside before."""
    question = questions.of(at.project, at.path, placeholder)
    known, made_of = ls.knowledge.suggestions.get(question.key), ls.bases.get(question.key)

    def find() -> tuple[Suggestion, Basis]:
        corpus, now = _corpus(ls, at), _basis(ls, at)
        if known and made_of == now:
            return known, now
        local = suggest.suggest(at.project, question, ls.libraries, corpus)
        if known and asked(known):
            from citelsp.investigate import search

            return search.renewed(Query(question), local, known, corpus), now
        return local, now

    found, basis = await ls.projects.work(lambda _: find())
    while ls.corpora.problems:
        ls.warn(ls.corpora.problems.pop())
    remember(ls, question, found, basis)
    return found


async def basis(ls: "Server", at: Moment) -> Basis:
    """What a search that begins now finds on this machine."""
    return await ls.projects.work(lambda _: _basis(ls, at))


def _basis(ls: "Server", at: Moment) -> Basis:
    return suggest.basis(at.project, _corpus(ls, at))


def _corpus(ls: "Server", at: Moment) -> "Corpus | None":
    from citelsp.corpus.index import default_path

    return ls.corpora.at(default_path(at.project.settings))


def remember(ls: "Server", question: Question, found: Suggestion, basis: Basis) -> None:
    """Keep what a search found for its question, until what it is based on changes."""
    remembered = {**ls.knowledge.suggestions, question.key: found}
    ls.bases[question.key] = basis
    while len(remembered) > _REMEMBERED:
        oldest = next(iter(remembered))
        del remembered[oldest]
        ls.bases.pop(oldest, None)
    ls.knowledge = replace(ls.knowledge, suggestions=remembered)


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
    return relevance.wording(Query(questions.of(at.project, at.path, placeholder)), None)
