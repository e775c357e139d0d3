"""One module per command, imported by `argon_lang.cli.app` when the command runs."""
