--- :checkhealth citelsp
local M = {}

function M.check()
  vim.health.start('citelsp')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim ' .. tostring(vim.version()))
  else
    vim.health.error('Neovim 0.11 or newer is needed')
  end
  local cmd = (vim.lsp.config['citelsp'] or {}).cmd or { 'citelsp' }
  if type(cmd) == 'function' then
    return vim.health.info('the server is started by a function of your own')
  end
  if vim.fn.executable(cmd[1]) == 0 then
    return vim.health.error(cmd[1] .. ' was not found', { 'run `editors/install neovim`, or `pipx install .`, in a clone of citelsp' })
  end
  -- A program whose Python was removed is there and executable, but cannot be started: `vim.system` raises an error.
  local started, done = pcall(function()
    return vim.system({ cmd[1], '--version' }, { text = true }):wait(10000)
  end)
  if not started or done.code ~= 0 then
    local why = started and vim.trim(done.stderr or '') or tostring(done)
    return vim.health.error(('%s does not start: %s'):format(vim.fn.exepath(cmd[1]), why), { 'install it anew' })
  end
  vim.health.ok(vim.trim(done.stdout or '') .. ' at ' .. vim.fn.exepath(cmd[1]))
  if not vim.lsp.is_enabled('citelsp') then
    return vim.health.warn('the server is not enabled', { "require('citelsp').setup()" })
  end
  local clients = vim.lsp.get_clients({ name = 'citelsp' })
  if #clients == 0 then
    vim.health.info('no server is running: no open buffer is a manuscript or a bibliography')
  end
  for _, client in ipairs(clients) do
    local count = vim.tbl_count(client.attached_buffers)
    local buffers = count == 1 and '1 buffer' or ('%d buffers'):format(count)
    vim.health.ok(('serving %s below %s'):format(buffers, client.root_dir or '?'))
  end
end

return M
