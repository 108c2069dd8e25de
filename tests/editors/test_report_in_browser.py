"""The report that people hand on, as Chromium shows it."""

import os
import subprocess
from pathlib import Path

import pytest

from citelsp.cli.reports import html
from cli.test_pages_to_hand_on import outcome

pytestmark = pytest.mark.editors
__all__ = ["outcome"]  # a fixture, with titles as a stranger would write them
SCRIPT = Path(__file__).parent / "vscode" / "report.mjs"


def test_a_report_fits_its_window_and_asks_nobody(outcome, programs, tools, tmp_path):
    page = tmp_path / "report.html"
    page.write_text(html.render(outcome), encoding="utf-8")
    environment = {"CITELSP_CODE_SERVER": str(tools / "code-server"), "CITELSP_CHROMIUM": programs("chromium")}
    done = subprocess.run(
        [programs("node"), SCRIPT, page, tmp_path],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\npictures in {tmp_path}"
