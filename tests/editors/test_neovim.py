"""Neovim 0.11 with its own defaults and the set-ups that the READMEs tell, driven with keys."""

import re
import subprocess

import pytest

import neovim_terminal
from neovim_terminal import CLIENT, ROOT

pytestmark = pytest.mark.editors


@pytest.fixture
def nvim(edit):
    """With the lines that do without the plugin."""
    return edit(neovim_terminal.lines_without_plugin())


@pytest.fixture
def plugged(edit):
    """With the README's lines, which set up the plugin."""
    return edit(neovim_terminal.lines_of_page())


def open_file(nvim, name, until):
    nvim.command(f"edit {name}")
    until(nvim.served)


def write_below(nvim, line: int, keys: str) -> None:
    nvim.command(str(line))
    nvim.keys("o" + keys)


def test_completion_by_title_word(nvim, until):
    write_below(nvim, 5, r"See \cite{")
    until(lambda: nvim.offered())
    nvim.keys("prep")
    until(lambda: nvim.words()[:1] == ["lamport94latex"])
    nvim.keys("<C-n><C-y>")
    until(lambda: nvim.line() == r"See \cite{lamport94latex")


def test_placeholder_writes_key_and_entry(nvim, workspace, until, library):
    write_below(nvim, 5, r"The Transformer is built from self-attention alone \cite<lt>attention is all you need")
    nvim.lua("vim.lsp.completion.get()")
    until(lambda: nvim.offered())
    nvim.keys("<C-n><C-y>")
    until(lambda: nvim.line().endswith(r"self-attention alone \cite{vaswani2017attention}"))
    nvim.keys("<Esc>")
    until(lambda: "vaswani2017attention" in nvim.buffer(".bib"))
    nvim.command("wall")
    written = (workspace / "références.bib").read_text(encoding="utf-8")
    assert written.startswith(library)
    assert written.count("{vaswani2017attention,") == 1
    assert written.endswith("}\n")
    assert not written.endswith("\n\n")


def test_evidence_is_there_when_asked_for(nvim, until):
    write_below(nvim, 5, r"The Transformer needs no recurrence \cite<lt>attention is all you need><Left>")
    nvim.lua("vim.lsp.completion.get()")
    item = until(lambda: nvim.offered())[0]["user_data"]["nvim"]["lsp"]["completion_item"]
    nvim.keys("<Esc>")
    shown = nvim.request("completionItem/resolve", 6, 0, **item)["documentation"]["value"]
    assert "> " in shown
    assert "abstract" in shown


def test_paragraphs_are_wrapped_and_entries_laid_out_by_gq(nvim, until):
    write_below(nvim, 5, "Some words of a long line in a manuscript<Esc>")
    nvim.command("set textwidth=20")
    nvim.keys("gqq")
    until(lambda: nvim.line() == "line in a manuscript")
    open_file(nvim, "références.bib", until)
    until(lambda: nvim.lua("return vim.bo.formatexpr") != "")
    nvim.keys("ggO@book{a, title={A}, year={1999}}<Esc>gqq")
    until(lambda: nvim.buffer(".bib").startswith("@book{a,\n  title = {A},\n  year  = {1999}\n}\n"))


def test_markdown(nvim, workspace, until):
    open_file(nvim, "notes.md", until)
    write_below(nvim, 6, "See [@lamp")
    nvim.lua("vim.lsp.completion.get()")
    until(lambda: nvim.words()[:1] == ["lamport94latex"])
    nvim.keys("<C-n><C-y>")
    until(lambda: nvim.line() == "See [@lamport94latex")
    nvim.keys("]<Esc>oAttention suffices [@<lt>attention is all you need")
    nvim.lua("vim.lsp.completion.get()")
    until(lambda: "vaswani2017attention" in "".join(nvim.words()[:1]))
    nvim.keys("<C-n><C-y>")
    until(lambda: nvim.line() == "Attention suffices [@vaswani2017attention")


