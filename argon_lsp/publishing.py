"""Pushes diagnostics: for every file of a package that has or had some, and for every open one at each version.

They are pushed, not pulled, since no client that pulls learns that an edit of one file changed another's diagnostics
unless it also takes a refresh, and Neovim takes none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from argon_lang.text import Encoding
from argon_lsp import convert, wire
from argon_lsp.project import Project
from argon_lsp.std import std_path

METHOD = "textDocument/publishDiagnostics"


def uri_of(project: Project) -> Callable[[str], str | None]:
    """The URIs of a project's files: as the client spells them for open ones, else from the disk."""

    def find(file: str) -> str | None:
        document = project.document(project.relative(file))
        if document is not None:
            return document.uri
        path = std_path(file) or project.path_of(file)
        return convert.to_uri(path) if path is not None else None

    return find


def places_of(project: Project, encoding: Encoding) -> convert.Places:
    """How this revision of a project is told to the client."""
    return convert.Places(encoding, project.text, uri_of(project))


class Publisher:
    """Sends what changed since the last time. Used by the worker alone."""

    def __init__(self, send: Callable[[bytes], None], encoding: Encoding) -> None:
        self._send = send
        self._encoding: Encoding = encoding
        self._sent: dict[Project, dict[str, tuple[int | None, Any]]] = {}

    def publish(self, project: Project) -> None:
        """Check a project and tell the client, of open documents first. Raises Cancelled when it changes meanwhile."""
        found = project.diagnostics()
        places, uris = places_of(project, self._encoding), uri_of(project)
        current: dict[str, tuple[int | None, Any]] = {}
        for path, diagnostics in sorted(found.items(), key=lambda each: (project.document(each[0]) is None, each[0])):
            document = project.document(path)
            uri = uris(project.file(path))
            if uri is not None and (diagnostics or document is not None):
                version = document.version if document is not None else None
                current[uri] = (version, [convert.diagnostic(each, places) for each in diagnostics])
        self._tell(project, current)

    def withdraw(self, project: Project) -> None:
        """Take back everything that was said of a project that is not looked at any more."""
        self._tell(project, {})

    def _tell(self, project: Project, current: dict[str, tuple[int | None, Any]]) -> None:
        before = self._sent.get(project, {})
        for uri in before.keys() - current.keys():
            if before[uri][1]:
                self._say(uri, None, [])
        for uri, said in current.items():
            if before.get(uri) != said:
                self._say(uri, *said)
        if current:
            self._sent[project] = current
        else:
            self._sent.pop(project, None)

    def _say(self, uri: str, version: int | None, diagnostics: Any) -> None:
        params = {"uri": uri, "diagnostics": diagnostics}
        if version is not None:
            params["version"] = version
        self._send(wire.notification(METHOD, params))
