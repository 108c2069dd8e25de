"""What becomes of everything that can go wrong on the way."""

import asyncio
import socket
import sys
import time
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

import citelsp
from citelsp.base import settings
from citelsp.base.settings import Service, Settings
from citelsp.bibliography.names import Name
from citelsp.knowledge import Absent, Unavailable
from citelsp.sources import addresses, certificates, datacite, openreview, service_specs
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask
from citelsp.sources.http_response import Missing, Reply
from citelsp.sources.reference_query import ReferenceQuery, today
from citelsp.sources.request_turns import Spacing
from citelsp.sources.retry_after import budget_closed_until
from function_network import page, reply
from virtual_time import virtual_time

WORK = Ask("crossref", "/works/10.1/x")
WALL = "<!doctype html><title>Making sure you&#39;re not a bot!</title>"


def raises(error):
    def answer(request):
        raise error

    return answer


@pytest.mark.parametrize(
    ("handler", "why"),
    [
        (lambda _: page(WALL), "a bot check instead of an answer"),
        (lambda _: page(WALL, 500), "a bot check instead of an answer"),
        (lambda _: page(), "HTML instead of JSON"),
        (lambda _: page(status=404), "404 page"),
        (lambda _: reply({}, 503), "503 Service Unavailable"),
        (lambda _: reply({}, 429), "429 Too Many Requests"),
        (lambda _: reply({}, 403), "403 Forbidden"),
        (lambda _: reply({}, 400), "400 Bad Request"),
        (
            lambda _: httpx.Response(200, content=b'{"cut": ', headers={"content-type": "application/json"}),
            "unreadable JSON",
        ),
        (raises(httpx.ConnectError("refused")), "no connection"),
        (raises(httpx.ReadError("reset")), "broken connection (ReadError)"),
        (raises(httpx.RemoteProtocolError("short")), "broken connection (RemoteProtocolError)"),
        (raises(httpx.ReadTimeout("slow")), "no answer within 15 s"),
        (lambda _: httpx.Response(200, content=b"x" * 31_000_000), "an answer of more than 30 MB"),
    ],
)
async def test_trouble_says_why_and_is_not_absence(asking, handler, why):
    client, _ = asking(handler)
    answer = await client.ask(WORK)
    assert isinstance(answer, Unavailable)
    assert answer.why == why


def test_every_service_can_be_set():
    folder = Path(service_specs.__file__).parent
    files = {path.stem for path in folder.glob("*.py") if "\nSPEC = " in path.read_text(encoding="utf-8")}
    assert files == set(service_specs.DEFAULTS) == set(settings.SERVICES)
    assert all(service_specs.find_spec(name).name == name for name in files)


async def test_an_honest_404_is_absence(asking):
    client, web = asking(lambda _: httpx.Response(404, text="Resource not found."))
    assert await client.ask(WORK) == Missing()
    assert len(web.requests) == 1


async def test_a_second_try_succeeds(asking):
    answers = iter([reply({}, 503), reply({}, 429, **{"retry-after": "0.01"}), reply({"message": 1})])
    client, web = asking(lambda _: next(answers))
    assert (await client.ask(WORK)).data == {"message": 1}
    assert len(web.requests) == 3


async def test_a_long_wait_closes_the_service_for_every_client(asking):
    client, web = asking(lambda _: reply({}, 429, **{"retry-after": "5400"}))
    first = await client.ask(WORK)
    assert first.until == pytest.approx(time.time() + 5400, abs=10)
    another, unasked = asking(lambda _: reply({}))
    second = await another.ask(WORK)
    assert (second.why, len(web.requests), len(unasked.requests)) == ("429 Too Many Requests", 1, 0)
    assert second.until == pytest.approx(first.until, abs=10)


async def test_off_the_network_a_service_is_asked_once_and_not_at_every_question(asking):
    def nameless(request):
        raise httpx.ConnectError("no name") from socket.gaierror(-3, "Temporary failure in name resolution")

    client, web = asking(nameless)
    answers = [await client.ask(WORK) for _ in range(3)]
    assert [(it.source, it.why) for it in answers] == [("crossref", "no connection")] * 3
    assert len(web.requests) == 1


