"""How the extension finds the server, and how it installs the one that it carries; the index is on this machine."""

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import citelsp

HERE = Path(__file__).parent
EXTENSION = HERE.parent.parent / "editors" / "vscode"
OFFLINE = "What the citelsp server needs could not be downloaded. Check your connection, then try again."
NO_PYTHON = "The citelsp server needs Python 3.11 or newer, which was not found. Install it (or uv), then try again."
NO_VENV = (
    "Python could not make an environment for the server. On Debian or Ubuntu, install python3-venv, then try again."
)

pytestmark = pytest.mark.editors


@pytest.fixture(scope="module")
def node(tools):
    found = tools / "bin" / "node"
    assert found.exists(), f"there is no {found}: .ci/editors installs it"
    return found


@pytest.fixture
def wheel(extension):
    [found] = (extension / "dist").glob("*.whl")
    return found


@pytest.fixture
def installs(node, index, wheel, tmp_path):
    """installs(*programs, **environment) → what is said, and the folder of the installed server."""
    programs, own = tmp_path / "programs", tmp_path / "storage of mine" / "server"
    programs.mkdir()

    def install(*named, cwd=HERE, wheel=wheel, **more):
        for it in named:
            (programs / Path(it).name).unlink(missing_ok=True)
            (programs / Path(it).name).symlink_to(it)
        offered = {"PIP_INDEX_URL": index.url, "UV_DEFAULT_INDEX": index.url, "PIP_CONFIG_FILE": os.devnull}
        environment = {"PATH": str(programs), "HOME": str(tmp_path)} | offered | more
        machine = {"platform": sys.platform, "environment": environment, "home": str(tmp_path)}
        return called(node, "setup.ts", "setUp", [str(wheel), str(own), machine], cwd=cwd), own

    return install


