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
from citelsp.sources import service_specs
from citelsp.sources.ask_services import Sources, is_passing
from citelsp.sources.doi import Registered
from citelsp.sources.reference_query import ReferenceQuery
from citelsp.sources.time_lost import Patience
from citelsp.verification import decide, plan, policy_wording, verdict_cache
from citelsp.verification.control import agency_of
from citelsp.verification.evidence import Answer
from citelsp.verification.question import Question, hand_over
from citelsp.verification.weighing import judge

SERVICES = (
    "crossref", "semantic_scholar", "openalex", "dblp", "arxiv", "europepmc", "doi", "datacite", "openlibrary",
)  # fmt: skip
_ASKED_OF_DOI_ORG = ("exists", "agency")  # kinds of question that share a request, of many DOIs and prefixes at once
_BATCH = 40  # identifiers; so many together are asked about at once, and wait for no more
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
    repeated: bool = False  # services that failed were asked once more
    patience: Patience = field(default_factory=Patience)

    def next_questions(
        self, services: Collection[str], read_control: Callable[[Question], Lookup | None]
    ) -> tuple[Question, ...]:
        """Return the questions to ask now; none if the verdict can be given.

        Questions that need no request are settled here, put into `answers`, and the next ones planned: controls (for
        works that a service certainly has, to see whether its silence counts) of which the outcome is known already,
        and questions to services for which no time is left, which count as unavailable.  `read_control` gives what
        came of a control in this run, None if it has still to be asked.
        """
        while True:
            questions = plan.questions(self.entry, self.answers, services)
            known_controls = {it: lookup for it in questions if it.is_control and (lookup := read_control(it))}
            # An answer to a control may change what is asked next: only without one it is seen which of these questions
            # there is no time for.
            settled: Mapping[Question, Lookup] = known_controls or self._list_refused(questions)
            if not settled:
                self.patience.begin_step()  # these are asked side by side: of what they lose the slowest alone counts
                return questions
            for question, lookup in settled.items():
                self.answers[question] = judge(self.entry, question, lookup)

    def _list_refused(self, questions: Sequence[Question]) -> dict[Question, Unavailable]:
        """Return the questions to services that could lose more time than is left, each with this as its answer."""
        return {it: refusal for it in questions if (refusal := self.patience.refusal(it.service))}

    def verdict(self, services: Collection[str]) -> Verdict:
        """Return the verdict that the answers allow, without what neither findings nor pop-ups need."""
        return verdict_cache.slim(policy_wording.with_sentences(decide.verdict(self.entry, self.answers, services)))

    def forget_failures(self) -> bool:
        """Forget the answers of services that failed in passing, if time is left for them; True if there were some.

        Not in passing are those after which a service is left alone for a while, nor those of being offline.
        Their questions will be asked again, but only once: once it was True, further calls return False.
        """
        failed: list[Question] = []
        for question, answer in self.answers.items():
            has_time = self.patience.refusal(question.service) is None
            if has_time and is_passing(answer.lookup):
                failed.append(question)
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
    # Lookups by identifier that wait: by service, and whether they are of _ASKED_OF_DOI_ORG; with the time of `post`.
    lookups: dict[tuple[str, bool], dict[Question, float]] = field(default_factory=dict)
    searches: dict[str, deque[Question]] = field(default_factory=dict)  # by service
    either: deque[Question] = field(default_factory=deque)  # searches that several services may answer
    requests: dict[asyncio.Task[Mapping[Question, Lookup]], str] = field(default_factory=dict)  # → service of a search
    failing: set[str] = field(default_factory=set)  # services whose last search was not answered
    proven: set[tuple[str, str, str]] = field(default_factory=set)  # who found anything, by kind of question, registrar
    controls: dict[Question, Lookup] = field(default_factory=dict)  # that were answered

    def read_control(self, question: Question) -> Lookup | None:
        """Return what came of a control in this run; None if it has still to be asked.

        A service that has found anything of the kind need not be asked: the control counts as found.  Not `agency`,
        which is asked to learn who the registrar is.
        """
        if question.kind != "agency" and (question.service, question.kind, agency_of(question)) in self.proven:
            return Found(question.service, ())
        return self.controls.get(question)

    def post(self, question: Question, key: str) -> None:
        """Queue a question of the case with this key; if another case waits for the same, both get its answer."""
        if question not in self.askers:
            if not question.is_search:
                kind = (question.service, question.kind in _ASKED_OF_DOI_ORG)
                self.lookups.setdefault(kind, {})[question] = time.monotonic()
            elif question.instead:
                self.either.append(question)
            else:
                self.searches.setdefault(question.service, deque()).append(question)
        self.askers.setdefault(question, []).append(key)

    def send(self) -> None:
        """Begin the requests that may be made now: searches as far as their services have room, lookups in batches.

        A search that several services may answer (in `either`) goes to the first of them that is free.  Lookups by
        identifier go out in batches of _BATCH or more, or in smaller ones if they have waited long enough or no request
        is under way.
        """
        for service, queue in self.searches.items():
            room = _SEARCHES_AT_ONCE - self._count_searches(service)
            for _ in range(min(len(queue), room)):
                self._begin([queue.popleft()], service)
        while self.either:
            free_service = self._find_free_service(self.either[0])
            if not free_service:  # nor for those behind it, which may go to the same services
                break
            self._search_at(free_service, self.either.popleft())
        for waiting in self.lookups.values():
            if not waiting:
                continue
            oldest = next(iter(waiting.values()))
            waited_long = time.monotonic() - oldest >= _BATCH_WAIT
            if len(waiting) >= _BATCH or waited_long or not self.requests:
                self._begin(list(waiting), service="")  # a service is noted of searches alone
                waiting.clear()

    async def next_answers(self) -> list[tuple[Question, Lookup, list[str]]]:
        """Wait for the next answers; return each with its question and the keys of the cases that asked.

        One request at least must be on its way.  The list is empty if none came back within half of _BATCH_WAIT, so
        that `send` can look whether a batch is due.  A request never raises: what fails is answered as unavailable.
        Noted are the services whose last search failed, those that have found anything (`proven`), and what came of
        controls, which ask for works that a service certainly has.
        """
        done, _ = await asyncio.wait(self.requests, timeout=_BATCH_WAIT / 2, return_when=asyncio.FIRST_COMPLETED)
        answered = [pair for task in done for pair in task.result().items()]
        for task in done:
            del self.requests[task]
        for question, lookup in answered:
            if question.is_search and isinstance(lookup, Unavailable):
                self.failing.add(question.service)
            elif question.is_search:
                self.failing.discard(question.service)
            if isinstance(lookup, Found):
                self.proven.add((question.service, question.kind, lookup.agency))
            if question.is_control:
                self.controls[question] = lookup
        return [(question, lookup, self.askers.pop(question)) for question, lookup in answered]

    async def close(self) -> None:
        for task in self.requests:
            task.cancel()
        await asyncio.gather(*self.requests, return_exceptions=True)

    def _find_free_service(self, question: Question) -> str:
        """Return the first service that may answer the question and would search at once; "" if there is none now.

        One whose last search failed is passed over; if all have failed, only the question's own service is looked at.
        """
        services = (question.service, *question.instead)
        able = [service for service in services if service not in self.failing] or [question.service]
        for service in able:
            # A service with searches of its own in the queue is not free, however many requests it may be sent.
            is_queued_for = bool(self.searches.get(service))
            room = service_specs.concurrency(self.sources.settings, service)  # beyond it a search would wait
            if not is_queued_for and self._count_searches(service) < room:
                return service
        return ""

    def _count_searches(self, service: str) -> int:
        """Count the searches that this service is being asked now."""
        return sum(it == service for it in self.requests.values())

    def _search_at(self, service: str, question: Question) -> None:
        """Ask that service instead, unless it is asked the same already; the entries wait for its answer."""
        same_there = hand_over(question, service)
        keys = self.askers.pop(question)
        if same_there not in self.askers:
            self._begin([same_there], service)
        self.askers.setdefault(same_there, []).extend(keys)

    def _begin(self, group: list[Question], service: str) -> None:
        """Begin the request for these questions; `service` is the one that is searched, "" for lookups."""
        self.requests[asyncio.ensure_future(_ask_in_parts(group, self.sources))] = service


