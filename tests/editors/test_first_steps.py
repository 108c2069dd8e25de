"""How many steps lead to the first suggestion, from a home with nothing in it and the pages alone."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import emacs_terminal
import neovim_terminal
from conftest import HOMES
from editors.test_vscode import EXTENSION, drive, installed, serving, suite_environment

ROOT = Path(__file__).parent.parent.parent
SENTENCE = "Models invent references "
TYPED = r"\cite<survey of hallucination"
TITLE = "Survey of Hallucination"
NOWHERE = "http://127.0.0.1:9"  # where nobody listens
OFFLINE = dict.fromkeys(("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), NOWHERE)
OFFLINE |= {"NO_PROXY": "127.0.0.1,localhost", "PIP_RETRIES": "0"}

pytestmark = pytest.mark.editors
__all__ = ["installed"]  # a fixture


class Steps(list):
    """What a person does, each a command, a click or words typed."""

    def take(self, name, act=lambda: None):
        self.append(name)
        return act()


@pytest.fixture
def home(tmp_path, monkeypatch, programs):
    """The server and the editors are on PATH; nothing else is anybody's own."""
    programs("citelsp")
    folder = tmp_path / "home"
    folder.mkdir()
    for name in HOMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def paper(tmp_path):
    folder = tmp_path / "paper"
    shutil.copytree(ROOT / "fixtures" / "demo", folder)
    manuscript = folder / "main.tex"
    text = manuscript.read_text(encoding="utf-8")
    manuscript.write_text(text.replace("\\maketitle\n", f"\\maketitle\n\n{SENTENCE}\n"), encoding="utf-8")
    return folder


def test_neovim(home, paper, programs, until, tmp_path):
    steps = Steps()
    steps.take("editors/install neovim", lambda: subprocess.run([ROOT / "editors" / "install", "neovim"], check=True))
    with neovim_terminal.started(programs("nvim"), paper, tmp_path / "nvim") as nvim:
        steps.append("nvim main.tex")
        until(nvim.served)
        row = 1 + nvim.buffer("main.tex").splitlines().index(SENTENCE)
        nvim.command(str(row))
        steps.take("type a placeholder", lambda: nvim.keys("A" + TYPED.replace("<", "<lt>")))
        until(lambda: any(TITLE in str(it) for it in nvim.offered()))
    assert len(steps) <= 4, steps


def test_neovim_finds_a_server_that_is_not_on_path_and_says_so_if_there_is_none(home, paper, programs, tmp_path):
    init, own = tmp_path / "init.lua", home / ".local" / "bin" / "citelsp"
    init.write_text(neovim_terminal.lines_of_page(), encoding="utf-8")
    shown = "io.stdout:write(vim.fn.execute('messages'), vim.lsp.config.citelsp.cmd[1])"
    command = [programs("nvim"), "--headless", "-u", init, "main.tex", "-c", f"lua {shown}", "-c", "qa!"]
    environment = os.environ | {"PATH": str(tmp_path / "nothing")}

    def said():
        return subprocess.run(command, cwd=paper, env=environment, capture_output=True, text=True, check=True).stdout

    assert "citelsp: citelsp was not found; see :checkhealth citelsp" in said()
    own.parent.mkdir(parents=True)
    own.symlink_to(Path(sys.executable).with_name("citelsp"))
    assert said().endswith(str(own))
    assert "was not found" not in said()
    environment["PATH"] = os.pathsep.join(("", "."))  # as Windows looks first in the directory that one is in
    (paper / "citelsp").symlink_to(own)
    assert said().endswith(str(own))


def test_emacs(home, paper, programs):
    """The lines of the page as init.el, which is one step; the others are in first_steps.el, each printed."""
    init = home / ".emacs.d" / "init.el"
    init.parent.mkdir()
    init.write_text(emacs_terminal.lines_of_page(), encoding="utf-8")
    script = Path(__file__).parent / "emacs" / "first_steps.el"
    words = {"PAPER": str(paper / "main.tex"), "SENTENCE": SENTENCE, "TYPED": TYPED + ">", "TITLE": TITLE}
    done = subprocess.run(
        [programs("emacs"), "-q", "--batch", "-l", init, "-l", script],
        env=os.environ | words | {"LC_ALL": "C.UTF-8"}, capture_output=True, encoding="utf-8", timeout=300,
    )  # fmt: skip
    steps = Steps(["put the page's lines into init.el", *re.findall(r"^step: (.*)", done.stderr, re.MULTILINE)])
    assert done.returncode == 0, done.stderr[-4000:]
    assert len(steps) <= 4, steps


def test_vscode(installed, index, home, first_steps_in_vscode):
    """With the extension and without a server; what is done there is in first_steps.mjs, each step printed."""
    shutil.rmtree(installed[1] / "User" / "globalStorage" / "citelsp.citelsp", ignore_errors=True)
    assert 0 < len(first_steps_in_vscode(*installed, {"PIP_INDEX_URL": index.url, "UV_DEFAULT_INDEX": index.url})) <= 3


def test_vscode_of_a_release_without_a_network(released, home, first_steps_in_vscode):
    assert 0 < len(first_steps_in_vscode(*released, OFFLINE)) <= 3


@pytest.fixture
def released(installed, index, tmp_path):
    """The command of another code-server with the extension as a release has it: with wheels of all that it needs."""
    package, data = tmp_path / "citelsp.vsix", tmp_path / "data"
    shutil.copy(EXTENSION / "citelsp.vsix", package)
    with zipfile.ZipFile(package, "a") as opened:
        for it in index.folder.glob("*.whl"):
            opened.write(it, f"extension/dist/wheels/{it.name}")
    shutil.copytree(installed[1] / "User", data / "User", ignore=shutil.ignore_patterns("globalStorage"))
    command = [*installed[0][:2], "--user-data-dir", data, "--extensions-dir", data / "extensions"]
    subprocess.run([*command, "--install-extension", package], env=os.environ | OFFLINE, check=True)
    return command, data


@pytest.fixture
def first_steps_in_vscode(home, paper, programs, tools, tmp_path):
    """first_steps_in_vscode(command, data, environment) → the steps to the first suggestion."""

    def take(command, data, more):
        found = tmp_path / "programs"
        found.mkdir()
        (found / "python3").symlink_to(Path(sys.executable).with_name("python3"))
        path = f"{found}:/usr/bin:/bin"
        (home / ".profile").write_text(f"export PATH={path}\n")  # VS Code asks a login shell
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "CITELSP_", "PIP_"))}
        shots = Path(os.environ.get("CITELSP_SHOTS", tmp_path / "shots"))
        with serving(command, data, clean | more | {"PATH": path, "SHELL": "/bin/bash"}) as url:
            words = {"CITELSP_SENTENCE": SENTENCE, "CITELSP_TYPED": TYPED, "CITELSP_TITLE": TITLE}
            words |= suite_environment(url, data, programs, tools)
            output = drive("first_steps.mjs", words, paper, programs, shots)
        assert "FAIL" not in output
        return Steps(re.findall(r"^step: (.*)", output, re.MULTILINE))

    return take
