"""The list in Neovim: it inserts nothing that was not chosen, and what is chosen does what it says, once."""

import re
import time

import pytest

import neovim_terminal

pytestmark = pytest.mark.editors

SET_UPS = {"plugin": neovim_terminal.lines_of_page, "lines": neovim_terminal.lines_without_plugin}
NEXT, ACCEPT, LEAVE = "\x0e", "\x19", "\x05"


@pytest.fixture(params=SET_UPS)
def nvim(edit, request):
    return edit(SET_UPS[request.param]())


@pytest.fixture
def plugged(edit):
    return edit(neovim_terminal.lines_of_page())


def begin(nvim, text, until):
    """Type on a new line of the manuscript and wait for the list."""
    nvim.command("5")
    nvim.type("o" + text)
    until(lambda: nvim.line() == text)
    if not nvim.offered():
        nvim.type("\x18\x0f")
    return until(nvim.offered)


@pytest.mark.parametrize("text", [r"See \cite{", r"See \cite{lam", r"The Transformer \cite<attention is all"])
def test_nothing_is_inserted_unasked(nvim, text, until):
    begin(nvim, text, until)
    time.sleep(0.5)
    nvim.type("<>.")
    until(lambda: nvim.line() == text + "<>.")


def test_searching_online_keeps_the_words(nvim, town, until, request):
    words = f"latent imagination dream {request.node.callspec.id}"  # so that no set-up gets a remembered answer
    text = rf"We plan as \cite<{words}"
    items = begin(nvim, text, until)
    [place] = [rank for rank, it in enumerate(items, 1) if it["abbr"].startswith("Search online for")]
    nvim.type(NEXT * place)
    until(lambda: nvim.lua("return vim.fn.complete_info({'selected'}).selected") == place - 1)
    assert nvim.line() == text
    town.asked.clear()
    nvim.type(ACCEPT + " now")
    until(lambda: nvim.line() == text + " now")
    until(lambda: any(words in it.replace("+", " ") for it in town.asked))
    until(lambda: nvim.lua("return vim.fn.execute('messages')"))
    nvim.type(" k> j")  # no prompt takes these
    until(lambda: nvim.line() == text + " now k> j")


def test_typing_on_at_once_keeps_the_entry_of_a_work(nvim, until):
    items = begin(nvim, r"The Transformer needs no recurrence \cite<attention is all you need", until)
    assert re.search(r"Vaswani\+ 2017 · \d+% · new$", items[0]["abbr"] + items[0]["menu"])
    nvim.type(NEXT + ACCEPT + ". It trains")
    until(lambda: nvim.line() == r"The Transformer needs no recurrence \cite{vaswani2017attention}. It trains")
    until(lambda: "{vaswani2017attention," in nvim.buffer(".bib"))


FAR_RIGHT = "The Transformer needs no recurrence and no convolution at all, as was shown, and "


def test_titles_can_be_read_at_the_right_of_the_screen(nvim, until):
    begin(nvim, rf"{FAR_RIGHT}see \cite<attention is all you need", until)
    until(lambda: any("Attention Is All You Need" in it for it in nvim.screen()))


@pytest.mark.parametrize("before", ["", FAR_RIGHT])
def test_author_and_year_are_on_the_screen(plugged, until, before):
    begin(plugged, rf"{before}see \cite<attention is all you need", until)
    drawn = until(lambda: [it for it in plugged.screen() if "Attention Is All You Need" in it])
    assert re.search(r"Vaswani\+ 2017 · \d+% · new", drawn[0])


def test_what_speaks_for_a_work_is_read_beside_the_list(plugged, until):
    begin(plugged, r"The Transformer \cite<attention is all you need", until)
    plugged.type(NEXT)
    until(lambda: any("abstract" in it for it in plugged.screen()))
    assert "https://" not in "".join(plugged.screen())


def test_a_list_left_leaves_the_text(nvim, until):
    text = r"The Transformer \cite<attention is all"
    begin(nvim, text, until)
    nvim.type(NEXT)
    until(lambda: nvim.line() != text)
    nvim.type(LEAVE)
    until(lambda: nvim.line() == text)


def test_other_buffers_list_as_the_author_wants(plugged, until):
    plugged.command("edit other.txt")
    assert plugged.lua("return {vim.bo.completeopt, vim.o.completeopt}") == ["", "menu,popup"]


@pytest.mark.parametrize(
    ("own", "here"),
    [
        ("menu,popup", "menuone,popup,noselect"),
        ("menu,preview,fuzzy,noinsert", "menuone,preview,fuzzy,noinsert"),
        ("menuone,longest,preinsert", "menuone,noselect"),
    ],
)
def test_what_the_author_set_is_kept_unless_it_inserts(edit, own, here, until):
    nvim = edit(f"vim.o.completeopt = '{own}'\n{neovim_terminal.lines_of_page()}")
    assert nvim.lua("return {vim.bo.completeopt, vim.go.completeopt}") == [here, own]
    begin(nvim, r"See \cite{lam", until)
    nvim.type("p x")
    until(lambda: nvim.line() == r"See \cite{lamp x")


def test_other_completion_plugins_are_left_alone(edit):
    nvim = edit(neovim_terminal.lines_of_page().replace("autotrigger = true", ""))
    assert nvim.lua("return vim.bo.completeopt") == ""


