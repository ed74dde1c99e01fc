-- `jsonx lsp` in Neovim: nvim --headless -u NONE -S editors/test/neovim.lua, with the program in $JSONX.

local function check(condition, text)
  if not condition then
    io.stderr:write('neovim.lua: ' .. text .. '\n')
    vim.cmd('cquit 1')
  end
end

local folder = vim.fn.tempname()
vim.fn.mkdir(folder, 'p')
vim.fn.writefile({ '{"indent": 4}' }, folder .. '/jsonx.json')
local file = folder .. '/a.json'
vim.fn.writefile({ '{"name": "häß😀", "ports": [80, 8080,], "on": True}' }, file)
vim.cmd('edit ' .. vim.fn.fnameescape(file))
local buffer = vim.api.nvim_get_current_buf()
vim.bo[buffer].filetype = 'json'

local config = { name = 'jsonx', cmd = { vim.env.JSONX, 'lsp' }, root_dir = folder }
local client
if vim.lsp.start then
  client = vim.lsp.start(config)
else
  client = vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(buffer, client)
end
check(client, 'the server did not start')

local function codes()
  local found = {}
  for _, finding in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(found, finding.code)
  end
  table.sort(found)
  return table.concat(found, ' ')
end

local function wait(condition, what)
  check(vim.wait(10000, condition, 20), what .. '; findings: ' .. codes() .. '; text: '
    .. table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n'))
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 10000)
  check(answers, method .. ' was not answered')
  for _, answer in pairs(answers) do
    check(not answer.error, method .. ': ' .. vim.inspect(answer.error))
    return answer.result
  end
end

-- Findings, at their byte positions.
wait(function() return codes() == 'trailing-comma wrong-literal' end, 'the findings are others')
for _, finding in ipairs(vim.diagnostic.get(buffer)) do
  if finding.code == 'trailing-comma' then
    check(text():sub(finding.col + 1, finding.col + 1) == ',', 'the place of a finding: ' .. finding.col)
  end
end

-- All safe fixes at once.
local document = { uri = vim.uri_from_bufnr(buffer) }
local actions = ask('textDocument/codeAction', {
  textDocument = document,
  range = { start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 60 } },
  context = { diagnostics = {}, only = { 'source.fixAll' } },
})
check(#actions == 1, 'one action fixes all: ' .. vim.inspect(actions))
local encoding = vim.lsp.get_client_by_id(client).offset_encoding
vim.lsp.util.apply_workspace_edit(actions[1].edit, encoding)
check(text() == '{"name": "häß😀", "ports": [80, 8080], "on": true}', 'fixed: ' .. text())
wait(function() return codes() == '' end, 'there is nothing to find any more')

-- The layout of the repository.
local edits = ask('textDocument/formatting', { textDocument = document, options = { tabSize = 2, insertSpaces = true } })
vim.lsp.util.apply_text_edits(edits, buffer, encoding)
check(text():find('\n    "ports": [\n        80,\n', 1, true), 'formatted: ' .. text())

-- Edits are tracked: a duplicate key.
vim.api.nvim_buf_set_lines(buffer, 1, 1, false, { '    "on": false,' })
wait(function() return codes() == 'duplicate-key' end, 'a duplicate key')

local symbols = ask('textDocument/documentSymbol', { textDocument = document })
check(#symbols == 4, 'symbols: ' .. vim.inspect(symbols))

-- Commands, as in docs/editors.md.
vim.api.nvim_win_set_cursor(0, { 2, 5 })
local at = vim.lsp.util.make_position_params(0, encoding)
local path = ask('workspace/executeCommand', {
  command = 'jsonx.copyPath', arguments = { at.textDocument.uri, at.position, 'pointer' },
})
check(path == '/on', 'the path at the cursor: ' .. vim.inspect(path))
ask('workspace/executeCommand', { command = 'jsonx.minify', arguments = { document.uri } })
wait(function() return text() == '{"on":false,"name":"häß😀","ports":[80,8080],"on":true}' end, 'minified')

vim.lsp.stop_client(client)
check(vim.wait(10000, function() return vim.lsp.client_is_stopped(client) end, 20), 'the server did not stop')
print('neovim: ok\n')
vim.cmd('qall!')
