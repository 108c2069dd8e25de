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


ADD = """
  local manuscript, bibliography = vim.uri_from_bufnr(0), vim.uri_from_fname(vim.fn.fnamemodify('références.bib', ':p'))
  local start = { line = 0, character = 0 }
  local entry = { range = { start = start, ['end'] = start }, newText = '@book{smith2020,}\\n' }
  local context = { client_id = vim.lsp.get_clients()[1].id }
  local added = require('citelsp.added')
  added.apply(nil, { edit = { changes = { [bibliography] = { entry } } } }, context)
  local keys, files = { 'smith2020' }, { bibliography }
  local told = { message = 'Added', manuscript = manuscript, keys = keys, files = files, save = %s }
  added.show(nil, told)
"""


def test_an_entry_stays_while_its_citation_ends_a_sentence(nvim, until):
    nvim.keys("5GoThis is known from @smith2020.<Esc>")
    nvim.lua(ADD % "false")
    nvim.keys("oMore.<Esc>u")
    until(lambda: nvim.line() == "This is known from @smith2020.")
    assert "{smith2020," in nvim.buffer(".bib")


def test_an_entry_does_not_come_back_into_a_bibliography_that_was_closed(nvim, until):
    nvim.keys("5GoThis is known from @smith2020.<Esc>")
    nvim.lua(ADD % "false")
    nvim.command("bdelete! références.bib")
    nvim.keys("u<C-r>")
    until(lambda: "1 more line; after" in nvim.lua("return vim.fn.execute('messages')"))
    assert "@smith2020." in nvim.buffer("main.tex")
    assert nvim.lua("return vim.v.errmsg") == ""


def test_a_bibliography_that_cannot_be_saved_is_told_of(nvim):
    nvim.lua("vim.notify = function(text) table.insert(_G.told, text) end  _G.told = {}")
    nvim.lua("require('citelsp.messages').show = function(_, params) vim.notify(params.message) end")
    nvim.command("autocmd BufWritePre *.bib throw 'the disk is full'")
    nvim.lua(ADD % "true")
    told = nvim.lua("return _G.told[1]")
    assert told.startswith("citelsp: références.bib was not saved: ")
    assert told.endswith("the disk is full")


def test_evidence_of_a_chapter_leads_to_the_very_place(nvim, workspace, until):
    (workspace / "chapter.tex").write_text("Über Öl: Known work \\citep{knuth84literate}.\n", encoding="utf-8")
    nvim.keys("5GO\\input{chapter}<Esc>")
    nvim.command("write")
    found = """
      local at = { line = %d, character = 23 }
      local uri = vim.uri_from_fname(vim.fn.fnamemodify('chapter.tex', ':p'))
      local citation = { line = 0, key = 'knuth84literate', uri = uri, range = { start = at, ['end'] = at } }
      require('citelsp.reading').open({ text = 'Evidence', citations = { citation } }, 0, 'utf-8', %d)
    """
    manuscript = nvim.lua("return vim.api.nvim_get_current_win()")
    place = f"return vim.api.nvim_win_get_cursor({manuscript})"
    nvim.lua(found % (0, manuscript))
    assert nvim.lua(place) == [1, 23]
    nvim.keys("q")
    nvim.lua(found % (7, manuscript))  # of a line that was deleted meanwhile
    assert nvim.lua(place) == [1, 23]
    nvim.command(f"call nvim_win_close({manuscript}, v:true)")
    nvim.keys("q")  # the last window
    assert nvim.lua("return vim.bo.filetype") != "citelsp-evidence"
