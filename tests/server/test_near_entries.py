"""The author's own entries at a placeholder, ranked with a model on this machine, as an editor shows them."""

import json

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, make_test_lsp_client

import real_server
from forked_programs import CITELSP
from server_session import tasks
from tiny_model import write_model

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

REFS = """@book{ships, title = {On the Ways of Ships}, author = {Mast, Joe}, year = 2001}
@book{cats, title = {On the Ways of Cats}, author = {Purr, Ada}, year = 2001}
"""
OPENED = r"""\documentclass{article}
\addbibresource{refs.bib}
\title{Zoology}
\begin{document}
Much is known of the ways of a feline \cite<>.
\end{document}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("STATE", "CACHE"):
        monkeypatch.setenv(f"CITELSP_{name}_DIR", str(tmp_path / name.lower()))
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "refs.bib").write_text(REFS, encoding="utf-8")
    write_model(tmp_path / "tiny", {"cats", "feline"}, {"ships", "sail"})
    return tmp_path


@pytest_lsp.fixture(
    config=ClientServerConfig(
        server_command=[*CITELSP, "serve", "--log-level", "debug"], client_factory=make_test_lsp_client
    )
)
async def client(lsp_client: LanguageClient, folder):
    lsp_client.folder = folder / "work"
    started = await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            root_uri=lsp_client.folder.as_uri(),
            initialization_options={"embeddings": {"model": str(folder / "tiny")}},
        )
    )
    lsp_client.encoding = str(started.capabilities.position_encoding)
    yield
    await lsp_client.shutdown_session()


async def first(client, text):
    asked = types.CompletionParams(
        real_server.document(client, "main.tex"), real_server.behind(client, text, "\\cite<")
    )
    items = (await client.text_document_completion_async(asked)).items
    return next(it.label for it in items if "Ways" in it.label)


@pytest.mark.usefixtures("folder")  # first: the server logs there
async def test_the_first_list_after_opening_knows_what_the_sentence_means(client):
    real_server.show(client, "main.tex", OPENED)
    await real_server.until(lambda: "near entries" in tasks("has ended"))
    assert "Cats" in await first(client, OPENED)
    other = OPENED.replace("a feline", "those who sail")
    real_server.hide(client, (client.folder / "main.tex").as_uri())
    real_server.show(client, "main.tex", other)
    assert "Ships" in await first(client, other), "a sentence that is written now is learnt within the list's wait"
    assert not [it.message for it in client.messages]
    assert json.dumps(tasks("begins")).count("near entries") >= 2


@pytest.mark.usefixtures("folder")
async def test_a_model_that_cannot_be_used_is_told_once(client, folder):
    (folder / "tiny" / "model.onnx").write_bytes(b"cut off")
    real_server.show(client, "main.tex", OPENED)
    await real_server.until(lambda: client.messages)
    assert await first(client, OPENED)
    assert await first(client, OPENED)
    [told] = [it.message for it in client.messages]
    assert "cannot be used as a model" in told