async def test_one_closed_service_leaves_the_others_open(asking):
    client, _ = asking(
        lambda request: page(WALL) if "dblp" in request.url.path else reply({"ok": 1}),
        services={"dblp": Service(enabled=True, base_url="http://127.0.0.1/dblp")},
    )
    assert isinstance(await client.ask(Ask("dblp", "/search/publ/api")), Unavailable)
    assert isinstance(await client.ask(WORK), Reply)


async def test_who_asks(asking):
    client, web = asking(lambda _: reply({}), email="me@example.org")
    await client.ask(WORK)
    assert web.requests[0].headers["user-agent"] == f"citelsp/{citelsp.__version__} (mailto:me@example.org)"
    assert dict(web.requests[0].url.params) == {"mailto": "me@example.org"}


async def test_nobody_is_named_without_an_address(asking):
    client, web = asking(lambda _: reply({}))
    await client.ask(WORK)
    assert "mailto" not in str(web.requests[0].url)
    assert web.requests[0].headers["user-agent"] == f"citelsp/{citelsp.__version__}"


async def test_a_refused_key_is_dropped_where_the_service_answers_without(asking):
    client, web = asking(
        lambda request: reply({}, 403) if "x-api-key" in request.headers else reply({"ok": 1}),
        services={"semantic_scholar": Service(base_url="http://127.0.0.1/s2", key="old")},
    )
    ask = Ask("semantic_scholar", "/graph/v1/paper/x")
    assert isinstance(await client.ask(ask), Reply)
    await client.ask(ask)
    assert ["x-api-key" in it.headers for it in web.requests] == [True, False, False]


async def test_a_key_from_a_command(asking):
    service = Service(base_url="http://127.0.0.1/ads", key_command=(sys.executable, "-c", "print('secret')"))
    client, web = asking(lambda _: reply({}), services={"ads": service})
    await client.ask(Ask("ads", "/search/query"))
    assert web.requests[0].headers["authorization"] == "Bearer secret"


async def test_a_login_without_a_token_is_no_login(asking):
    service = Service(base_url="http://127.0.0.1/openreview", key="me:secret")
    client, web = asking(lambda _: reply({}), services={"openreview": service})
    assert (await openreview.lookup(client, "x")).why == "the login gave no token"
    assert web.paths() == ["/openreview/login"]


async def test_an_expired_login_is_made_anew(asking):
    tokens = iter(["old", "new"])

    def answer(request):
        if request.url.path.endswith("/login"):
            return reply({"token": next(tokens)})
        is_expired = request.headers["authorization"] == "Bearer old"
        return reply({"name": "TokenExpiredError"}, 401) if is_expired else reply({"notes": [], "count": 0})

    service = Service(base_url="http://127.0.0.1/openreview", key="me:secret")
    client, _ = asking(answer, services={"openreview": service})
    assert isinstance(await openreview.lookup(client, "x"), Unavailable)
    await client.limits.reopen()  # as if the pause after a refusal were over
    assert await openreview.lookup(client, "x") == Absent("openreview", today())


@pytest.mark.parametrize("host", ["elsewhere.example", "ads.example.elsewhere.example"])
async def test_keys_do_not_follow_a_redirect_to_another_host(asking, host):
    def answer(request):
        if request.url.host == "ads.example":
            return httpx.Response(302, headers={"location": f"https://{host}/x"})
        return reply(dict(request.headers))

    client, _ = asking(answer, services={"ads": Service(base_url="https://ads.example", key="secret")})
    headers = (await client.ask(Ask("ads", "/search/query"))).data
    assert "authorization" not in headers


