-- The language server, for `vim.lsp.enable("argon")` (Neovim 0.11 and later).
-- Another command: `vim.lsp.config("argon", { cmd = { "/path/to/argon", "lsp" } })`.
return {
  cmd = { "argon", "lsp" },
  filetypes = { "argon" },
  root_markers = { "ox.toml", ".git" },
}
