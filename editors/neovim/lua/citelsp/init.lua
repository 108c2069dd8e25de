--- Citations by a language server, for Neovim 0.11 or newer.
local M = {}

local PICK = 'citelsp.pickWorks'
local READ = 'citelsp.readEvidence'

local languages = require('citelsp.languages')

M.filetypes = languages.filetypes

--- True for bibliographies among the files whose type says too little.
local function serves(buffer)
  if vim.list_contains(M.filetypes, vim.bo[buffer].filetype) then
    return true
  end
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(buffer))
  return vim.iter(languages.files):any(function(pattern)
    return vim.glob.to_lpeg(pattern):match(name) ~= nil
  end)
end

--- The server's program: the one on PATH, else where pipx, uv and editors/install put it, which need not be on PATH.
--- Never one in the current directory, where Windows looks first: it may be that of a manuscript of somebody else's.
local function program()
  local found, own = vim.fn.exepath('citelsp'), vim.fn.expand('~/.local/bin/citelsp')
  local here = found ~= '' and vim.fs.dirname(vim.fs.normalize(found)) == vim.fs.normalize(vim.fn.getcwd())
  if found ~= '' and not here then
    return found
  end
  return (here or vim.fn.executable(own) == 1) and own or 'citelsp'
end

---@return vim.lsp.Client?
local function client()
  local found = vim.lsp.get_clients({ bufnr = 0, name = 'citelsp' })[1]
  if not found then
    vim.notify('citelsp does not serve this buffer; see :checkhealth citelsp', vim.log.levels.WARN)
  end
  return found
end

---@param server vim.lsp.Client
---@param command string
---@param done? fun(result: any)
---@param argument any
local function execute_on(server, command, done, argument)
  server:request('workspace/executeCommand', { command = command, arguments = { argument } }, function(problem, result)
    if problem then
      vim.notify('citelsp: ' .. problem.message, vim.log.levels.ERROR)
    elseif done then
      done(result)
    end
  end)
end

---@param command string
---@param done? fun(result: any)
---@param argument? any by default the buffer's URI
local function execute(command, done, argument)
  local server = client()
  if server then
    execute_on(server, command, done, argument or vim.uri_from_bufnr(0))
  end
end

--- nvim-cmp shows author, year and chance beside a title only if the server knows that it can.
---@param capabilities lsp.ClientCapabilities
local function announce_cmp(capabilities)
  local known = vim.tbl_get(capabilities, 'textDocument', 'completion', 'completionItem', 'labelDetailsSupport')
  local found, plugin = pcall(require, 'cmp_nvim_lsp')
  if found and not known then -- else the author has said what it can
    capabilities.textDocument.completion = plugin.default_capabilities().textDocument.completion
  end
end

--- Set up and start the server.
---@param options? { cmd?: string[], settings?: table, autotrigger?: boolean } as in |citelsp-setup|
function M.setup(options)
  options = options or {}
  local cmd = options.cmd or { program(), 'serve' }
  vim.lsp.config('citelsp', {
    cmd = cmd,
    filetypes = vim.list_extend({ 'json', 'yaml' }, M.filetypes),
    root_dir = function(buffer, start)
      if serves(buffer) then
        start(vim.fs.root(buffer, { '.citelsp.toml', '.git' }))
      end
    end,
    settings = { citelsp = options.settings or vim.empty_dict() },
    capabilities = { experimental = { commands = { commands = { PICK, READ, 'citelsp.reopenList', 'citelsp.showAdded' } } } },
    before_init = function(params, config)
      local programs = require('citelsp.beside').programs()
      params.capabilities.experimental.beside = programs
      if not options.autotrigger then
        announce_cmp(params.capabilities)
      end
      local own = config.settings.citelsp
      if options.autotrigger and #programs > 0 and own.beside == nil then -- the list that opens has our items alone
        config.settings.citelsp = vim.tbl_deep_extend('keep', own, { completion = { keys = true } })
      end
    end,
    on_init = function(client)
      require('citelsp.reopen').follow(client, M.suggest)
      require('citelsp.ghost').follow(client)
    end,
    handlers = {
      ['window/showMessage'] = require('citelsp.messages').show,
      ['workspace/applyEdit'] = require('citelsp.added').apply,
      ['citelsp/added'] = require('citelsp.added').show,
    },
  })
  vim.lsp.commands[PICK] = function(command)
    M.pick(command.arguments[1])
  end
  vim.lsp.commands[READ] = function(command)
    M.read(vim.tbl_get(command.arguments[1], 'position', 'line'))
  end
  for _, name in ipairs({ 'citelsp.searchOnline', 'citelsp.searchFurther' }) do
    vim.lsp.commands[name] = function(command)
      execute(command.command, nil, command.arguments[1])
    end
  end
  if options.autotrigger then
    vim.api.nvim_create_autocmd('LspAttach', {
      group = vim.api.nvim_create_augroup('citelsp', {}),
      callback = function(event)
        local client = assert(vim.lsp.get_client_by_id(event.data.client_id))
        if client.name == 'citelsp' then
          require('citelsp.completion').enable(client, event.buf)
        end
      end,
    })
  end
  if vim.fn.executable(cmd[1]) == 0 then -- of which Neovim says nothing
    vim.api.nvim_create_autocmd('FileType', {
      group = vim.api.nvim_create_augroup('citelsp-missing', {}),
      pattern = M.filetypes,
      once = true,
      callback = function()
        vim.notify(('citelsp: %s was not found; see :checkhealth citelsp'):format(cmd[1]), vim.log.levels.WARN)
      end,
    })
  end
  vim.lsp.enable('citelsp')
