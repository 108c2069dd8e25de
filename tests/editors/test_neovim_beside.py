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


@pytest.mark.parametrize(("lines", "left"), [(TEXLAB, True), ("", False)], ids=["texlab", "alone"])
def test_keys_are_left_to_texlab(edit, lines, left):
    nvim = edit(neovim_terminal.lines_of_page() + lines)
    nvim.command("normal 5Go\\citep{knu")
    found = nvim.request("textDocument/completion", 6, len("\\citep{knu"))
    assert bool(found and found != {} and (found["items"] if isinstance(found, dict) else found)) != left