NOTEBOOK = """{"cells": [
 {"cell_type": "raw", "metadata": {}, "source": ["---\\n", "bibliography: références.bib\\n", "---"]},
 {"cell_type": "markdown", "metadata": {}, "source": [
 "Title"]}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
"""


@pytest.mark.parametrize(
    ("name", "text", "line", "cited"),
    [
        ("main.typ", '= Title\n\n#bibliography("références.bib")\n', "See {}, as said.", "@{}"),
        ("main.org", "#+title: Title\n\n#+bibliography: références.bib\n", "See {}, as said.", "[cite:@{}]"),
        ("myst.md", "---\nbibliography: références.bib\n---\n", "See {}, as said.", "{{cite:p}}`{}`"),
        ("main.ipynb", NOTEBOOK, '"See {}, as said.",', "[@{}]"),
    ],
    ids=["typst", "org", "myst", "notebook as its file"],
)
def test_each_language(plugged, workspace, until, name, text, line, cited):
    """Completion, a placeholder, hover, rename, a finding and its fix."""
    nvim, row = plugged, 3

    def citing(key: str) -> str:
        return line.format(cited.format(key))

    def write(key: str) -> None:
        """A line more, and the cursor behind the key that is cited there."""
        written = citing(key)
        write_below(nvim, row, written.replace("<", "<lt>") + "<Esc>^")
        nvim.keys(f"{written.index(key) + len(key.rstrip('>'))}li")

    def listed(key: str) -> None:
        """Accept it once it is the first of the list."""
        nvim.lua("vim.lsp.completion.get()")
        until(lambda: nvim.words() and key in nvim.words()[0])
        nvim.keys("<C-n><C-y>")
        until(lambda: nvim.line().strip() == citing(key))
        nvim.keys("<Esc>")

    def undefined() -> list[dict]:
        return [it for it in nvim.diagnostics() if it["code"] == "undefined-citation"]

    (workspace / name).write_text(text, encoding="utf-8")
    open_file(nvim, name, until)
    write("lamp")
    listed("lamport94latex")
    shown = nvim.request("textDocument/hover", row + 1, nvim.line().index("lamport94") + 3)["contents"]["value"]
    assert "Lamport" in shown
    write("<attention is all you need>")
    listed("vaswani2017attention")
    until(lambda: "vaswani2017attention" in nvim.buffer(".bib"))
    nvim.lua("vim.api.nvim_win_set_cursor(0, {...})", row + 1, nvim.line().index("vaswani") + 3)
    nvim.lua("vim.lsp.buf.rename('vaswani:2017')")
    until(lambda: nvim.line().strip() == citing("vaswani:2017"))
    assert "{vaswani:2017," in nvim.buffer(".bib")
    write("knuth84litterate")
    nvim.keys("<Esc>")
    nvim.command("wall")
    # What the renaming changed reaches the server one file after the other, so its key may be unknown for a moment.
    until(lambda: len(undefined()) == 1)
    [found] = undefined()
    assert (found["lnum"], found["col"]) == (row, nvim.line().index("knuth84"))
    nvim.lua("vim.lsp.buf.code_action({apply = true, filter = function(a) return a.title:find('knuth84literate') end})")
    until(lambda: nvim.line().strip() == citing("knuth84literate"))
    nvim.command("wall")
    until(lambda: not undefined())


def test_findings_and_a_fix_after_saving(nvim, until):
    write_below(nvim, 5, r"Unknown 😀 \citep{knuth84litterate}<Esc>")
    nvim.command("write")
    found = until(lambda: nvim.lua("return vim.diagnostic.get(0)"))
    assert [(it["code"], it["lnum"], it["col"]) for it in found] == [("undefined-citation", 5, 20)]
    nvim.lua("vim.api.nvim_win_set_cursor(0, {6, 22})")
    nvim.lua("vim.lsp.buf.code_action({apply = true, filter = function(a) return a.title:find('knuth84literate') end})")
    until(lambda: nvim.line() == r"Unknown 😀 \citep{knuth84literate}")
    nvim.command("write")
    until(lambda: not nvim.lua("return vim.diagnostic.get(0)"))


