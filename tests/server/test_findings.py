import asyncio
import errno
from dataclasses import replace

import pytest

from citelsp import checks
from citelsp.base.settings import Checks, Settings
from citelsp.knowledge import Knowledge
from citelsp.server.jobs import Jobs
from citelsp.server.state.findings import Findings
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.include_graph import build

TEXT = "@article{x,\n  title = {A},\n}\n"


async def test_other_settings_are_not_answered_from_memory(tmp_path):
    files, findings, knowledge = DiskFiles([str(tmp_path)]), Findings(Jobs()), Knowledge()
    files.open(str(tmp_path / "refs.bib"), TEXT)
    project = build(files, str(tmp_path / "refs.bib"), Settings())
    quiet = replace(project, settings=Settings(checks=Checks(severity={"missing-field": "off"})))
    assert {it.code for it in await findings.findings_of(project, knowledge)} == {"missing-field"}
    assert await findings.findings_of(quiet, knowledge) == []
    findings.stop()


async def test_what_failed_is_worked_out_again(tmp_path, monkeypatch):
    """Checks load some modules and lists when they first need them, which fails while too many files are open."""
    files, findings, knowledge = DiskFiles([str(tmp_path)]), Findings(Jobs()), Knowledge()
    files.open(str(tmp_path / "refs.bib"), TEXT)
    project = build(files, str(tmp_path / "refs.bib"), Settings())

    def fail(*_):
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(checks, "run", fail)
        with pytest.raises(OSError, match="Too many"):
            await findings.findings_of(project, knowledge)
    found = await findings.findings_of(project, knowledge)
    assert {it.code for it in found} == {"missing-field"}
    assert await findings.findings_of(project, knowledge) is found
    findings.stop()


async def test_portions_of_a_large_bibliography_find_what_one_run_finds(tmp_path):
    findings, path = Findings(Jobs()), str(tmp_path / "refs.bib")
    text = "\n".join(TEXT.replace("x", f"x{number}").replace("A", f"A {number}") for number in range(1100))
    inportions, atonce = DiskFiles([str(tmp_path)]), DiskFiles([str(tmp_path)])
    inportions.open(path, text)
    atonce.open(path, text)
    found = await findings.findings_of(build(inportions, path, Settings()), Knowledge())
    assert found == checks.run(build(atonce, path, Settings()), Knowledge()) != []
    findings.stop()


async def test_other_work_is_done_to_its_end_and_findings_come_between_its_portions(tmp_path):
    files, findings, path = DiskFiles([str(tmp_path)]), Findings(Jobs()), str(tmp_path / "refs.bib")
    files.open(path, TEXT)
    done, steps = [], iter(range(3))
    work = asyncio.ensure_future(findings.work_aside(done.append(it) for it in steps))
    assert await findings.findings_of(build(files, path, Settings()), Knowledge())
    assert len(done) < 3
    await work
    assert done == [0, 1, 2]
    findings.stop()
