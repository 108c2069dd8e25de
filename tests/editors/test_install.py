"""editors/install says what it lacks before it does anything, and what it does while it does it."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

INSTALL = Path(__file__).parent.parent.parent / "editors" / "install"
SYSTEM = ("bash", "dirname", "sed")
RECORDS = r"""#!/bin/bash
for it in "${0##*/}" "$@"; do printf '%s\n' "$it" >>"$CALLS"; done
case "${0##*/} $1 $2" in
  "python3 -m venv") mkdir -p "$3/bin"; cp "$0" "$3/bin/pip"; cp "$0" "$3/bin/citelsp";;
esac
"""

pytestmark = pytest.mark.skipif(os.name == "nt" or not shutil.which("bash"), reason="a script of bash")


def install(tmp_path, *arguments):
    """With a PATH that holds nothing but what every system has."""
    for name in SYSTEM:
        (tmp_path / name).symlink_to(shutil.which(name))
    environment = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run([shutil.which("bash"), INSTALL, *arguments], env=environment, capture_output=True, text=True)
    assert sorted(it.name for it in tmp_path.iterdir()) == ["bash", "dirname", "sed"]
    return done


@pytest.mark.parametrize(("editor", "program"), [("vscode", "npm"), ("neovim", "nvim")])
def test_a_missing_program_is_named(tmp_path, editor, program):
    done = install(tmp_path, editor)
    assert done.returncode == 1
    assert f"there is no {program} on your PATH: " in done.stderr


def test_usage(tmp_path):
    done = install(tmp_path)
    assert (done.returncode, done.stderr) == (2, "")
    assert "editors/install vscode" in done.stdout


def test_usage_from_the_folder_of_the_script(tmp_path):
    done = subprocess.run(["bash", "./install"], cwd=INSTALL.parent, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "")
    assert "editors/install vscode" in done.stdout


@pytest.fixture
def home(tmp_path):
    """Programs that write down how they are called."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in (*SYSTEM, "mkdir", "ln", "cp"):
        (programs / name).symlink_to(shutil.which(name))
    for name in ("python3", "npm", "code", "nvim"):
        (programs / name).write_text(RECORDS)
        (programs / name).chmod(0o755)
    return tmp_path


def run(home, editor, *folders, **more):
    """What it prints, and the words of all commands that it ran."""
    calls = home / "calls"
    calls.write_text("")
    path = os.pathsep.join(map(str, (*folders, home / "programs")))
    environment = {"PATH": path, "HOME": str(home), "CALLS": str(calls)} | more
    done = subprocess.run([INSTALL, editor], env=environment, capture_output=True, text=True, check=True)
    return done.stdout, calls.read_text().splitlines()


@pytest.mark.parametrize("editor", ["vscode", "neovim"])
def test_it_says_what_it_does_and_asks_no_index_for_the_server(home, editor):
    said, words = run(home, editor)
    assert "• installing the server into " in said
    assert editor == "neovim" or re.search(r"• building the extension\n• installing the extension\n", said)
    assert not any(re.match(r"citelsp(?![\w./-])", it) for it in words), words
    assert words[words.index("install") :][:4] == ["install", "--quiet", "--disable-pip-version-check", ".[model]"]
    own = home / ".local" / "share" / "citelsp" / "server" / "bin" / "citelsp"
    assert (home / ".local" / "bin" / "citelsp").resolve() == own


def test_vs_code_may_have_spaces_in_its_path_or_options(home):
    program = home / "Visual Studio Code" / "code"
    program.parent.mkdir()
    shutil.copy(home / "programs" / "code", program)
    for named, words in ((str(program), ["code"]), ("code --profile thesis", ["code", "--profile", "thesis"])):
        _, called = run(home, "vscode", CODE=named)
        at = called.index("--install-extension")
        assert called[at - len(words) : at] == words


def test_run_again_it_updates_its_own_server_and_no_other(home):
    run(home, "neovim")
    said, words = run(home, "neovim", home / ".local" / "bin")
    assert "installing the server" in said
    assert "pip" in words
    other = home / "other"
    other.mkdir()
    (other / "citelsp").symlink_to(home / "programs" / "npm")
    said, words = run(home, "neovim", other)
    assert f"using the server that you have, {other / 'citelsp'}" in said
    assert "pip" not in words


def test_a_server_in_an_active_environment_is_not_there_when_an_editor_is_started_elsewhere(home):
    active = home / "clone" / ".venv"
    (active / "bin").mkdir(parents=True)
    (active / "bin" / "citelsp").symlink_to(home / "programs" / "npm")
    said, _ = run(home, "neovim", active / "bin", VIRTUAL_ENV=str(active))
    assert "• installing the server into " in said
    assert (home / ".local" / "bin" / "citelsp").is_symlink()


def test_a_server_on_path_is_found_by_an_editor_with_another_path(home):
    other = home / "other"
    other.mkdir()
    (other / "citelsp").symlink_to(home / "programs" / "npm")
    run(home, "vscode", other)
    assert (home / ".local" / "bin" / "citelsp").readlink() == other / "citelsp"


@pytest.mark.parametrize("on_path", [True, False])
def test_what_pipx_installed_stays_the_one_server(home, on_path):
    """Its link is where our own would be, on PATH or not."""
    venv, link = home / "pipx" / "venvs" / "citelsp" / "bin" / "citelsp", home / ".local" / "bin" / "citelsp"
    for path in (venv, link):
        path.parent.mkdir(parents=True)
    venv.write_text(RECORDS)
    venv.chmod(0o755)
    link.symlink_to(venv)
    said, words = run(home, "neovim", *([link.parent] if on_path else []))
    assert f"using the server that you have, {link}" in said
    assert "pip" not in words and "installing the server" not in said
    assert link.readlink() == venv
    assert not (home / ".local" / "share" / "citelsp").exists()


def test_a_link_that_leads_nowhere_is_left_and_named(home):
    link = home / ".local" / "bin" / "citelsp"
    link.parent.mkdir(parents=True)
    link.symlink_to(home / "removed")
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run(home, "neovim")
    assert f"{link} leads nowhere: remove it" in failed.value.stderr
    assert link.readlink() == home / "removed"