def test_what_the_services_say_and_its_fix(nvim, workspace, until):
    entry = """@article{small73,
  author = {Small, Henry},
  title = {Co-citation in the Scientific Literature: A New Measure of the Relationship Between Two Documents},
  journal = {Journal of the American Society for Information Science},
  year = {1937},
  doi = {10.1002/asi.4630240406},
}
"""
    bibliography = workspace / "références.bib"
    bibliography.write_text(entry + bibliography.read_text(encoding="utf-8"), encoding="utf-8")
    write_below(nvim, 5, r"Measured \citep{small73}.<Esc>")
    nvim.command("write")
    every = "return vim.tbl_filter(function(d) return d.code == 'wrong-year' end, vim.diagnostic.get())"
    [found] = until(lambda: nvim.lua(every))
    assert "but 1973 according to Crossref" in found["message"]
    open_file(nvim, "références.bib", until)
    nvim.lua("vim.api.nvim_win_set_cursor(0, {5, 11})")
    until(lambda: nvim.diagnostics())
    nvim.lua("vim.lsp.buf.code_action({apply = true, filter = function(a) return a.title:find('1973') end})")
    until(lambda: nvim.buffer(".bib").startswith(entry.replace("1937", "1973")))
    nvim.command("wall")
    assert bibliography.read_text(encoding="utf-8").startswith(entry.replace("1937", "1973"))


def test_hover(nvim):
    assert "Literate Programming" in nvim.request("textDocument/hover", 5, 20)["contents"]["value"]


def test_rename_reaches_every_file(nvim, workspace, until):
    open_file(nvim, "notes.md", until)
    open_file(nvim, "main.tex", until)
    nvim.lua("vim.api.nvim_win_set_cursor(0, {5, 20})")
    nvim.lua("vim.lsp.buf.rename('knuth1984')")
    until(lambda: r"Known work \citep{knuth1984}." in nvim.buffer("main.tex"))
    until(lambda: "@article{knuth1984," in nvim.buffer(".bib"))
    until(lambda: "Known work [@knuth1984]." in nvim.buffer("notes.md"))


def test_progress_is_shown(nvim, until):
    nvim.lua("""seen = {}
        vim.api.nvim_create_autocmd('LspProgress', {callback = function(e)
            table.insert(seen, e.data.params.value.kind) end})""")
    write_below(nvim, 5, r"The Transformer needs attention alone \cite<lt>transformer>.<Esc>")
    nvim.lua(CLIENT + "c:exec_cmd({command = 'citelsp.suggest', arguments = {vim.uri_from_bufnr(0)}})")
    until(lambda: nvim.lua("return seen")[-1:] == ["end"])


def test_a_lookup_can_be_cancelled(nvim, workspace, until):
    slow = "@article{slow, author = {Doe, Jo}, title = {A Slow Answer}, doi = {10.1000/napping}}\n"
    (workspace / "references.bib").write_text(slow, encoding="utf-8")
    (workspace / "slow.md").write_text("---\nbibliography: references.bib\n---\n\nSlow [@slow].\n", encoding="utf-8")
    open_file(nvim, "slow.md", until)
    nvim.lua("""vim.api.nvim_create_autocmd('LspProgress', {callback = function(e)
        last = e.data.params.value.kind end})""")
    asked = "'workspace/executeCommand', {command = 'citelsp.verify', arguments = {vim.uri_from_bufnr(0)}}"
    nvim.lua(f"{CLIENT} _, number = c:request({asked}, function() answered = true end)")
    until(lambda: nvim.lua("return last or false"))
    nvim.lua(CLIENT + "c:cancel_request(number)")
    until(lambda: nvim.lua("return last") == "end")
    assert not nvim.lua("return answered or false")
    assert "A Slow Answer" in nvim.request("textDocument/hover", 5, 8)["contents"]["value"]


