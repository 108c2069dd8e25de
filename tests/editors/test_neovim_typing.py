"""Whatever is typed into Neovim stands in the buffer afterwards, or what was chosen from the list, and nothing else.

Some typings by default, all 200 of each speed with --thorough.
"""

import random
import re
import shutil
import time

import pytest

import neovim_terminal
import typed_citations
from neovim_terminal import ROOT

pytestmark = pytest.mark.editors

SET_UPS = {"plugin": neovim_terminal.lines_of_page, "lines": neovim_terminal.lines_without_plugin}
BURST, QUICK, SLOW = "in one burst", "quickly", "slowly, with pauses"
PAUSES = {QUICK: (0.01, 0.06), SLOW: (0.08, 0.2)}  # seconds between two keys
SOME = {BURST: 6, QUICK: 4, SLOW: 3}
ALL = 200
DEMO = ROOT / "fixtures" / "demo"
LIST = """local shown = {line = vim.api.nvim_get_current_line(), column = vim.api.nvim_win_get_cursor(0)[2], items = {}}
    local info = vim.fn.complete_info({'items', 'selected'})
    shown.selected = info.selected
    for _, it in ipairs(vim.fn.pumvisible() == 1 and info.items or {}) do
        local item = vim.tbl_get(it, 'user_data', 'nvim', 'lsp', 'completion_item')
        if item then
            table.insert(shown.items, {text = item.textEdit.newText, start = item.textEdit.range.start.character,
                typed = item.filterText or '', kind = item.kind, command = vim.tbl_get(item, 'command', 'command')})
        end
    end
    return shown"""
KEYS = re.compile(r"[^{}@,;\s]+")
REFERENCE = 18  # the kind of an item that cites something


@pytest.fixture
def writer(request, tmp_path, programs, corpus, until):
    """Neovim with one of the set-ups and the demonstration's manuscript, in which a line is begun."""
    folder = tmp_path / "demo"
    shutil.copytree(DEMO, folder)
    (folder / ".git").mkdir()
    init = tmp_path / "init.lua"
    init.write_text(SET_UPS[request.param](), encoding="utf-8")
    with neovim_terminal.started(programs("nvim"), folder, tmp_path / "nvim", init) as session:
        until(session.served)
        yield session


def begin_line(nvim, language, until):
    """Below the headline of a section."""
    nvim.command("edit " + {"latex": "main.tex", "markdown": "notes.md"}[language])
    until(nvim.served)
    assert nvim.lua("return vim.fn.search([[^\\\\section{Method}\\|^# Reading]])")
    nvim.keys("o")
    until(lambda: nvim.lua("return vim.api.nvim_get_mode().mode") == "i")


def write(nvim, text, speed, seed):
    if speed == BURST:
        return nvim.type(text)
    chance = random.Random(seed)  # noqa: S311
    for key in typed_citations.strokes(text, seed):
        nvim.type(key)
        time.sleep(chance.uniform(*PAUSES[speed]))
        if speed == SLOW and chance.random() < 0.08:
            wait_for_list(nvim, 0.7)
    return None


def wait_for_list(nvim, seconds):
    """The list, once it is about what is typed, or as it is after so long."""
    end = time.monotonic() + seconds
    while True:
        shown = nvim.lua(LIST)
        if (shown["items"] and fresh(shown)) or time.monotonic() > end:
            return shown
        time.sleep(0.05)


def fresh(shown):
    before = shown["line"].encode()[: shown["column"]]
    return all(before[it["start"] :].decode() == it["typed"] for it in shown["items"])


def choose(nvim, typed, number):
    """Select an item of the list, if there is one: the item, and what should stand there once it is accepted."""
    shown = wait_for_list(nvim, 2)
    if not shown["items"] or not fresh(shown):
        nvim.type("\x18\x0f")  # lists again
        shown = wait_for_list(nvim, 4)
    wanted = [rank for rank, it in enumerate(shown["items"]) if it.get("command") != "citelsp.pickWorks"][:number]
    if not wanted:
        return None, typed
    nvim.type("\x0e" * (wanted[-1] + 1))
    time.sleep(0.3)
    item = shown["items"][wanted[-1]]
    assert nvim.lua(LIST)["selected"] == wanted[-1]
    cites = item["kind"] == REFERENCE
    return item, typed.encode()[: item["start"]].decode() + item["text"] if cites else typed


def write_typing(nvim, typing, speed, seed, language):
    """The line that should stand there, the one that does, and the item that was accepted, if any."""
    item, expected = None, typing.before
    write(nvim, typing.before, speed, seed)
    if typing.chooses:
        stands(nvim, expected)
        item, expected = choose(nvim, expected, typing.chooses)
        nvim.type("\x19" if item else "")
    expected += typing.after
    write(nvim, typing.after, speed, seed)
    stands(nvim, expected)
    time.sleep(0.3)  # for what comes late
    nvim.keys("<Esc>")
    return expected, nvim.line(), item


def stands(nvim, line):
    end = time.monotonic() + 5
    while nvim.line() != line and time.monotonic() < end:
        time.sleep(0.05)


@pytest.mark.parametrize("writer", SET_UPS, indirect=True)
@pytest.mark.parametrize("speed", SOME)
def test_what_was_typed_stands_there(writer, speed, request, until):
    keys = re.findall(r"^@\w+\{(.*),", (DEMO / "references.bib").read_text(encoding="utf-8"), re.MULTILINE)
    wrong, accepted = [], []
    number = ALL if request.config.getoption("--thorough") else SOME[speed]
    for seed in range(number):
        language = ("latex", "markdown")[seed % 2]
        begin_line(writer, language, until)
        typing = typed_citations.typing(seed, language, keys)
        expected, found, item = write_typing(writer, typing, speed, seed, language)
        wrong += [(seed, typing, expected, found)] if found != expected else []
        accepted += [item] if item else []
        writer.command("normal! dd")
    assert not wrong, f"{len(wrong)} of {number}: {wrong}"
    assert len(accepted) > number // 8
    added = {key for it in accepted if it.get("command") == "citelsp.insertEntry" for key in KEYS.findall(it["text"])}
    until(lambda: all(writer.buffer(".bib").count(f"{{{key},") == 1 for key in added))
    assert not writer.lua("return vim.v.errmsg")
