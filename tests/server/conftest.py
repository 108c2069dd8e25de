"""One real server for each module and editor, over stdio, with a small project that every test may look at."""

import gc
import sys

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

import real_server
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from online_session import editor, world  # noqa: F401  fixtures

WORKS = [
    Work(
        "W1", "Attention Is All You Need",
        "We propose the Transformer, a sequence model based solely on attention mechanisms.",
        ("Ashish Vaswani", "Noam Shazeer", "Niki Parmar"), 2017, venue="NeurIPS", arxiv="1706.03762",
    ),
    Work("W2", "Measuring Glacier Flow", "We measure how tidewater glaciers move and calve.", ("Ada Ice",), 2009),
]  # fmt: skip


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    for name, text in real_server.FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    with Corpus(folder, create=True) as corpus:
        corpus.add(WORKS)
    return folder


@pytest.fixture
def young():
    """Garbage is looked for among what comes from now on, as in `tests/conftest.py`."""
    gc.freeze()


def make_client():
    client = make_test_lsp_client()
    client.applied, client.registrations, client.answer = [], [], True

    @client.feature(types.WORKSPACE_APPLY_EDIT)
    def apply_edit(params: types.ApplyWorkspaceEditParams):
        client.applied.append(params)
        return types.ApplyWorkspaceEditResult(applied=client.answer)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams):
        client.registrations.extend(params.registrations)

    @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
    @client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
    def refresh(_):
        return None

    return client


@pytest_lsp.fixture(
    scope="module",
    params=list(real_server.EDITORS),
    config=ClientServerConfig(
        server_command=[sys.executable, "-m", "citelsp", "serve", "--log-level", "info"], client_factory=make_client
    ),
)
async def client(lsp_client: LanguageClient, request, workspace, corpus):
    lsp_client.editor = request.param
    lsp_client.folder = workspace
    lsp_client.set_configuration({"citelsp": {"inlay_hints": True}})
    started = await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            root_uri=workspace.as_uri(),
            workspace_folders=[types.WorkspaceFolder(workspace.as_uri(), "workspace")],
            initialization_options={"corpus": {"path": str(corpus)}, "offline": True},
        )
    )
    lsp_client.encoding = str(started.capabilities.position_encoding)
    lsp_client.server_capabilities = started.capabilities
    for name in ("main.tex", "notes.md"):
        real_server.show(lsp_client, name, (workspace / name).read_text(encoding="utf-8"))
    yield
    await lsp_client.shutdown_session()
