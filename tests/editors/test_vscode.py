"""VS Code, as code-server: a suite inside its extension host, and a short one that looks at the screen."""

import json
import os
import shutil
import signal
import socket
import subprocess
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
    "editor.accessibilitySupport": "off",
    "editor.minimap.enabled": False,
    "editor.wordWrap": "off",
    "editor.suggestFontSize": 12,
    "editor.wordBasedSuggestions": "off",
    "editor.suggest.showStatusBar": False,
    "chat.disableAIFeatures": True,
}

pytestmark = pytest.mark.editors


@pytest.fixture(scope="module")
def code_server(programs, corpus, tools, tmp_path_factory, until):
    """A running one with the extension as editors/install installs it; gives what the suites' environment needs."""
    entry = tools / "code-server" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    assert entry.exists(), f"there is no {entry}: .ci/editors makes it"
    data = tmp_path_factory.mktemp("data")
    (data / "User").mkdir()
    (data / "User" / "settings.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    where = ["--user-data-dir", data, "--extensions-dir", data / "extensions"]
    command = [programs("node"), entry, *where]
    programs("citelsp")
    environment = os.environ | {"CODE": " ".join(map(str, command))}
    subprocess.run([ROOT / "editors" / "install", "vscode"], env=environment, check=True, capture_output=True)
    port = free_port()
    quiet = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"]
    serving = [*command, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", *quiet]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(serving, **silent, start_new_session=True) as process:
        until(lambda: listens(port))
        yield {
            "CITELSP_URL": f"http://127.0.0.1:{port}",
            "CITELSP_CODE_SERVER": str(tools / "code-server"),
            "CITELSP_CHROMIUM": programs("chromium"),
            "CITELSP_EXTENSION": str(EXTENSION),
            "CITELSP_DATA": str(data),
        }
        os.killpg(process.pid, signal.SIGTERM)  # the program is a wrapper that would leave the server behind


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as it:
        return it.getsockname()[1]


def listens(port: int) -> bool:
    with socket.socket() as it:
        return it.connect_ex(("127.0.0.1", port)) == 0


def run(suite: str, environment: dict[str, str], folder: Path, programs, shots: Path) -> str:
    """Run a suite in a workspace whose own environment holds the server."""
    shots.mkdir(parents=True, exist_ok=True)
    scripts = folder / ".venv" / "bin"
    scripts.mkdir(parents=True)
    (scripts / "citelsp").symlink_to(programs("citelsp"))
    more = {"CITELSP_WORKSPACE": str(folder), "CITELSP_SHOTS": str(shots)}
    command = [programs("node"), SUITES / suite]
    done = subprocess.run(
        command, env=os.environ | environment | more, capture_output=True, text=True, timeout=420, encoding="utf-8"
    )
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}\npictures in {shots}"
    return done.stdout


def test_in_the_extension_host(code_server, workspace, programs, tmp_path):
    said = run("api.mjs", code_server, workspace, programs, tmp_path / "shots")
    assert "FAIL" not in said


def test_on_the_screen(code_server, programs, tmp_path):
    folder = tmp_path / "démo paper"
    shutil.copytree(ROOT / "fixtures" / "demo", folder)
    shots = Path(os.environ.get("CITELSP_SHOTS", tmp_path / "shots"))
    said = run("screen.mjs", code_server, folder, programs, shots)
    assert "FAIL" not in said