def test_the_list_follows_quick_typing(plugged, until):
    begin(plugged, r"The Transformer \cite<attention", until)
    for key in " is all you need":
        plugged.type(key)
        time.sleep(0.03)
    until(lambda: any("attention is all you need" in str(it["user_data"]) for it in plugged.offered()))


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        (
            r"The Transformer \cite<attention is all |you need> suffices",
            r"The Transformer \cite{vaswani2017attention} suffices",
        ),
        (r"Models need attention \cite<|>😀>", r"Models need attention \cite{vaswani2017attention}😀>"),
        (r"See \citep{lam|port9, knuth84literate}", r"See \citep{lamport94latex, knuth84literate}"),
    ],
)
def test_what_stands_behind_the_cursor_is_replaced(plugged, text, accepted, until):
    before, after = text.split("|")
    plugged.command("5")
    plugged.type("o" + before + after + "\x1b[D" * len(after))
    until(lambda: plugged.lua("return vim.api.nvim_win_get_cursor(0)[2]") == len(before))
    plugged.type("\x18\x0f")
    until(plugged.offered)
    plugged.type(NEXT + ACCEPT)
    until(lambda: plugged.line() == accepted)


def test_searching_by_command_keeps_the_words(plugged, until):
    plugged.lua("""lists = 0
        vim.ui.select = function(items, _, done)
            lists = lists + 1
            for _, item in ipairs(items) do
                if lists == 1 and vim.startswith(item.label, 'Search online') then label = item.label; done(item) end
            end
        end""")
    text = r"It costs \cite<5 $ for a review> in all"
    plugged.command("5")
    plugged.type("o" + text + "\x1b")
    until(lambda: plugged.line() == text)
    plugged.lua("vim.api.nvim_win_set_cursor(0, {6, 20})")
    plugged.command("CiteSuggest")
    assert until(lambda: plugged.lua("return label or false")).startswith("Search online for")
    until(lambda: plugged.lua("return lists") == 2)  # opened again with what was found
    assert plugged.line() == text


def test_a_long_message_waits_for_no_key(plugged, until):
    plugged.type("o")
    text = "citelsp searches works for your placeholders. Words of the sentence go to Crossref. " * 3
    show = "vim.lsp.config['citelsp'].handlers['window/showMessage'](nil, {type = 3, message = ...})"
    plugged.lua(show, text)
    plugged.type("go dogs")
    until(lambda: plugged.line() == "go dogs")
    shown = "return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(w), 0, -1, false)[1]"
    texts = plugged.lua(f"return vim.tbl_map(function(w) {shown} end, vim.api.nvim_list_wins())")
    assert text.strip() in [it.strip() for it in texts]


CMP = """
    package.preload['cmp_nvim_lsp'] = function()
      local completion = { completionItem = { labelDetailsSupport = true, snippetSupport = true } }
      return { default_capabilities = function() return { textDocument = { completion = completion } } end }
    end
"""


def test_nvim_cmp_gets_author_and_year_beside_a_title(edit, until):
    """The plugin is imitated: how it is asked what it can is as its README of 2026 has it."""
    nvim = edit(f"{CMP} {neovim_terminal.lines_of_page().replace('{ autotrigger = true }', '')}")
    nvim.command("5")
    text = r"The Transformer needs no recurrence \cite<attention is all you need"
    nvim.type(f"o{text}\x1b")
    until(lambda: nvim.line() == text)
    until(nvim.served)
    first = nvim.request("textDocument/completion", 6, len(text))["items"][0]
    assert first["labelDetails"]["description"].startswith("Vaswani+ 2017")


SHOWN = """
    package.loaded['{plugin}'] = {{
      {show} = function() reopened = (reopened or 0) + 1 end,
      {is_open} = function() return false end,
    }}
"""
SEARCH = """
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'citelsp' })[1]
    local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
    local place = { uri = at.textDocument.uri, position = at.position }
    local asked = { command = 'citelsp.searchOnline', arguments = { place } }
    client:request('workspace/executeCommand', asked, function() answered = (answered or 0) + 1 end)
"""


@pytest.mark.parametrize(
    ("plugin", "show", "is_open"), [("cmp", "complete", "visible"), ("blink.cmp", "show", "is_menu_visible")]
)
def test_a_plugin_s_list_opens_again_after_a_search(plugged, until, plugin, show, is_open):
    """The plugins are imitated: what is asked of them, and how nvim-cmp sends the command, is as theirs of 2026."""
    plugged.lua(SHOWN.format(plugin=plugin, show=show, is_open=is_open))
    plugged.command("5")
    plugged.type(rf"oWe plan \cite<latent imagination {plugin[:2]}")
    until(lambda: plugged.lua("return vim.fn.mode()") == "i")
    plugged.lua(SEARCH)
    until(lambda: plugged.lua("return reopened or false") == 1)
    assert plugged.lua("return answered") == 1
    writes_on = "vim.schedule(function() vim.api.nvim_buf_set_text(0, 0, 0, 0, 0, { '%' }) end)"
    plugged.lua(f"{SEARCH} {writes_on} vim.schedule(function() began = true end)")
    until(lambda: plugged.lua("return answered") == 2)
    plugged.lua("vim.wait(50)")
    assert plugged.lua("return began and reopened") == 1, "who writes on is left alone"
