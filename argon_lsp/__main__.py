"""`python -m argon_lsp`: the server on standard input and output."""

from __future__ import annotations

import logging
import sys

from argon_lsp.start import serve

if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    sys.exit(serve())
