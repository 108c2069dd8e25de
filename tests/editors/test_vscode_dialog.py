"""Insert Citation… in VS Code, with keys, over the demonstration's list, its corpus and a Zotero on this machine."""

import os
import shutil
from pathlib import Path

import pytest

import zotero_server
from editors import test_vscode
from editors.test_vscode import code_server, installed

ROOT = Path(__file__).parent.parent.parent
MEMORY = {
    "citekey": "hochreiterLongShortTermMemory1997",
    "type": "article-journal",
    "title": "Long Short-Term Memory",
    "author": [{"family": "Hochreiter", "given": "Sepp"}, {"family": "Schmidhuber", "given": "Jürgen"}],
    "container-title": "Neural Computation",
    "issued": {"date-parts": [[1997]]},
}

pytestmark = pytest.mark.editors
__all__ = ["code_server", "installed"]  # fixtures


@pytest.fixture(scope="module", autouse=True)
def zotero(town, private_home):
    """Better BibTeX answers here as long as these tests run."""
    running = zotero_server.Zotero(keyed=[MEMORY])
    settings = private_home / "citelsp" / "config.toml"
    before = settings.read_text(encoding="utf-8")
    off = "[services.zotero]\nenabled = false\n"
    assert off in before
    settings.write_text(before.replace(off, f'[services.zotero]\nbase_url = "{running.address}"\n'), encoding="utf-8")
    yield running
    settings.write_text(before, encoding="utf-8")
    running.close()


def test_works_of_several_origins_are_cited_in_one_act(zotero, code_server, programs, tmp_path):
    folder = tmp_path / "démo paper"
    shutil.copytree(ROOT / "fixtures" / "demo", folder)
    shots = Path(os.environ.get("CITELSP_SHOTS", tmp_path / "shots"))
    output = test_vscode.run("dialog.mjs", code_server, folder, programs, shots)
    assert "FAIL" not in output


def test_the_demonstration_opens_in_a_window_of_its_own(code_server, workspace, programs, tmp_path):
    shots = Path(os.environ.get("CITELSP_SHOTS", tmp_path / "shots"))
    assert "ok   the demonstration is open" in test_vscode.run("demo.mjs", code_server, workspace, programs, shots)
