"""Pushes diagnostics to the client as the process that reasons tells them.

So it is for every client that would not fetch again when it is told to (`capabilities.pulls`): it would never learn
that an edit of one file changed another's diagnostics.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from argon_lsp import convert, wire

METHOD = "textDocument/publishDiagnostics"


class Publisher:
    """Sends diagnostics, and knows which files have any."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._faulty: set[str] = set()

    def publish(self, told: Any) -> None:
        """Send what `{"file", "version", "diagnostics"}` says; the version is null unless the document is open."""
        uri, version = convert.uri_of(told["file"]), told["version"]
        found = [convert.diagnostic(each) for each in told["diagnostics"]]
        params = {"uri": uri, "diagnostics": found} | ({"version": version} if version is not None else {})
        (self._faulty.add if found and version is None else self._faulty.discard)(uri)
        self._send(wire.notification(METHOD, params))

    def withdraw(self) -> None:
        """Take back what was said of files that are not open: whoever said it has gone, and the next starts anew."""
        for uri in sorted(self._faulty):
            self._send(wire.notification(METHOD, {"uri": uri, "diagnostics": []}))
        self._faulty.clear()
