"""Verification of many entries at once: their questions, batched by service, until each verdict is certain.

Entries are keyed by their fingerprints, so that two entries of one content are asked about once.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from citelsp.bibliography.entry import Entry, as_read, fingerprint
from citelsp.knowledge import Absent, Found, Lookup, Unavailable, Verdict
from citelsp.sources import registry
from citelsp.sources.ask_services import Sources, is_passing
from citelsp.sources.doi import Registered
from citelsp.sources.patience import Patience
from citelsp.sources.reference_query import ReferenceQuery as Search
from citelsp.verification import decide, plan, policy, verdict_cache
from citelsp.verification.control import agency_of
from citelsp.verification.evidence import Answer
from citelsp.verification.question import Question, hand_over
from citelsp.verification.weighing import judge

SERVICES = (
    "crossref", "semantic_scholar", "openalex", "dblp", "arxiv", "europepmc", "doi", "datacite", "openlibrary",
)  # fmt: skip
_ASKED_OF_DOI_ORG = ("exists", "agency")  # kinds of question that share a request, of many DOIs and prefixes at once
_BATCH = 40  # identifiers in a request
_BATCH_WAIT = 3.0  # seconds that an identifier waits for others to share its request
_ROWS_BY_PEOPLE = 60  # hits to look through for works of these people that have another title
_ROWS_IN_JOURNAL = 20  # hits to look through within one journal, or about a place in one
_SEARCHES_AT_ONCE = 4  # at one service; further ones wait here, so that the entries finish in their order


@dataclass
class _Case:
    """One content to be verified, with what is known so far."""

    entry: Entry
    answers: dict[Question, Answer] = field(default_factory=dict)
    open: int = 0  # questions not yet answered
    repeated: bool = False
    patience: Patience = field(default_factory=Patience)

    def next(self, services: Collection[str], known: Callable[[Question], Lookup | None]) -> tuple[Question, ...]:
        """What to ask now; none if the verdict can be given.

        What needs no request is answered here, and planned on: controls that another entry has asked already (`known`
        gives what they came to in this run), and services for which no time is left, which count as unavailable.
        """
        while True:
            questions = plan.questions(self.entry, self.answers, services)
            settled: dict[Question, Lookup] = {}
            for question in questions:
                if question.is_control and (lookup := known(question)):
                    settled[question] = lookup
            if not settled:
                for question in questions:
                    if refusal := self.patience.refusal(question.service):
                        settled[question] = refusal
            if not settled:
                self.patience.begin_step()
                return questions
            for question, lookup in settled.items():
                self.answers[question] = judge(self.entry, question, lookup)

    def repeat(self) -> bool:
        """Forget, once, that services failed in passing that there is still time for; True if some did."""
        lookups = ((question, answer.lookup) for question, answer in self.answers.items())
        failed = [it for it, lookup in lookups if is_passing(lookup) and not self.patience.refusal(it.service)]
        if self.repeated or not failed:
            return False
        for question in failed:
            del self.answers[question]
        self.repeated = True
        return True


@dataclass
class _Desk:
    """Questions on their way: waiting, or being asked."""

    sources: Sources
    askers: dict[Question, list[str]] = field(default_factory=dict)  # every question that is open
    names: dict[tuple[str, bool], dict[Question, float]] = field(default_factory=dict)  # alike → question → since when
    searches: dict[str, deque[Question]] = field(default_factory=dict)  # by service
    either: deque[Question] = field(default_factory=deque)  # searches that several services may answer
    asked: dict[asyncio.Task[Mapping[Question, Lookup]], str] = field(default_factory=dict)  # with the search's service
    failing: set[str] = field(default_factory=set)  # services whose last search was not answered
    proven: set[tuple[str, str, str]] = field(default_factory=set)  # who found anything, by kind of question, registrar
    controls: dict[Question, Lookup] = field(default_factory=dict)  # that were answered

    def control(self, question: Question) -> Lookup | None:
        """What a control has come to; whoever has found anything in this run need not be asked."""
        if question.kind != "agency" and (question.service, question.kind, agency_of(question)) in self.proven:
            return Found(question.service, ())
        return self.controls.get(question)

    def post(self, question: Question, key: str) -> None:
        if question not in self.askers:
            if not question.is_search:
                kind = (question.service, question.kind in _ASKED_OF_DOI_ORG)
                self.names.setdefault(kind, {})[question] = time.monotonic()
            elif question.instead:
                self.either.append(question)
            else:
                self.searches.setdefault(question.service, deque()).append(question)
        self.askers.setdefault(question, []).append(key)

    def send(self) -> None:
        """Ask what may be asked now: searches as far as their services have room, identifiers in full batches.

        What several services may answer goes to the first that has nothing else to do.  Identifiers go out in smaller
        batches if they have waited long enough, or nothing else is under way.
        """
        for service, queue in self.searches.items():
            for _ in range(min(len(queue), _SEARCHES_AT_ONCE - self._busy(service))):
                self._ask([queue.popleft()], service)
        while self.either and (service := self._free(self.either[0])):
            self._hand(self.either.popleft(), service)
        for waiting in self.names.values():
            if not waiting:
                continue
            oldest = next(iter(waiting.values()))
            waited_long = time.monotonic() - oldest >= _BATCH_WAIT
            if len(waiting) >= _BATCH or waited_long or not self.asked:
                self._ask(list(waiting), "")
                waiting.clear()

    async def answers(self) -> list[tuple[Question, Lookup, list[str]]]:
        """The next answers, with the keys of those who asked; none if some identifiers have waited long enough."""
        done, _ = await asyncio.wait(self.asked, timeout=_BATCH_WAIT / 2, return_when=asyncio.FIRST_COMPLETED)
        found = [pair for task in done for pair in task.result().items()]
        for task in done:
            del self.asked[task]
        for question, lookup in found:
            if question.is_search and isinstance(lookup, Unavailable):
                self.failing.add(question.service)
            elif question.is_search:
                self.failing.discard(question.service)
            if isinstance(lookup, Found):
                self.proven.add((question.service, question.kind, lookup.agency))
            if question.is_control:
                self.controls[question] = lookup
        return [(question, lookup, self.askers.pop(question)) for question, lookup in found]

    async def close(self) -> None:
        for task in self.asked:
            task.cancel()
        await asyncio.gather(*self.asked, return_exceptions=True)

    def _free(self, question: Question) -> str:
        """A service that may answer and would at once; "" if there is none now."""
        able = [it for it in (question.service, *question.instead) if it not in self.failing] or [question.service]
        rooms = {it: registry.concurrency(self.sources.settings, it) for it in able if not self.searches.get(it)}
        return next((it for it, room in rooms.items() if self._busy(it) < room), "")

    def _busy(self, service: str) -> int:
        return sum(it == service for it in self.asked.values())

    def _hand(self, question: Question, service: str) -> None:
        """Ask that service instead, unless it is asked the same already; the entries wait for its answer."""
        same_there = hand_over(question, service)
        keys = self.askers.pop(question)
        if same_there not in self.askers:
            self._ask([same_there], service)
        self.askers.setdefault(same_there, []).extend(keys)

    def _ask(self, group: list[Question], service: str) -> None:
        self.asked[asyncio.ensure_future(_answered(group, self.sources))] = service


async def verify(
    entries: Sequence[Entry], sources: Sources, services: Collection[str] = SERVICES
) -> AsyncGenerator[tuple[str, Verdict], None]:
    """(fingerprint, verdict) of each entry's content, as soon as it is certain.  Cancel at any time.

    What was settled in an earlier run is not asked again until it is too old.  If an entry would stay unchecked
    because a service failed in passing, that is asked once more in the end.
    """
    services = [it for it in services if registry.refusal(sources.settings, it) in ("", registry.OFFLINE)]
    cases = {fingerprint(it): _Case(as_read(it)) for it in entries}
    for key, verdict in (await verdict_cache.read(sources.client.cache, list(cases))).items():
        del cases[key]
        yield key, verdict
    desk, fresh, later = _Desk(sources), list(cases), list[str]()
    try:
        while True:
            for key in fresh:
                case = cases[key]
                questions = case.next(services, desk.control)
                case.open = len(questions)
                for question in questions:
                    desk.post(question, key)
                if questions:
                    continue
                verdict = policy.with_sentences(decide.verdict(case.entry, case.answers, services))
                verdict = verdict_cache.slim(verdict)
                if verdict.kind == "unchecked" and case.repeat():
                    # A service that failed in passing has until all other entries are through to recover.
                    later.append(key)
                    continue
                del cases[key]
                await verdict_cache.write(sources.client.cache, key, verdict)
                yield key, verdict
            desk.send()
            if desk.asked:
                fresh = _taken(await desk.answers(), cases)
            elif later:
                fresh, later = later, []
            else:
                return
    finally:
        await desk.close()


def _taken(answers: Sequence[tuple[Question, Lookup, list[str]]], cases: Mapping[str, _Case]) -> list[str]:
    """Give the answers to the cases that asked; the keys of those with nothing left open."""
    touched: dict[str, _Case] = {}
    for question, lookup, keys in answers:
        for key in keys:
            case = touched[key] = cases[key]
            case.answers[question] = judge(case.entry, question, lookup)
            case.patience.count_lost([lookup])
            case.open -= 1
    return [key for key, case in touched.items() if not case.open]


async def _answered(group: Sequence[Question], sources: Sources) -> Mapping[Question, Lookup]:
    """Ask one service; if it fails on many identifiers at once, by fewer at a time: one of them may spoil all.

    Quarters, as a service that fails too often in a row is left alone.
    """
    found = dict(await _asked(group, sources))
    if len(group) == 1 or not all(map(_may_be_spoilt, found.values())):
        return found
    size = -(-len(group) // 4)
    for start in range(0, len(group), size):
        found |= await _answered(group[start : start + size], sources)
    return found


def _may_be_spoilt(lookup: Lookup) -> bool:
    """Refused with a status that may concern the question, not the asker; nor is the service left alone by now."""
    if not isinstance(lookup, Unavailable) or lookup.until is not None:
        return False
    return lookup.why[:3].isdigit() and lookup.why[:3] not in ("401", "403", "429")


async def _asked(group: Sequence[Question], sources: Sources) -> Mapping[Question, Lookup]:
    """Answers to a group that shares a request: one search, or identifiers that are asked of one service alike."""
    first = group[0]
    if first.kind == "journal":
        return {first: await sources.journals(first.service, first.value)}
    if first.is_search:
        return {first: await sources.search_one(first.service, _searching(first))}
    values = {_spelled(it): it for it in group}
    if first.kind in _ASKED_OF_DOI_ORG:
        agencies = await sources.registered(values)
        found: Mapping[str, Lookup] = {
            doi: Found("doi", (), agency=who.agency) if isinstance(who, Registered) else who
            for doi, who in agencies.items()
        }
    else:
        found = await sources.ask(first.service, values)
    return {question: found.get(value, Absent(first.service)) for value, question in values.items()}


def _searching(question: Question) -> Search:
    search = Search(title=question.value, authors=question.authors, year=question.year)
    if question.kind == "people":
        return replace(search, title="", text=question.value, rows=_ROWS_BY_PEOPLE)
    if question.kind == "place":
        return replace(search, title="", text=question.value, rows=_ROWS_IN_JOURNAL, place=question.place)
    return replace(search, rows=_ROWS_IN_JOURNAL, within=question.within) if question.kind == "articles" else search


def _spelled(question: Question) -> str:
    """An identifier in the service's own notation."""
    if question.service != "semantic_scholar":
        return question.value
    return {"doi": "DOI:", "arxiv": "ARXIV:"}.get(question.kind, "") + question.value
