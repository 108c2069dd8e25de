--- An accepted work is one act: its bibliography is saved, a line says so, and undoing the citation undoes the entry.
local M = {}

---@class citelsp.Addition what the server's `citelsp/added` tells
---@field message string
---@field manuscript string
---@field keys string[]
---@field files string[]
---@field save boolean

---@class citelsp.Change an entry in a buffer, by that buffer's undo history
---@field manuscript integer
---@field keys string[]
---@field buffer integer
---@field before integer
---@field after integer

local unsaved = {} ---@type table<integer, boolean> buffers with changes of the author's before the server's last edit
local before = {} ---@type table<integer, integer> where they stood in their undo history
local changes = {} ---@type citelsp.Change[]
local seen = {} ---@type table<integer, { cur: integer, last: integer }>

---@param buffer integer
local function history(buffer)
  local tree = vim.fn.undotree(buffer)
  return { cur = tree.seq_cur, last = tree.seq_last }
end

--- Handles workspace/applyEdit.
---@param params lsp.ApplyWorkspaceEditParams
function M.apply(problem, params, ctx)
  for uri in pairs(params.edit.changes or {}) do
    local buffer = vim.uri_to_bufnr(uri)
    vim.fn.bufload(buffer)
    -- A change of a buffer that is not shown would join the one before it, and both be undone at once.
    vim.api.nvim_buf_call(buffer, function()
      vim.cmd('let &l:undolevels = &l:undolevels')
    end)
    unsaved[buffer], before[buffer] = vim.bo[buffer].modified, history(buffer).cur
  end
  return vim.lsp.handlers['workspace/applyEdit'](problem, params, ctx)
end

--- Writes a buffer; the author hears of a file that cannot be written, as its entry is told of as added.
---@param buffer integer
local function save(buffer)
  local saved, problem = pcall(vim.api.nvim_buf_call, buffer, function()
    vim.cmd('silent write')
  end)
  if not saved then
    local name = vim.fs.basename(vim.api.nvim_buf_get_name(buffer))
    local line = tostring(problem):match('[^\n]*') -- the others tell where in this plugin
    local why = line:match('E%d+: .*') or line
    local message = ('citelsp: %s was not saved: %s'):format(name, why)
    require('citelsp.messages').show(nil, { type = vim.lsp.protocol.MessageType.Warning, message = message })
  end
end

--- True if a text has a citekey, and not only within a longer one.  A stop that ends a sentence is no part of a key.
---@param buffer integer
---@param key string
local function mentions(buffer, key)
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
  local start, stop = text:find(key, 1, true)
  while start do
    if not text:sub(start - 1, start - 1):find('[%w_.-]') and not text:find('^[:.-]*[%w_]', stop + 1) then
      return true
    end
    start, stop = text:find(key, start + 1, true)
  end
  return false
end

--- True if a buffer stands at one place of its undo history and can go to another: one that was closed has a new history.
---@param buffer integer
---@param from integer
---@param to integer
local function can_go(buffer, from, to)
  if not vim.api.nvim_buf_is_valid(buffer) or not vim.api.nvim_buf_is_loaded(buffer) then
    return false
  end
  local now = history(buffer)
  return now.cur == from and now.last >= to
end

--- The author has undone or redone something in a manuscript: its entries follow.
---@param manuscript integer
local function follow(manuscript)
  local was, now = seen[manuscript], history(manuscript)
  seen[manuscript] = now
  if not was or was.last ~= now.last or was.cur == now.cur then
    return
  end
  local undone = now.cur < was.cur
  for at = 1, #changes do
    local it = changes[undone and #changes + 1 - at or at]
    local from, to = it.before, it.after
    if undone then
      from, to = to, from
    end
    local cited = vim.iter(it.keys):any(function(key)
      return mentions(manuscript, key)
    end)
    if it.manuscript == manuscript and cited ~= undone and can_go(it.buffer, from, to) then
      local saved = not vim.bo[it.buffer].modified
      vim.api.nvim_buf_call(it.buffer, function()
        vim.cmd('silent undo ' .. to)
      end)
      if saved and it.save then
        save(it.buffer)
      end
    end
  end
end

--- Handles citelsp/added.
---@param told citelsp.Addition
function M.show(_, told)
  local manuscript = vim.uri_to_bufnr(told.manuscript)
  for _, uri in ipairs(told.files) do
    local buffer = vim.uri_to_bufnr(uri)
    if before[buffer] then
      table.insert(changes, {
        manuscript = manuscript,
        keys = told.keys,
        buffer = buffer,
        before = before[buffer],
        after = history(buffer).cur,
        save = told.save,
      })
    end
    if told.save and unsaved[buffer] == false then
      save(buffer)
    end
  end
  if not seen[manuscript] then
    vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, {
      group = vim.api.nvim_create_augroup('citelsp-added-' .. manuscript, {}),
      buffer = manuscript,
      callback = function()
        follow(manuscript)
      end,
    })
  end
  seen[manuscript] = history(manuscript)
  require('citelsp.messages').show(nil, { type = vim.lsp.protocol.MessageType.Info, message = told.message })
end

return M
