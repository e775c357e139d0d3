"""Which project a document belongs to, and the projects that are open."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from argon_lang.errors import ArgonError
from argon_lang.workspace.manifest import MANIFEST, NAMELESS_MANIFEST
from argon_lang.workspace.root import Project as Root
from argon_lang.workspace.root import find_project
from argon_lsp import convert
from argon_lsp.project import Project
from argon_lsp.std import StdProject, std_file
from argon_lsp.watch import Watcher

log = logging.getLogger("argon.lsp")


@dataclass(frozen=True, slots=True)
class Seat:
    """A document's project, and its path in there."""

    project: Project
    path: str


class Projects:
    """The open projects, by their roots; a lone document is one by its URI.

    `changed` is called, on a watcher's thread, when a project's folder may have changed.
    """

    def __init__(self, changed: Callable[[Project], None]) -> None:
        self._changed = changed
        self._known: dict[str, Project] = {}
        self._watchers: dict[str, Watcher] = {}

    def __iter__(self) -> Iterator[Project]:
        return iter(list(self._known.values()))

    def seat(self, uri: str) -> Seat:
        """Where a document belongs: the package of the nearest `ox.toml`, the nameless one beside it, or itself."""
        path = convert.to_path(uri)
        if path is None:
            return self._lone(uri, uri.rsplit("/", 1)[-1])
        place = Path(path)
        file = std_file(place)
        if file is not None:
            return Seat(self._known.setdefault("std", StdProject()), file)
        root = find_project(start=place.parent)
        if not root.has_manifest and not self._is_nameless_package(root):
            return self._lone(uri, place.name)
        try:
            return Seat(self.open(root), root.relative(path))
        except ArgonError:
            return self._lone(uri, place.name)

    def open(self, root: Root) -> Project:
        """The project of a root, opened on first use."""
        key = str(root.root)
        if key not in self._known:
            project = self._known[key] = Project(root)
            self._watchers[key] = Watcher(root.root, lambda: self._changed(project), recursive=root.has_manifest)
        return self._known[key]

    def open_folder(self, uri: str) -> Project | None:
        """The project of a workspace folder; None when the folder itself is no package."""
        path = convert.to_path(uri)
        if path is None or not (Path(path) / MANIFEST).is_file():
            return None
        return self.open(find_project(path))

    def drop(self, project: Project) -> None:
        """Forget a project that no document and no folder needs any more."""
        for key, known in list(self._known.items()):
            if known is project:
                del self._known[key]
                if key in self._watchers:
                    self._watchers.pop(key).stop()

    def _lone(self, uri: str, name: str) -> Seat:
        name = name if name.endswith(".ar") else f"{name}.ar"
        if uri not in self._known:
            self._known[uri] = Project(None, name)
        return Seat(self._known[uri], name)

    @staticmethod
    def _is_nameless_package(root: Root) -> bool:
        return (root.root / NAMELESS_MANIFEST.package.entry).is_file()
