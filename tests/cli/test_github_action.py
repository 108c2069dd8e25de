"""The action for GitHub: pinned, with few permissions, and its shell steps run here as a runner would run them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import crossref_server

ROOT = Path(__file__).parents[2]
FILE = ROOT / "editors" / "github-action" / "action.yml"
ACTION = yaml.safe_load(FILE.read_text(encoding="utf-8"))
STEPS = {it.get("name", it.get("id")): it for it in ACTION["runs"]["steps"]}
WORK = crossref_server.work("10.1000/trout", "On the Habits of Trout", "Lee", "Ann", 2020)
RIGHT = "@article{lee20, author = {Lee, Ann}, title = {On the Habits of Trout}, journal = {Fish}, year = {%s}, %s}\n"
ENTRY = RIGHT % (2020, "doi = {10.1000/trout}")
PAPER = (
    "\\documentclass{article}\n\\begin{document}\nTrout swim \\cite{lee20}%s.\n\\bibliography{refs}\n\\end{document}\n"
)

needs_bash = pytest.mark.skipif(shutil.which("bash") is None or os.name == "nt", reason="needs bash")


def test_every_action_is_run_as_of_one_commit():
    used = re.findall(r"uses: *(.*)", FILE.read_text(encoding="utf-8"))
    assert len(used) == 4
    assert [it for it in used if not re.fullmatch(r"[\w-]+/[\w/-]+@[0-9a-f]{40}  # v[\d.]+", it)] == []


def test_no_text_of_a_workflow_becomes_part_of_a_script():
    """A branch or a path may be named like a command."""
    assert all("${{" not in it.get("run", "") for it in STEPS.values())


def test_it_is_installed_by_hash_from_the_commit_that_it_is_part_of():
    lines = [it for it in STEPS["Install citelsp"]["run"].splitlines() if " install " in it]
    assert all("--require-hashes" in it or "--no-deps --no-build-isolation" in it for it in lines)
    assert (FILE.parent / ".." / ".." / ".ci" / "action.txt").exists()
    assert STEPS["Install citelsp"]["env"]["ROOT"] == "${{ github.action_path }}/../.."
    assert (FILE.parent / ".." / ".." / "pyproject.toml").exists()


def test_what_needs_more_than_reading_is_off():
    assert ACTION["inputs"]["sarif"]["default"] == "false"
    assert ACTION["inputs"]["comment"]["default"] == "false"
    assert STEPS["Report to code scanning"]["if"] == "inputs.sarif == 'true'"
    assert STEPS["Comment"]["if"] == "inputs.comment == 'true' && github.event_name == 'pull_request'"
    assert [name for name, it in STEPS.items() if "github.token" in str(it)] == ["Comment"]
    assert "GITHUB_TOKEN" not in FILE.read_text(encoding="utf-8")


@pytest.fixture
def scholars():
    running = crossref_server.Scholars(WORK)
    yield running
    running.close()


@pytest.fixture
def runner(tmp_path, scholars):
    """runner(files, **inputs) → what a runner learns of the job: its steps by name, and what they left."""
    home, tools = tmp_path / "home", tmp_path / "bin"
    for folder in (home / "citelsp", tools, tmp_path / "temp", tmp_path / "repository"):
        folder.mkdir(parents=True)
    (home / "citelsp" / "config.toml").write_text(scholars.config(), encoding="utf-8")
    program = tools / "citelsp"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m citelsp "$@"\n')
    program.chmod(0o755)

    def run(files, **inputs):
        for name, text in files.items():
            (tmp_path / "repository" / name).write_text(text, encoding="utf-8")
        return Job(tmp_path, {name: it["default"] for name, it in ACTION["inputs"].items()} | inputs)

    return run


class Job:
    def __init__(self, place, inputs):
        self.place, self.values = place, {f"inputs.{name}": it for name, it in inputs.items()}
        self.values["runner.temp"] = str(place / "temp")
        self.check = self.step("Check")
        lines = self.left("output").splitlines()
        self.outputs = dict(it.split("=", 1) for it in lines)
        self.values |= {f"steps.check.outputs.{name}": it for name, it in self.outputs.items()}
        # A step that fails ends the job, and what follows is not run.
        self.result = self.step("Result").returncode if self.check.returncode == 0 else self.check.returncode

    def step(self, name):
        script = self.place / "step.sh"
        script.write_text(STEPS[name]["run"])
        own = {
            key: re.sub(r"\$\{\{ *(.*?) *\}\}", lambda it: self.values[it[1]], it)
            for key, it in STEPS[name]["env"].items()
        }
        files = {f"GITHUB_{it.upper()}": str(self.place / it) for it in ("output", "step_summary", "path")}
        environment = os.environ | files | own
        environment |= {
            "PATH": f"{self.place / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "RUNNER_TEMP": str(self.place / "temp"),
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.place / "repository"),
            "XDG_CONFIG_HOME": str(self.place / "home"),
            "XDG_STATE_HOME": str(self.place / "state"),
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.place / "repository",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def left(self, name):
        path = self.place / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def annotations(self):
        return re.findall(r"^::(\w+) (?:file=([^,:]*))?", self.check.stdout, re.MULTILINE)

    def report(self, name):
        return (Path(self.outputs["reports"]) / name).read_text(encoding="utf-8")


GH = """#!/bin/sh
echo "$*" >>"$CALLS"
case "$*" in
  *PATCH*|*POST*) cp "$RUNNER_TEMP/comment.md" "$CALLS.body"; exit "$REFUSES";;
  *jq*) printf "%s" "$KNOWN";;
