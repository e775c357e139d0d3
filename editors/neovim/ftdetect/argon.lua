-- Argon sources are named *.ar; so are static libraries, which Neovim never opens as text.
vim.filetype.add({ extension = { ar = "argon" } })
