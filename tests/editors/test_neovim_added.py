"""An accepted work is one act in Neovim: key and entry come, are saved, and go together; evidence is read beside."""

import pytest

import neovim_terminal

pytestmark = pytest.mark.editors

TYPED = r"Self-attention alone is enough \cite<lt>attention is all you need"


@pytest.fixture
def nvim(edit):
    return edit(neovim_terminal.lines_of_page())


def accept(nvim, until, words=TYPED):
    nvim.command("5")
    nvim.keys("o" + words)
    nvim.lua("vim.lsp.completion.get()")
    until(lambda: nvim.offered())
    nvim.keys("<C-n><C-y>")


def test_the_entry_is_saved_and_said_and_undone_with_its_citation(nvim, workspace, until, library):
    bibliography, manuscript = workspace / "références.bib", nvim.buffer("main.tex")
    accept(nvim, until)
    until(lambda: bibliography.read_text(encoding="utf-8").count("{vaswani2017attention,") == 1)
    nvim.keys("<Esc>")
    until(lambda: "Added vaswani2017attention to r" in nvim.lua("return vim.fn.execute('messages')"))
    added = bibliography.read_text(encoding="utf-8")
    nvim.keys("u")
    until(lambda: nvim.buffer("main.tex") == manuscript)
    until(lambda: bibliography.read_text(encoding="utf-8") == library)
    nvim.keys("<C-r>")
    until(lambda: bibliography.read_text(encoding="utf-8") == added)


def test_two_entries_go_one_after_the_other(nvim, workspace, until, library):
    bibliography = workspace / "références.bib"
    accept(nvim, until)
    nvim.keys("<Esc>")
    until(lambda: bibliography.read_text(encoding="utf-8").endswith("}\n") and "{vaswani" in nvim.buffer(".bib"))
    until(lambda: not nvim.lua("return vim.bo[vim.fn.bufnr('références.bib')].modified"))
    first = bibliography.read_text(encoding="utf-8")
    accept(nvim, until, r"Rankings are fused by reciprocal ranks \cite<lt>reciprocal rank fusion")
    nvim.keys("<Esc>")
    until(lambda: "{cormack2009reciprocal," in bibliography.read_text(encoding="utf-8"))
    nvim.keys("u")
    until(lambda: bibliography.read_text(encoding="utf-8") == first)
    nvim.keys("u")
    until(lambda: bibliography.read_text(encoding="utf-8") == library)


def test_a_bibliography_with_changes_of_its_own_is_not_saved(nvim, workspace, until, library):
    nvim.command("edit références.bib")
    nvim.keys("ggO% a note<Esc>")
    nvim.command("set hidden")
    nvim.command("edit main.tex")
    accept(nvim, until)
    until(lambda: "{vaswani2017attention," in nvim.buffer(".bib"))
    nvim.keys("<Esc>")
    until(lambda: "Added vaswani2017attention" in nvim.lua("return vim.fn.execute('messages')"))
    assert (workspace / "références.bib").read_text(encoding="utf-8") == library


def test_evidence_is_read_in_a_split_that_goes_along(nvim, workspace, until):
    nvim.command("CiteRead")
    until(lambda: nvim.lua("return vim.bo.filetype") == "citelsp-evidence")
    text = "\n".join(nvim.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"))
    assert "1 of 1 · knuth84literate" in text
    assert "Known work" in text
    nvim.keys("]]")
    assert nvim.lua("return #vim.api.nvim_list_wins()") == 2
    nvim.keys("q")
    until(lambda: nvim.lua("return #vim.api.nvim_list_wins()") == 1)
