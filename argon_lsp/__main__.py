"""`python -m argon_lsp`: the server on standard input and output."""

from __future__ import annotations

import sys

from argon_lang import logs
from argon_lsp.start import serve

if __name__ == "__main__":
    logs.configure()
    sys.exit(serve())
