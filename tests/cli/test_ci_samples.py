"""The samples for GitLab and pre-commit, run on three repositories: right, wrong, and with the service down."""

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
import yaml

import crossref_server
import readme
from citelsp.base import docs

HOOKS = yaml.safe_load((readme.ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
BLOCKS = map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", docs.read(docs.DOCS / "ci.md"), re.DOTALL))
[GITLAB] = [it["citations"] for it in BLOCKS if "citations" in it]
WORK = crossref_server.work("10.1000/trout", "On the Habits of Trout", "Lee", "Ann", 2020)
RIGHT = (
    "@article{lee20,\n  author = {Lee, Ann},\n  title = {On the Habits of Trout},\n  journal = {Fish},\n"
    "  year = {2020},\n  doi = {10.1000/trout},\n}\n"
)
PAPER = (
    "\\documentclass{article}\n\\begin{document}\nTrout swim \\cite{lee20}.\n\\bibliography{refs}\n\\end{document}\n"
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt" or not (shutil.which("bash") and shutil.which("git")), reason="needs bash, git"),
]


class Down:
    """Dice that always show an error of the service."""

    def random(self):
        return 0.0

    def choice(self, _):
        return "error"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """run(changed, script, down) → the end of a script in a repository to which these files came last."""
    world = crossref_server.Scholars(WORK)
    home, tools, place = tmp_path / "home", tmp_path / "bin", tmp_path / "work"
    for folder in (home / "citelsp", tools, place):
        folder.mkdir(parents=True)
    (home / "citelsp" / "config.toml").write_text(world.config())
    (tools / "citelsp").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m citelsp "$@"\n')
    (tools / "citelsp").chmod(0o755)
    author = {f"GIT_{who}_{what}": "x@x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = (
        os.environ
        | author
        | {
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(readme.ROOT),
            "XDG_CONFIG_HOME": str(home),
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "CITELSP_CACHE_DIR": str(tmp_path / "cache"),
        }
    )

    def called(*words, **more):
        options = {"cwd": place, "env": environment | more, "capture_output": True, "text": True}
        return subprocess.run(words, check=False, timeout=120, **options)

    def start(changed, script, *, down=False):
        if down:
            world.storms, world.dice = 1.0, Down()
        (place / "README.md").write_text("A paper.\n")
        called("git", "init", "-qb", "main")
        called("git", "add", ".")
        called("git", "commit", "-qm", "before")
        base = called("git", "rev-parse", "HEAD").stdout.strip()
        for name, text in changed.items():
            (place / name).write_text(text)
        called("git", "add", ".")
        text = "set -eo pipefail\n" + "\n".join(script)
        return called("bash", "-c", text, CI_MERGE_REQUEST_DIFF_BASE_SHA=base), place

    yield start
    world.close()


@pytest.mark.parametrize(
    ("entry", "down", "status"),
    [
        (RIGHT, False, 0),
        (RIGHT.replace("Lee, Ann", "Ray, Bo"), False, 1),
        (RIGHT, True, 0),
    ],
    ids=["right", "wrong", "service down"],
)
def test_the_job_of_gitlab(run, entry, down, status):
    done, place = run({"paper.tex": PAPER, "refs.bib": entry}, GITLAB["script"], down=down)
    assert done.returncode == status, done.stdout + done.stderr
    assert "On the Habits of Trout" in (place / "citelsp.html").read_text()
    assert GITLAB["artifacts"]["paths"] == ["citelsp.html"]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda it: it["id"])
def test_hooks_pass_what_is_right_and_stop_what_is_wrong(run, hook):
    """As pre-commit does: the entry with the files that match, and a hook that writes stops the commit too."""
    files = {"paper.tex": PAPER, "refs.bib": RIGHT}
    named = [it for it in files if re.search(hook["files"], it)]
    script = [f"{hook['entry']} {shlex.join(named)}", "git diff --quiet"]
    laid_out = ["citelsp format refs.bib", "git add ."]
    assert run(files, [*laid_out, *script])[0].returncode == 0
    wrong = {
        "citelsp": {"paper.tex": PAPER.replace("lee20", "nobody")},
        "citelsp-verify": {"refs.bib": RIGHT.replace("Lee, Ann", "Ray, Bo")},
        "citelsp-fix": {"refs.bib": RIGHT.replace("{10.1000", "{https://doi.org/10.1000")},
        "citelsp-format": {"refs.bib": RIGHT.replace("  title", "      title")},
        "citelsp-sort": {"refs.bib": RIGHT + "\n" + RIGHT.replace("lee20", "aa19").replace("trout}", "carp}")},
    }[hook["id"]]
    assert run(files | wrong, script)[0].returncode != 0
