"""A person writes ten sentences with twenty citations in VS Code, and takes everything back."""

import json
import os
from dataclasses import asdict
from pathlib import Path

import pytest

import writing_person
from editors import test_vscode
from editors.test_vscode import code_server, installed

pytestmark = [pytest.mark.editors, pytest.mark.thorough]
__all__ = ["code_server", "installed"]  # fixtures


@pytest.mark.parametrize("milliseconds", writing_person.SPEEDS)
@pytest.mark.parametrize("online", [False, True], ids=["offline", "online"])
def test_nothing_is_lost_and_everything_can_be_taken_back(
    code_server, programs, town, private_home, tmp_path, online, milliseconds
):
    folder = writing_person.project(tmp_path / "démo paper")
    asked = writing_person.sentences(online)
    shots = Path(os.environ.get("CITELSP_SHOTS", tmp_path / "shots"))
    words = {"CITELSP_SENTENCES": json.dumps([asdict(it) for it in asked]), "CITELSP_PAUSE": str(milliseconds)}
    words["CITELSP_ONLINE"] = "yes" if online else ""
    with writing_person.services(online, private_home / "citelsp" / "config.toml", town):
        output = test_vscode.run("person.mjs", code_server | words, folder, programs, shots, seconds=3000)
    assert "FAIL" not in output
    writing_person.check_written(folder / "written", asked)
    writing_person.check_undone(folder)
