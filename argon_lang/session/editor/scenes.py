"""The scenario files of a package under edit: the saved ones with the open documents over them, and their mistakes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

from argon_lang.problems import Diagnostic
from argon_lang.workspace.root import Project as Root

FOLDER = "scenarios"


def is_scenario(path: str) -> bool:
    """Whether a relative path is that of a scenario file."""
    place = PurePosixPath(path)
    return place.parent.as_posix() == FOLDER and place.suffix == ".toml"


class Scenes:
    """Texts by relative path. The form of each is looked at once."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._known: dict[str, tuple[str, list[Diagnostic]]] = {}

    def load(self, root: Root, open_: dict[str, str]) -> None:
        """Read what is saved; `open_` are the texts of open documents."""
        folder = root.root / FOLDER
        texts: dict[str, str] = {}
        for place in folder.glob("*.toml") if folder.is_dir() else ():
            try:
                texts[f"{FOLDER}/{place.name}"] = place.read_bytes().decode("utf-8", "replace")
            except OSError:  # gone meanwhile, or a folder of that name
                continue
        self._texts = texts | open_

    def edit(self, path: str, text: str) -> None:
        """A document has another text."""
        self._texts[path] = text

    def text(self, path: str) -> str | None:
        """The text of a scenario file."""
        return self._texts.get(path)

    def diagnostics(self, named: Callable[[str], str]) -> dict[str, list[Diagnostic]]:
        """The mistakes of every file; places call a file as `named` does."""
        return {path: self.diagnostics_of(path, named(path)) for path in self._texts}

    def diagnostics_of(self, path: str, name: str) -> list[Diagnostic]:
        """The mistakes of one file."""
        text = self._texts[path]
        known = self._known.get(path)
        if known is None or known[0] != text:
            # Imported by who needs it: few packages have scenarios.
            from argon_lang.session.scenario_files import mistakes

            known = self._known[path] = text, mistakes(path, text, name)
        return known[1]
