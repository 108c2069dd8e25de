"""A server that Neovim runs beside citelsp is found, and what both offer is left to it."""

import pytest

import neovim_terminal

pytestmark = pytest.mark.editors

# A server that answers nothing, under texlab's name.
TEXLAB = """
vim.lsp.config('texlab', {
  filetypes = { 'tex' },
  cmd = function()
    return {
      request = function(method, _, done)
        done(nil, method == 'initialize' and { capabilities = {} } or vim.NIL)
        return true, 1
      end,
      notify = function() return true end,
      is_closing = function() return false end,
      terminate = function() end,
    }
  end,
})
vim.lsp.enable('texlab')
"""

OWN_LIST = neovim_terminal.lines_of_page().replace("{ autotrigger = true }", "")


def keys_offered(nvim):
    found = nvim.request("textDocument/completion", 6, len("\\citep{knu"))
    return bool(found["items"] if found else found)


def begun(edit, lines):
    """A citation that is being typed."""
    nvim = edit(lines)
    nvim.command("normal 5Go\\citep{knu")
    return nvim


def test_keys_are_left_to_texlab_where_another_plugin_shows_its_list(edit):
    assert not keys_offered(begun(edit, OWN_LIST + TEXLAB))


def test_keys_are_left_to_nobody_alone(edit, until):
    nvim = begun(edit, OWN_LIST)
    until(lambda: keys_offered(nvim))


def test_keys_stay_in_the_list_that_opens_while_typing(edit, until):
    """Which shows no other server's: with keys left to texlab it would stay empty."""
    nvim = begun(edit, neovim_terminal.lines_of_page() + TEXLAB)
    until(lambda: keys_offered(nvim))  # once the settings are read


def test_what_the_author_sets_holds(edit):
    lines = neovim_terminal.lines_of_page().replace(
        "autotrigger = true", "autotrigger = true, settings = { completion = { keys = false } }"
    )
    assert not keys_offered(begun(edit, lines + TEXLAB))