async def verify(
    entries: Sequence[Entry], sources: Sources, services: Collection[str] = SERVICES
) -> AsyncGenerator[tuple[str, Verdict], None]:
    """Yield (fingerprint, verdict) for each content, as soon as its verdict is certain; cancel at any time.

    Verdicts are read from the cache unless they are too old, and those that may be kept written there.  Each entry is a
    case that plans its next questions by the answers so far; a desk sends the questions of all cases, in batches.  If
    an entry would stay unchecked and services failed in passing, these are asked once more after all other entries.
    """
    # Services that the settings leave out are not asked.  Offline all others stay: they count as unavailable.
    services = [it for it in services if service_specs.refusal(sources.settings, it) in ("", service_specs.OFFLINE)]
    # Without fields that name a macro which nobody defines, as BibTeX reads an entry; its fingerprint counts them.
    cases = {fingerprint(entry): _Case(as_read(entry)) for entry in entries}
    cached = await verdict_cache.read(sources.client.cache, list(cases))
    for key, verdict in cached.items():
        del cases[key]
        yield key, verdict

    desk = _Desk(sources)
    ready = list(cases)  # keys of the cases that wait for no answer
    repeated_later: list[str] = []
    try:
        while True:
            for key in ready:
                case = cases[key]
                questions = case.next_questions(services, desk.read_control)
                case.open = len(questions)
                for question in questions:
                    desk.post(question, key)
                if questions:
                    continue
                verdict = case.verdict(services)
                if verdict.kind == "unchecked" and case.forget_failures():
                    # The service that failed in passing has time to recover until all other entries are done.
                    repeated_later.append(key)
                    continue
                del cases[key]
                await verdict_cache.write(sources.client.cache, key, verdict)
                yield key, verdict
            desk.send()
            if desk.requests:
                ready = _hand_out(await desk.next_answers(), cases)
            elif repeated_later:
                ready = repeated_later
                repeated_later = []
            else:
                return
    finally:
        await desk.close()


