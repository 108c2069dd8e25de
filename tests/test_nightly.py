"""What runs at night: commands that exist, with flags that the tests know."""

import shlex
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
WORKFLOW = ROOT / ".github" / "workflows" / "nightly.yml"
pytestmark = pytest.mark.skipif(not WORKFLOW.exists(), reason="not a checkout")


def commands():
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"] if WORKFLOW.exists() else {}
    return [shlex.split(it) for it in jobs["slow"]["strategy"]["matrix"]["command"]] if jobs else []


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_a_command_names_tests_and_flags_that_exist(command, request):
    paths = [it for it in command if it.startswith("tests/")]
    assert command[0] == "pytest"
    assert paths
    assert [it for it in paths if not (ROOT / it).exists()] == []
    for flag in (it for it in command if it.startswith("--")):
        request.config.getoption(flag)  # ValueError if there is none
