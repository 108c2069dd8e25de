"""Embeddings and reranking behind placeholders; connections that end with the settings that named them."""

import asyncio

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, make_test_lsp_client

import real_server
from citelsp.agent.ask import shape
from citelsp.base.read_settings import read
from citelsp.base.settings import LanguageModel, Settings
from citelsp.corpus import dense
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.server import transport
from citelsp.server.answers import indexing
from citelsp.server.create import create_server
from citelsp.server.state.endpoints import Endpoints
from citelsp.server.state.online import Online
from forked_programs import CITELSP
from model_endpoints import Meanings, served
from model_server import completion, serving
from server_session import tasks

CATS = Work("cat", "The Domestic Cat and its Ways", "Cats sleep for most of the day.", ("Ada Purr",), 2001)
SHIPS = Work("ship", "Rigging of Small Ships", "Masts carry sails.", ("Joe Mast",), 1999)
MAIN = r"""\documentclass{article}
\addbibresource{refs.bib}
\title{Zoology}
\begin{document}
What a feline does all afternoon \cite<>.
\end{document}
"""


@pytest.fixture
def meanings():
    return Meanings({"cat", "cats", "feline"}, {"ships", "masts"})


@pytest.fixture
def address(meanings):
    with served(meanings) as url:
        yield url


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The workspace; beside it a corpus that is watched, and nothing of the user's own."""
    for name in ("STATE", "CACHE"):
        monkeypatch.setenv(f"CITELSP_{name}_DIR", str(tmp_path / name.lower()))
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "refs.bib").write_text(real_server.REFS, encoding="utf-8")
    (tmp_path / "watched").mkdir()
    (tmp_path / "watched" / "cats.bib").write_text(
        f"@book{{cat, title = {{{CATS.title}}}, author = {{Purr, Ada}}, year = 2001}}", encoding="utf-8"
    )
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([SHIPS])
    return tmp_path


def options(folder, url, **more):
    endpoint = {"base_url": url, "name": "small"}
    corpus = {"path": str(folder / "corpus"), "watch": [str(folder / "watched")]}
    return {"corpus": corpus, "embeddings": endpoint, "online": {"suggest": "off"}, **more}


@pytest_lsp.fixture(
    config=ClientServerConfig(
        server_command=[*CITELSP, "serve", "--log-level", "debug"], client_factory=make_test_lsp_client
    )
)
async def client(lsp_client: LanguageClient, folder, address):
    lsp_client.folder = folder / "work"
    started = await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            root_uri=lsp_client.folder.as_uri(),
            initialization_options=options(folder, address, rerank={"base_url": address}),
        )
    )
    lsp_client.encoding = str(started.capabilities.position_encoding)
    yield
    await lsp_client.shutdown_session()


async def offered(client, text=MAIN):
    asked = types.CompletionParams(
        real_server.document(client, "main.tex"), real_server.behind(client, text, "\\cite<")
    )
    return [it.label for it in (await client.text_document_completion_async(asked)).items]


async def until_searched(times):
    await real_server.until(lambda: tasks("has ended").count("resolve") >= times)


@pytest.mark.usefixtures("folder")  # first: the server logs there
async def test_what_shares_no_word_is_found_in_the_background_and_never_waited_for(client, meanings):
    await real_server.until(lambda: len(meanings.embedded()) == 2)
    meanings.delay = 3.0
    real_server.show(client, "main.tex", MAIN)
    first = await offered(client)
    assert not any("Domestic Cat" in it for it in first)
    assert len(meanings.embedded()) == 2, "a list asks nobody"
    meanings.delay = 0.0
    await real_server.until(lambda: len(meanings.embedded()) == 3)
    assert "feline" in meanings.embedded()[-1]
    await real_server.until(lambda: any(path == "/v1/rerank" for path, _ in meanings.asked))
    await until_searched(1)  # a list asked for too soon begins the search anew
    labels = await offered(client)
    assert "Domestic Cat" in labels[1]
    assert not any("Small Ships" in it for it in labels)
    assert [text for text in meanings.embedded() if "feline" in text] == [meanings.embedded()[-1]], "asked once"

    meanings.down = True
    for times, sentence in enumerate(("Cats sleep", "Cats sail"), 2):
        text = MAIN.replace("What a feline does", sentence)
        real_server.show(client, "main.tex", text)
        await offered(client, text)
        await until_searched(times)
        await offered(client, text)  # what was said before has arrived
    told = [it.message for it in client.messages]
    assert len(told) == 2 and "only keyword search" in told[0] and "results are not reranked" in told[1], "each once"