def _hand_out(answers: Sequence[tuple[Question, Lookup, list[str]]], cases: Mapping[str, _Case]) -> list[str]:
    """Give each answer to the cases that asked; return the keys of the cases that wait for no further answer.

    An answer is the question, what the service said, and the keys of the cases.  Seconds that a service took for
    nothing are counted for each of these.
    """
    touched: dict[str, _Case] = {}
    for question, lookup, keys in answers:
        for key in keys:
            case = cases[key]
            touched[key] = case
            case.answers[question] = judge(case.entry, question, lookup)
            case.patience.count_lost([lookup])
            case.open -= 1
    return [key for key, case in touched.items() if not case.open]


async def _ask_in_parts(group: Sequence[Question], sources: Sources) -> Mapping[Question, Lookup]:
    """Ask a group in one request; if that is refused, ask its quarters, and so on: one bad identifier may spoil it all.

    They are not asked one by one, as a service that fails too often in a row is no longer asked.
    """
    lookups = dict(await _ask_at_once(group, sources))
    if len(group) == 1 or not all(map(_may_be_spoilt, lookups.values())):
        return lookups
    quarter = -(-len(group) // 4)  # rounded up
    for start in range(0, len(group), quarter):
        lookups |= await _ask_in_parts(group[start : start + quarter], sources)
    return lookups


def _may_be_spoilt(lookup: Lookup) -> bool:
    """True if refused with a status that may concern the question, not the asker, by a service not yet left alone."""
    if not isinstance(lookup, Unavailable) or lookup.until is not None:
        return False
    status = lookup.why[:3]  # of `404 Not Found`; other failures begin with a word
    return status.isdigit() and status not in ("401", "403", "429")


async def _ask_at_once(group: Sequence[Question], sources: Sources) -> Mapping[Question, Lookup]:
    """Ask a group of questions to one service at once: one search, one journal, or identifiers.

    A search, or the question for a journal, is alone in its group.  Of doi.org is asked whether DOIs exist and
    which agency registered them.  An identifier of which the service says nothing counts as absent there.
    """
    first = group[0]
    service = first.service
    if first.kind == "journal":
        return {first: await sources.journals(service, first.value)}
    if first.is_search:
        return {first: await sources.search_one(service, _search_query(first))}
    # Several questions may be about one identifier: as an entry's own, and as a control.
    identifiers = {question: _written_for_service(question) for question in group}
    if first.kind in _ASKED_OF_DOI_ORG:
        registered = await sources.registered(identifiers.values())
        lookups = {doi: _lookup_of_registered(answer) for doi, answer in registered.items()}
    else:
        lookups = dict(await sources.ask(service, identifiers.values()))
    return {question: lookups.get(identifier, Absent(service)) for question, identifier in identifiers.items()}


def _lookup_of_registered(answer: Registered | Absent | Unavailable) -> Lookup:
    """Turn what doi.org says of a DOI or prefix into a lookup without records that names the registrar."""
    return Found("doi", (), agency=answer.agency) if isinstance(answer, Registered) else answer


def _search_query(question: Question) -> ReferenceQuery:
    """Return the query of a search, as services take it: words, people, year, and how many hits to look through."""
    query = ReferenceQuery(title=question.value, authors=question.authors, year=question.year)
    match question.kind:
        case "people":
            return replace(query, title="", text=question.value, rows=_ROWS_BY_PEOPLE)
        case "place":
            return replace(query, title="", text=question.value, rows=_ROWS_IN_JOURNAL, place=question.place)
        case "articles":
            return replace(query, rows=_ROWS_IN_JOURNAL, within=question.within)
    return query


def _written_for_service(question: Question) -> str:
    """Return the identifier in the service's own notation: `DOI:10.1000/1` for Semantic Scholar."""
    if question.service != "semantic_scholar":
        return question.value
    return {"doi": "DOI:", "arxiv": "ARXIV:"}.get(question.kind, "") + question.value
