"""Works found by words in Neovim: picked from several searches, with a locator, written and undone as one act."""

import pytest

import neovim_terminal

pytestmark = pytest.mark.editors

# As plugins replace it: the choices are noted, and the last is taken.
CHOOSES = """
vim.ui.select = function(items, options, done)
  vim.g.shown = { prompt = options.prompt, rows = vim.tbl_map(options.format_item, items) }
  done(items[#items])
end
"""
PICKER = "return vim.bo.filetype == 'citelsp-pick' and vim.fn.getline(1, '$') or {}"


@pytest.fixture
def nvim(edit):
    return edit(neovim_terminal.lines_of_page() + CHOOSES)


def test_works_of_two_searches_are_cited_behind_the_cursor(nvim, workspace, until, library):
    bibliography, manuscript = workspace / "références.bib", nvim.buffer("main.tex")
    nvim.command("normal 5G02e")  # on the last letter of “work”
    nvim.command("CiteFind reciprocal rank")
    [first, *_] = until(lambda: nvim.lua(PICKER))
    assert "Reciprocal Rank Fusion" in first
    nvim.keys("<Space>")
    until(lambda: nvim.lua(PICKER)[0].startswith("[x]"))
    nvim.keys("slamport<CR>")
    rows = until(lambda: (found := nvim.lua(PICKER)) and "Lamport" in "".join(found) and found)
    assert rows[0] == first.replace("[ ]", "[x]")
    at = 1 + next(row for row, it in enumerate(rows) if "Lamport" in it)
    nvim.keys(f"{at}G<Space>")
    until(lambda: nvim.lua(PICKER)[at - 1].startswith("[x]"))
    nvim.keys("<CR>p. 4<CR>")
    cited = r"\citet[p.~4]{cormack2009reciprocal,lamport94latex}"
    until(lambda: nvim.line() == rf"Known work {cited} \citep{{knuth84literate}}.")
    shown = nvim.lua("return vim.g.shown")
    assert shown["prompt"] == "Adds cormack2009reciprocal to références.bib"
    assert shown["rows"] == [
        cited.replace("citet", "citep") + "  beside the sentence",
        cited + "  as a part of the sentence",
    ]
    until(lambda: "{cormack2009reciprocal," in bibliography.read_text(encoding="utf-8"))
    nvim.keys("u")
    until(lambda: nvim.buffer("main.tex") == manuscript)
    until(lambda: bibliography.read_text(encoding="utf-8") == library)


def test_the_services_are_asked_by_a_key(nvim, until, town):
    town.asked.clear()
    nvim.command("CiteFind quantum chromodynamics without lattices")
    until(lambda: nvim.lua(PICKER))
    assert not any("chromodynamics" in it for it in town.asked)
    assert nvim.lua(PICKER)[-1] == "Press o to search online: quantum chromodynamics without lattices"
    nvim.keys("o")
    until(lambda: any("quantum chromodynamics" in it.replace("+", " ") for it in town.asked))
    assert not any("known" in it.lower() for it in town.asked)  # a word of the sentence
    until(lambda: "citelsp: No work with these words was found" in nvim.lua("return vim.fn.execute('messages')"))


def test_an_identifier_is_looked_up_by_a_key(nvim, until):
    nvim.command("CiteFind 10.1093/comjnl/27.2.97")
    shown = until(lambda: nvim.lua(PICKER))
    assert shown[-1] == "Press o to look up: 10.1093/comjnl/27.2.97"
    nvim.keys("o")
    until(lambda: "Literate Programming" in "".join(nvim.lua(PICKER)))
    assert "Press o" not in "".join(nvim.lua(PICKER))
