"""In the editor a list never waits for a corpus on a server: what it answers later is in the next list."""

import asyncio
import threading
import time

import pytest

from citelsp.base.settings import CorpusServer
from citelsp.corpus import server_writing
from citelsp.corpus.server_writing import ServerWriter
from citelsp.corpus.servers import ServerCorpus
from citelsp.corpus.work import Work
from imitated_opensearch import Index, serving
from server_session import Session

SECONDS = 60
REMOTE = Work("remote", "Glaciers flow and ice melts", "Glaciers flow, and their ice melts in summer.", year=2001)
TEXT = "\\documentclass{article}\n\\begin{document}\nGlaciers flow and ice melts \\cite<>.\n\\end{document}\n"
POSITION = {"line": 2, "character": 34}


class Held(Index):
    """Answers no search until it is let go."""

    def __init__(self):
        super().__init__(before=self.hold)
        self.asked, self.free = threading.Event(), threading.Event()

    def hold(self, path, _):
        if path == "/_msearch" and self.aliased:
            self.asked.set()
            assert self.free.wait(SECONDS)


async def filled(index):
    corpus = ServerCorpus("lab", CorpusServer(base_url="http://127.0.0.1:9200"), index)
    name = await server_writing.prepare(corpus.server, beside=False, shards=1)
    await ServerWriter(corpus.server, name).add([REMOTE], pytest.fail)


@pytest.fixture
def index():
    index = Held()
    asyncio.run(filled(index))
    return index


@pytest.fixture
def session(index, tmp_path, monkeypatch):
    for name in ("STATE", "CACHE"):
        monkeypatch.setenv(f"CITELSP_{name}_DIR", str(tmp_path / name.lower()))
    with serving(index) as url:
        session = Session()
        corpus = {"path": str(tmp_path / "corpus"), "servers": {"lab": {"base_url": url, "seconds": SECONDS}}}
        options = {"corpus": corpus, "online": {"suggest": "off", "verify": "off"}}
        session.initialize({}, rootUri=tmp_path.as_uri(), initializationOptions=options)
        yield session
        session.process.kill()
        session.process.communicate()
        index.free.set()


def test_a_list_comes_while_a_server_is_silent_and_the_next_has_its_works(index, session, tmp_path):
    uri = (tmp_path / "main.tex").as_uri()
    session.open(uri, TEXT)

    def titles(number):
        session.send("textDocument/completion", {"textDocument": {"uri": uri}, "position": POSITION}, number)
        return str(session.answer(number)["result"])

    assert REMOTE.title not in titles(2)
    assert index.asked.wait(SECONDS), "it was not asked"
    assert REMOTE.title not in titles(3)
    assert not index.free.is_set()
    until, last, number, asked = time.monotonic() + SECONDS, "", 3, index.requests.count("/_mtermvectors")
    index.free.set()
    while REMOTE.title not in last and time.monotonic() < until:
        # A list that is asked for before the answer would put the question off.
        while index.requests.count("/_mtermvectors") == asked and time.monotonic() < until:
            time.sleep(0.2)
        time.sleep(1)
        asked, number = index.requests.count("/_mtermvectors"), number + 1
        last = titles(number)
    assert REMOTE.title in last
