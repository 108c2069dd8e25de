import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from citelsp.base import extras
from citelsp.base.settings import SERVICES
from citelsp.cli import main
from server_session import Session

ROOT = Path(__file__).parent.parent
MODEL = {"model": {"base_url": "http://127.0.0.1:9", "name": "m"}, "offline": True}
WITHOUT = "import sys; sys.modules['openai'] = None; from citelsp.cli import main; main(['serve'])"


def test_the_bounds_are_those_of_the_project():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra, packages in extras.PACKAGES.items():
        bounds = [it.split("~=") for it in packages]
        assert declared[extra] == [f"{name}>={low},<{int(low.partition('.')[0]) + 1}" for name, low in bounds]


@pytest.mark.parametrize("pip", [True, False])
def test_the_command_installs_into_the_python_that_runs(monkeypatch, pip):
    monkeypatch.setattr(extras, "find_spec", lambda _: pip or None)
    monkeypatch.setattr(sys, "executable", "/home/ada lovelace/server/bin/python")
    python = '"/home/ada lovelace/server/bin/python"'
    expected = f"{python} -m pip install" if pip else f"uv pip install --python {python}"
    assert extras.command("model").startswith(f"{expected} openai")


def test_the_doctor_says_how_to_get_what_asks_the_model(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "openai", None)
    (tmp_path / "config.toml").write_text('[model]\nbase_url = "http://127.0.0.1:9"\nname = "m"\n')
    main(["doctor", "--config", str(tmp_path / "config.toml")])
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"Install the package openai, which asks the language model: {extras.command('model')}"


@pytest.fixture
def without_openai(tmp_path, monkeypatch):
    """A session whose server lacks the package, for a person who was told nothing yet."""
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path / "state"))
    session = Session.__new__(Session)
    session.process = subprocess.Popen(
        [sys.executable, "-c", WITHOUT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    session.seen = []
    yield session
    session.process.stdin.close()
    session.process.stdout.close()
    session.process.wait(60)


def test_an_editor_says_so_once_a_model_is_set(without_openai):
    without_openai.initialize(initializationOptions=MODEL)
    said = without_openai.wait(lambda it: it.get("method") == "window/showMessage")["params"]["message"]
    assert said == f"Your model needs the package openai. Run {extras.command('model')}"


def test_nobody_is_told_that_a_model_gets_text_that_cannot_be_asked(without_openai, tmp_path):
    off = {name: {"enabled": False} for name in SERVICES}
    without_openai.initialize(initializationOptions=MODEL | {"offline": False, "services": off})
    uri = (tmp_path / "main.tex").as_uri()
    without_openai.open(uri, r"Adam needs little memory \cite<adam>.")
    place = {"uri": uri, "position": {"line": 0, "character": 32}}
    without_openai.send("workspace/executeCommand", {"command": "citelsp.searchOnline", "arguments": [place]}, 2)
    without_openai.answer(2)
    said = [it["params"]["message"] for it in without_openai.seen if it.get("method") == "window/showMessage"]
    assert any("openai" in it for it in said)
    assert not any("goes to m at" in it for it in said)