esac
"""


@pytest.mark.slow
@needs_bash
@pytest.mark.parametrize(("known", "verb", "refuses"), [("", "POST", "0"), ("17\n18", "PATCH", "0"), ("", "POST", "1")])
def test_a_comment_is_written_once_and_calls_no_one(runner, tmp_path, monkeypatch, known, verb, refuses):
    entry = ENTRY.replace("lee20", "nobody").replace("Lee, Ann", "Ray, @octocat")
    job = runner({"paper.tex": PAPER.replace("lee20", "nobody") % "", "refs.bib": entry})
    (tmp_path / "bin" / "gh").write_text(GH)
    (tmp_path / "bin" / "gh").chmod(0o755)
    for name, value in {"CALLS": str(tmp_path / "calls"), "KNOWN": known, "REFUSES": refuses}.items():
        monkeypatch.setenv(name, value)
    job.values |= {"github.token": "t", "github.repository": "lab/paper", "github.event.pull_request.number": "5"}
    done = job.step("Comment")
    calls = (tmp_path / "calls").read_text().splitlines()
    where = "repos/lab/paper/issues/comments/17" if known else "repos/lab/paper/issues/5/comments"
    assert done.returncode == 0, done.stderr
    assert "--paginate" in calls[0]  # a pull request may have more comments than a page
    assert f"-X {verb} {where} -F body=@" in calls[-1]
    body = (tmp_path / "calls.body").read_text()
    assert body.startswith("<!-- citelsp -->\n## References of")
    assert "@" not in body
    assert "&#64;octocat" in body
    assert ("::notice title=citelsp::The comment was not written" in done.stdout) == (refuses == "1")


@pytest.mark.slow
@needs_bash
def test_a_summary_is_cut_between_characters(runner, tmp_path, monkeypatch):
    job = runner({"paper.tex": PAPER % "", "refs.bib": ENTRY})
    (tmp_path / "bin" / "gh").write_text(GH)
    (tmp_path / "bin" / "gh").chmod(0o755)
    for name, value in {"CALLS": str(tmp_path / "calls"), "KNOWN": "", "REFUSES": "0"}.items():
        monkeypatch.setenv(name, value)
    (Path(job.outputs["reports"]) / "citelsp.md").write_text("x" + 40_000 * "é", encoding="utf-8")
    job.values |= {"github.token": "t", "github.repository": "lab/paper", "github.event.pull_request.number": "5"}
    done = job.step("Comment")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "calls.body").read_text(encoding="utf-8").count("é") == 29_999


class Errors:
    """Dice that always show an error of the service."""

    def random(self):
        return 0.0

    def choice(self, _):
        return "error"


@pytest.mark.slow
@needs_bash
def test_a_repository_that_is_right(runner):
    job = runner({"paper.tex": PAPER % "", "refs.bib": ENTRY})
    assert (job.result, job.outputs["status"], job.outputs["serious"]) == (0, "0", "false"), job.check.stderr
    assert [it for it in job.annotations() if it[0] != "notice"] == []
    assert "1 verified" in job.check.stdout
    assert "On the Habits of Trout" in job.report("citelsp.html")
    assert json.loads(job.report("citelsp.sarif"))["version"] == "2.1.0"
    assert job.left("step_summary")


@pytest.mark.slow
@needs_bash
def test_a_repository_that_is_wrong(runner):
    files = {"paper.tex": PAPER % " and \\cite{nobody}", "refs.bib": ENTRY.replace("Lee, Ann", "Ray, Bo")}
    job = runner(files)
    assert (job.result, job.outputs["status"], job.outputs["serious"]) == (1, "1", "true")
    assert {("warning", "paper.tex"), ("error", "refs.bib")} <= set(job.annotations())
    rules = {it["ruleId"] for it in json.loads(job.report("citelsp.sarif"))["runs"][0]["results"]}
    assert {"undefined-citation", "wrong-authors"} <= rules  # what the services said is in the later reports, too
    assert "leads to a work of this title by other people" in job.left("step_summary")


@pytest.mark.slow
@needs_bash
def test_findings_that_are_not_to_fail_the_job(runner):
    job = runner({"paper.tex": PAPER % " and \\cite{nobody}", "refs.bib": ENTRY}, fail="false")
    assert (job.result, job.outputs["serious"]) == (0, "true")


@pytest.mark.slow
@needs_bash
def test_a_service_that_is_down_fails_no_job(runner, scholars):
    scholars.storms, scholars.dice = 1.0, Errors()
    job = runner({"paper.tex": PAPER % "", "refs.bib": ENTRY})
    assert (job.result, job.outputs["status"], job.outputs["serious"]) == (0, "2", "false"), job.check.stdout
    assert ("warning", "") in job.annotations()
    assert "Not everything could be checked" in job.check.stdout
    assert job.left("step_summary").startswith("**Not everything could be checked:** a service did not answer")
    # Silence is neither absence nor “not looked up”.
    assert "- Crossref could not be asked (503 Service Unavailable); 1 entry stayed unchecked" in job.left(
        "step_summary"
    )
    assert "No answer from Crossref." in job.report("citelsp.html")
    assert "Not looked up" not in job.left("step_summary") + job.report("citelsp.html")


@pytest.mark.slow
@needs_bash
def test_what_is_wrong_fails_the_job_though_a_service_is_down(runner, scholars):
    scholars.storms, scholars.dice = 1.0, Errors()
    job = runner({"paper.tex": PAPER % " and \\cite{nobody}", "refs.bib": ENTRY})
    assert (job.result, job.outputs["status"], job.outputs["serious"]) == (1, "2", "true")


@pytest.mark.slow
@needs_bash
def test_a_path_that_is_not_there_fails_the_job(runner):
    job = runner({"paper.tex": PAPER % "", "refs.bib": ENTRY}, paths="paper.tex\nchapters; touch x\n")
    assert job.result == 3
    assert "there is no" in job.check.stderr
    assert not (job.place / "repository" / "x").exists()


@pytest.mark.slow
@needs_bash
@pytest.mark.parametrize(
    ("inputs", "status", "why"),
    [
        ({"since": "origin/50%"}, 2, "citelsp: git does not know the revision origin/50%25"),
        ({"paths": "gone.tex"}, 3, "citelsp: there is no gone.tex"),
    ],
)
def test_a_check_that_never_began_ends_with_its_own_error(runner, tmp_path, inputs, status, why):
    """Even if another run in the same job left its reports."""
    (tmp_path / "temp" / "citelsp-reports").mkdir()
    (tmp_path / "temp" / "citelsp-reports" / "citelsp.md").write_text("All is right.", encoding="utf-8")
    (tmp_path / "repository").mkdir(exist_ok=True)
    subprocess.run(["git", "init", "-q", tmp_path / "repository"], check=True)
    job = runner({"paper.tex": PAPER % "", "refs.bib": ENTRY}, **inputs)
    assert job.result == status
    assert f"::error title=citelsp could not check anything::{why}\n" in job.check.stdout
    assert "No such file" not in job.check.stderr
    assert job.left("step_summary") == ""


@needs_bash
def test_a_check_that_is_ended_between_two_reports_fails_the_job(runner, tmp_path):
    program = '#!/bin/sh\ntouch "$RUNNER_TEMP/citelsp-reports/citelsp.md"\nexit 137\n'
    (tmp_path / "bin" / "citelsp").write_text(program)
    assert runner({}).result == 137
