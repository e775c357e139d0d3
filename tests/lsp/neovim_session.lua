-- A session in a real Neovim: what a person does with a package, checked step by step. Arguments: plugin folder, package
-- folder, and the server's command. Exit status: the number of steps that failed; each is one line of output.
local plugin, root = arg[1], arg[2]
local command = vim.list_slice(arg, 3)
local PATIENCE = 30000
local failures = 0

local function check(step, ok, seen)
  if not ok then
    failures = failures + 1
  end
  io.stdout:write(("%s %s%s\n"):format(ok and "ok" or "FAILED", step, ok and "" or (": " .. vim.inspect(seen))))
end

local function wait(condition)
  return (vim.wait(PATIENCE, condition, 5))
end

vim.opt.runtimepath:append(plugin)
vim.lsp.config("argon", { cmd = command })
vim.cmd("filetype plugin on")
vim.cmd("runtime! plugin/argon.lua ftdetect/argon.lua")

vim.cmd.edit(root .. "/root.ar")
local buffer = vim.api.nvim_get_current_buf()
local original = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
check("the file type is known", vim.bo[buffer].filetype == "argon", vim.bo[buffer].filetype)

local function client()
  local found = vim.lsp.get_clients({ bufnr = buffer, name = "argon" })[1]
  return found and found.initialized and found or nil
end
check("the server starts", wait(client))
local server = client()
check("the package is the root", server.root_dir == root, server.root_dir)
check("positions are counted in UTF-8", server.offset_encoding == "utf-8", server.offset_encoding)

local pushes = 0
local publish = vim.lsp.handlers["textDocument/publishDiagnostics"]
vim.lsp.handlers["textDocument/publishDiagnostics"] = function(...)
  pushes = pushes + 1
  return publish(...)
end

local function codes(of)
  return vim.tbl_map(function(each)
    return each.code
  end, vim.diagnostic.get(of or buffer))
end

local function find(words, after)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(words, 1, true)
    if column then
      vim.api.nvim_win_set_cursor(0, { number, column - 1 + (after or 0) })
      return number - 1, column - 1
    end
  end
  error("not in the buffer: " .. words)
end

local function replace(words, new)
  local line, column = find(words)
  vim.api.nvim_buf_set_text(0, line, column, line, column + #words, { new })
end

-- an error is typed, seen, and mended by its quick fix
replace("overdue(i),", "overdeu(i),")
check("the error is seen", wait(function()
  return #codes() > 0
end), codes())
local found = vim.diagnostic.get(buffer)[1]
check("it stands where it was made", vim.api.nvim_buf_get_text(buffer, found.lnum, found.col, found.end_lnum, found.end_col, {})[1] == "overdeu", found)
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
vim.lsp.buf.code_action({ apply = true, filter = function(action)
  return action.isPreferred == true
end })
check("the fix mends it", wait(function()
  return vim.deep_equal(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), original)
end), codes())
check("the error is gone", wait(function()
  return #codes() == 0
end), codes())

-- hover and definition
local function request(method)
  local params = vim.lsp.util.make_position_params(0, server.offset_encoding)
  local response = server:request_sync(method, params, PATIENCE, buffer)
  return response and response.result
end
find("late_fee(i.amount", 2)
local hover = request("textDocument/hover")
check("hover shows the signature", hover and hover.contents.value:find("late_fee(amount: Money, days_late: Int) -> Money", 1, true), hover)
find("t: Tenant)", 4)
vim.lsp.buf.definition()
check("definition opens the file", wait(function()
  return vim.api.nvim_buf_get_name(0):match("parties%.ar$") ~= nil
end), vim.api.nvim_buf_get_name(0))
check("and goes to the name", vim.fn.expand("<cword>") == "Tenant", vim.fn.expand("<cword>"))
vim.cmd.buffer(buffer)

-- formatting
replace("pub rel guarantees(backer: Person, debtor: Person);", "pub   rel guarantees( backer:Person,debtor :Person );")
vim.lsp.buf.format({ timeout_ms = PATIENCE })
check("formatting lays the file out", vim.deep_equal(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), original))

-- commands of the buffer: each shows a page
local function shown(words)
  return wait(function()
    for _, each in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_is_loaded(each) and each ~= buffer then
        local text = table.concat(vim.api.nvim_buf_get_lines(each, 0, -1, false), "\n")
        if text:find(words, 1, true) then
          return true
        end
      end
    end
    return false
  end)
end
vim.cmd.buffer(buffer)
vim.cmd.ArgonExplain("called_upon(dora)")
check("a fact is explained", shown("guarantees(dora, cleo)"))
vim.cmd.buffer(buffer)
vim.cmd.ArgonQuery('reminders {"t": "ada"}')
check("a query is run", shown("days_late"))
vim.cmd.buffer(buffer)
vim.cmd.ArgonCode("OE0101")
check("a code is explained", shown("Nothing has this name"))
vim.cmd.buffer(buffer)

-- a refactoring is taken, and undone
find("answers_for(p, t),")
vim.cmd.normal({ "V", bang = true })
vim.lsp.buf.code_action({ apply = true, context = { only = { "refactor.extract" }, diagnostics = {} }, range = {
  start = { vim.api.nvim_win_get_cursor(0)[1], 4 },
  ["end"] = { vim.api.nvim_win_get_cursor(0)[1], 21 },
} })
check("a rule is extracted", wait(function()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n"):find("derive extracted(p, t) :- answers_for(p, t);", 1, true) ~= nil
end))
vim.cmd.normal({ vim.keycode("<Esc>"), bang = true })
vim.api.nvim_buf_set_lines(buffer, 0, -1, false, original)
check("and all is well again", wait(function()
  return #codes() == 0
end), codes())

-- a module that is renamed takes its file along
find("mod world", 4)
vim.lsp.buf.rename("town")
check("the renamed module has its file", wait(function()
  return vim.uv.fs_stat(root .. "/town.ar") ~= nil and vim.uv.fs_stat(root .. "/world.ar") == nil
end))
find("mod town", 4)
vim.lsp.buf.rename("world")
check("and has it back", wait(function()
  return vim.uv.fs_stat(root .. "/world.ar") ~= nil and #codes() == 0
end), codes())

-- a file that is renamed on disk is missed, and found again
vim.uv.fs_rename(root .. "/world.ar", root .. "/elsewhere.ar")
check("the renamed file is missed", wait(function()
  return vim.tbl_contains(codes(), "OE0103")
end), codes())
vim.uv.fs_rename(root .. "/elsewhere.ar", root .. "/world.ar")
check("and found again", wait(function()
  return #codes() == 0
end), codes())

-- the health check and the end
vim.cmd("checkhealth argon")
local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
check("the health check sees the server running", report:find("running for", 1, true) ~= nil, report)
check("diagnostics were pushed", pushes > 0, pushes)
server:stop()
check("the server stops", wait(function()
  return server:is_stopped()
end))
os.exit(failures)
