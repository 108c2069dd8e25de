"""Offline sends nothing at all: every door is tried while the sockets are watched."""

import sys
from contextlib import closing

import pytest

import fixture_projects
from citelsp.base.settings import SERVICES, Service, Settings
from citelsp.bibliography.record import Record
from citelsp.candidates import gather
from citelsp.corpus.index import Corpus
from citelsp.investigate import collect, insert, search, verify
from citelsp.knowledge import Knowledge
from citelsp.sources import fulltext
from citelsp.sources.ask_services import Sources
from citelsp.workspace.question import Question
from function_network import QUICK

FIXTURE = r"""
%% main.tex
\cite{one}
%% refs.bib
@article{one, author = {Bengio, Yoshua}, title = {Neural Language Models}, doi = {10.1000/x}, eprint = {1706.03762}}
"""


@pytest.fixture
def sockets():
    """What was done with sockets since the fixture began; a hook cannot be removed, so that it is silent afterwards."""
    events, watching = [], [True]

    def watch(event, arguments):
        if watching and event.startswith(("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.gethost")):
            events.append((event, arguments))

    sys.addaudithook(watch)
    yield events
    watching.clear()


async def everything(sources, directory):
    places = verify.find_cited(fixture_projects.world(FIXTURE).project)
    [_ async for _ in verify.verify(places, sources, Knowledge(), lambda *_: None)]
    await insert.find_all(
        ["10.1000/x", "arXiv:1706.03762", "978-0-13-468599-1", "P19-1001", "A Title of Words"], sources
    )
    await insert.find_by_key("bengio2003neural", "as we said of language models", sources)
    place = Question("We search for language models", title="A Manuscript")
    [_ async for _ in search.search(gather.gather_locally(place, None), sources)]
    with closing(Corpus(directory / "corpus", create=True)) as corpus:
        ids = ["10.1000/x", "1706.03762"]
        [_ async for _ in collect.find_works(ids, sources, corpus, lambda _: None, lambda _: None)]
    await collect.read_zotero(sources)
    await fulltext.fetch(sources.client, Record("x", "x", "A", open_access=("https://93.184.216.34/a.pdf",)))


async def test_offline_opens_no_connection(tmp_path, sockets):
    services = {name: Service(enabled=True, key="k") for name in SERVICES if name != "zotero"}
    sources = Sources(Settings(offline=True, email="me@example.org", services=services), directory=tmp_path)
    await everything(sources, tmp_path)
    await sources.aclose()
    assert not sockets


async def test_the_watch_sees_what_online_does(tmp_path, sockets):
    nowhere = {name: Service(base_url="http://127.0.0.1:9") for name in SERVICES}
    sources = Sources(Settings(services=nowhere), directory=tmp_path)
    sources.client.retry = QUICK
    await insert.find_all(["10.1000/x"], sources)
    await sources.aclose()
    assert sockets
