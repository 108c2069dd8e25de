"""What the page about CI and the hook file have other programs run."""

import re
import shlex

import pytest
import yaml

import readme
from citelsp.base import docs
from citelsp.cli import parser

HOOKS = yaml.safe_load((readme.ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
PAGE = docs.read(docs.DOCS / "ci.md")
BLOCKS = [yaml.safe_load(it) for it in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
STEPS = [step for block in BLOCKS if "jobs" in block for step in block["jobs"]["citelsp"]["steps"]]


def parsed(command):
    words = shlex.split(command.partition(">")[0].partition("||")[0])
    return parser().parse_args(words[1:])


@pytest.mark.parametrize("hook", HOOKS, ids=lambda it: it["id"])
def test_hooks_are_commands(hook):
    assert parsed(hook["entry"] + " chapters.bib refs.bib").command in ("check", "format", "sort")
    assert hook["language"] == "python"
    assert re.search(hook["files"], "chapters/refs.bib")
    assert not re.search(hook["files"], "bib.py")


@pytest.mark.parametrize("hook", HOOKS[:2], ids=lambda it: it["id"])
def test_hooks_get_every_file_that_is_surely_meant(hook):
    for name in (
        "main.tex", "ch/A.TEX", "a.Rnw", "b.lhs", "notes.md", "a.qmd", "b.Rmd", "main.typ", "thesis.org", "a.ipynb",
        "refs.bib", "export.ris", "x/references.json", "my.csl.json", "bibliography.yml", "refs.yaml",
    ):  # fmt: skip
        assert re.search(hook["files"], name), name
    for name in ("package.json", "ci.yml", "pom.xml", "conf.py", "tex.py", "myreferences.json", "a.bib.bak"):
        assert not re.search(hook["files"], name), name


def test_the_page_prints_nothing_twice():
    """One hook that reports, as two would say the same."""
    reporting = {it["id"] for it in HOOKS if it["entry"].startswith("citelsp check") and "--fix" not in it["entry"]}
    [repo] = [repo for block in BLOCKS for repo in block.get("repos", ())]
    assert len([it for it in repo["hooks"] if it["id"] in reporting]) == 1


def test_the_workflow_runs_commands():
    formats = [parsed(it["run"]).format for it in STEPS if it.get("run", "").startswith("citelsp ")]
    assert formats == ["github", "sarif"]


def test_the_configuration_names_hooks():
    used = {hook["id"] for block in BLOCKS for repo in block.get("repos", ()) for hook in repo["hooks"]}
    assert used < {it["id"] for it in HOOKS}
