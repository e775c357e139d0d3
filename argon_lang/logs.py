"""Logs go to standard error, at the level that the environment variable `ARGON_LOG` names (surfaces §1)."""

from __future__ import annotations

import logging
import os
import sys

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def configure() -> None:
    """Set this process's logging up; a level that there is not is named once, and `warning` stands for it."""
    wanted = os.environ.get("ARGON_LOG", "warning")
    logging.basicConfig(level=LEVELS.get(wanted.lower(), logging.WARNING), stream=sys.stderr)
    if wanted.lower() not in LEVELS:
        logging.getLogger("argon").warning("ARGON_LOG=%s: expected one of %s", wanted, ", ".join(LEVELS))
