"""Neovim 0.11 with the README's set-up typed as written, driven with real keys."""

import re
import shutil
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
pytestmark = [pytest.mark.editors, pytest.mark.filterwarnings("default")]

MANUSCRIPT = r"""\documentclass{article}
\usepackage{natbib}
\title{Attention in the editor}
\begin{document}
Known work \citep{knuth84literate}.

\bibliography{références}
\end{document}
"""
LIBRARY = """@article{knuth84literate,
  author  = {Knuth, Donald E.},
  title   = {Literate Programming},
  journal = {The Computer Journal},
  year    = {1984},
}

@book{lamport94latex,
  author    = {Lamport, Leslie},
  title     = {LaTeX: A Document Preparation System},
  publisher = {Addison-Wesley},
  year      = {1994},
}
"""


def setup_of_readme() -> str:
    return re.search(r"```lua\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[1]


def until(probe, seconds=15.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := probe():
            return result
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s in vain; last answer {result!r}")


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "pâté and paper"
    folder.mkdir()
    (folder / ".git").mkdir()
    (folder / "main.tex").write_text(MANUSCRIPT, encoding="utf-8")
    (folder / "références.bib").write_text(LIBRARY, encoding="utf-8")
    return folder


@pytest.fixture
def nvim(workspace, monkeypatch):
    import pynvim

    beside = Path(sys.executable).parent
    monkeypatch.setenv("PATH", str(beside), prepend=":")
    program = shutil.which("nvim")
    assert program, "no nvim on PATH"
    session = pynvim.attach("child", argv=[program, "--embed", "--headless", "-u", "NONE", "-i", "NONE", "-n"])
    session.ui_attach(120, 40, rgb=True)
    session.command(f"cd {str(workspace).replace(' ', chr(92) + ' ')}")
    session.command("set completeopt=menuone,noselect")
    session.exec_lua(setup_of_readme())
    session.command("filetype on")
    session.command("edit main.tex")
    until(lambda: session.exec_lua("local c = vim.lsp.get_clients({bufnr=0})[1]; return c ~= nil and c.initialized"))
    yield session
    session.close()


def offered(nvim) -> list[str]:
    return [it["word"] for it in nvim.funcs.complete_info(["items"])["items"]] if nvim.funcs.pumvisible() else []


def type_below_known_work(nvim, keys: str) -> None:
    nvim.command("5")
    nvim.input("o" + keys)


def test_completion_by_title_word(nvim):
    type_below_known_work(nvim, r"See \cite{")
    until(lambda: offered(nvim))
    nvim.input("prep")
    until(lambda: offered(nvim)[:1] == ["lamport94latex"])
    nvim.input("<C-n><C-y>")
    until(lambda: nvim.current.line.startswith(r"See \cite{lamport94latex"))


def test_placeholder_writes_key_and_entry(nvim, workspace):
    corpus = ROOT / "fixtures" / "demo" / "corpus.jsonl"
    import subprocess

    subprocess.run([sys.executable, "-m", "citelsp", "corpus", "add", str(corpus)], check=True, capture_output=True)
    type_below_known_work(nvim, r"The Transformer is built from self-attention alone \cite<lt>attention transformer")
    nvim.exec_lua("vim.lsp.completion.get()")
    until(lambda: offered(nvim), 20)
    nvim.input("<C-n><C-y>")
    until(lambda: r"alone \cite{vaswani2017attention}" in nvim.current.line)
    nvim.input("<Esc>")
    until(lambda: "vaswani2017attention" in "\n".join(library_buffer(nvim)))
    nvim.command("wall")
    written = (workspace / "références.bib").read_text(encoding="utf-8")
    assert written.startswith(LIBRARY)
    assert "@inproceedings{vaswani2017attention," in written


def library_buffer(nvim) -> list[str]:
    return next((list(it) for it in nvim.buffers if it.name.endswith(".bib")), [])


def test_diagnostics_and_hover(nvim):
    type_below_known_work(nvim, r"Unknown \citep{nobody2020}<Esc>")
    nvim.command("write")
    found = until(lambda: nvim.exec_lua("return vim.diagnostic.get(0)"))
    assert [it["code"] for it in found] == ["undefined-citation"]
    nvim.command("5")
    nvim.input("f{l")
    shown = nvim.exec_lua(
        """local p = vim.lsp.util.make_position_params(0, vim.lsp.get_clients({bufnr=0})[1].offset_encoding)
        for _, r in pairs(vim.lsp.buf_request_sync(0, 'textDocument/hover', p, 5000)) do return r.result end"""
    )
    assert "Literate Programming" in shown["contents"]["value"]
