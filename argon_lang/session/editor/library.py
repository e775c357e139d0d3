"""The std packages as an editor sees them: installed files that one can read and ask about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TypeVar

from argon_lang.problems import Diagnostic
from argon_lang.queries.standard import standard
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.editor.edited import Edited
from argon_lang.session.incremental import Incremental

T = TypeVar("T")
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


class Library(Edited):
    """The std packages. The installed texts count, whatever the editor shows, and nothing is said against them."""

    def __init__(self) -> None:
        super().__init__(None)
        self.held = Incremental(standard())

    def ask(self, question: Callable[[], T], stop: Cancellation) -> T:
        """What a question answers. Raises Cancelled when `stop` is cancelled."""
        return self.held.ask(question, stop)

    def diagnostics(self, stop: Cancellation) -> Mapping[str, list[Diagnostic]]:
        """None, ever."""
        return {}

    def first_diagnostics(self, stop: Cancellation) -> None:
        """None, ever."""

    def diagnostics_of(self, file: str) -> list[Diagnostic]:
        """None, ever."""
        return []

    def file(self, path: str) -> str:
        """Paths are the database's names already."""
        return path

    def relative(self, file: str) -> str:
        """The database's names serve as paths."""
        return file

    def path_of(self, file: str) -> Path | None:
        """Where the file is installed."""
        return std_path(file)
