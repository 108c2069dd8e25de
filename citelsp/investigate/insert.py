"""The work that an identifier, an address, a title or a citekey means, asked of the services."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from citelsp.base.settings import SERVICES
from citelsp.bibliography import identifiers
from citelsp.bibliography.fold import bare_letters
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.merge_records import merge
from citelsp.bibliography.record import Record
from citelsp.investigate import guess
from citelsp.knowledge import Absent, Candidate, Found, Lookup, Unavailable, tell_why_silent
from citelsp.sources import find_work, service_specs, zotero
from citelsp.sources.ask_services import Sources
from citelsp.sources.reference_query import ReferenceQuery

_WORD = re.compile(r"[A-Za-z]{3,}")
_ADDRESS = re.compile(r"(?:https?://|www\.|doi\.org/)\S+", re.IGNORECASE)
_LABEL = re.compile(r"(?:isbn|doi|arxiv|pmid|pmcid|pubmed|preprint|eprint)\b", re.IGNORECASE)
_YEAR_OF_REFERENCE = re.compile(r"[.,(]\s*(?:19|20)\d\d\b")
_PMID = re.compile(r"\d{6,8}")
_ARXIV_IN_KEY = re.compile(r"\bcorr/abs-(?P<month>\d{4})-(?P<number>\d{4,5})$", re.IGNORECASE)
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
    return [name for name in _ASKED if not service_specs.refusal(sources.settings, name)]


def read_identifiers(text: str) -> Identifiers:
    """Return the identifiers that a text consists of; none if it is a title, even one that mentions a number.

    `10.1000/1 (DOI)` is an identifier, `Learning from 10 examples` a title.  A text is a title if, without addresses,
    labels such as ISBN, and words with digits, it has two words of three letters or more.
    """
    text = text.strip()
    if _PMID.fullmatch(text):  # a bare number of six to eight digits
        return Identifiers(pmid=text)
    without_identifiers = _LABEL.sub(" ", _ADDRESS.sub(" ", text))
    words = [word for word in without_identifiers.split() if not any(sign.isdigit() for sign in word)]
    is_title = len(_WORD.findall(" ".join(words))) > 1
    return Identifiers() if is_title else identifiers.from_text(text)


async def find_all(texts: Sequence[str], sources: Sources) -> list[LookUp]:
    """Look up which work each text means, and return the answers in the order of the texts.

    A text is an identifier, an address that holds one, a title, or a whole reference.  Identifiers share requests;
    titles are searched for at the same time.
    """
    identifiers_of = [read_identifiers(text) for text in texts]
    # Identifiers are true if there is any; a mere address (`url`) is none.
    titles = [text for text, names in zip(texts, identifiers_of, strict=True) if not names and not names.url]
    lookups, answers_to_titles = await asyncio.gather(
        sources.lookup_many([names for names in identifiers_of if names]),
        asyncio.gather(*(_search_title(title, sources) for title in titles)),
    )
    # Each of the two has answers for its part of the texts, in their order: take the next one from the right list.
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
    """Find the works that a citekey without an entry may mean.

    If the user's own Zotero runs and has items of that key, these are the answer; else, of a key of DBLP that holds an
    arXiv id, what this leads to.  Otherwise author, year and words are guessed from the key, and services searched for
    them.  The first _ASKED_FIRST services also get words of `sentence`, which cites the key, if the key says little.
    The others are asked only if the answer is not certain then, with the words of the key alone, if it has two or more,
    as they want every word to be met.
    """
    own = await zotero.find_by_citekey(sources.client, key)
    if isinstance(own, Found):
        return _read_own(own.records)
    # Zotero does not run, or has no such key.
    preprint = _ARXIV_IN_KEY.search(key)  # `DBLP:journals/corr/abs-1706-03762`, of which nothing else can be guessed
    if preprint:
        [answer] = await find_all([f"arXiv:{preprint['month']}.{preprint['number']}"], sources)
        return answer
    meant = guess.read(key, sentence)
    if not meant.wording:
        return LookUp(reason=f"{key} does not name an author, year or title")
    services = sources.browsed()
    # `wording`: words of the key, and of the sentence if it says little; `strict`: those of the key, if it has two.
    rounds = ((services[:_ASKED_FIRST], meant.wording), (services[_ASKED_FIRST:], meant.strict))
    lookups: list[Lookup] = []  # of both rounds
    answer = LookUp()
    for names, wording in rounds:
        question = ReferenceQuery(text=wording, year=meant.year, rows=_ROWS)
        lookups += await asyncio.gather(*(sources.search_one(name, question) for name in names))
        order, is_certain = guess.rank(meant, find_work.list_candidates(lookups))
        answer = LookUp(
            candidates=tuple(order),
            certain=is_certain,
            reason="" if order else _say_why_none(key, lookups),
            unavailable=tuple(lookup for lookup in lookups if isinstance(lookup, Unavailable)),
        )
        if is_certain:
            break
    return answer


def _read_own(records: Sequence[Record]) -> LookUp:
    """The items of the user's Zotero that have a citekey, one for each title; certain if there is only one."""
    # Of one title the first counts: all are put in backwards, and listed forwards.
    by_title = {bare_letters(record.title): Candidate(record, 1.0, ("zotero",)) for record in reversed(records)}
    return LookUp(tuple(reversed(by_title.values())), certain=len(by_title) == 1)


def _read_lookups(text: str, names: Identifiers, lookups: Sequence[Lookup]) -> LookUp:
    """What the identifiers of a text lead to, by the answers of the services; certain if anybody knows them.

    If they lead to several works, that which has one of them itself counts, else the first in the order of the answers.
    """
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
    """Why nothing was found: not there, or not to be asked.  A service that has other works alone answered, too."""
    missing = tell_why_silent((it.source, it.why) for it in lookups if isinstance(it, Unavailable))
    # Found without records says only which agency registered a DOI.
    without_work = [it for it in lookups if isinstance(it, Absent) or (isinstance(it, Found) and it.records)]
    answered = ", ".join(dict.fromkeys(SERVICES.get(it.source, it.source) for it in without_work))
    if not answered:
        return f"{text}: could not be looked up ({missing or 'no service knows this kind of identifier'})"
    return f"{text}: not found by {answered}" + (f" ({missing})" if missing else "")
