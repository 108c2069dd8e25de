"""editors/install says what it lacks before it does anything."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

INSTALL = Path(__file__).parent.parent.parent / "editors" / "install"

pytestmark = pytest.mark.skipif(os.name == "nt" or not shutil.which("bash"), reason="a script of bash")


def install(tmp_path, *arguments):
    """With a PATH that holds nothing but what every system has."""
    for name in ("bash", "dirname", "sed"):
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
