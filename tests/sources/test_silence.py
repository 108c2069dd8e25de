"""Services that do not answer: nobody waits for one time and again, and what was not asked in time is not absent."""

import asyncio
from dataclasses import replace

import httpx
import pytest

from citelsp.base.settings import SERVICES, Settings
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Record
from citelsp.knowledge import Unavailable
from citelsp.sources import fulltext
from citelsp.sources.circuit import Circuit
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask
from citelsp.sources.http_response import Reply
from citelsp.sources.reference_query import ReferenceQuery
from citelsp.sources.service_specs import find_spec
from citelsp.sources.time_lost import LIMIT, Patience
from citelsp.verification.ask import verify
from function_network import QUICK, page, reply
from virtual_time import virtual_time
from written_references import CVPR, PEOPLE, cited

WORK, PAPER = Ask("crossref", "/works/10.1/x"), Ask("semantic_scholar", "/graph/v1/paper/x")


class Clock:
    """Time that passes while services are silent only."""

    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def silent(clock, error=httpx.ReadTimeout, together=0.0, all_at_once=False):
    """Every request ends when the patience with its service does, those that are out together together."""

    out = 0

    async def hang(request):
        nonlocal out
        name = request.url.path.split("/")[1]
        ends = clock.now + (find_spec(name).timeout if name in SERVICES else 10)
        out += 1
        await asyncio.sleep(together)  # for all of them to be out
        before = 0
        while all_at_once and before != out:  # however long that takes
            before = out
            await asyncio.sleep(together)
        clock.now = max(clock.now, ends)
        raise error("silent")

    return hang


@pytest.fixture
async def opened(asking, clock):
    """opened(handler) → (Client, Web) by the clock"""

    def start(handler, **settings):
        client, web = asking(handler, **settings)
        client.clock = clock
        return client, web

    return start


@pytest.mark.parametrize("error", [httpx.ReadTimeout, httpx.ConnectTimeout, httpx.ConnectError, httpx.ProxyError])
async def test_after_two_silences_a_service_is_left_alone_and_then_tried_by_one_request(opened, clock, error):
    client, web = opened(silent(clock, error=error))
    answers = [await client.ask(WORK) for _ in range(3)]
    assert (len(web.requests), {it.source for it in answers}) == (2, {"crossref"})
    assert answers[2].until is not None
    assert answers[2].lost == 0
    clock.now += 31
    assert [type(await client.ask(WORK)) for _ in range(3)] == [Unavailable] * 3
    assert len(web.requests) == 3
    clock.now += 31
    await client.ask(WORK)
    assert len(web.requests) == 3
    clock.now += 31
    web.handler = lambda _: reply({"message": 1})
    assert [type(await client.ask(WORK)) for _ in range(3)] == [Reply] * 3


async def test_who_has_answered_is_not_silent(opened, clock):
    client, web = opened(silent(clock))
    for _ in range(5):
        web.handler = silent(clock)
        await client.ask(WORK)
        web.handler = lambda _: reply({"message": 1})
        assert isinstance(await client.ask(WORK), Reply)


@pytest.mark.parametrize(
    "answer", [lambda _: reply({}, 429, **{"retry-after": "0.01"}), lambda _: reply({}, 503), lambda _: page()]
)
async def test_a_service_that_refuses_is_not_silent(opened, clock, answer):
    client, web = opened(answer)
    for _ in range(4):
        await client.ask(PAPER)
        await client.limits.reopen()
    assert len(web.requests) >= 4
    assert client.circuit("semantic_scholar 127.0.0.1").rest() == 0


async def test_one_silent_service_leaves_the_others_alone(opened, clock):
    client, _ = opened(lambda it: silent(clock)(it) if "crossref" in it.url.path else reply({"ok": 1}))
    for _ in range(3):
        assert isinstance(await client.ask(WORK), Unavailable)
        assert isinstance(await client.ask(PAPER), Reply)


async def test_a_proxy_that_is_gone_is_tried_twice_for_all_services():
    client = Client(Settings(proxy="http://127.0.0.1:1"), retry=QUICK)
    answers = [await client.ask(Ask(it, "/x")) for it in ("datacite", "openalex", "doi")]
    await client.aclose()
    assert {it.why for it in answers} == {"no connection to the proxy"}
    assert all(it.until for it in answers)


def test_pauses_double_up_to_two_minutes_and_one_request_is_out_meanwhile(clock):
    circuit = Circuit(clock)
    circuit.silent("no answer")
    assert (circuit.rest(), circuit.share) == (0, 0.5)
    pauses = []
    for _ in range(4):
        circuit.silent("no answer")
        pauses.append(circuit.rest())
        clock.now += circuit.rest()
    assert pauses == [30, 60, 120, 120]
    assert circuit.rest() == 0
    with circuit.request():
        assert circuit.rest() == 1
    circuit.answered()
    assert (circuit.rest(), circuit.share) == (0, 1)


