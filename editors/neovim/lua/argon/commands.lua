-- Commands of an Argon buffer: what only its language server can do. All work on saved files.
local M = {}

local function client(buffer)
  local found = vim.lsp.get_clients({ name = "argon", bufnr = buffer })[1]
  if not found then
    vim.notify("no Argon server here: `:checkhealth argon` says why", vim.log.levels.ERROR)
  end
  return found
end

-- The server has the page opened where it can; else it is shown here.
local function show(answer)
  if not answer or not answer.text then
    return
  end
  if answer.uri then
    return
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(answer.text, "\n", { trimempty = true }))
  vim.bo[buffer].filetype = answer.form == "markdown" and "markdown" or answer.form
  vim.bo[buffer].modifiable = false
  vim.cmd.split()
  vim.api.nvim_win_set_buf(0, buffer)
end

-- Have the server run a command. The first argument names the document, and so the package, unless `bare`.
function M.run(name, arguments, bare)
  local buffer = vim.api.nvim_get_current_buf()
  local server = client(buffer)
  if not server then
    return
  end
  local given = bare and arguments or vim.list_extend({ vim.uri_from_bufnr(buffer) }, arguments)
  server:request("workspace/executeCommand", { command = name, arguments = given }, function(problem, answer)
    if problem then
      vim.notify(problem.message, vim.log.levels.ERROR)
    else
      show(answer)
    end
  end, buffer)
end

local function words(options)
  return options.args ~= "" and { options.args } or {}
end

local function code_here()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  for _, each in ipairs(vim.diagnostic.get(0, { lnum = row - 1 })) do
    if each.code and each.col <= column and column <= each.end_col then
      return { tostring(each.code) }
    end
  end
  return {}
end

local COMMANDS = {
  ArgonTest = { "argon.runTest", words, { nargs = "?", desc = "Run one test by its path, or all of the package" } },
  ArgonBuild = { "argon.build", words, { nargs = 0, desc = "Build the artifact" } },
  ArgonExplain = { "argon.explainFact", words, { nargs = 1, desc = "Why a fact holds, or why not: P(a, b)" } },
  ArgonProof = { "argon.showProof", words, { nargs = 1, desc = "The proof of a fact, in a browser" } },
}

-- `:ArgonQuery name [arguments as JSON]`
local function query(options)
  local name, rest = options.args:match("^(%S+)%s*(.*)$")
  local good, given = pcall(vim.json.decode, rest ~= "" and rest or "[]")
  if not good then
    vim.notify("what follows the name of a query is JSON: an array, or an object by name", vim.log.levels.ERROR)
    return
  end
  M.run("argon.runQuery", { name, given })
end

-- `:ArgonCode [code]`: the catalog page of a code, by default of that under the cursor.
local function code(options)
  local given = options.args ~= "" and { options.args } or code_here()
  if #given == 0 then
    vim.notify("no diagnostic code under the cursor", vim.log.levels.WARN)
    return
  end
  M.run("argon.explainCode", given, true)
end

-- Give a buffer its commands.
function M.attach(buffer)
  for name, command in pairs(COMMANDS) do
    vim.api.nvim_buf_create_user_command(buffer, name, function(options)
      M.run(command[1], command[2](options))
    end, command[3])
  end
  vim.api.nvim_buf_create_user_command(buffer, "ArgonQuery", query, { nargs = "+", desc = "Run a query by its name" })
  vim.api.nvim_buf_create_user_command(buffer, "ArgonCode", code, { nargs = "?", desc = "Explain a diagnostic code" })
end

return M
