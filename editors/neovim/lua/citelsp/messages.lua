--- What the server tells the author.  A message that does not fit below the text would make Neovim wait for a key, which
--- an author who goes on typing then misses in the text: it is shown in a corner for a while instead.
local M = {}

local LEVELS = { 'ERROR', 'WARN', 'INFO' }

---@param text string
local function corner(text)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, { text })
  local width = math.min(60, vim.o.columns - 4)
  local window = vim.api.nvim_open_win(buffer, false, {
    relative = 'editor',
    anchor = 'NE',
    row = 1,
    col = vim.o.columns - 1,
    width = width,
    height = math.ceil(vim.api.nvim_strwidth(text) / width) + 1,
    style = 'minimal',
    border = 'rounded',
    focusable = false,
    noautocmd = true,
  })
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  vim.api.nvim_win_set_height(window, vim.api.nvim_win_text_height(window, {}).all)
  vim.defer_fn(function()
    pcall(vim.api.nvim_win_close, window, true)
  end, 3000 + 50 * #text)
end

--- Handles window/showMessage.
---@param params lsp.ShowMessageParams
function M.show(_, params)
  local text = params.message:gsub('%s+', ' ')
  -- Neovim shows messages itself, and no plugin in its own way.  From 0.12 on its own functions may name no file.
  local source = debug.getinfo(vim.notify, 'S').source
  local is_neovims = source:find('vim/_', 1, true) or not vim.startswith(source, '@')
  if not is_neovims or vim.api.nvim_strwidth(text) <= vim.v.echospace then
    return vim.notify(text, vim.log.levels[LEVELS[params.type] or 'INFO'])
  end
  corner(text)
end

return M
