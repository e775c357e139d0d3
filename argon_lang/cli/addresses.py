"""Addresses that a server may take: those that only this machine reaches."""

from __future__ import annotations

from ipaddress import ip_address

import typer


def loopback(option: str, text: str) -> tuple[str, int]:
    """`7325`, `localhost:7325`, `[::1]:7325`; anything but a loopback address is a mistake in the use of `option`."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or "127.0.0.1"
    host = "127.0.0.1" if host == "localhost" else host
    if not (port.isascii() and port.isdigit()) or int(port) > 65_535:
        raise typer.BadParameter(f"{option} takes HOST:PORT or PORT, not `{text}`")
    try:
        private = ip_address(host).is_loopback
    except ValueError:
        private = False
    if not private:
        raise typer.BadParameter(f"{option} serves loopback addresses only (127.0.0.1, ::1), not `{host}`")
    return host, int(port)
