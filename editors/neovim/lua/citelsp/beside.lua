--- Other programs that complete citekeys in this Neovim, by what the server calls them.
local M = {}

--- True for a server that runs, or will once a file of its own is opened.
---@param name string
local function serves(name)
  if #vim.lsp.get_clients({ name = name }) > 0 then
    return true
  end
  local cmd = vim.lsp.is_enabled(name) and (vim.lsp.config[name] or {}).cmd
  return type(cmd) == 'function' or type(cmd) == 'table' and vim.fn.executable(cmd[1]) == 1
end

---@return string[]
function M.programs()
  local found = vim.tbl_filter(serves, { 'texlab', 'tinymist' })
  if package.loaded.cmp_vimtex then -- VimTeX's own completion opens at a key of its own
    table.insert(found, 'vimtex')
  end
  return found
end

return M
