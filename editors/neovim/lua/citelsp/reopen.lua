--- Opens the list at a placeholder again once a search for it has ended, in whatever shows lists.
local M = {}

local SEARCHES = { 'citelsp.searchOnline', 'citelsp.searchFurther' }

--- What the author did last, as far as it matters here.
local function place()
  local at = vim.api.nvim_win_get_cursor(0)
  return table.concat({ vim.api.nvim_get_current_buf(), vim.b.changedtick, at[1], at[2], vim.fn.mode() }, ' ')
end

--- The plugin that shows lists, if there is one: what opens its list, and whether that is open.
local function plugin()
  local blink, cmp = package.loaded['blink.cmp'], package.loaded['cmp']
  if blink then
    return blink.show, blink.is_menu_visible
  elseif cmp then
    return cmp.complete, cmp.visible
  end
end

---@param choose fun() offers the works without a list
local function reopen(choose)
  local show, is_open = plugin()
  if vim.fn.mode() == 'n' then
    choose()
  elseif vim.fn.mode() == 'i' and show and not is_open() then
    show()
  elseif vim.fn.mode() == 'i' and not show and vim.fn.pumvisible() == 0 then
    vim.lsp.completion.get()
  end
end

--- Follow the searches that are run, whoever runs them: nvim-cmp asks the server by itself.
---@param client vim.lsp.Client
---@param choose fun()
function M.follow(client, choose)
  local request = client.request
  client.request = function(...)
    local given, count = { ... }, select('#', ...)
    local first = given[1] == client and 2 or 1 -- some call it as a function
    local method, params, handler = unpack(given, first, first + 2)
    if method ~= 'workspace/executeCommand' or not vim.list_contains(SEARCHES, params.command) then
      return request(...)
    end
    local was
    vim.schedule(function() -- once what accepting the item writes is written
      was = place()
    end)
    given[first + 2] = function(problem, ...)
      if handler then
        handler(problem, ...)
      end
      vim.schedule(function() -- once nvim-cmp is done with the item
        if not problem and was == place() then
          reopen(choose)
        end
      end)
    end
    return request(unpack(given, 1, math.max(count, first + 2)))
  end
end

return M
