"""The listening end of a server that clients connect to. Standard library."""

from __future__ import annotations

import os
import socket

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args


def listener(host: str, port: int) -> socket.socket:
    """A socket that listens on an address, which may be in use again at once after its server ended; 0: any port.

    Raises `ARGON_ADDRESS_UNAVAILABLE`.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        found = os.strerror(error.errno) if error.errno else str(error)
        values = args(name=address_text(host, port), found=found)
        raise ArgonError("ARGON_ADDRESS_UNAVAILABLE", values, notes=(Note("other"),)) from error


def address_text(host: str, port: int) -> str:
    """An address as one writes it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
