"""Pushes diagnostics to the client as the process that reasons tells them.

So it is for every client that would not fetch again when it is told to (`capabilities.pulls`): it would never learn
that an edit of one file changed another's diagnostics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from argon_lsp import convert, wire
from argon_lsp.failing import Failing

METHOD = "textDocument/publishDiagnostics"


class Publisher:
    """Sends diagnostics, and knows what it said. `failing` are shown beside those that are told."""

    def __init__(self, send: Callable[[bytes], None], failing: Failing) -> None:
        self._send = send
        self._failing = failing
        self._said: dict[str, tuple[int | None, list[Any]]] = {}

    def publish(self, told: Any) -> None:
        """Send what `{"file", "version", "diagnostics"}` says; the version is null unless the document is open."""
        uri = convert.uri_of(told["file"])
        self._said[uri] = told["version"], convert.diagnostics(told["diagnostics"])
        self.say_again({uri})

    def say_again(self, uris: Iterable[str]) -> None:
        """Send the diagnostics of some files once more: other tests fail there now."""
        for uri in uris:
            version, found = self._said.get(uri, (None, []))
            params = {"uri": uri, "diagnostics": [*found, *self._failing.of(uri)]}
            self._send(wire.notification(METHOD, params | ({"version": version} if version is not None else {})))
            if version is None and not found:
                self._said.pop(uri, None)

    def withdraw(self) -> None:
        """Take back what was said of files that are not open: whoever said it has gone, and the next starts anew."""
        gone = sorted(uri for uri, (version, _) in self._said.items() if version is None)
        for uri in gone:
            del self._said[uri]
        self.say_again(gone)
