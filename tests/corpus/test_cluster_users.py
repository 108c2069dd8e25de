"""A real node with TLS and users: the roles that the page `institute` names suffice, and no more than these is let."""

import shutil
import textwrap
from importlib.resources import files

import pytest

import opensearch_cluster
from citelsp.base.settings import CorpusServer
from citelsp.cli import main
from citelsp.corpus import imports
from citelsp.corpus.servers import ServerCorpus
from fixture_corpora import DEMONSTRATION, QUESTIONS
from guarded_node import PASSWORD, guarded

pytestmark = pytest.mark.cluster
VERSION = opensearch_cluster.WITH_USERS
WORK = next(imports.read(DEMONSTRATION, pytest.fail)).id


def roles():
    """The roles on the page, word for word."""
    page = (files("citelsp") / "docs" / "institute.md").read_text(encoding="utf-8")
    _, _, rest = page.partition("```yaml\n  # roles.yml")
    _, _, found = rest.partition("\n")
    assert "```" in found
    return textwrap.dedent(found.partition("```")[0])


def as_user(node, folder, name, password=PASSWORD, ca_file=None):
    """The options of a command that asks as this user."""
    config = folder / "config.toml"
    config.write_text(
        f'[corpus.servers.lab]\nbase_url = "{node.addresses[0]}"\nuser = "{name}"\nseconds = 60\n'
        f'key_command = ["echo", "{password}"]\nca_file = "{node.ca if ca_file is None else ca_file}"\n',
        encoding="utf-8",
    )
    return ["--to", "lab", "--config", str(config)]


@pytest.fixture(scope="module")
def node(node_folder):
    """A node that a librarian has filled."""
    if not shutil.which("openssl"):
        pytest.skip("certificates are made with openssl")
    with guarded(node_folder, 19500, roles()) as running:
        assert main(["corpus", "add", str(DEMONSTRATION), *as_user(running, node_folder, "librarian")]) == 0
        yield running


def test_a_librarian_builds_another_index_and_changes_over(node, tmp_path, capsys):
    to = as_user(node, tmp_path, "librarian")
    assert main(["corpus", "add", str(DEMONSTRATION), "--beside", *to]) == 0
    assert main(["corpus", "switch", *to]) == 0
    assert main(["corpus", "compact", *to]) == 0
    assert "works-2 was rewritten" in capsys.readouterr().out
    assert main(["corpus", "info", *to]) == 0
    assert "320 works in works-2, health" in capsys.readouterr().out


async def test_an_author_is_answered(node):
    setting = CorpusServer(node.addresses[0], user="author", key=PASSWORD, ca_file=str(node.ca), seconds=60)
    server = ServerCorpus("lab", setting)
    answer = await server.answer(QUESTIONS[0])
    await server.aclose()
    assert (answer.why, len(answer.candidates)) == ("", 10)


def test_an_author_searches_and_changes_nothing(node, tmp_path, capsys):
    other, to = tmp_path / "other.jsonl", as_user(node, tmp_path, "author")
    other.write_text('{"id": "other", "title": "Another work"}\n', encoding="utf-8")
    for command in (["add", str(other)], ["add", str(other), "--beside"], ["remove", WORK], ["compact"]):
        assert main(["corpus", *command, *to]) == 2
        assert "this user may not do that" in capsys.readouterr().err
    assert main(["corpus", "search", "retrieval", *to]) == 0
    main(["doctor", "--online", "--config", to[-1]])
    assert f"opensearch {opensearch_cluster.WITH_USERS}, 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"password": "wrong"}, "it rejects the user or the password: check user and key_command"),
        ({"ca_file": ""}, "its certificate is not signed by an authority trusted here: set ca_file"),
    ],
)
def test_others_are_refused_with_what_to_do(node, tmp_path, capsys, more, why):
    assert main(["corpus", "info", *as_user(node, tmp_path, "author", **more)]) == 2
    assert why in capsys.readouterr().err
