"""The language server: `argon lsp`."""
