"""One package under edit: saved files with the open documents over them, and the database that answers from both.

The event loop tells what changed (`edited`, `closed`, `disk_changed`): that costs nothing and cancels whatever is being
computed. The worker asks: before each question `synchronise` brings everything told so far into the database, so that
one revision covers any number of keystrokes.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeVar

from argon_lang.errors import ArgonError
from argon_lang.problems import Diagnostic, Problem
from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Cancelled, Database
from argon_lang.queries.publish import Origin, publish
from argon_lang.workspace.dependencies import Packages, found_by_checking
from argon_lang.workspace.manifest import MANIFEST, NAMELESS_MANIFEST, ManifestReading, package_info
from argon_lang.workspace.root import Project as Root
from argon_lang.workspace.sources import InputMemo, Source, read_inputs

T = TypeVar("T")

_SYNTAX_OF_MANIFEST = "OE1243"
_SWEEP_EVERY = 64

log = logging.getLogger("argon.lsp")


class Stale(Exception):
    """The document that a question was about has been edited since."""


@dataclass(frozen=True, slots=True)
class OpenText:
    """An open document as the client had it at one version."""

    uri: str
    version: int
    text: str


class Project:
    """A package: `root` with its files, or without a root one lone document (`entry`).

    While an `ox.toml` is no TOML, the package is what it was before: one slip there must not fill every file with
    errors that follow from it.
    """

    def __init__(self, root: Root | None, entry: str = "") -> None:
        self.root = root
        self.due = False
        self._entry = entry
        self._guard = Lock()
        self._pending: dict[str, OpenText | None] = {}
        self._reload = True
        self._announced: Database | None = None
        self._memo = InputMemo()
        self._manifest = ManifestReading(NAMELESS_MANIFEST, "", ())
        self._good: Packages | None = None
        self._overlay: dict[str, OpenText] = {}
        self._checks = 0
        self.database = Database(_lone(entry))

    # -- told by the event loop ----------------------------------------------------------------------------------------

    def edited(self, path: str, document: OpenText) -> None:
        """A document was opened or edited; `path` is relative to the root."""
        with self._guard:
            self._pending[path] = document
            self._interrupt()

    def closed(self, path: str) -> None:
        """A document was closed: its saved text counts again."""
        with self._guard:
            self._pending[path] = None
            self._interrupt()

    def disk_changed(self) -> None:
        """Something below the root may have changed on disk."""
        with self._guard:
            self._reload = True
            self._interrupt()

    def interrupt(self) -> None:
        """Stop what is being computed; it may be asked again at once."""
        with self._guard:
            self._interrupt()

    def _interrupt(self) -> None:
        if self._announced is None:
            self._announced = self.database
            self.database.memory.announce()

    # -- asked by the worker -------------------------------------------------------------------------------------------

    def ask(self, path: str, version: int | None, answer: Callable[[], T], cancelled: Callable[[], bool]) -> T:
        """`answer()` for the version of a document that the question was about.

        Raises Stale when the document has been edited since, and Cancelled when nobody waits for the answer.
        """
        while True:
            self.synchronise()
            if cancelled():
                raise Cancelled
            known = self._overlay.get(path)
            if version is not None and (known is None or known.version != version):
                raise Stale
            try:
                return answer()
            except Cancelled:
                continue

    def diagnostics(self) -> Mapping[str, list[Diagnostic]]:
        """Everything wrong with the package, by relative path; an entry for every file. Raises Cancelled.

        Of a lone document that was closed nothing is said.
        """
        self.synchronise()
        if self.root is None and not self._overlay:
            return {}
        db = self.database
        found: dict[str, list[Diagnostic]] = {self.relative(file): [] for file in db.files_of(db.package)}
        found[MANIFEST] = self._manifest_diagnostics()
        for each in db.diagnostics():
            found.setdefault(self.relative(each.location.file), []).append(each)
        self._checks += 1
        if self._checks % _SWEEP_EVERY == 0:
            db.memory.sweep()
        return found

    def diagnostics_of(self, file: str) -> list[Diagnostic]:
        """Everything wrong with one file, in the revision that is being asked. Raises Cancelled."""
        if self.relative(file) == MANIFEST:
            return self._manifest_diagnostics()
        return list(self.database.diagnostics(file))

    def _manifest_diagnostics(self) -> list[Diagnostic]:
        lints, origin = dict(self.database.package.lints), Origin(self.file(MANIFEST), 0)
        good = self._good
        problems = self._manifest.problems if good is None or _is_broken(self._manifest) else self._problems(good)
        published = [publish(each, origin, lambda _: None, lints) for each in problems]
        return [each for each in published if each is not None]

    def _problems(self, packages: Packages) -> tuple[Problem, ...]:
        """What is wrong in `ox.toml`, and with the packages that it names."""
        return (*packages.problems, *found_by_checking(packages, self.database))

    def synchronise(self) -> None:
        """Bring everything that was told so far into the database."""
        with self._guard:
            pending, self._pending = self._pending, {}
            reload, self._reload = self._reload, False
            announced, self._announced = self._announced, None
        try:
            reload = self._take(pending) or reload
            if reload:
                self._load()
            else:
                self._edit(pending)
        finally:
            if announced is not None:
                with announced.memory.changing(announced=True):
                    pass

    def _take(self, pending: Mapping[str, OpenText | None]) -> bool:
        """Bring documents into the overlay; whether the saved inputs have to be read again."""
        reload = False
        for path, document in pending.items():
            reload = reload or document is None or path not in self._overlay or path == MANIFEST
            if document is None:
                self._overlay.pop(path, None)
            else:
                self._overlay[path] = document
        return reload

    def _edit(self, pending: Mapping[str, OpenText | None]) -> None:
        for path, document in pending.items():
            if document is not None and path.endswith(".ar"):
                self.database.set_file(self.file(path), document.text)

    def _load(self) -> None:
        """Read manifest and sources. A root that has gone or cannot be read leaves what is known, edits included."""
        overlay = {path: document.text for path, document in self._overlay.items()}
        if self.root is None:
            lone = Packages(self.database.package, self._manifest)
            self._fill(lone, [Source(path, path, text, ()) for path, text in overlay.items()])
            return
        if not self.root.root.is_dir():
            log.warning("%s is gone; going on with what was read before", self.root.root)
            self._edit(self._overlay)
            return
        try:
            inputs = read_inputs(self.root, overlay=overlay, memo=self._memo)
        except ArgonError as error:
            log.warning("the sources cannot be read: %s", error)
            self._edit(self._overlay)
            return
        self._manifest = inputs.manifest()
        if self._good is None or not _is_broken(self._manifest):
            self._good = inputs.packages()
        self._fill(self._good, inputs.all_sources(self._good))

    def _fill(self, packages: Packages, sources: tuple[Source, ...] | list[Source]) -> None:
        """Make the database hold exactly these sources. Another package name is another database."""
        package = packages.info
        if package.name != self.database.package.name:
            with self._guard:
                self.database = Database(package)
                self._announced = None
        if (self.database.package, self.database.dependencies) != (package, packages.infos):
            self.database.set_package(package, packages.infos)
        for gone in self.database.files() - {each.file for each in sources}:
            self.database.set_file(gone, None)
        for each in sources:
            self.database.set_file(each.file, each.text, each.problems)

    # -- names of files ------------------------------------------------------------------------------------------------

    def file(self, path: str) -> str:
        """The database's name of a relative path."""
        name = self.database.package.name
        return f"{name}/{path}" if name else path

    def relative(self, file: str) -> str:
        """The relative path of one of the database's files."""
        if self._good is not None and not file.endswith(MANIFEST):
            return self._good.relative(file)
        name = self.database.package.name
        return file.removeprefix(f"{name}/") if name else file

    def document(self, path: str) -> OpenText | None:
        """The open document of a path, as the database has it."""
        return self._overlay.get(path)

    def text(self, file: str) -> str | None:
        """The text of a file of the database, of std, or of the manifest."""
        if self.relative(file) == MANIFEST:
            return self._manifest.text
        return self.database.text(file)

    def path_of(self, file: str) -> Path | None:
        """Where a file of the package is on disk; None without a root."""
        if self.root is None:
            return None
        # The path of a dependency leads out of the root.
        return Path(os.path.normpath(self.root.root / self.relative(file)))


def _lone(entry: str) -> PackageInfo:
    package = package_info(NAMELESS_MANIFEST)
    return PackageInfo(package.name, entry=entry or package.entry, prelude=package.prelude)


def _is_broken(reading: ManifestReading) -> bool:
    """Whether nothing of a manifest counts, since it is no TOML."""
    return any(each.code == _SYNTAX_OF_MANIFEST for each in reading.problems)
