--- The built-in completion while typing: a list that follows what is typed, and inserts nothing that was not chosen.
local M = {}

--- Where a citation is being typed: `\cite{a, b`, `\cite<some words`, `[@a; @b`, `@a`.
local CITING = { '[cC]ite[^\\]*[{<][^{}<>]*$', '%[[^%[%]]*@[^%]]*$', '@[%w_:./-]*$' }

local TITLE, KEY = 47, 22 -- columns of a work's title, and of a citekey
local ROW = 86 -- columns of a row with its kind, its people, its year and its chance

--- The text before the cursor.
local function before()
  return vim.api.nvim_get_current_line():sub(1, vim.api.nvim_win_get_cursor(0)[2])
end

--- By default Neovim inserts the first item of a list that opens by itself.  What the author set otherwise is kept.
---@param bufnr integer
local function insert_nothing(bufnr)
  local set = vim.bo[bufnr].completeopt
  local flags = vim.tbl_filter(function(flag)
    return not vim.tbl_contains({ 'menu', 'menuone', 'longest', 'preinsert' }, flag)
  end, vim.split(set ~= '' and set or vim.go.completeopt, ',', { trimempty = true }))
  table.insert(flags, 1, 'menuone')
  if not vim.tbl_contains(flags, 'noselect') and not vim.tbl_contains(flags, 'noinsert') then
    table.insert(flags, 'noselect')
  end
  vim.bo[bufnr].completeopt = table.concat(flags, ',')
end