def called(node, module, name, arguments, cwd=HERE):
    command = [node, HERE / "vscode" / "outside.mjs", EXTENSION / "src" / module, name, json.dumps(arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) | {"log": done.stderr}


def python_of(folder, script):
    """A program called python3 that does so."""
    path = folder / "python3"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture(params=["python3", "uv"])
def installer(request, tools):
    """The programs on PATH."""
    uv = tools / "bin" / "uv"
    assert uv.exists(), f"there is no {uv}: .ci/editors installs it"
    python = Path(sys.executable).with_name("python3")
    return (python,) if request.param == "python3" else (uv, python)


@pytest.fixture
def trap(tmp_path):
    """A workspace with what Python and uv read where they run."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    for name in ("venv.py", "pip.py"):
        (folder / name).write_text("raise SystemExit('trapped')\n")
    (folder / "uv.toml").write_text('index-url = "http://127.0.0.1:9/"\n')
    return folder


def test_the_server_comes_from_the_wheel_and_no_index_is_asked_for_it(installs, installer, index, trap):
    index.asked.clear()
    done, own = installs(*installer, cwd=trap)
    assert done["answer"] is None, done["log"]
    assert done["said"][0] == "making an environment…"
    said = subprocess.run([own / "bin" / "citelsp", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == f"citelsp {citelsp.__version__}"
    assert {"pygls", "tantivy"} <= index.asked
    assert "citelsp" not in index.asked
    marked = next(own.glob("lib/*/site-packages/citelsp/__init__.py"))
    marked.unlink()  # it may be a link to uv's cache
    marked.write_text("# of another build\n")
    done, own = installs(*installer, cwd=trap)
    assert done["answer"] is None, done["log"]
    assert "another build" not in marked.read_text()
    assert "citelsp" not in index.asked


def test_without_python(installs):
    assert installs()[0]["answer"] == {"failed": NO_PYTHON}


def test_with_an_old_python(installs, tmp_path):
    assert installs(python_of(tmp_path, "exit 1"))[0]["answer"] == {"failed": NO_PYTHON}


def test_with_a_python_that_makes_no_environments(installs, tmp_path):
    """As Debian's, without python3-venv."""
    script = 'case "$*" in *venv*) echo "ensurepip is not available" >&2; exit 1;; esac'
    assert installs(python_of(tmp_path, script))[0]["answer"] == {"failed": NO_VENV}


def test_offline(installs, installer):
    nowhere = "http://127.0.0.1:9/simple/"
    done, own = installs(*installer, PIP_INDEX_URL=nowhere, UV_DEFAULT_INDEX=nowhere, PIP_RETRIES="0")
    assert done["answer"] == {"failed": OFFLINE}
    assert not (own / "bin" / "citelsp").exists()


def test_offline_with_the_wheels_of_a_release(installs, installer, index, wheel, tmp_path):
    carried = tmp_path / "extension" / wheel.name
    carried.parent.mkdir()
    shutil.copy(wheel, carried)
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--index-url", index.url, "--only-binary=:all:"]
    subprocess.run([*download, "--dest", carried.parent / "wheels", f"{carried}[model]"], check=True)
    index.asked.clear()
    done, own = installs(*installer, wheel=carried)
    assert (done["answer"], index.asked) == (None, set()), done["log"]
    assert list(own.glob("lib/*/site-packages/openai"))


def test_what_the_carried_wheels_lack_comes_from_the_index(installs, installer, index, wheel, tmp_path):
    carried = tmp_path / "extension" / wheel.name
    (carried.parent / "wheels").mkdir(parents=True)
    shutil.copy(wheel, carried)
    index.asked.clear()
    done, _ = installs(*installer, wheel=carried)
    assert done["answer"] is None, done["log"]
    assert "pygls" in index.asked and "citelsp" not in index.asked


HOMES = {
    "linux": ("linux", "/home/ada", {"PATH": "/usr/bin:.:/bin"}),
    "XDG": ("linux", "/home/ada", {"XDG_DATA_HOME": "/data/share", "XDG_BIN_HOME": "/bins", "PIPX_BIN_DIR": "/px"}),
    "macOS": ("darwin", "/Users/ada", {"PATH": "/usr/bin:/bin", "UV_TOOL_BIN_DIR": "/tools"}),
    "Windows": ("win32", "C:\\Users\\Ada", {"PATH": "C:\\Windows;..\\here", "PIPX_BIN_DIR": "relative"}),
}
PLACES = {
    "linux": [
        "/usr/bin/citelsp", "/bin/citelsp", "/home/ada/.local/bin/citelsp",
        "/home/ada/.local/share/citelsp/server/bin/citelsp",
    ],
    "XDG": [
        "/px/citelsp", "/bins/citelsp", "/data/bin/citelsp", "/home/ada/.local/bin/citelsp",
        "/data/share/citelsp/server/bin/citelsp",
    ],
    "macOS": [
        "/usr/bin/citelsp", "/bin/citelsp", "/tools/citelsp", "/Users/ada/.local/bin/citelsp",
        "/opt/homebrew/bin/citelsp", "/usr/local/bin/citelsp", "/Users/ada/.local/share/citelsp/server/bin/citelsp",
    ],
    "Windows": [
        "C:\\Windows\\citelsp.exe", "C:\\Users\\Ada\\.local\\bin\\citelsp.exe",
        "C:\\Users\\Ada\\.local\\share\\citelsp\\server\\Scripts\\citelsp.exe",
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", HOMES)
def test_where_the_server_is_looked_for(node, name):
    platform, home, environment = HOMES[name]
    machine = {"platform": platform, "home": home, "environment": environment}
    assert called(node, "places.ts", "programs", [machine])["answer"] == PLACES[name]


def test_what_the_package_holds(extension):
    with zipfile.ZipFile(extension / "citelsp.vsix") as package:
        names = [it.removeprefix("extension/") for it in package.namelist()]
        readme = package.read("extension/readme.md").decode()
    assert f"dist/citelsp-{citelsp.__version__}-py3-none-any.whl" in names
    assert "dist/demo/main.tex" in names
    assert "![" not in readme  # VS Code shows pictures of a public address only, of which there is none
    assert {it for it in names if it.endswith((".ts", ".py", ".mjs"))} == set()
