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
_ASKED_FIRST = 2  # services, of those that search by words


@dataclass(frozen=True, slots=True)
class LookUp:
    """Works that may be meant, likeliest first; the first one is it if `certain`.  `reason` says what is wanting."""

    candidates: tuple[Candidate, ...] = ()
    certain: bool = False
    reason: str = ""
    unavailable: tuple[Unavailable, ...] = ()


def list_services(sources: Sources) -> list[str]:
    """The services that may be asked."""
    return [name for name in _ASKED if not registry.refusal(sources.settings, name)]


def read_identifiers(text: str) -> Identifiers:
    """The identifiers that a text consists of; none if it is a title, even one that mentions a number.

    `10.1000/1 (DOI)` is an identifier, `Learning from 10 examples` a title: a title has more than one word of letters
    beside addresses, labels such as ISBN, and words with digits.
    """
    text = text.strip()
    if _PMID.fullmatch(text):
        return Identifiers(pmid=text)
    without_identifiers = _LABEL.sub(" ", _ADDRESS.sub(" ", text))
    words = [word for word in without_identifiers.split() if not any(sign.isdigit() for sign in word)]
    is_title = len(_WORD.findall(" ".join(words))) > 1
    return Identifiers() if is_title else identifiers.from_text(text)


async def find_all(texts: Sequence[str], sources: Sources) -> list[LookUp]:
    """What each text means, in their order: an identifier, an address that holds one, a title, or a whole reference.

    Identifiers share requests; titles are searched for at the same time.
    """
    identifiers_of = [read_identifiers(text) for text in texts]
    titles = [text for text, names in zip(texts, identifiers_of, strict=True) if not names and not names.url]
    lookups, answers_to_titles = await asyncio.gather(
        sources.lookup_many([names for names in identifiers_of if names]),
        asyncio.gather(*(_search_title(title, sources) for title in titles)),
    )
    # Both have answers for some of the texts, in the order of these.
    next_lookup = iter(lookups)
    next_answer = iter(answers_to_titles)
    answers = []
    for text, names in zip(texts, identifiers_of, strict=True):
        if names:
            answers.append(_read_lookups(text, names, next(next_lookup)))
        elif names.url:
            answers.append(LookUp(reason=f"{text}: there is no identifier in this address"))
        else:
            answers.append(next(next_answer))
    return answers


async def find_by_key(key: str, sentence: str, sources: Sources) -> LookUp:
    """What a citekey without an entry means: the items of that key in the user's own Zotero, while that runs.

    Otherwise by what the key looks like and the sentence that cites it: a few services are asked first, the others
    only if the answer is not certain then, and with the words that the key itself has.
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
    rounds = ((services[:_ASKED_FIRST], meant.wording), (services[_ASKED_FIRST:], meant.strict))
    lookups: list[Lookup] = []  # of both rounds
    answer = LookUp()
    for names, wording in rounds:
        question = ReferenceQuery(text=wording, year=meant.year, rows=_ROWS)
        lookups += await asyncio.gather(*(sources.search_one(name, question) for name in names))
        order, is_certain = guess.rank(meant, find.listed(lookups))
        answer = LookUp(
            candidates=tuple(order),
            certain=is_certain,
            reason="" if order else _say_why_none(key, lookups),
            unavailable=tuple(lookup for lookup in lookups if isinstance(lookup, Unavailable)),
        )
        if is_certain:
            break
    return answer


def _read_lookups(text: str, names: Identifiers, lookups: Sequence[Lookup]) -> LookUp:
    """What the identifiers of a text lead to, by the answers of the services; certain if anybody knows them."""
    missing = tuple(lookup for lookup in lookups if isinstance(lookup, Unavailable))
    records = [record for lookup in lookups if isinstance(lookup, Found) for record in lookup.records]
    works = merge(records)
    if not works:
        return LookUp(reason=_say_why_none(text, lookups), unavailable=missing)
    work = next((work for work in works if _has_one_of(work, names)), works[0])
    return LookUp((Candidate(work, 1.0, _name_origins(work)),), certain=True, unavailable=missing)


def _has_one_of(work: Record, names: Identifiers) -> bool:
    """True if the work has one of the identifiers that were asked about."""
    return any(value and getattr(work.identifiers, name) == value for name, value in _list_values(names))


def _list_values(names: Identifiers) -> list[tuple[str, str]]:
    return [(name, getattr(names, name)) for name in names.__slots__ if name != "url"]


def _name_origins(work: Record) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source for names in work.origins.values() for source in names)) or (work.source,)


async def _search_title(text: str, sources: Sources) -> LookUp:
    """A title, or a whole reference as it is printed in a list."""
    question = ReferenceQuery(text=text) if _YEAR_OF_REFERENCE.search(text) else ReferenceQuery(title=text)
    answers = await sources.search(question)
    reason = "" if answers.candidates else _say_why_none(text, answers.lookups)
    return LookUp(answers.candidates, answers.sure, reason, answers.unavailable)


def _say_why_none(text: str, lookups: Sequence[Lookup]) -> str:
    """Why nothing was found: not there, or not to be asked."""
    missing = "; ".join(str(it) for it in lookups if isinstance(it, Unavailable))
    answered = ", ".join(SERVICES.get(it.source, it.source) for it in lookups if isinstance(it, Absent))
    if not answered:
        return f"{text}: could not be looked up ({missing or 'no service knows this kind of identifier'})"
    return f"{text}: not found by {answered}" + (f" ({missing})" if missing else "")
