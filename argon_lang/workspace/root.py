"""Which folder is the project: named by a flag, found upward by its `ox.toml`, or the working folder itself.

A flag may also name a member of the workspace that one is in: `argon check --project lease`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args
from argon_lang.workspace.manifest import MANIFEST, NAMELESS_MANIFEST, Manifest, ManifestReading, read_manifest
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

    `explicit` is a folder, or the name of a member of the workspace around `start`. Raises ArgonError
    `ARGON_PROJECT_NOT_FOUND` when it is neither.
    """
    here = _real(start or Path.cwd())
    above = next((folder for folder in (here, *here.parents) if (folder / MANIFEST).is_file()), None)
    if explicit is not None:
        return _named(explicit, above)
    return Project(above, "manifest") if above is not None else Project(here, "fallback")


def _named(explicit: str, above: Path | None) -> Project:
    root = Path(explicit)
    if root.is_dir():
        return Project(_real(root), "flag")
    known = members(above) if above is not None else {}
    if explicit in known:
        return Project(_real(known[explicit]), "flag")
    notes = [Note("members", args(candidates=", ".join(known)))] if known else []
    details = {"path": explicit, "candidates": list(known)}
    raise ArgonError("ARGON_PROJECT_NOT_FOUND", args(path=explicit), details=details, notes=(Note("project"), *notes))


def members(root: Path) -> dict[str, Path]:
    """The packages of a workspace by name: the folders with an `ox.toml` that `[workspace] members` matches."""
    patterns = _saved_manifest(root).workspace.members
    folders = {folder for pattern in patterns for folder in root.glob(pattern) if (folder / MANIFEST).is_file()}
    named = [(_saved_manifest(folder).package.name, folder) for folder in folders]
    return {name: folder for name, folder in sorted(named, reverse=True) if name}


def _saved_manifest(folder: Path) -> Manifest:
    """What the `ox.toml` of a folder says; one that cannot be read says nothing."""
    try:
        return manifest_of((folder / MANIFEST).read_bytes()).manifest
    except OSError:
        return NAMELESS_MANIFEST


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def manifest_of(data: bytes | None) -> ManifestReading:
    """What an `ox.toml` says; for a folder without one (None) the nameless package."""
    return ManifestReading(NAMELESS_MANIFEST, "", ()) if data is None else read_manifest(data)
