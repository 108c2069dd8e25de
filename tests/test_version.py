"""The version is written in `citelsp/__init__.py`; what else names it agrees."""

import json
import re
from pathlib import Path

import pytest

import citelsp

ROOT = Path(__file__).parent.parent


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_it_is_a_release_or_on_the_way_to_one():
    assert re.fullmatch(r"\d+\.\d+\.\d+", citelsp.__version__)


def test_the_changelog_has_a_dated_section_for_it():
    """Keep a Changelog: the unreleased first, then versions, the newest first, each with its day."""
    heads = re.findall(r"^## (.*)$", read("CHANGELOG.md"), re.MULTILINE)
    assert heads[0] == "[Unreleased]"
    assert re.fullmatch(rf"\[{re.escape(citelsp.__version__)}\] - \d{{4}}-\d\d-\d\d", heads[1])
    assert citelsp.__version__ in read("editors/vscode/CHANGELOG.md")


@pytest.mark.parametrize("name", ["package.json", "package-lock.json"])
def test_the_extension_has_it(name):
    package = json.loads(read(f"editors/vscode/{name}"))
    own = package["packages"][""] if "packages" in package else package
    assert (package["version"], own["version"]) == (citelsp.__version__,) * 2, "run editors/vscode/scripts/settings.py"


def test_emacs_has_it():
    assert f";; Version: {citelsp.__version__}\n" in read("editors/emacs/citelsp.el")
