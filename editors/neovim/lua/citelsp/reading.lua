--- The evidence for all citations of a manuscript in a split beside it, which goes along with the manuscript.
local M = {}

---@class citelsp.Evidence what the server's `citelsp.reading` answers
---@field text string
---@field citations { line: integer, key: string, uri: string, range: lsp.Range }[]

--- Show a citation in the window of the manuscript, which may have changed since the server was asked.
---@param manuscript integer
---@param citation { uri: string, range: lsp.Range }
---@param encoding string
local function show_citation(manuscript, citation, encoding)
  local start = citation.range.start
  local shown = vim.uri_to_bufnr(citation.uri)
  vim.bo[shown].buflisted = true
  vim.api.nvim_win_set_buf(manuscript, shown) -- which loads it: before, it has no lines
  local row = math.min(start.line, vim.api.nvim_buf_line_count(shown) - 1)
  local text = vim.api.nvim_buf_get_lines(shown, row, row + 1, false)[1] or ''
  vim.api.nvim_win_set_cursor(manuscript, { row + 1, vim.str_byteindex(text, encoding, start.character, false) })
  vim.api.nvim_win_call(manuscript, function()
    vim.cmd('normal! zz')
  end)
end

--- Show the evidence; ]] and [[ go on and back in both windows, q closes it.
---@param found citelsp.Evidence
---@param line integer of the manuscript, from 0: where to begin
---@param encoding string
---@param manuscript integer its window, or the current one if that was closed meanwhile
function M.open(found, line, encoding, manuscript)
  manuscript = vim.api.nvim_win_is_valid(manuscript) and manuscript or vim.api.nvim_get_current_win()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(found.text, '\n'))
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = 'citelsp-evidence'
  local window = vim.api.nvim_open_win(buffer, true, { split = 'right', win = manuscript })
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  vim.wo[window].cursorline = true
  vim.wo[window].number = false

  local current = #found.citations
  for at, it in ipairs(found.citations) do
    if it.range['end'].line >= line then
      current = at
      break
    end
  end

  local function go(by)
    current = (current - 1 + by) % #found.citations + 1
    local citation = found.citations[current]
    vim.api.nvim_win_set_cursor(window, { citation.line + 1, 0 })
    vim.api.nvim_win_call(window, function()
      vim.cmd('normal! zt')
    end)
    if vim.api.nvim_win_is_valid(manuscript) then
      show_citation(manuscript, citation, encoding)
    end
  end

  local keys = {
    [']]'] = function()
      go(1)
    end,
    ['[['] = function()
      go(-1)
    end,
    q = function()
      vim.api.nvim_buf_delete(buffer, { force = true }) -- with its window, unless that is the last one
    end,
  }
  for key, act in pairs(keys) do
    vim.keymap.set('n', key, act, { buffer = buffer, nowait = true, silent = true })
  end
  go(0)
end

return M
