"""The README says what the code says."""

import re
import tomllib

import pytest

import readme
from citelsp.base import settings
from citelsp.cli import COMMANDS

TEXT = readme.README.read_text(encoding="utf-8")


def test_tables_are_current():
    assert readme.generated(TEXT) == TEXT, "run python tests/readme.py"


@pytest.mark.parametrize(
    "command", sorted(set(re.findall(r"citelsp ([a-z]+)\b(?! *(?:section|is|reads))", TEXT)) & {*COMMANDS})
)
def test_commands_exist(command):
    assert command in COMMANDS


@pytest.mark.parametrize(
    "path", sorted({it for it in re.findall(r"\]\(([\w/.-]+)\)", TEXT) if not it.startswith("http")})
)
def test_linked_files_exist(path):
    assert (readme.README.parent / path).exists()


@pytest.mark.parametrize("block", re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL))
def test_settings_shown_are_settings(block):
    _, problems = settings.merged(settings.Layer(tomllib.loads(block)))
    assert not problems
