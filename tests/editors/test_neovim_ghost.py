"""Ghost text in Neovim: the first work of the list is drawn, and accepted it takes the place of the placeholder."""

import pytest

import neovim_terminal

pytestmark = pytest.mark.editors

KEY = "\x0c"
ENABLED = """
vim.lsp.inline_completion.enable()
vim.keymap.set("i", "<C-l>", function() vim.lsp.inline_completion.get() end)
"""
WORDS, CITED = (
    r"The Transformer \cite<attention is all you need>, see",
    r"The Transformer \cite{vaswani2017attention}, see",
)


@pytest.fixture
def nvim(edit):
    return edit(neovim_terminal.lines_of_page())


@pytest.fixture
def drawing(nvim):
    """Neovim that draws ghost text, which it does from 0.12 on."""
    if not nvim.lua("return vim.lsp.inline_completion ~= nil"):
        pytest.skip("this Neovim draws no ghost text: 0.12 does")
    nvim.lua("loadstring(...)()", ENABLED)
    return nvim


def write(nvim, until, line):
    """Type a line below the manuscript's citation, and stand behind the words of its placeholder."""
    nvim.command("5")
    nvim.type("o" + line + "\x1b")
    until(lambda: nvim.line() == line and nvim.lua("return vim.fn.mode()") == "n")
    nvim.lua("vim.api.nvim_win_set_cursor(0, {6, ...})", line.index(">"))


def ghosts(nvim, line):
    return nvim.request("textDocument/inlineCompletion", 6, line.index(">"), context={"triggerKind": 2})


def test_the_citation_comes_as_an_addition_and_replaces_the_placeholder(nvim, until):
    write(nvim, until, WORDS)
    [ghost] = ghosts(nvim, WORDS)
    assert ghost["insertText"] == " → {vaswani2017attention}"
    assert ghost["range"]["start"] == ghost["range"]["end"]
    # Letters typed before it was accepted stand before it.
    grown = WORDS.replace("need>", "need it" + ghost["insertText"] + ">")
    nvim.lua("vim.api.nvim_set_current_line(...)", grown)
    run = "local c = vim.lsp.get_clients({name = 'citelsp'})[1] c:exec_cmd((...), {bufnr = 0})"
    nvim.lua(run, ghost["command"])
    until(lambda: nvim.line() == CITED)
    until(lambda: "{vaswani2017attention," in nvim.buffer(".bib"))


def test_ghost_text_is_drawn_and_accepted(drawing, until):
    write(drawing, until, WORDS)
    drawing.type("i")
    until(lambda: any("all you need → {vaswani2017attention}>, see" in it for it in drawing.screen()))
    drawing.type(KEY)
    until(lambda: drawing.line() == CITED)
    until(lambda: "{vaswani2017attention," in drawing.buffer(".bib"))
    drawing.keys("<Esc>u")
    until(lambda: drawing.line() == WORDS)


def test_nothing_of_it_is_left_once_the_list_s_work_is_accepted(drawing, until):
    write(drawing, until, WORDS)
    drawing.type("i")
    until(lambda: any("→ {vaswani2017attention}" in it for it in drawing.screen()))
    drawing.type("\x18\x0f")
    until(drawing.offered)
    drawing.type("\x0e\x19")
    until(lambda: drawing.line() == CITED)
    until(lambda: any(it.strip(" ~") == CITED for it in drawing.screen()))


def test_there_is_none_where_the_list_says_that_nothing_fits(nvim, until):
    line = r"Quarks were found in the desert by a committee of bakers \cite<>."
    write(nvim, until, line)
    items = nvim.request("textDocument/completion", 6, line.index(">"))["items"]
    assert items[0]["label"].startswith("Nothing fits")
    assert not ghosts(nvim, line)
