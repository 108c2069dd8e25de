--- Ghost text at a placeholder, as Neovim 0.12 can show it.
---
--- Of a text that replaces another Neovim draws only what lies behind the cursor, which of a citation in place of the
--- words before it is nothing.  So the citation is added at the cursor, and once accepted it takes the place of the whole
--- placeholder.
local M = {}

local FILL = 'citelsp.fillPlaceholder'

--- The length of a text in the units in which the server counts columns.
---@param text string
---@param encoding string
local function length(text, encoding)
  return vim.str_utfindex(text, encoding)
end

--- The server's item as one that adds its citation at the cursor; another one unless it replaces a part of that line.
---@param item lsp.InlineCompletionItem
---@param params lsp.InlineCompletionParams
local function added(item, params)
  local range, position = item.range, params.position
  if not range or range.start.line ~= position.line or range['end'].line ~= position.line then
    return item
  end
  local ghost = ' → ' .. item.insertText
  return {
    insertText = ghost,
    range = { start = position, ['end'] = position },
    command = { title = 'Cite', command = FILL, arguments = { {
      uri = params.textDocument.uri,
      start = range.start,
      behind = range['end'].character - position.character, -- what is replaced behind the cursor
      ghost = ghost,
      citation = item.insertText,
      command = item.command,
    } } },
  }
end

--- Put an accepted citation in place of its placeholder, and add its entry.
---@param accepted table what `added` gave to the command
---@param context { client_id: integer }
local function fill(accepted, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  local encoding = client.offset_encoding
  local buffer = vim.uri_to_bufnr(accepted.uri)
  local row = accepted.start.line
  local line = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ''
  -- Looked for, as letters may have been typed before the text was accepted.
  local from = vim.str_byteindex(line, encoding, accepted.start.character, false)
  local _, to = line:find(accepted.ghost, from + 1, true)
  if to then
    local stop = vim.str_byteindex(line, encoding, length(line:sub(1, to), encoding) + accepted.behind, false)
    vim.api.nvim_buf_set_text(buffer, row, from, row, stop, { accepted.citation })
    if vim.api.nvim_get_current_buf() == buffer then
      vim.api.nvim_win_set_cursor(0, { row + 1, from + #accepted.citation })
    end
  end
  if accepted.command then
    client:exec_cmd(accepted.command, { bufnr = buffer })
  end
end

--- Change what a client is answered of ghost text, whoever asks.
---@param client vim.lsp.Client
function M.follow(client)
  vim.lsp.commands[FILL] = function(command, context)
    fill(command.arguments[1], context)
  end
  local request = client.request
  client.request = function(...)
    local given, count = { ... }, select('#', ...)
    local first = given[1] == client and 2 or 1 -- some call it as a function
    local method, params, handler = unpack(given, first, first + 2)
    if method == 'textDocument/inlineCompletion' and handler then
      given[first + 2] = function(problem, result, ...)
        local items = result and (result.items or result)
        local shown = items and vim.tbl_map(function(item)
          return added(item, params)
        end, items)
        return handler(problem, shown, ...)
      end
    end
    return request(unpack(given, 1, count))
  end
end

return M
