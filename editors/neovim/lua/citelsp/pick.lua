--- A small window in which several of some works can be picked.
local M = {}

---@class citelsp.Work what the server's `citelsp.works` answers for each work
---@field work string
---@field title string
---@field who string
---@field key string
---@field adds boolean
---@field quote string
---@field found string
---@field origin? string instead, of works found by words
---@field against? string why it should not be cited as it is, such as that it was retracted; '' for most
---@field fits boolean

local INDENT = '    ' -- before what stands below a work's line
local LINES = 2 -- at most below each, so that ten works are seen at once

--- On one line: a buffer takes no line with a break in it.
---@param text string
local function plain(text)
  return (text:gsub('%c+', ' '))
end

---@param work citelsp.Work
local function line(work)
  local told = work.who ~= '' and work.who .. ': ' .. work.title or work.title
  local mark = (work.against or '') ~= '' and '✗ ' or ''
  return ('[%s] %s%s'):format(work.fits and 'x' or ' ', mark, plain(told))
end

--- What stands below a work's line, in lines of `width` columns: Neovim cuts longer ones at the window's edge.
---@param work citelsp.Work
---@param width integer
---@return string[]
local function evidence(work, width)
  local parts = { work.origin or work.found, not work.adds and 'cited as ' .. work.key or '', work.against or '' }
  if parts[3] == '' and work.quote ~= '' then
    parts[3] = '“' .. work.quote .. '”'
  end
  local text = plain(table.concat(vim.tbl_filter(function(it)
    return it ~= ''
  end, parts), ' · '))
  local lines = { INDENT }
  for word in text:gmatch('%S+') do
    local grown = lines[#lines] .. (lines[#lines] == INDENT and '' or ' ') .. word
    if lines[#lines] == INDENT or vim.fn.strdisplaywidth(grown) < width then -- a column is left for an ellipsis
      lines[#lines] = grown
    elseif #lines == LINES then
      lines[#lines] = lines[#lines] .. '…'
      break
    else
      table.insert(lines, INDENT .. word)
    end
  end
  return lines
end

--- Show the works, those that fit picked; `done` gets the names of those picked in the end, if the author wants any.
---@param works citelsp.Work[]
---@param done fun(names: string[])
---@param more? { title: string, footer: string, notes: string[], keys: table<string, fun(picked: citelsp.Work[])> } of a
--- list by words: what is said below it, and keys that close it and go on with what is picked; if nothing is, the work
--- under the cursor is meant
function M.open(works, done, more)
  local picked = vim.deepcopy(works)
  local buffer = vim.api.nvim_create_buf(false, true)
  local space = vim.api.nvim_create_namespace('citelsp-pick')
  local notes = vim.tbl_map(plain, more and more.notes or {})
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.list_extend(vim.tbl_map(line, picked), notes))
  local width = math.min(100, vim.o.columns - 4)
  for row, work in ipairs(picked) do
    local below = vim.tbl_map(function(text)
      return { { text, 'Comment' } }
    end, evidence(work, width))
    vim.api.nvim_buf_set_extmark(buffer, space, row - 1, 0, { virt_lines = below })
  end
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = 'citelsp-pick'
  local window = vim.api.nvim_open_win(buffer, true, {
    relative = 'cursor',
    row = 1,
    col = 0,
    width = width,
    height = 1,
    style = 'minimal',
    border = 'rounded',
    title = more and more.title or ' Works to cite together ',
    footer = more and more.footer or ' <Space> pick or leave   <CR> cite   q close ',
  })
  vim.wo[window].cursorline = true
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  local height = vim.api.nvim_win_text_height(window, {}).all
  vim.api.nvim_win_set_height(window, math.max(1, math.min(height, vim.o.lines - 6)))

  local function toggle()
    local row = vim.api.nvim_win_get_cursor(window)[1]
    if not picked[row] then
      return
    end
    picked[row].fits = not picked[row].fits
    vim.bo[buffer].modifiable = true
    vim.api.nvim_buf_set_text(buffer, row - 1, 1, row - 1, 2, { picked[row].fits and 'x' or ' ' })
    vim.bo[buffer].modifiable = false
  end

  local function close()
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_close(window, true)
    end
  end

  local function chosen_works()
    return vim.tbl_filter(function(it)
      return it.fits
    end, picked)
  end

  local function accept()
    local chosen = chosen_works()
    if more and #chosen == 0 then
      chosen = { picked[vim.api.nvim_win_get_cursor(window)[1]] }
    end
    close()
    if #chosen > 0 then
      done(vim.tbl_map(function(it)
        return it.work
      end, chosen))
    end
  end

  for keys, act in pairs({ ['<Space>'] = toggle, ['<Tab>'] = toggle, ['<CR>'] = accept, q = close, ['<Esc>'] = close }) do
    vim.keymap.set('n', keys, act, { buffer = buffer, nowait = true, silent = true })
  end
  for key, act in pairs(more and more.keys or {}) do
    vim.keymap.set('n', key, function()
      local chosen = chosen_works()
      close()
      act(chosen)
    end, { buffer = buffer, nowait = true, silent = true })
  end
  vim.api.nvim_create_autocmd('WinLeave', { buffer = buffer, once = true, callback = vim.schedule_wrap(close) })
  vim.cmd.stopinsert()
end

return M