@pytest.mark.parametrize(
    ("suggest", "host", "sent"),
    [("command", "elsewhere.test", True), ("off", "elsewhere.test", False), ("off", "", True)],
)
async def test_works_get_vectors_where_the_settings_let_them(
    folder, address, meanings, monkeypatch, suggest, host, sent
):
    """An address elsewhere is asked through a proxy that lies here."""
    monkeypatch.setenv("HTTP_PROXY" if host else "UNUSED", address.removesuffix("/v1"))
    url = f"http://{host}/v1" if host else address
    said, problems = read(options(folder, url, online={"suggest": suggest}))
    server = create_server()
    assert await indexing._embed_works(server, folder / "corpus", said) == sent and not problems
    assert (SHIPS.title in str(meanings.embedded())) == sent
    with Corpus(folder / "corpus") as corpus:
        assert dense.count(corpus, "small") == sent
    assert (folder / "state" / "notices").exists() == bool(host and sent)
    meanings.down = True
    with Corpus(folder / "corpus") as corpus:
        corpus.add([CATS])
    assert not await indexing._embed_works(server, folder / "corpus", said)
    await server.aclose()


ASKED = [{"role": "user", "content": "?"}], shape("said", text={"type": "string"})


def settings(model, **more):
    return Settings(model=LanguageModel(model.url, "m", answers="plain"), **more)


async def until_open(server, count):
    await real_server.until(lambda: sum(not it.is_closing() for it in server.writers) == count)


async def test_an_earlier_model_is_left_once_the_settings_name_another(tmp_path, monkeypatch):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path))
    endpoints = Endpoints(None)
    async with serving(completion("yes")) as first, serving(completion("yes")) as second:
        async with endpoints.opened(settings(first)) as held:
            await held.chat.ask(*ASKED)
        async with endpoints.opened(settings(first)) as again:
            assert again is held, "one that was opened is used again"
        await endpoints.keep([settings(first), settings(second)])
        async with endpoints.opened(settings(second)) as other:
            await other.chat.ask(*ASKED)
            await endpoints.keep([settings(first)])
            await other.chat.ask(*ASKED)
            assert len(second.writers) == 1, "what is in use stays"
        await until_open(second, 0)
        async with endpoints.opened(settings(first)) as again:
            await again.chat.ask(*ASKED)
        assert len(first.writers) == 1, "what the settings name stays"
        await endpoints.keep(())
        await until_open(first, 0)


async def test_an_editor_that_hangs_up_leaves_nothing_open(tmp_path, monkeypatch):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path))
    server, reader = create_server(), asyncio.StreamReader()
    async with serving(completion("yes")) as model:
        async with server.endpoints.opened(settings(model)) as held:
            await held.chat.ask(*ASKED)
        reader.feed_eof()
        await transport._talk(server, reader)
        await until_open(model, 0)


def test_offline_there_is_none():
    said, _ = read(
        {"offline": True, "model": {"base_url": "http://x", "name": "m"}, "rerank": {"base_url": "http://x"}}
    )
    held = Endpoints(None)._open(said)
    assert held.chat is None and held.helpers.reranker is None


def test_a_spoilt_memory_of_notices_is_no_trouble(tmp_path, monkeypatch):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path))
    (tmp_path / "notices").write_bytes(b"verify \xff\n")
    told = []
    for _ in range(2):  # sessions
        online = Online(told.append)
        online.say_once("verify", "Known already.")
        online.say_once("search", "New.")
    assert told == ["New."]
