"""Which package a document belongs to, and the packages that are open."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from argon_lang.errors import ArgonError
from argon_lang.session.editor.edited import Edited
from argon_lang.session.editor.library import Library, std_file
from argon_lang.session.watch import Watcher
from argon_lang.workspace.manifest import MANIFEST, NAMELESS_MANIFEST
from argon_lang.workspace.root import Project as Root
from argon_lang.workspace.root import find_project


@dataclass(frozen=True, slots=True)
class Seat:
    """A document's package, and its path in there."""

    package: Edited
    path: str


class Seats:
    """The open packages, by their roots; a lone document is one by its name.

    `changed` is called, on a watcher's thread, when a package's folder may have changed.
    """

    def __init__(self, changed: Callable[[Edited], None]) -> None:
        self._changed = changed
        self._known: dict[str, Edited] = {}
        self._watchers: dict[str, Watcher] = {}

    def __iter__(self) -> Iterator[Edited]:
        return iter(list(self._known.values()))

    def __contains__(self, package: object) -> bool:
        return any(known is package for known in self._known.values())

    def of(self, name: str, path: str | None) -> Seat:
        """Where a document belongs: the package of the nearest `ox.toml`, the nameless one beside it, or itself.

        `path` is where it is on disk, or would be; None for one that has no such place.
        """
        if path is None:
            return self._lone(name, name.rsplit("/", 1)[-1])
        place = Path(path)
        file = std_file(place)
        if file is not None:
            return Seat(self._known.setdefault("std", Library()), file)
        root = find_project(start=place.parent)
        if not root.has_manifest and not _is_nameless_package(root):
            return self._lone(name, place.name)
        try:
            return Seat(self._open(root), root.relative(path))
        except ArgonError:
            return self._lone(name, place.name)

    def open_folder(self, path: str) -> Edited | None:
        """The package of a folder, opened on first use; None when the folder itself is none."""
        return self._open(find_project(path)) if (Path(path) / MANIFEST).is_file() else None

    def known(self, path: str) -> Edited | None:
        """The open package of a folder, which may have gone meanwhile; None when none is open."""
        return self._known.get(os.path.realpath(path))

    def drop(self, package: Edited) -> None:
        """Forget a package that no document and no folder needs any more."""
        for key, known in list(self._known.items()):
            if known is package:
                del self._known[key]
                if key in self._watchers:
                    self._watchers.pop(key).stop()

    def _open(self, root: Root) -> Edited:
        key = str(root.root)
        if key not in self._known:
            package = self._known[key] = Edited(root)
            self._watchers[key] = Watcher(root.root, lambda: self._changed(package), recursive=root.has_manifest)
        return self._known[key]

    def _lone(self, name: str, file: str) -> Seat:
        file = file if file.endswith(".ar") else f"{file}.ar"
        if name not in self._known:
            self._known[name] = Edited(None, file)
        return Seat(self._known[name], file)


def _is_nameless_package(root: Root) -> bool:
    return (root.root / NAMELESS_MANIFEST.package.entry).is_file()
