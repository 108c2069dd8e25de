"""What CI installs is pinned by version and hash and fits what is declared; workflows may do no more than they must."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
LOCK = ROOT / ".ci" / "lock.txt"
PACKAGE = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = [it for it in (*DECLARED["dependencies"], *DECLARED["optional-dependencies"]["test"]) if it[:8] != "citelsp["]


@pytest.fixture(scope="module")
def locked():
    """Name → versions; for some systems there may be another."""
    found = {}
    for name, version, rest in PACKAGE.findall(LOCK.read_text(encoding="utf-8")):
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", rest), name
        found.setdefault(name.lower(), []).append(version)
    return found


@pytest.mark.parametrize("declared", NEEDED)
def test_what_is_declared_is_locked(locked, declared):
    wanted = Requirement(declared)
    fitting = [it for it in locked[wanted.name.lower()] if wanted.specifier.contains(it, prereleases=True)]
    assert fitting, f"{declared}: .ci/lock.txt has {locked[wanted.name.lower()]}"


def test_everything_in_the_lock_has_a_hash(locked):
    lines = [it for it in LOCK.read_text(encoding="utf-8").splitlines() if "==" in it and not it.startswith("#")]
    assert len(lines) == sum(map(len, locked.values())) > 40


def test_workflows_read_unless_a_job_says_more():
    for path in (ROOT / ".github" / "workflows").glob("*.y*ml"):
        assert "\npermissions:\n  contents: read\n" in path.read_text(encoding="utf-8"), path


def test_workflows_run_each_action_as_of_one_commit():
    """A tag can be moved to another."""
    for path in (ROOT / ".github" / "workflows").glob("*.y*ml"):
        used = re.findall(r"uses: *(.*)", path.read_text(encoding="utf-8"))
        assert used
        assert [it for it in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v[\d.]+", it)] == []
