"""VS Code, as code-server: a suite inside its extension host, and a short one that looks at the screen."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
EXTENSION = ROOT / "editors" / "vscode"
SUITES = Path(__file__).parent / "vscode"
SETTINGS = {
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "workbench.enableExperiments": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.colorTheme": "Default Light Modern",
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "files.autoSave": "off",
    "files.exclude": {"**/.venv": True, "**/.git": True},
    "files.simpleDialog.enable": True,
    "citelsp.syntax.cite_commands": ["oldcite"],  # as 0.1 wrote it
    "chat.disableAIFeatures": True,
}

pytestmark = pytest.mark.editors


@pytest.fixture(scope="module")
def installed(programs, code_server_entry, extension, tmp_path_factory):
    """The command of a code-server with the extension, as editors/install built it, and its folder."""
    data = tmp_path_factory.mktemp("data")
    (data / "User").mkdir()
    (data / "User" / "settings.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    command = [programs("node"), code_server_entry, "--user-data-dir", data, "--extensions-dir", data / "extensions"]
    installing = [*command, "--install-extension", extension / "citelsp.vsix"]
    subprocess.run(installing, check=True, capture_output=True)
    return command, data


@pytest.fixture(scope="module")
def code_server(installed, corpus, programs, tools):
    with serving(*installed, os.environ) as url:
        yield suite_environment(url, installed[1], programs, tools) | {"CITELSP_EXTENSION": str(EXTENSION)}


@contextmanager
def serving(command, data, environment):
    """The address of a running one."""
    port = free_port()
    quiet = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"]
    serving = [*command, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", *quiet]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(serving, **silent, env=environment, cwd=data, start_new_session=True) as process:
        try:
            end = time.monotonic() + 60
            while not listens(port) and time.monotonic() < end:
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(process.pid, signal.SIGTERM)  # the program is a wrapper that would leave the server behind


def suite_environment(url, data, programs, tools):
    return {
        "CITELSP_URL": url,
        "CITELSP_CODE_SERVER": str(tools / "code-server"),
        "CITELSP_CHROMIUM": programs("chromium"),
        "CITELSP_DATA": str(data),
    }


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as it:
        return it.getsockname()[1]


def listens(port: int) -> bool:
    with socket.socket() as it:
        return it.connect_ex(("127.0.0.1", port)) == 0


def run(suite: str, environment: dict[str, str], folder: Path, programs, shots: Path, seconds: int = 900) -> str:
    """Run a suite in a workspace whose own environment holds the server."""
    scripts = folder / ".venv" / "bin"
    scripts.mkdir(parents=True)
    (scripts / "citelsp").symlink_to(programs("citelsp"))
    return drive(suite, environment, folder, programs, shots, seconds)


def drive(suite: str, environment: dict[str, str], folder: Path, programs, shots: Path, seconds: int = 900) -> str:
    shots.mkdir(parents=True, exist_ok=True)
    more = {"CITELSP_WORKSPACE": str(folder), "CITELSP_SHOTS": str(shots)}
    command = [programs("node"), SUITES / suite]
    all_of_it = os.environ | environment | more
    done = subprocess.run(command, env=all_of_it, capture_output=True, text=True, timeout=seconds, encoding="utf-8")
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}\npictures in {shots}"
    return done.stdout


@pytest.fixture
def in_host(code_server, programs, tmp_path):
    """in_host(suite, folder) runs a suite inside the extension host."""

    def check(suite, folder):
        said = run("api.mjs", code_server | {"CITELSP_SUITE": suite}, folder, programs, tmp_path / "shots")
        assert "FAIL" not in said

    return check


def test_in_the_extension_host(in_host, workspace):
    in_host("suite.cjs", workspace)


def test_a_notebook_in_the_extension_host(in_host, workspace):
    front = {"cell_type": "raw", "metadata": {}, "source": ["---\n", "bibliography: références.bib\n", "---"]}
    text = {"cell_type": "markdown", "metadata": {}, "source": ["Known work [@knuth84literate]."]}
    code = {"cell_type": "code", "metadata": {}, "source": ["x = '[@none]'"], "outputs": [], "execution_count": None}
    notebook = {"cells": [front, text, code], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (workspace / "analysis.ipynb").write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
    in_host("notebook.cjs", workspace)


def test_markdown_in_the_extension_host(in_host, workspace):
    in_host("markdown.cjs", workspace)


def test_on_the_screen(code_server, programs, tmp_path):
    folder = tmp_path / "démo paper"
    shutil.copytree(ROOT / "fixtures" / "demo", folder)
    shots = Path(os.environ.get("CITELSP_SHOTS", tmp_path / "shots"))
    said = run("screen.mjs", code_server, folder, programs, shots)
    assert "FAIL" not in said


def test_rows_can_be_read_as_the_editor_is_installed(code_server, programs, tmp_path):
    folder = tmp_path / "paper"
    shutil.copytree(Path(__file__).parent / "rows", folder)
    shots = Path(os.environ.get("CITELSP_SHOTS", tmp_path / "shots"))
    assert "FAIL" not in run("rows.mjs", code_server, folder, programs, shots)


@pytest.fixture
def newcomer(installed, index, programs, tools, tmp_path):
    """newcomer(how, path) runs the suite in a home with nothing in it, and no server on PATH."""
    home, found = tmp_path / "home", tmp_path / "programs"
    for it in (home, found):
        it.mkdir()
    (found / "python3").symlink_to(Path(sys.executable).with_name("python3"))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "CITELSP_", "PIP_"))}
    kept |= {"HOME": str(home), "PIP_INDEX_URL": index.url, "UV_DEFAULT_INDEX": index.url}

    def run(how, path=f"{found}:/usr/bin:/bin"):
        folder = tmp_path / "démo paper"
        shutil.copytree(ROOT / "fixtures" / "demo", folder)
        shots = Path(os.environ.get("CITELSP_SHOTS", tmp_path / "shots"))
        shutil.rmtree(installed[1] / "User" / "globalStorage" / "citelsp.citelsp", ignore_errors=True)
        (home / ".profile").write_text(f"export PATH={path}\n")  # VS Code asks a login shell
        with serving(*installed, kept | {"PATH": path, "SHELL": "/bin/bash"}) as url:
            wanted = suite_environment(url, installed[1], programs, tools)
            wanted["CITELSP_NEWCOMER"] = how
            assert "FAIL" not in drive("newcomer.mjs", wanted, folder, programs, shots)

    return run


def test_the_server_that_the_extension_carries_is_installed_by_a_click(newcomer, index):
    index.asked.clear()
    newcomer("click")
    assert "pygls" in index.asked
    assert "citelsp" not in index.asked


@pytest.mark.parametrize("where", [".local/bin", ".local/share/citelsp/server/bin"])
def test_a_server_that_is_not_on_path_is_found(newcomer, programs, tmp_path, where):
    scripts = tmp_path / "home" / where
    scripts.mkdir(parents=True)
    (scripts / "citelsp").symlink_to(programs("citelsp"))
    newcomer("found")


def test_why_the_server_cannot_be_installed_is_said(newcomer):
    newcomer("no python", "")
