"""The findings of a bibliography stay in Neovim, whatever is added to it, renamed or looked up, shown or not."""

import json

import pytest

import neovim_terminal
from neovim_terminal import CLIENT, ROOT

pytestmark = pytest.mark.editors

ENTRY = "@article{lacking0,\n  author = {Doe, Jo},\n  title = {A Work that Lacks its Journal},\n  year = {2001},\n}\n\n"
CITED = r"It lacks \cite{lacking0}. "
WORKS = [json.loads(it)["title"] for it in (ROOT / "fixtures" / "demo" / "corpus.jsonl").read_text().splitlines()]
ROUNDS = 10  # of one accepted work and one new key
CODES = """
local buffer = vim.fn.bufnr('références.bib')
return vim.tbl_map(function(it) return it.code end, buffer > 0 and vim.diagnostic.get(buffer) or {})
"""


@pytest.mark.parametrize(
    "lines", [neovim_terminal.lines_of_page, neovim_terminal.lines_without_plugin], ids=["plugin", "without"]
)
def test_findings_stay_after_twenty_acts(edit, workspace, until, lines):
    for name, old, new in (("références.bib", "@article", ENTRY + "@article"), ("main.tex", "Known", CITED + "Known")):
        path = workspace / name
        path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    (workspace / "notes.md").unlink()  # unused entries are told of what one manuscript has to itself
    nvim = edit(lines())

    def stay(unused: int = 1) -> None:
        """What is found of the bibliography is known in the end, and each once."""
        until(lambda: sorted(nvim.lua(CODES)) == ["missing-field"] + ["unused-entry"] * unused, 20)

    stay()
    for number, title in enumerate(WORKS[:ROUNDS], 1):
        nvim.command("5")
        nvim.keys(rf"oAs was shown \cite<lt>{title.lower()}")
        nvim.lua("vim.lsp.completion.get()")
        until(lambda: nvim.offered())
        nvim.keys("<C-n><C-y><Esc>")
        until(lambda: nvim.line().startswith(r"As was shown \cite{"))
        stay()
        nvim.lua("vim.api.nvim_win_set_cursor(0, {5, 17})")
        nvim.lua("vim.lsp.buf.rename(...)", f"lacking{number}")
        until(lambda: f"{{lacking{number}}}" in nvim.buffer("main.tex"))  # noqa: B023
        stay()
    nvim.command("wall")
    nvim.lua(CLIENT + "c:exec_cmd({command = 'citelsp.verify', arguments = {vim.uri_from_bufnr(0)}})")
    stay()
    nvim.lua("vim.fn.setline(5, 'It lacks nothing.')")  # and they follow while the bibliography is not shown
    stay(unused=3)
    nvim.command("wall")
    nvim.command("edit références.bib")
    stay(unused=3)
    nvim.keys("ggyyP")  # a key that is there twice, which is told where it is typed
    until(lambda: "duplicate-entry" in nvim.lua(CODES))