async def test_who_is_waited_for(opened, clock):
    client, _ = opened(lambda it: asyncio.Event().wait() if "crossref" in it.url.path else reply({}))
    asked = asyncio.ensure_future(client.ask(WORK))
    await client.ask(PAPER)
    while not client.waited_for(0):
        clock.now += 1
        await asyncio.sleep(0.01)
    clock.now += 4
    assert client.waited_for() == ["crossref"]
    asked.cancel()
    await asyncio.wait([asked])
    assert client.waited_for() == []


def test_what_is_asked_at_once_is_waited_for_once():
    patience = Patience()
    patience.count_lost([Unavailable("crossref", "", lost=15), Unavailable("arxiv", "", lost=14)])
    patience.count_lost([Unavailable("doi", "", lost=10)])
    assert (patience.left, patience.refusal("crossref")) == (15, None)
    patience.begin_step()
    patience.count_lost([Unavailable("doi", "", lost=10)])
    assert patience.left == 5
    assert isinstance(patience.refusal("openalex"), Unavailable)


@pytest.fixture
async def timed(sources, clock):
    """timed(handler) → (Sources, Web) by the clock"""

    def start(handler):
        asked, web = sources(handler)
        asked.client.clock = clock
        return asked, web

    return start


BOOK = Record("x", "x", "A", identifiers=Identifiers(pmcid="PMC1", arxiv="1706.03762", acl="P19-1001"))
LINKS = ("https://93.184.216.34/a", "https://93.184.216.35/b", "https://93.184.216.36/c")


@pytest.mark.parametrize(
    "ask",
    [
        lambda it: it.search(ReferenceQuery(title="A Study of Bees and Wasps")),
        lambda it: it.lookup(Identifiers(doi="10.1/x", arxiv="1706.03762")),
        lambda it: it.lookup_many([Identifiers(doi=f"10.1/{number}") for number in range(90)]),
        lambda it: fulltext.fetch(it.client, BOOK),
        lambda it: fulltext.fetch(it.client, replace(BOOK, identifiers=Identifiers(), open_access=LINKS)),
    ],
)
@virtual_time
async def test_one_question_waits_half_a_minute_for_all_services_together(timed, clock, ask):
    asked, web = timed(silent(clock, together=0.2, all_at_once=True))
    began = clock.now
    await ask(asked)
    assert web.requests
    assert clock.now - began <= LIMIT


@pytest.mark.parametrize("fields", [{"doi": "10.1000/x"}, {"eprint": "1512.03385", "archiveprefix": "arXiv"}, {}])
async def test_an_entry_that_nobody_answers_about_is_unchecked_within_half_a_minute(timed, clock, fields):
    asked, _ = timed(silent(clock))
    began = clock.now
    [(_, verdict)] = [it async for it in verify([cited(**fields)], asked)]
    assert verdict.kind == "unchecked"
    assert clock.now - began <= LIMIT
    assert "crossref" in verdict.unavailable
    assert "no answer within" in verdict.reason


def scholar(request):
    """Knows every title that it is asked for, as a paper of the cited people in the cited place; others nothing."""
    if "query" not in request.url.params:
        return page(status=503)
    people = [{"name": str(it)} for it in PEOPLE]
    return reply({"data": [{"paperId": "p", "title": request.url.params["query"], "authors": people, "year": 2016,
                            "venue": CVPR}]})  # fmt: skip


async def test_a_hundred_entries_are_answered_by_others_while_one_service_is_silent(timed, clock):
    asked, web = timed(lambda it: silent(clock)(it) if it.url.path.startswith("/crossref") else scholar(it))
    began = clock.now
    entries = [cited(title=f"Deep Residual Learning of Number {number}") for number in range(100)]
    kinds = [it.kind async for _, it in verify(entries, asked)]
    assert kinds.count("verified") >= 95
    assert clock.now - began <= LIMIT
    assert sum(it.startswith("/crossref") for it in web.paths()) <= 4


@virtual_time
async def test_three_hundred_entries_that_nobody_answers_about_end_within_a_minute_and_a_half(timed, clock):
    fields = ({"doi": "10.1000/{}"}, {"eprint": "1512.{:05}", "archiveprefix": "arXiv"}, {})
    entries = [
        cited(
            title=f"Deep Residual Learning of Number {number}",
            **{name: value.format(number) for name, value in fields[number % 3].items()},
        )
        for number in range(300)
    ]
    asked, web = timed(silent(clock, together=0.5))
    began = clock.now
    verdicts = [it async for _, it in verify(entries, asked)]
    assert [it.kind for it in verdicts] == ["unchecked"] * 300
    assert all(it.unavailable and "no" in it.reason for it in verdicts)
    assert clock.now - began <= 90
    assert len(web.requests) <= 100
