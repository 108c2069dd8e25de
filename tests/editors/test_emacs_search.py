"""Searching online from Emacs' own list, at a terminal: what was found is listed at once."""

import pytest

import emacs_terminal

pytestmark = pytest.mark.editors

ALT, ALT_UP = "\x1b", "\x1b[1;3A"
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
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    with emacs_terminal.started(programs, workspace, tmp_path, until) as emacs:
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