@pytest.mark.parametrize(
    "target",
    [
        "http://elsewhere.example/", "https://192.168.0.1/", "https://router/", "file:///etc/passwd", "https://127.1:1/",
        "https://localhost./", "https://LocalHost/", "https://0x7f.1/", "https://2130706433/",
        "https://127.0.0.1./", "https://[::ffff:127.0.0.1]/", "https://[2002:7f00:1::]/",
        "https://printer.local./", "https://%31%32%37.0.0.1/",
    ],
)  # fmt: skip
async def test_redirects_into_the_house_are_not_followed(asking, target):
    client, web = asking(lambda _: httpx.Response(302, headers={"location": target}))
    assert (await client.ask(WORK)).why == "a redirect that is not followed"
    assert len(web.requests) == 1


@pytest.mark.parametrize(
    "host", ["\uff11\uff12\uff17.0.0.1", "127\u30020\u30020\u30021", "\uff4cocalhost", "1.2.3.4.5", "0177.0.0.1"]
)
def test_hosts_in_other_letters_are_read(host):
    assert addresses.is_inside(host)


@pytest.mark.parametrize("target", ["https://elsewhere.example/", "https://8.8.8.8/", "https://a.2024.example./"])
async def test_a_redirect_to_a_public_host_is_followed(asking, target):
    client, web = asking(
        lambda it: reply({"ok": 1}) if it.url.host != "127.0.0.1" else httpx.Response(302, headers={"location": target})
    )
    assert isinstance(await client.ask(WORK), Reply)
    assert len(web.requests) == 2


async def test_a_redirect_to_a_service_goes_to_its_mirror(asking):
    def answer(request):
        if request.url.path.startswith("/doi/"):
            return httpx.Response(302, headers={"location": "https://api.crossref.org/v1/works/10.1%2Fx/transform"})
        return reply({"at": str(request.url)})

    client, _ = asking(answer)
    assert (await client.ask(Ask("doi", "/10.1/x"))).data[
        "at"
    ] == "http://127.0.0.1/crossref/v1/works/10.1%2Fx/transform"


async def test_offline_opens_no_socket(tmp_path, monkeypatch):
    import socket

    from citelsp.bibliography.identifiers import Identifiers
    from citelsp.sources.ask_services import Sources
    from citelsp.sources.reference_query import ReferenceQuery

    opened = []

    class Watched(socket.socket):
        def connect(self, address):
            opened.append(address)
            raise OSError

    monkeypatch.setattr(socket, "socket", Watched)
    sources = Sources(Settings(offline=True), directory=tmp_path)
    answers = await sources.search(ReferenceQuery("Attention is all you need"))
    lookups = await sources.lookup(Identifiers(doi="10.1/x"))
    await sources.aclose()
    assert {it.why for it in (*answers.lookups, *lookups)} == {"offline"}
    assert opened == []


async def test_fifty_hanging_requests_block_nobody_and_end_at_once(asking):
    out = asyncio.Semaphore(0)

    async def hang(request):
        out.release()
        await asyncio.Event().wait()

    client, _ = asking(lambda request: reply({"ok": 1}) if "openalex" in request.url.path else hang(request))
    hanging = [asyncio.create_task(client.ask(WORK)) for _ in range(50)]
    await out.acquire()
    assert isinstance(await client.ask(Ask("openalex", "/works/W1")), Reply)
    start = time.process_time()
    for task in hanging:
        task.cancel()
    await asyncio.gather(*hanging, return_exceptions=True)
    assert time.process_time() - start < 0.1
    assert all(task.cancelled() for task in hanging)


async def test_certificates_are_read_once_for_all_clients():
    certificates.trusted_context.cache_clear()
    for _ in range(2):
        await Client(Settings()).connections.pool().aclose()
    assert (certificates.trusted_context.cache_info().misses, certificates.trusted_context.cache_info().hits) == (1, 1)


