-- `:checkhealth argon`: what has to be there for the language server to work.
local M = {}

local function command()
  local config = vim.lsp.config and vim.lsp.config.argon
  return config and config.cmd and config.cmd[1] or "argon"
end

local function check_server()
  local program = command()
  if vim.fn.executable(program) == 0 then
    vim.health.error(("`%s` is not on the PATH"):format(program), {
      "install it with `pip install 'argon-lang[lsp]'`",
      "or name it: `vim.lsp.config('argon', { cmd = { '/path/to/argon', 'lsp' } })`",
    })
    return
  end
  local found = vim.system({ program, "--version" }, { text = true }):wait()
  if found.code == 0 then
    vim.health.ok(vim.trim(found.stdout) .. " at " .. vim.fn.exepath(program))
  else
    vim.health.error(("`%s --version` failed: %s"):format(program, vim.trim(found.stderr or "")))
  end
end

function M.check()
  vim.health.start("argon")
  if not vim.lsp.enable then
    vim.health.error("Neovim 0.11 or later is needed for `vim.lsp.enable`")
    return
  end
  vim.health.ok("Neovim has `vim.lsp.enable`")
  check_server()
  local clients = vim.lsp.get_clients({ name = "argon" })
  if #clients > 0 then
    for _, client in ipairs(clients) do
      vim.health.ok(("running for %s, positions in %s"):format(client.root_dir or "lone files", client.offset_encoding))
    end
  else
    vim.health.info("not running: it starts when an Argon source is opened")
  end
end

return M
