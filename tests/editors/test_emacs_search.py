"""Searching online from Emacs' own list, at a terminal: what was found is listed at once."""

import re

import pytest

import emacs_terminal
from citelsp.base import docs

pytestmark = pytest.mark.editors

ALT, ALT_UP = "\x1b", "\x1b[1;3A"
SERVED = """(let ((it (get-buffer "main.tex")))
              (and it (with-current-buffer it (bound-and-true-p eglot--managed-mode))))"""
LISTED = '(and (get-buffer "*Completions*") (with-current-buffer "*Completions*" (buffer-string)))'
WRITE = r"""(with-selected-window (get-buffer-window "main.tex" t)
              (goto-char (point-max))
              (search-backward "\\bibliography{")
              (insert "We plan \\cite<latent imagination dream>.\n")
              (search-backward ">"))"""
LAST = """(progn (select-window (get-buffer-window "*Completions*" t))
              (goto-char (point-max)) (search-backward "Search online") t)"""
CHOSEN = """(with-selected-window (get-buffer-window "*Completions*" t)
              (looking-at "Search online"))"""
ASKS = '(and (active-minibuffer-window) (get-buffer-window "*Completions*" t) t)'


@pytest.fixture
def emacs(workspace, tmp_path, programs, corpus, monkeypatch, until):
    """Set up by the page's lines."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    programs("citelsp")
    lines = re.findall(r"```elisp\n(.*?)```", docs.read(docs.DOCS / "editors" / "emacs.md"), re.DOTALL)[0]
    init = tmp_path / "init.el"
    init.write_text(lines.replace("~/src/citelsp", str(docs.DOCS.parent.parent)), encoding="utf-8")
    both = programs("emacs"), programs("emacsclient")
    with emacs_terminal.started(both, workspace, tmp_path / "emacs", init) as emacs:
        until(lambda: emacs.evaluate(SERVED))
        yield emacs


def test_what_a_search_found_is_listed_at_once(emacs, town, until):
    emacs.evaluate(WRITE)
    emacs.type(f"{ALT}xcompletion-at-point\r")
    until(lambda: "Search online" in str(emacs.evaluate(LISTED)))
    if int(str(emacs.evaluate("emacs-major-version"))) < 30:
        emacs.evaluate(LAST)
        emacs.type("\r")
    else:  # without leaving the manuscript
        emacs.type(ALT_UP)
        until(lambda: emacs.evaluate(CHOSEN))
        emacs.type(f"{ALT}\r")
    until(lambda: emacs.evaluate(ASKS))
    until(lambda: "Found" in str(emacs.evaluate(LISTED)))
    assert "\\cite<latent imagination dream>" in emacs.text()
