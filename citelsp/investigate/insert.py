"""The work that an identifier, an address, a title or a citekey means, asked of the services."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from citelsp.base.settings import SERVICES
from citelsp.bibliography import identifiers
from citelsp.bibliography.fold import squeezed
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.merge import merge
from citelsp.bibliography.record import Record
from citelsp.investigate import guess
from citelsp.knowledge import Absent, Candidate, Found, Lookup, Unavailable
from citelsp.sources import find, registry, zotero
from citelsp.sources.ask_services import Sources
from citelsp.sources.reference_query import ReferenceQuery

_WORD = re.compile(r"[A-Za-z]{3,}")
_ADDRESS = re.compile(r"(?:https?://|www\.|doi\.org/)\S+", re.IGNORECASE)
_LABEL = re.compile(r"(?:isbn|doi|arxiv|pmid|pmcid|pubmed|preprint|eprint)\b", re.IGNORECASE)
_YEAR_OF_REFERENCE = re.compile(r"[.,(]\s*(?:19|20)\d\d\b")
_PMID = re.compile(r"\d{6,8}")
_ROWS = 8  # hits of each service for a citekey
_ASKED = (
    "crossref", "doi", "datacite", "arxiv", "semantic_scholar", "openalex", "europepmc", "openlibrary", "aclanthology",
)  # fmt: skip
_FEW = 2  # services that are asked first


@dataclass(frozen=True, slots=True)
class LookUp:
    """Works that may be meant, likeliest first; the first one is it if `certain`.  `reason` says what is wanting."""

    candidates: tuple[Candidate, ...] = ()
    certain: bool = False
    reason: str = ""
    unavailable: tuple[Unavailable, ...] = ()


def asked(sources: Sources) -> list[str]:
    """The services that may be asked."""
    return [name for name in _ASKED if not registry.refusal(sources.settings, name)]


def named(text: str) -> Identifiers:
    """The identifiers that a text consists of; none if it is a title, even one that mentions a number.

    A title has more than one word of letters beside addresses, labels such as ISBN, and words with digits.
    """
    text = text.strip()
    if _PMID.fullmatch(text):
        return Identifiers(pmid=text)
    without_identifiers = _LABEL.sub(" ", _ADDRESS.sub(" ", text))
    words = [word for word in without_identifiers.split() if not any(sign.isdigit() for sign in word)]
    is_title = len(_WORD.findall(" ".join(words))) > 1
    return Identifiers() if is_title else identifiers.from_text(text)


async def find_all(texts: Sequence[str], sources: Sources) -> list[LookUp]:
    """What each text means, in their order; identifiers share requests, titles are searched for meanwhile."""
    identifiers_of = [named(text) for text in texts]
    titles = [text for text, names in zip(texts, identifiers_of, strict=True) if not names and not names.url]
    lookups, answers_to_titles = await asyncio.gather(
        sources.lookup_many([names for names in identifiers_of if names]),
        asyncio.gather(*(_titled(title, sources) for title in titles)),
    )
    next_lookup = iter(lookups)
    next_answer = iter(answers_to_titles)
    answers = []
    for text, names in zip(texts, identifiers_of, strict=True):
        if names:
            answers.append(_identified(text, names, next(next_lookup)))
        elif names.url:
            answers.append(LookUp(reason=f"{text}: there is no identifier in this address"))
        else:
            answers.append(next(next_answer))
    return answers


async def keyed(key: str, sentence: str, sources: Sources) -> LookUp:
    """What a citekey without an entry means: the items of that key in the user's own Zotero, while that runs.

    Otherwise by what the key looks like and the sentence that cites it: a few services are asked first, the others
    only if the answer is not certain then, with the words that the key itself has.
    """
    own = await zotero.find_by_citekey(sources.client, key)
    if isinstance(own, Found):
        # Zotero lets items share a key; of one title the first counts.
        by_title = {squeezed(record.title): Candidate(record, 1.0, ("zotero",)) for record in reversed(own.records)}
        return LookUp(tuple(reversed(by_title.values())), certain=len(by_title) == 1)
    meant = guess.read(key, sentence)
    if not meant.wording:
        return LookUp(reason=f"{key} does not name an author, year or title")
    services = sources.browsed()
    lookups: list[Lookup] = []
    answer = LookUp()
    for asked, wording in ((services[:_FEW], meant.wording), (services[_FEW:], meant.strict)):
        question = ReferenceQuery(text=wording, year=meant.year, rows=_ROWS)
        lookups += await asyncio.gather(*(sources.search_one(name, question) for name in asked))
        order, certain = guess.ranked(meant, find.listed(lookups))
        missing = tuple(lookup for lookup in lookups if isinstance(lookup, Unavailable))
        answer = LookUp(tuple(order), certain, "" if order else _silence(key, lookups), missing)
        if certain:
            break
    return answer


def _identified(text: str, names: Identifiers, lookups: Sequence[Lookup]) -> LookUp:
    """What the identifiers of a text lead to, by the answers of the services; certain if anybody knows them."""
    missing = tuple(lookup for lookup in lookups if isinstance(lookup, Unavailable))
    records = [record for lookup in lookups if isinstance(lookup, Found) for record in lookup.records]
    works = merge(records)
    if not works:
        return LookUp(reason=_silence(text, lookups), unavailable=missing)
    work = next((work for work in works if _is(work, names)), works[0])
    return LookUp((Candidate(work, 1.0, _origins(work)),), certain=True, unavailable=missing)


def _is(work: Record, names: Identifiers) -> bool:
    """True if the work has one of the identifiers that were asked about."""
    return any(value and getattr(work.identifiers, name) == value for name, value in _pairs(names))


def _pairs(names: Identifiers) -> list[tuple[str, str]]:
    return [(name, getattr(names, name)) for name in names.__slots__ if name != "url"]


def _origins(work: Record) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source for names in work.origins.values() for source in names)) or (work.source,)


async def _titled(text: str, sources: Sources) -> LookUp:
    """A title, or a whole reference as it is printed in a list."""
    question = ReferenceQuery(text=text) if _YEAR_OF_REFERENCE.search(text) else ReferenceQuery(title=text)
    answers = await sources.search(question)
    reason = "" if answers.candidates else _silence(text, answers.lookups)
    return LookUp(answers.candidates, answers.sure, reason, answers.unavailable)


def _silence(text: str, lookups: Sequence[Lookup]) -> str:
    """Why nothing was found: not there, or not to be asked."""
    missing = "; ".join(str(it) for it in lookups if isinstance(it, Unavailable))
    answered = ", ".join(SERVICES.get(it.source, it.source) for it in lookups if isinstance(it, Absent))
    if not answered:
        return f"{text}: could not be looked up ({missing or 'no service knows this kind of identifier'})"
    return f"{text}: not found by {answered}" + (f" ({missing})" if missing else "")
