if vim.g.loaded_citelsp then
  return
end
vim.g.loaded_citelsp = true

local command = vim.api.nvim_create_user_command

command('CiteSuggest', function(given)
  require('citelsp').suggest(given.bang)
end, { bang = true, desc = 'Choose a work for the placeholder here; with ! search for all' })

command('CitePick', function()
  require('citelsp').pick()
end, { desc = 'Pick works to cite together for the placeholder here' })

command('CiteInsert', function()
  require('citelsp').insert()
end, { desc = 'Write a placeholder and choose a work for it' })

command('CiteFind', function(given)
  require('citelsp').find(given.args ~= '' and given.args or nil)
end, { nargs = '*', desc = 'Find works by words from every origin and cite them here' })

command('CiteRead', function()
  require('citelsp').read()
end, { desc = 'Read the evidence for the citations of this buffer' })

command('CiteVerify', function()
  require('citelsp').verify()
end, { desc = 'Look up the references of this buffer' })

vim.api.nvim_create_autocmd({ 'BufWritePost', 'DiagnosticChanged' }, {
  group = vim.api.nvim_create_augroup('citelsp-status', {}),
  callback = function(event)
    if event.buf == vim.api.nvim_get_current_buf() and #vim.lsp.get_clients({ bufnr = event.buf, name = 'citelsp' }) > 0 then
      require('citelsp').refresh()
    end
  end,
})
