"""Neovim at a terminal of its own: keys are typed there, and what there is to see is asked through its command line."""

import contextlib
import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pseudo_terminal
from citelsp.base import docs

ROOT = Path(__file__).parent.parent.parent
CLIENT = "local c = vim.lsp.get_clients({bufnr = 0, name = 'citelsp'})[1]; "


@dataclass(frozen=True)
class Nvim:
    """A running Neovim."""

    program: str
    socket: Path
    terminal: int

    def type(self, text: str) -> None:
        """As fast as the terminal takes it."""
        os.write(self.terminal, text.encode())

    def keys(self, keys: str) -> None:
        """In Neovim's own notation."""
        self._ask("--remote-send", keys)

    def lua(self, code: str, *arguments: object) -> object:
        call = f"(function(...) {code} end)(unpack(_A))"
        quoted = [it.replace("'", "''") for it in (call, json.dumps(arguments))]
        return json.loads(self._ask("--remote-expr", "json_encode(luaeval('{}', json_decode('{}')))".format(*quoted)))

    def command(self, command: str) -> None:
        self.lua("vim.cmd(...)", command)

    def line(self) -> str:
        return self.lua("return vim.api.nvim_get_current_line()")

    def offered(self) -> list[dict]:
        return self.lua("return vim.fn.pumvisible() == 1 and vim.fn.complete_info({'items'}).items or {}")

    def screen(self) -> list[str]:
        """What is drawn, line by line."""
        cell = "vim.fn.screenstring(row, column)"
        row = f"local t = {{}} for column = 1, vim.o.columns do t[column] = {cell} end rows[row] = table.concat(t)"
        return self.lua(f"vim.cmd.redraw() local rows = {{}} for row = 1, vim.o.lines do {row} end return rows")

    def chosen(self) -> dict | None:
        """The item of the list on which the author stands."""
        code = "local it = vim.fn.complete_info({'items', 'selected'}) return it.items[it.selected + 1] or vim.NIL"
        return self.lua(code)

    def words(self) -> list[str]:
        return [it["word"] for it in self.offered()]

    def buffer(self, ending: str) -> str:
        read = "vim.api.nvim_buf_get_lines(b, 0, -1, false)"
        code = f"for _, b in ipairs(vim.api.nvim_list_bufs()) do t[vim.api.nvim_buf_get_name(b)] = {read} end return t"
        texts = self.lua("local t = {} " + code)
        return next(("\n".join(text) for name, text in texts.items() if name.endswith(ending)), "")

    def diagnostics(self) -> list[dict]:
        return self.lua("return vim.diagnostic.get(0)")

    def served(self) -> bool:
        return self.lua(CLIENT + "return c ~= nil and c.initialized == true")

    def request(self, method: str, line: int, column: int, **more: object) -> object:
        """The server's answer about a place: line from 1, column in bytes from 0."""
        code = """local method, line, column, more = ...
            vim.api.nvim_win_set_cursor(0, {line, column})
            local p = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, c.offset_encoding), more)
            local answer = vim.lsp.buf_request_sync(0, method, p, 50000)[c.id]
            return answer.err or answer.result"""
        return self.lua(CLIENT + code, method, line, column, more or {"": 0})

    def _ask(self, flag: str, words: str) -> str:
        asked = [self.program, "--server", self.socket, flag, words]
        return subprocess.run(asked, check=True, capture_output=True, encoding="utf-8", timeout=60).stdout


@contextlib.contextmanager
def started(program: str, folder: Path, socket: Path, init: Path | None = None) -> Iterator[Nvim]:
    """Neovim with the manuscript of a folder; with `init` as its init.lua, else the user's, and nothing set beside."""
    arguments = [program, *(["-u", init] if init else []), "-i", "NONE", "-n", "--listen", socket, "main.tex"]
    with pseudo_terminal.running(arguments, folder) as (process, ours):
        while not socket.exists() and process.poll() is None:
            time.sleep(0.05)
        real = Nvim(program, socket, ours).lua("return vim.v.progpath")  # PyPI's `nvim` is a script, slower to ask
        yield Nvim(real, socket, ours)


def lines_of_page() -> str:
    """Those that the page about Neovim gives for init.lua, for this clone."""
    lines = lua_with('require("citelsp").setup({ autotrigger = true })\n')
    clone = '"~/src/citelsp/'
    assert clone in lines
    return lines.replace(clone, f'"{ROOT.as_posix()}/')


def lines_without_plugin() -> str:
    """Those that the page gives to those who do without the plugin."""
    return lua_with("vim.lsp.config")


def lua_with(words: str) -> str:
    """The block of Lua on the page about Neovim that contains these words."""
    page = docs.read(docs.DOCS / "editors" / "neovim.md")
    [lines] = [it for it in re.findall(r"```lua\n(.*?)```", page, re.DOTALL) if words in it]
    return lines