end

--- The text of a placeholder becomes a citation, its range as the server said, whatever stands behind the cursor.  What
--- leaves the text as it is comes as a snippet to Neovim 0.11 (see citelsp.completion).
---@param server vim.lsp.Client
---@param bufnr integer
---@param item lsp.CompletionItem
local function accept(server, bufnr, item)
  if item.insertTextFormat ~= vim.lsp.protocol.InsertTextFormat.Snippet then
    vim.lsp.util.apply_text_edits({ item.textEdit }, bufnr, server.offset_encoding)
  end
  if item.command then
    server:exec_cmd(item.command, { bufnr = bufnr })
  end
end

--- Choose a work for the placeholder at the cursor, or search for all placeholders with a bang.
---@param every? boolean
function M.suggest(every)
  if every then
    return execute('citelsp.suggest', function(count)
      vim.notify(('Works were found for %d placeholders'):format(count or 0))
    end)
  end
  local server = client()
  if not server then
    return
  end
  local bufnr, params = vim.api.nvim_get_current_buf(), vim.lsp.util.make_position_params(0, server.offset_encoding)
  server:request('textDocument/completion', params, function(problem, result)
    local items = result and (result.items or result) or {}
    if problem or #items == 0 then
      return vim.notify(problem and problem.message or 'There is no placeholder here')
    end
    vim.ui.select(items, {
      prompt = 'Work:',
      format_item = function(item)
        return item.label
      end,
    }, function(item)
      if item and vim.api.nvim_buf_is_loaded(bufnr) then
        accept(server, bufnr, item)
      end
    end)
  end)
end

--- Pick works for a placeholder, by default the one at the cursor; all are cited in one edit with their entries.
---@param place? { uri: string, position: lsp.Position }
function M.pick(place)
  local server = client()
  if not server then
    return
  end
  local here = vim.lsp.util.make_position_params(0, server.offset_encoding)
  place = place or { uri = here.textDocument.uri, position = here.position }
  -- The author may be in another buffer when the answer comes, and that one's server would be asked.
  execute_on(server, 'citelsp.works', function(found)
    if #found.works == 0 then
      return vim.notify('citelsp: ' .. (found.reason ~= '' and found.reason or 'No work was found'))
    end
    require('citelsp.pick').open(found.works, function(names)
      execute_on(server, 'citelsp.cite', nil, vim.tbl_extend('force', place, { works = names }))
    end)
  end, place)
end

--- Find works by words from every origin and cite those chosen at the cursor.
---@param words? string asked for if there are none
function M.find(words)
  local server = client()
  if server then
    local find = require('citelsp.find')
    local ask = function(command, done, argument)
      execute_on(server, command, done, argument)
    end
    find.start(ask, find.here(server), words)
  end
end

--- Read the evidence for this buffer's citations in a split, from a line on, by default the cursor's.
---@param line? integer from 0
function M.read(line)
  local server = client()
  if not server then
    return
  end
  local window, here = vim.api.nvim_get_current_win(), line or vim.api.nvim_win_get_cursor(0)[1] - 1
  execute_on(server, 'citelsp.reading', function(found)
    if #found.citations == 0 then
      return vim.notify('citelsp: no citation here has an entry')
    end
    require('citelsp.reading').open(found, here, server.offset_encoding, window)
  end, { uri = vim.uri_from_bufnr(0) })
end

--- Write an empty placeholder at the cursor and choose a work for it.
function M.insert()
  local markup = languages.placeholders[vim.bo.filetype]
  if not markup then -- a bibliography, or nothing of ours
    return vim.notify('citelsp: citations cannot be written in this buffer', vim.log.levels.WARN)
  end
  vim.api.nvim_put({ markup }, 'c', vim.fn.mode() ~= 'i', true)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local line = vim.api.nvim_get_current_line()
  local start = line:find(markup, math.max(1, column - #markup), true) or 1
  vim.api.nvim_win_set_cursor(0, { row, start + markup:find('<', 1, true) - 1 })
  M.suggest()
end

--- Look up the references of this buffer in the services.
function M.verify()
  execute('citelsp.verify', function(summary)
    vim.notify('citelsp: ' .. tostring(summary))
    M.refresh()
  end)
end

local known = {} ---@type table<integer, string>

--- Ask for the summary that the status line shows.  A refusal leaves the one before: nobody asked for this.
function M.refresh()
  local bufnr = vim.api.nvim_get_current_buf()
  local server = vim.lsp.get_clients({ bufnr = bufnr, name = 'citelsp' })[1]
  if not server then
    return
  end
  local params = { command = 'citelsp.overview', arguments = { vim.uri_from_bufnr(bufnr) } }
  server:request('workspace/executeCommand', params, function(problem, overview)
    if problem then
      return
    end
    local cited = #vim.tbl_filter(function(it)
      return #it.cited > 0
    end, overview.references)
    known[bufnr] = overview.summary ~= '' and overview.summary
      or ('%d cited, %d open'):format(cited, #overview.gaps)
    vim.cmd.redrawstatus()
  end)
end

--- For the status line: `118 verified, 1 mismatch`, `12 cited, 3 open`, or nothing.
---@return string
function M.statusline()
  return known[vim.api.nvim_get_current_buf()] or ''
end

return M
