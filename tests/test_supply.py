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


@pytest.mark.parametrize("name", ["lock.txt", "server.txt", "audit.txt", "wheels.txt", "action.txt"])
def test_every_lock_has_hashes_alone(name):
    text = (ROOT / ".ci" / name).read_text(encoding="utf-8")
    packages = PACKAGE.findall(text)
    assert len(packages) > 20
    assert [it[0] for it in packages if "--hash=sha256:" not in it[2]] == []
    assert len(packages) == sum("==" in it and not it.startswith("#") for it in text.splitlines())


@pytest.mark.parametrize("name", ["server.txt", "wheels.txt"])
def test_what_the_server_needs_is_in_the_locks_of_a_release(name):
    packages = {it[0].lower() for it in PACKAGE.findall((ROOT / ".ci" / name).read_text(encoding="utf-8"))}
    needed = [*DECLARED["dependencies"], *DECLARED["optional-dependencies"]["model"]]
    assert {Requirement(it).name.lower() for it in needed} <= packages


def test_the_action_installs_what_citelsp_needs_as_it_is_tested_and_nothing_for_tests():
    locks = {name: (ROOT / ".ci" / name).read_text(encoding="utf-8") for name in ("action.txt", "lock.txt")}
    versions = {name: {it[0].lower(): it[1] for it in PACKAGE.findall(text)} for name, text in locks.items()}
    action, tested = versions["action.txt"], versions["lock.txt"]
    assert {Requirement(it).name.lower() for it in DECLARED["dependencies"]} | {"hatchling"} <= action.keys()
    assert action.items() <= tested.items()
    assert not action.keys() & {"pytest", "mypy", "onnxruntime", "openai"}


@pytest.mark.parametrize("script", [".ci/build", ".ci/audit", "editors/vscode/scripts/wheels.py"])
def test_a_release_installs_by_hash(script):
    """Whoever may write a release runs what is installed for it."""
    lines = (ROOT / script).read_text(encoding="utf-8").splitlines()
    installing = [it for it in lines if re.search(r"pip\W+(install|download)\b", it)]
    assert installing
    if script.endswith(".py"):
        assert '"--require-hashes"' in "".join(lines)
    else:
        assert [it for it in installing if "--require-hashes" not in it] == []


def test_workflows_read_unless_a_job_says_more():
    for path in (ROOT / ".github" / "workflows").glob("*.y*ml"):
        assert "\npermissions:\n  contents: read\n" in path.read_text(encoding="utf-8"), path


def test_workflows_run_each_action_as_of_one_commit():
    """A tag can be moved to another."""
    for path in (ROOT / ".github" / "workflows").glob("*.y*ml"):
        used = re.findall(r"uses: *(.*)", path.read_text(encoding="utf-8"))
        assert used
        assert [it for it in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v[\d.]+", it)] == []
