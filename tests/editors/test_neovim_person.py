"""A person writes ten sentences with twenty citations in Neovim, and takes everything back."""

import json
import re
import shutil
import subprocess
import time

import pytest

import neovim_terminal
from neovim_terminal import ROOT

pytestmark = pytest.mark.editors

DEMO = ROOT / "fixtures" / "demo"
SENTENCES = 10
REFERENCE = "Reference"
ENTRY = re.compile(r"^\s*@\w+\{([^,\s]+),", re.MULTILINE)


@pytest.fixture
def writer(tmp_path, programs, corpus, until):
    folder = tmp_path / "demo"
    shutil.copytree(DEMO, folder)
    (folder / ".git").mkdir()
    init = tmp_path / "init.lua"
    init.write_text(neovim_terminal.lines_of_page(), encoding="utf-8")
    with neovim_terminal.started(programs("nvim"), folder, tmp_path / "nvim", init) as session:
        until(session.served)
        yield session, folder


def write(nvim, text, pause):
    for key in text:
        nvim.type(key)
        time.sleep(pause)


def accept(nvim, until):
    """The text of the first item that cites something, accepted."""

    def listed():
        items = nvim.offered()
        return items if items and items[0]["kind"] == REFERENCE else None

    [first, *_] = until(listed)
    nvim.type("\x0e\x19")
    return first["word"]


def citing(nvim, until, pause, works, keys):
    """The lines that a person writes, with two citations each."""
    lines = []
    for number, (work, key) in enumerate(zip(works, keys, strict=True)):
        words = " ".join(work["title"].split()[:5]).strip(":;,.").lower()
        before, between = f"Sentence {number} claims \\cite<", " and \\citep{"
        write(nvim, before + words, pause)
        cited = accept(nvim, until)
        write(nvim, between + key, pause)
        known = accept(nvim, until)
        write(nvim, "}.\r", pause)
        lines.append(f"Sentence {number} claims \\cite{cited}{between}{known}}}.")
    return lines


@pytest.mark.parametrize("milliseconds", [40, 80, 200])
def test_nothing_is_lost_and_everything_can_be_taken_back(writer, milliseconds, request, until):
    if milliseconds != 40 and not request.config.getoption("--thorough"):
        pytest.skip("runs with --thorough")
    nvim, folder = writer
    manuscript, entries = ((folder / it).read_text(encoding="utf-8") for it in ("main.tex", "references.bib"))
    own = ENTRY.findall(entries)
    found = map(json.loads, (DEMO / "corpus.jsonl").read_text(encoding="utf-8").splitlines())
    works = [it for it in found if it.get("abstract") and it["title"] not in entries and len(it["title"].split()) > 5]
    keys = (own * SENTENCES)[:SENTENCES]
    nvim.lua("return vim.fn.search([[^\\\\section{Method}]])")
    nvim.keys("o")
    until(lambda: nvim.lua("return vim.api.nvim_get_mode().mode") == "i")
    lines = citing(nvim, until, milliseconds / 1000, works[:SENTENCES], keys)
    nvim.keys("<Esc>")
    heading = nvim.lua("return vim.fn.search([[^\\\\section{Method}]], 'bn')")
    assert nvim.lua("return vim.api.nvim_buf_get_lines(0, ...)", heading, heading + SENTENCES, False) == lines
    cited = {key for line in lines for group in re.findall(r"\{([^{}]+)\}", line) for key in group.split(",")}
    bibliography = folder / "references.bib"
    until(lambda: cited <= set(ENTRY.findall(bibliography.read_text(encoding="utf-8"))))
    added = ENTRY.findall(bibliography.read_text(encoding="utf-8"))
    assert len(added) == len(set(added))
    assert len(added) > len(own)
    compiles(folder, cited)
    nvim.command("silent undo 0")
    until(lambda: bibliography.read_text(encoding="utf-8") == entries)
    nvim.command("silent write")
    assert (folder / "main.tex").read_text(encoding="utf-8") == manuscript


def compiles(folder, cited):
    """BibTeX reads every entry, if it is there."""
    if not shutil.which("bibtex"):
        return
    lines = [f"\\citation{{{key}}}" for key in sorted(cited)]
    (folder / "t.aux").write_text("\n".join(["\\relax", *lines, "\\bibstyle{plain}", "\\bibdata{references}\n"]))
    done = subprocess.run(["bibtex", "t"], cwd=folder, capture_output=True, text=True)
    assert "error message" not in done.stdout, done.stdout
