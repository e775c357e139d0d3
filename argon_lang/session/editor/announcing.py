"""What an editor is told of each package unasked: diagnostics, only where they differ from what was told before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from argon_lang.problems import Diagnostic
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.editor.asked import name_of, placer_of
from argon_lang.session.editor.edited import Edited
from argon_lang.session.frames import Message
from argon_lang.session.places import plain_diagnostic
from argon_lang.text import Encoding

Said = tuple[int | None, list[Any]]
"""The version of an open document, and its diagnostics in plain form."""


class Announcer:
    """Sends `{"event": "diagnostics", "file", "version", "diagnostics"}` for every file of a package that has or had
    some, and for every open one at each version."""

    def __init__(self, send: Callable[[Message], None], encoding: Encoding) -> None:
        self._send = send
        self._encoding: Encoding = encoding
        self._told: dict[Edited, dict[str, Said]] = {}
        self._checked: set[Edited] = set()

    def check(self, package: Edited, stop: Cancellation) -> None:
        """Check a package and tell what is different, of open documents first. Raises Cancelled.

        Of one that was never checked as a whole, what can be told before is told before.
        """
        if package not in self._checked and (first := package.first_diagnostics(stop)) is not None:
            self._tell(package, self._said(package, first))
        self._tell(package, self._said(package, package.diagnostics(stop)))
        self._checked.add(package)

    def _said(self, package: Edited, found: Mapping[str, list[Diagnostic]]) -> dict[str, Said]:
        placer = placer_of(package, self._encoding)
        current: dict[str, Said] = {}
        for path, diagnostics in sorted(found.items(), key=lambda each: (package.document(each[0]) is None, each[0])):
            document = package.document(path)
            name = name_of(package, package.file(path))
            if name is not None and (diagnostics or document is not None):
                version = document.version if document is not None else None
                current[name] = (version, [plain_diagnostic(each, placer) for each in diagnostics])
        return current

    def withdraw(self, package: Edited) -> None:
        """Take back everything that was said of a package that is not looked at any more."""
        self._checked.discard(package)
        self._tell(package, {})

    def _tell(self, package: Edited, current: dict[str, Said]) -> None:
        before = self._told.pop(package, {})
        for name in before.keys() - current.keys():
            if before[name][1]:
                self._say(name, None, [])
        for name, said in current.items():
            if before.get(name) != said:
                self._say(name, *said)
        if current:
            self._told[package] = current

    def _say(self, name: str, version: int | None, diagnostics: list[Any]) -> None:
        self._send({"event": "diagnostics", "file": name, "version": version, "diagnostics": diagnostics})
