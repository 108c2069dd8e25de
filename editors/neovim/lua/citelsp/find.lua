--- Works by words from the author's list, Zotero, the corpus and services; those chosen are cited in one edit.
local M = {}

---@class citelsp.Place
---@field uri string
---@field position lsp.Position

--- Behind the character under the cursor; while text is inserted, at the cursor.
---@param server vim.lsp.Client
---@return citelsp.Place
function M.here(server)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local line = vim.api.nvim_get_current_line()
  if vim.fn.mode() ~= 'i' and line ~= '' then
    column = column + 1 + vim.str_utf_end(line, column + 1)
  end
  local character = vim.str_utfindex(line, server.offset_encoding, math.min(column, #line), false)
  return { uri = vim.uri_from_bufnr(0), position = { line = row - 1, character = character } }
end

---@param execute fun(command: string, done: fun(result: any)?, argument: table)
---@param place citelsp.Place
---@param names string[]
local function write(execute, place, names)
  vim.ui.input({ prompt = 'Locator such as p. 12, or nothing: ' }, function(locator)
    if not locator then
      return
    end
    local chosen = vim.tbl_extend('force', place, { works = names, locator = locator })
    execute('citelsp.previewCitation', function(shown)
      vim.ui.select(shown.forms, {
        prompt = shown.adds,
        format_item = function(form)
          return form.text .. (form.textual and '  as a part of the sentence' or '  beside the sentence')
        end,
      }, function(form)
        if form then
          execute('citelsp.writeCitation', nil, vim.tbl_extend('force', chosen, { textual = form.textual }))
        end
      end)
    end, chosen)
  end)
end

--- The works picked so far first, each once.
---@param picked citelsp.Work[]
---@param found citelsp.Work[]
local function joined(picked, found)
  local names = {}
  for _, it in ipairs(picked) do
    names[it.work] = true
  end
  local works = vim.deepcopy(picked)
  for _, it in ipairs(found) do
    if not names[it.work] then
      table.insert(works, vim.tbl_extend('force', it, { fits = false }))
    end
  end
  return works
end

---@param execute fun(command: string, done: fun(result: any)?, argument: table)
---@param place citelsp.Place
---@param words? string asked for if there are none
---@param picked? citelsp.Work[]
function M.start(execute, place, words, picked)
  if not words then
    return vim.ui.input({ prompt = 'Title, author, year, key, DOI or arXiv id: ' }, function(typed)
      if typed then
        M.start(execute, place, typed, picked)
      end
    end)
  end
  local function show(found)
    local works = joined(picked or {}, found.works)
    local outside = found.outside ~= vim.NIL and found.outside or nil -- Neovim reads null as either
    local reason = found.reason ~= '' and found.reason or 'No work was found'
    if #works == 0 and not outside then
      return vim.notify('citelsp: ' .. reason)
    end
    local keys = {
      s = function(chosen)
        M.start(execute, place, nil, chosen)
      end,
    }
    if outside then
      keys.o = function(chosen)
        picked = chosen
        execute('citelsp.findWorks', show, vim.tbl_extend('force', place, { words = words, outside = true }))
      end
    end
    local notes = #works == 0 and { reason } or {}
    if outside then
      table.insert(notes, ('Press o to %s: %s'):format(outside.title:lower(), outside.words))
    end
    require('citelsp.pick').open(works, function(names)
      write(execute, place, names)
    end, {
      title = ' Works to cite ',
      footer = ' <Space> pick   <CR> cite   s other words   q close ',
      notes = notes,
      keys = keys,
    })
  end
  execute('citelsp.findWorks', show, vim.tbl_extend('force', place, { words = words }))
end

return M
