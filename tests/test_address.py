"""No link leads to a page of ours that is not ours, and nobody is told to install a name that anybody may take."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import citelsp
from citelsp.base import address
from citelsp.base.settings import Settings
from citelsp.checks import ALL
from citelsp.cli.reports import sarif
from citelsp.sources.client import Client

ROOT = Path(__file__).parent.parent
SKIPPED = (".png", ".gif", ".xz", "-lock.json", "test_address.py")
LINK = re.compile(r"https?://[^\s\"'`<>)\]]*citelsp[^\s\"'`<>)\]]*", re.IGNORECASE)
PLACEHOLDER = "https://example.org/citelsp.git"
TOOLS = r"(?:(?:pip3?|pipx|uv(?: pip| tool)?)\s+(?:-\S+\s+)*(?:install|run|download|wheel|add|upgrade)|uvx)"
FETCHED = re.compile(rf"\b{TOOLS}\b(?:\s+-\S+)*\s+[\"'`]?citelsp(?![\w./-])")  # from an index, by its name


@pytest.fixture(scope="module")
def tree():
    """Path → text of what git knows."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    names = [it for it in done.stdout.decode().split("\0") if it and not it.endswith(SKIPPED)]
    if not names:
        pytest.skip("not a checkout of git")
    return {it: (ROOT / it).read_text(encoding="utf-8") for it in names if (ROOT / it).is_file()}


def test_no_link_names_the_project(tree):
    found = {(name, it) for name, text in tree.items() for it in LINK.findall(text)}
    ours = {it for it in found if address.HOME and it[1].startswith(address.HOME)}
    assert found - ours == {("citelsp/docs/ci.md", PLACEHOLDER)}


def test_the_placeholder_is_called_one(tree):
    lines = [it for it in tree["citelsp/docs/ci.md"].splitlines() if PLACEHOLDER in it]
    assert all(it == f"`{PLACEHOLDER}`." or it.endswith("# instead, the address of your copy") for it in lines)


def test_nobody_is_told_to_fetch_the_name(tree):
    assert {name: it for name, text in tree.items() for it in FETCHED.findall(text)} == {}
    assert all(map(FETCHED.search, ("pipx install citelsp", "uv pip install -U 'citelsp'", "uvx citelsp check")))
    assert not FETCHED.search("pipx install . && citelsp demo")


def test_what_else_names_the_address_agrees():
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert package.get("homepage", "") == project.get("urls", {}).get("Homepage", "") == address.HOME
    assert not {"repository", "bugs"} & package.keys()
    assert project.get("urls", {}).keys() <= {"Homepage"}


def test_without_an_address_there_are_no_links(monkeypatch):
    monkeypatch.setattr(address, "HOME", "")
    driver = sarif.driver()
    assert not {"informationUri", "downloadUri"} & driver.keys()
    assert not any("helpUri" in it for it in driver["rules"])
    assert all(f"ignore[{it['id']}]" in it["help"]["text"] for it in driver["rules"])
    assert Client(Settings()).connections.agent == f"citelsp/{citelsp.__version__}"


def test_an_address_brings_them_back(monkeypatch):
    monkeypatch.setattr(address, "HOME", "https://example.org/home")
    driver = sarif.driver()
    assert driver["informationUri"] == "https://example.org/home"
    assert [it["helpUri"] for it in driver["rules"]] == [
        f"https://example.org/home/citelsp/docs/findings/{it.code}.md" for it in ALL
    ]
    about = "https://example.org/home; mailto:me@x.org"
    assert Client(Settings(email="me@x.org")).connections.agent == f"citelsp/{citelsp.__version__} ({about})"
