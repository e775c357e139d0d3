"""`python -m argon_mcp`: the server on standard input and output, with the options of `argon mcp`."""

from __future__ import annotations

import sys

from argon_mcp.start import serve_words

if __name__ == "__main__":
    status = serve_words(sys.argv[1:])
    if status is None:
        from argon_lang.cli.entry import main

        status = main(["mcp", *sys.argv[1:]])
    sys.exit(status)
