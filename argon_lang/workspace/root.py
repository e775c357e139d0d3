"""Which folder is the project: named by a flag, found upward by its `ox.toml`, or the working folder itself."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args
from argon_lang.workspace.manifest import MANIFEST, NAMELESS_MANIFEST, ManifestReading, read_manifest
from argon_lang.workspace.paths import path_in_project

RootSource = Literal["flag", "manifest", "fallback"]
"""How a root was decided: `--project`, the nearest `ox.toml` upward, or the working folder for want of one."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project's root: an absolute path with its symlinks resolved, and how it was decided."""

    root: Path
    source: RootSource

    @property
    def manifest_path(self) -> Path:
        """Where the manifest is, or would be."""
        return self.root / MANIFEST

    @property
    def has_manifest(self) -> bool:
        """Whether the folder is a package with an `ox.toml`; without one it is a nameless package."""
        return self.manifest_path.is_file()

    @property
    def machine_state(self) -> Path:
        """`.argon`: lock, store, reviews; never committed."""
        return self.root / ".argon"

    def artifact(self, entry: str) -> Path:
        """The artifact that the entry file (relative, with `/`) is built into."""
        return self.root / "target" / f"{Path(entry).stem}.oxbin"

    def relative(self, argument: str, base: Path | None = None) -> str:
        """A path argument of a user, relative to the root; raises ARGON_PATH_OUTSIDE_PROJECT."""
        return path_in_project(argument, root=str(self.root), base=str(base or Path.cwd()))


def find_project(explicit: str | None = None, start: Path | None = None) -> Project:
    """The project of a command: `explicit` if given, else the nearest `ox.toml` from `start` (the working folder) up.

    Raises ArgonError `ARGON_PROJECT_NOT_FOUND` when the explicit one is no folder.
    """
    if explicit is not None:
        root = Path(explicit)
        if not root.is_dir():
            raise ArgonError(
                "ARGON_PROJECT_NOT_FOUND", args(path=explicit), details={"path": explicit}, notes=(Note("project"),)
            )
        return Project(_real(root), "flag")
    here = _real(start or Path.cwd())
    for folder in (here, *here.parents):
        if (folder / MANIFEST).is_file():
            return Project(folder, "manifest")
    return Project(here, "fallback")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def manifest_of(data: bytes | None) -> ManifestReading:
    """What an `ox.toml` says; for a folder without one (None) the nameless package."""
    return ManifestReading(NAMELESS_MANIFEST, "", ()) if data is None else read_manifest(data)