async def test_real_hosts_are_spaced(tmp_path):
    from citelsp.sources.shared_pace import Limits

    limits = Limits(tmp_path / "limits.sqlite")
    other = Limits(tmp_path / "limits.sqlite")

    async def turn(shared, apart):
        asked = time.monotonic()
        wait = (await shared.reserve("arxiv", apart)).wait
        return asked + wait, time.monotonic() + wait

    turns = [await turn(it, 3.0) for it in (limits, other, limits)]
    await limits.pace("arxiv", 1.0)
    turns += [await turn(other, 3.0), await turn(limits, 3.0)]
    for (earliest, latest), (next_earliest, next_latest), apart in zip(turns, turns[1:], (3, 3, 3, 1), strict=False):
        assert next_earliest - latest - 0.05 <= apart <= next_latest - earliest + 0.05
    limits.close()
    other.close()


async def test_a_service_on_this_machine_that_keeps_its_rules_is_spaced_from_then_on(asking):
    client, _ = asking(lambda _: reply({}, 429, **{"retry-after": "5400"}))
    place = "arxiv 127.0.0.1"
    assert (await client.limits.reserve(place, 0.0)).apart == 0
    await client.ask(Ask("arxiv", "/api/query", want="xml"))
    await client.limits.reopen()
    assert (await client.limits.reserve(place, 0.0)).apart == 3.1


async def test_lists_teach_their_pace_single_works_do_not(asking):
    told = {"x-rate-limit-limit": "10", "x-rate-limit-interval": "1s"}
    client, _ = asking(lambda _: reply({"message": {}}, **told))
    await client.ask(WORK)
    assert (await client.limits.reserve("crossref 127.0.0.1", 0.0)).apart == 0
    await client.ask(Ask("crossref", "/works", (("rows", "1"),)))
    assert (await client.limits.reserve("crossref 127.0.0.1", 0.0)).apart == pytest.approx(0.115)


@virtual_time
async def test_requests_that_arrive_together_are_counted_where_they_arrive():
    async def most_in_a_second(careful):
        spacing, arrived = Spacing(3, careful), []

        async def ask(way):
            async with spacing.turn(0.012):
                await asyncio.sleep(way)
                arrived.append(time.monotonic())

        await asyncio.gather(*(ask(0.04 if it % 4 < 2 else 0.001) for it in range(24)))
        return max(sum(it <= other < it + 0.03 for other in arrived) for it in arrived)

    assert await most_in_a_second(careful=True) <= 3 < await most_in_a_second(careful=False)


async def test_a_place_that_refused_what_left_apart_is_asked_carefully_from_then_on(asking):
    client, _ = asking(lambda _: reply({}, 429, **{"retry-after": "5400"}))
    await client.limits.pace("crossref 127.0.0.1", 0.01)
    assert await client.limits.paced("crossref 127.0.0.1 carefully") is None
    await client.ask(WORK)
    assert await client.limits.paced("crossref 127.0.0.1 carefully") is not None


@pytest.mark.parametrize(("left", "price", "closed"), [("0", "", True), ("5", "10", True), ("10", "10", False)])
def test_a_budget_that_does_not_pay_for_another_request_is_spent(left, price, closed):
    headers = {"x-ratelimit-remaining": left, "x-ratelimit-reset": "60", "x-ratelimit-credits-required": price}
    assert (budget_closed_until(headers) is not None) is closed


def test_settings_do_not_show_keys():
    assert "secret" not in repr(Settings(services={"ads": Service(key="secret")}))


async def test_a_404_that_carries_an_answer_is_one(asking):
    client, _ = asking(lambda _: reply({"ok": 1}, 404))
    assert isinstance(await client.ask(WORK), Missing)
    assert isinstance(await client.ask(replace(WORK, answers=(404,))), Reply)


async def test_quotation_marks_in_a_name_end_no_phrase_of_a_query(asking):
    client, web = asking(lambda _: reply({"data": [], "meta": {"total": 0}}))
    await datacite.search(client, ReferenceQuery("Bees", (Name('Lee "Bee\\'),)))
    assert web.requests[0].url.params["query"] == 'titles.title:"Bees" AND creators.familyName:"Lee Bee"'
