"""The std packages as an editor sees them: installed files that one can read and ask about."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from argon_lang.problems import Diagnostic
from argon_lang.queries.standard import standard
from argon_lsp.project import Project

_PREFIX = "std::"


@cache
def std_folder() -> Path:
    """Where the std packages are installed."""
    return Path(str(resources.files("argon_lang") / "std")).resolve()


def std_path(file: str) -> Path | None:
    """Where a file of the std database (`std::core/root.ar`) is on disk; None for any other file."""
    return std_folder() / file.removeprefix(_PREFIX) if file.startswith(_PREFIX) else None


def std_file(path: Path) -> str | None:
    """The std database's name of a path on disk; None for one outside of std."""
    resolved = path.resolve()
    if not resolved.is_relative_to(std_folder()):
        return None
    return _PREFIX + resolved.relative_to(std_folder()).as_posix()


class StdProject(Project):
    """The std packages. Edits of their files are not looked at, and nothing is said against them."""

    def __init__(self) -> None:
        super().__init__(None)
        self.database = standard()

    def _interrupt(self) -> None:
        """Nothing that is computed here can become stale."""

    def _load(self) -> None:
        """The database is complete from the beginning."""

    def _edit(self, pending: Mapping[str, object]) -> None:
        """The installed text counts, whatever the editor shows."""

    def diagnostics(self) -> Mapping[str, list[Diagnostic]]:
        """None, ever."""
        self.synchronise()
        return {}

    def file(self, path: str) -> str:
        """Paths are the database's names already."""
        return path

    def relative(self, file: str) -> str:
        """The database's names serve as paths."""
        return file

    def path_of(self, file: str) -> Path | None:
        """Where the file is installed."""
        return std_path(file)
