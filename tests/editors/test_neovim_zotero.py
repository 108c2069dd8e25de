"""A manuscript without a .bib in Neovim, cited from a Zotero with keys of its own and groups, or with Better BibTeX."""

import pytest

import neovim_terminal
import zotero_server

pytestmark = pytest.mark.editors

MANUSCRIPT = r"""\documentclass{article}
\begin{document}
Airships flew \cite{lovelace1900}.
\end{document}
"""


def with_own_keys():
    airships = zotero_server.item(
        "AIRSHIP1", "Airships and Their Builders", "Lovelace", "Ada", 1900, citationKey="lovelace1900"
    )
    kites = zotero_server.item("KITE0001", "Kites", "Cayley", "George", 1809, citationKey="cayley1809")
    return zotero_server.Zotero(airships, groups={7: [], 12: [kites], 40: []})


def with_better_bibtex():
    airships = zotero_server.item("AIRSHIP1", "Airships and Their Builders", "Lovelace", "Ada", 1900)
    kites = zotero_server.item("KITE0001", "Kites", "Cayley", "George", 1809)
    zotero = zotero_server.Zotero(airships, kites, keyed=[])
    zotero.citekeys = {"AIRSHIP1": "lovelace1900", "KITE0001": "cayley1809"}
    return zotero


@pytest.fixture(params=[with_own_keys, with_better_bibtex], ids=["its own keys", "Better BibTeX"])
def nvim(request, town, private_home, workspace, edit):
    zotero = request.param()
    config = private_home / "citelsp" / "config.toml"
    before = config.read_text(encoding="utf-8")
    alone = before.replace("[services.zotero]\nenabled = false\n", "")
    assert alone != before
    config.write_text(f'{alone}\n[services.zotero]\nbase_url = "{zotero.address}"\n', encoding="utf-8")
    for name in ("références.bib", "notes.md"):
        (workspace / name).unlink()
    (workspace / "main.tex").write_text(MANUSCRIPT, encoding="utf-8")
    yield edit(neovim_terminal.lines_of_page())
    config.write_text(before, encoding="utf-8")
    zotero.close()


def test_keys_of_zotero_are_completed_hovered_and_inserted(nvim, until):
    until(lambda: "Airships and Their Builders" in str(nvim.request("textDocument/hover", 3, 22)))
    assert not nvim.diagnostics()
    nvim.command("3")
    nvim.keys(r"oKites fly \cite{cay")
    nvim.lua("vim.lsp.completion.get()")
    until(nvim.offered)
    assert nvim.words() == ["cayley1809"]
    nvim.keys("<C-n><C-y>")
    until(lambda: "cayley1809" in nvim.line())
    nvim.keys("}.<Esc>")
    assert "Kites" in str(nvim.request("textDocument/hover", 4, 18))
    assert not nvim.diagnostics()