def test_a_killed_server_starts_again(nvim, workspace, until):
    before = (workspace / "références.bib").read_bytes()
    nvim.command("set messagesopt=wait:0,history:9")  # Neovim tells that a server is gone, and would wait for a key
    nvim.lua("vim.uv.kill(vim.api.nvim_get_proc_children(vim.fn.getpid())[1], 9)")
    until(lambda: nvim.lua("return #vim.lsp.get_clients() == 0"))
    open_file(nvim, "main.tex", until)
    assert "Literate" in nvim.request("textDocument/hover", 5, 20)["contents"]["value"]
    assert (workspace / "références.bib").read_bytes() == before


def test_one_command_from_a_clone_to_the_first_suggestion(workspace, tmp_path, programs, corpus, until, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    programs("citelsp")
    subprocess.run([ROOT / "editors" / "install", "neovim"], check=True, capture_output=True)
    with neovim_terminal.started(programs("nvim"), workspace, tmp_path / "nvim") as session:
        until(session.served)
        write_below(session, 5, r"See \cite{")
        until(lambda: session.words()[:1] == ["knuth84literate"])
        assert session.line() == r"See \cite{"


def test_the_plugin_replaces_a_whole_placeholder(plugged, until):
    write_below(plugged, 5, r"Attention \cite<lt>attention is all you need> suffices.<Esc>")
    plugged.lua("vim.api.nvim_win_set_cursor(0, {6, 20})")
    plugged.lua("vim.ui.select = function(items, _, done) done(items[1]) end")
    plugged.command("CiteSuggest")
    until(lambda: plugged.line() == r"Attention \cite{vaswani2017attention} suffices.")
    until(lambda: "{vaswani2017attention," in plugged.buffer(".bib"))


def test_the_plugin_lets_several_works_be_picked(plugged, until):
    write_below(plugged, 5, r"The Transformer needs attention alone \cite<lt>attention is all you need> at last.<Esc>")
    until(lambda: plugged.line().endswith("at last."))
    plugged.lua("vim.api.nvim_win_set_cursor(0, {6, 45})")
    plugged.command("CitePick")
    shown = until(lambda: plugged.lua("return vim.bo.filetype == 'citelsp-pick' and vim.fn.getline(1, '$') or {}"))
    assert shown[0] == "[x] Vaswani et al. 2017: Attention Is All You Need"
    for row, line in enumerate(shown):
        if line.startswith("[x]") != (row < 2):
            plugged.lua("vim.api.nvim_win_set_cursor(0, {..., 0})", row + 1)
            plugged.keys("<Space>")
            until(lambda: plugged.line()[:3] != line[:3])  # noqa: B023
    plugged.keys("<CR>")
    keys = until(lambda: re.search(r"alone \\cite\{vaswani2017attention,(\w+)\} at last\.", plugged.line()))
    assert "{vaswani2017attention," in plugged.buffer(".bib")
    assert f"{{{keys[1]}," in plugged.buffer(".bib")
    plugged.command("undo")
    assert plugged.line().endswith(r"\cite<attention is all you need> at last.")


def test_a_passage_can_be_read_where_works_are_picked(plugged, until):
    passage = " ".join(f"word{number}" for number in range(40))
    work = {"work": "w", "who": "", "title": "A Title", "key": "k", "adds": True, "quote": passage, "found": "x"}
    plugged.lua("require('citelsp.pick').open({...}, print)", work | {"fits": False})
    lines = until(lambda: [it for it in plugged.screen() if "word" in it])
    assert len(lines) == 2
    assert "“word0 word1" in lines[0]
    assert lines[1].rstrip(" │~").endswith("…")
    shown = re.findall(r"word\d+", " ".join(lines))
    assert shown == passage.split()[: len(shown)]


def test_works_that_should_not_be_cited_are_marked_where_works_are_picked(plugged, until):
    work = {"work": "w", "who": "Lee 2020", "title": "A", "key": "k", "adds": True, "quote": "It holds.", "found": "x"}
    work |= {"against": "This work was retracted or withdrawn", "fits": False}
    plugged.lua("require('citelsp.pick').open({...}, print)", work)
    until(lambda: any("[ ] ✗ Lee 2020: A" in line for line in plugged.screen()))
    assert any("x · This work was retracted or withdrawn" in line for line in plugged.screen())


def test_works_with_line_breaks_are_shown_on_one_line(plugged, until):
    work = {
        "work": "w",
        "who": "",
        "title": "a\nb",
        "key": "k",
        "adds": True,
        "quote": "c\nd",
        "found": "",
        "fits": True,
    }
    plugged.lua("require('citelsp.pick').open({...}, print)", work)
    shown = until(lambda: plugged.lua("return vim.bo.filetype == 'citelsp-pick' and vim.fn.getline(1, '$') or {}"))
    assert shown == ["[x] a b"]
    plugged.keys("q")


def test_picking_is_offered_in_the_list(plugged, until):
    write_below(plugged, 5, r"The Transformer needs attention alone \cite<lt>attention><Esc>")
    until(lambda: plugged.line().endswith(r"\cite<attention>"))
    found = plugged.request("textDocument/completion", 6, 45)["items"]
    [item] = [it for it in found if it.get("command", {}).get("command") == "citelsp.pickWorks"]
    plugged.lua(CLIENT + "c:exec_cmd(..., {bufnr = 0})", item["command"])
    until(lambda: plugged.lua("return vim.bo.filetype") == "citelsp-pick")
    plugged.keys("q")
    until(lambda: plugged.line().endswith(r"alone \cite<attention>"))


@pytest.mark.parametrize(("name", "cited"), [("main.tex", r"\\cite\{\w+\}"), ("main.org", r"\[cite:@\w+\]")])
def test_the_plugin_writes_a_placeholder(plugged, workspace, until, name, cited):
    (workspace / "main.org").write_text("#+bibliography: références.bib\n", encoding="utf-8")
    open_file(plugged, name, until)
    plugged.lua("vim.ui.select = function(items, _, done) done(items[1]) end")
    write_below(plugged, 5, r"Attention is all you need: the Transformer architecture <Esc>")
    plugged.command("CiteInsert")
    until(lambda: re.search("architecture ?" + cited, plugged.line()))


def test_no_placeholder_is_written_into_a_bibliography(plugged, until, library):
    open_file(plugged, "références.bib", until)
    plugged.command("CiteInsert")
    assert plugged.buffer("références.bib").strip() == library.strip()
    assert "citations cannot be written in this buffer" in plugged.lua("return vim.fn.execute('messages')")


def test_works_are_cited_where_they_were_asked_for(plugged, workspace, until):
    (workspace / "plain.txt").write_text("Nothing of ours.\n", encoding="utf-8")
    plugged.lua("require('citelsp.pick').open = function(works, done) done({ works[1].work }) end")
    write_below(plugged, 5, r"Self-attention alone is enough \cite<lt>attention is all you need><Esc>")
    plugged.lua("require('citelsp').pick()  vim.cmd.edit('plain.txt')")  # before the answer comes
    until(lambda: r"enough \cite{vaswani2017attention}" in plugged.buffer("main.tex"))


def test_health_tells_of_a_program_that_does_not_start(plugged, tmp_path, until):
    program = tmp_path / "citelsp"
    program.write_text("#!/nowhere/python\n")
    program.chmod(0o755)
    plugged.lua(f"vim.lsp.config('citelsp', {{ cmd = {{ '{program}', 'serve' }} }})")
    plugged.command("checkhealth citelsp")
    health = until(lambda: plugged.lua("return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')"))
    assert f"{program} does not start" in health


def test_health_and_status_line(plugged, until):
    plugged.lua("require('citelsp').refresh()")
    until(lambda: plugged.lua("return require('citelsp').statusline()") == "1 cited, 0 open")
    plugged.command("checkhealth citelsp")
    health = until(lambda: plugged.lua("return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')"))
    assert "serving 1 buffer below" in health
    assert "ERROR" not in health