--- How many bytes behind the cursor the server's edit of an item replaces.
---@param client vim.lsp.Client
---@param item lsp.CompletionItem
local function behind(client, item)
  local range = item.textEdit and item.textEdit.range
  if not range or not item.filterText or client.offset_encoding ~= 'utf-8' or range.start.line ~= range['end'].line then
    return 0
  end
  return math.max(0, range['end'].character - range.start.character - #item.filterText)
end

--- Neovim keeps what stands behind the cursor: it goes once an item is accepted that replaces it.
---@param client vim.lsp.Client
---@param group integer
---@param bufnr integer
---@param following fun(): string what stood there when the list was made
local function replace_behind(client, group, bufnr, following)
  vim.api.nvim_create_autocmd('CompleteDone', {
    group = group,
    buffer = bufnr,
    callback = function()
      local lsp = vim.v.event.reason == 'accept' and vim.tbl_get(vim.v.completed_item, 'user_data', 'nvim', 'lsp')
      if not lsp or lsp.client_id ~= client.id then
        return
      end
      local text = following():sub(1, behind(client, lsp.completion_item))
      local row, column = unpack(vim.api.nvim_win_get_cursor(0))
      if vim.startswith(vim.api.nvim_get_current_line():sub(column + 1), text) then
        vim.api.nvim_buf_set_text(bufnr, row - 1, column, row - 1, column + #text, {})
      end
    end,
  })
end

--- The server sends Neovim 0.11 as snippets what is to leave the text as it is: the text may have grown since it asked.
---@param client vim.lsp.Client
---@param item lsp.CompletionItem
local function convert(client, item)
  if item.insertTextFormat ~= vim.lsp.protocol.InsertTextFormat.Snippet then
    return {}
  end
  item.insertTextFormat = nil
  local start = vim.str_byteindex(before(), client.offset_encoding, item.textEdit.range.start.character, false)
  return { word = before():sub(start + 1) }
end

--- At the right of the screen Neovim shows the first column of a list alone, and of it no more than 'pumwidth'.
---@param group integer
---@param bufnr integer
---@return fun(item: lsp.CompletionItem): table fit gives an item one column where three would not be seen
local function fit_columns(group, bufnr)
  local own, widest -- 'pumwidth' as the author has it, and the widest row of the list that is being made
  vim.api.nvim_create_autocmd('CompleteDone', {
    group = group,
    buffer = bufnr,
    callback = vim.schedule_wrap(function() -- a list that begins ends the one before
      if own and vim.fn.pumvisible() == 0 then
        vim.o.pumwidth, own = own, nil
      end
    end),
  })
  return function(item)
    if vim.o.columns - vim.fn.screencol() >= ROW then
      return {}
    end
    own, widest = own or vim.o.pumwidth, own and widest or 0
    local title = vim.tbl_get(item, 'data', 'question') and TITLE or KEY
    local filled = item.label .. (' '):rep(title - vim.fn.strdisplaywidth(item.label))
    -- From 0.12 on Neovim says that it shows details of labels, and gets people, year and chance there.
    local beside = vim.tbl_get(item, 'labelDetails', 'description') or item.detail
    local row = beside and ('%s %s'):format(filled, beside) or item.label
    widest = math.max(widest, vim.fn.strdisplaywidth(row))
    vim.o.pumwidth = math.max(own, math.min(vim.o.columns - 1, widest + 2))
    return { abbr = row, kind = '', menu = '' }
  end
end

--- The server's item on which the author stands, and its place in the list; nil if there is none.
---@return lsp.CompletionItem? item
---@return integer place from 0
local function selected()
  local list = vim.fn.complete_info({ 'selected', 'items' })
  local shown = list.items[list.selected + 1] or {}
  return vim.tbl_get(shown, 'user_data', 'nvim', 'lsp', 'completion_item'), list.selected
end

--- Show beside the list what the server says of an item, on which the author still has to stand.
---@param item lsp.CompletionItem
---@param text string in Markdown
local function show_beside(item, text)
  local now, place = selected()
  if not vim.deep_equal(now, item) then
    return
  end
  local shown = vim.api.nvim__complete_set(place, { info = text })
  if shown.winid and vim.api.nvim_win_is_valid(shown.winid) then
    vim.wo[shown.winid].wrap = true
    vim.wo[shown.winid].linebreak = true
    vim.wo[shown.winid].conceallevel = 2
    vim.treesitter.start(shown.bufnr, 'markdown')
  end
end

--- Neovim 0.11 shows beside a list what an item brings along, and never asks for the rest, such as a work's whole
--- title and the passages that speak for it.  Later ones do.
---@param client vim.lsp.Client
---@param group integer
---@param bufnr integer
local function ask_for_details(client, group, bufnr)
  if vim.fn.has('nvim-0.12') == 1 then
    return
  end
  vim.api.nvim_create_autocmd('CompleteChanged', {
    group = group,
    buffer = bufnr,
    callback = vim.schedule_wrap(function() -- once the list is drawn
      local item = selected()
      local options = vim.bo[bufnr].completeopt ~= '' and vim.bo[bufnr].completeopt or vim.go.completeopt
      -- Without "popup" nothing stands beside the list; with "preview" a window opens, for which the list is drawn anew.
      if not item or item.documentation or not vim.list_contains(vim.split(options, ','), 'popup') then
        return
      end
      client:request('completionItem/resolve', item, function(_, resolved)
        local text = vim.tbl_get(resolved or {}, 'documentation', 'value')
        if text then
          show_beside(item, (text:gsub('%[([^%]]*)%](%b())', '%1'))) -- no link can be followed there, and each takes room
        end
      end, bufnr)
    end),
  })
end

--- Neovim asks again after a key only where a list is open, and so misses the last letters of quick typing.
---@param group integer
---@param bufnr integer
local function follow(group, bufnr)
  local missed = false -- a letter was typed, and nothing accepted, while no list was open
  vim.api.nvim_create_autocmd('InsertCharPre', {
    group = group,
    buffer = bufnr,
    callback = function()
      missed = vim.fn.pumvisible() == 0
    end,
  })
  vim.api.nvim_create_autocmd('TextChangedI', {
    group = group,
    buffer = bufnr,
    callback = function()
      local text = before()
      if missed and vim.iter(CITING):any(function(pattern)
        return text:find(pattern) ~= nil
      end) then
        vim.lsp.completion.get()
      end
      missed = false
    end,
  })
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.enable(client, bufnr)
  local following = ''
  local group = vim.api.nvim_create_augroup('citelsp-completion', { clear = false })
  vim.api.nvim_clear_autocmds({ group = group, buffer = bufnr })
  local fitted = fit_columns(group, bufnr)
  insert_nothing(bufnr)
  vim.lsp.completion.enable(true, client.id, bufnr, {
    autotrigger = true,
    convert = function(item)
      following = vim.api.nvim_get_current_line():sub(#before() + 1)
      return vim.tbl_extend('keep', convert(client, item), fitted(item))
    end,
  })
  follow(group, bufnr)
  ask_for_details(client, group, bufnr)
  replace_behind(client, group, bufnr, function()
    return following
  end)
end

return M
