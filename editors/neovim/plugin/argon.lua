-- Starts the language server for Argon sources. `vim.g.argon_lsp = false` before this file is read leaves it out.
if vim.g.loaded_argon then
  return
end
vim.g.loaded_argon = true

if vim.g.argon_lsp ~= false and vim.lsp.enable then
  vim.lsp.enable("argon")
end
