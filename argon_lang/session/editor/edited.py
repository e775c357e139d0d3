"""One package under edit: saved files with the open documents over them, and the database that answers from both.

Used by one thread alone. `put`, `remove` and `reread` only note what is different; before each question everything
noted so far is brought into the database, so that one revision covers any number of keystrokes.
"""

from __future__ import annotations

import logging
import os
import time
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from argon_lang.errors import ArgonError
from argon_lang.problems import Diagnostic, Problem
from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Database
from argon_lang.queries.publish import Origin, publish
from argon_lang.queries.snippet import renamed
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.checked import Checked
from argon_lang.session.checking import keep, recall
from argon_lang.session.editor.scenes import Scenes, is_scenario
from argon_lang.session.incremental import Incremental
from argon_lang.workspace.cache import Cache, user_cache
from argon_lang.workspace.dependencies import Packages, found_by_checking
from argon_lang.workspace.manifest import MANIFEST, NAMELESS_MANIFEST, ManifestReading, package_info
from argon_lang.workspace.root import Project as Root
from argon_lang.workspace.sources import InputMemo, Inputs, Source, read_inputs

T = TypeVar("T")

_SYNTAX_OF_MANIFEST = "OE1243"
_UNDECIDED = "OW1357"
"""Said where a check took too long: another machine may say something else of the same texts."""
LARGE = 300
"""Items: a package of so many is checked in steps the first time, since its gates take as long as all before them."""

log = logging.getLogger("argon.session")


@dataclass(frozen=True, slots=True)
class OpenText:
    """An open document as the client had it: what the client calls it, the client's version, the text."""

    name: str
    version: int
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What an editor shows of a document at a version: what was asked, and a digest of what was answered."""

    version: int
    given: Mapping[str, Any]
    digest: str


class Edited:
    """A package: `root` with its files, or without a root one lone document (`entry`).

    While an `ox.toml` is no TOML, the package is what it was before: one slip there must not fill every file with
    errors that follow from it. A root that has gone or cannot be read leaves what is known, edits included.
    """

    def __init__(self, root: Root | None, entry: str = "", cache: Cache | None = None) -> None:
        self.root = root
        self._cache = user_cache() if cache is None else cache
        self.held = Incremental(Database(_lone(entry)), self._cache)
        self.painted: dict[str, tuple[str, array[int]]] = {}
        self.shown: dict[tuple[str, str], Shown] = {}
        self._scenes = Scenes()
        self._open: dict[str, OpenText] = {}
        self._touched: set[str] = set()
        self._reload = True
        self._memo = InputMemo()
        self._manifest = ManifestReading(NAMELESS_MANIFEST, "", ())
        self._good: Packages | None = None
        self._inputs: Inputs | None = None

    @property
    def database(self) -> Database:
        """The program at the revision of the last question."""
        return self.held.database

    # -- what is different ---------------------------------------------------------------------------------------------

    def put(self, path: str, document: OpenText) -> None:
        """A document was opened or edited; `path` is relative to the root."""
        self._reload = self._reload or path not in self._open or path == MANIFEST
        self._open[path] = document
        self._touched.add(path)

    def remove(self, path: str) -> None:
        """A document was closed: its saved text counts again."""
        self._reload = True
        self._open.pop(path, None)
        self.painted.pop(self.file(path), None)
        self.shown = {key: each for key, each in self.shown.items() if key[1] != path}

    def reread(self) -> None:
        """Something on disk may be different."""
        self._reload = True

    def document(self, path: str) -> OpenText | None:
        """The open document of a path."""
        return self._open.get(path)

    # -- questions -----------------------------------------------------------------------------------------------------

    def ask(self, question: Callable[[], T], stop: Cancellation) -> T:
        """What a question answers at this revision. Raises Cancelled when `stop` is cancelled."""
        self._bring(stop)
        return self.held.ask(question, stop)

    def diagnostics(self, stop: Cancellation) -> Mapping[str, list[Diagnostic]]:
        """Everything wrong with the package, by relative path; an entry for every file. Raises Cancelled.

        Of a lone document that was closed nothing is said.
        """
        begin = time.monotonic()
        found = self.ask(self._diagnostics, stop) if self.root is not None or self._open else {}
        self._keep(found, begin)
        return {**found, **self._scenes.diagnostics(self.file)}

    def first_diagnostics(self, stop: Cancellation) -> Mapping[str, list[Diagnostic]] | None:
        """What can be told of a large package before all of it is checked, by relative path. Raises Cancelled.

        Everything, where it was found out about the same texts before; else what the open documents say of themselves,
        which is part of everything that is wrong with them. None of a small package, which is checked as quickly.
        """
        return self.ask(self._first, stop) if self.root is not None or self._open else None

    def diagnostics_of(self, file: str) -> list[Diagnostic]:
        """Everything wrong with one file; to be called inside of a question."""
        path = self.relative(file)
        if path == MANIFEST:
            return self._manifest_diagnostics()
        if self._scenes.text(path) is not None:
            return self._scenes.diagnostics_of(path, file)
        return list(self.database.diagnostics(file))

    def _diagnostics(self) -> Mapping[str, list[Diagnostic]]:
        return self._by_path(self._manifest_diagnostics(), self.database.diagnostics())

    def _by_path(self, *found: Iterable[Diagnostic]) -> Mapping[str, list[Diagnostic]]:
        """Diagnostics by relative path; an entry for every file of the package, and for the manifest."""
        db = self.database
        listed: dict[str, list[Diagnostic]] = {self.relative(file): [] for file in db.files_of(db.package)}
        listed[MANIFEST] = []
        for each in chain(*found):
            listed.setdefault(self.relative(each.location.file), []).append(each)
        return listed

    def _first(self) -> Mapping[str, list[Diagnostic]] | None:
        db = self.database
        if sum(len(db.shapes(file)) for file in db.files()) < LARGE:
            return None
        known = recall(self._inputs, self._cache) if self._inputs is not None else None
        if known is not None:
            return self._by_path(renamed(each, self._named) for each in known.diagnostics)
        own = [path for path in self._open if self.file(path) in db.files()]
        return {path: list(db.own_diagnostics(self.file(path))) for path in own}

    def _named(self, path: str) -> str:
        """The database's name of a file in the answer of a check, where std's files keep theirs."""
        return path if path.startswith("std::") else self.file(path)

    def _keep(self, found: Mapping[str, list[Diagnostic]], begin: float) -> None:
        """Keep the answer of a check that began at `begin`, in the order of a check."""
        inputs, self._inputs = self._inputs, None
        paths = (MANIFEST, *sorted(found.keys() - {MANIFEST}))
        listed = tuple(renamed(each, self.relative) for path in paths for each in found.get(path, ()))
        if inputs is not None and not any(each.code == _UNDECIDED for each in listed):
            keep(Checked(listed, {}, inputs.digest), self._cache, begin)

    def _manifest_diagnostics(self) -> list[Diagnostic]:
        lints, origin = dict(self.database.package.lints), Origin(self.file(MANIFEST), 0)
        good = self._good
        problems = self._manifest.problems if good is None or _is_broken(self._manifest) else self._problems(good)
        published = [publish(each, origin, lambda _: None, lints) for each in problems]
        return [each for each in published if each is not None]

    def _problems(self, packages: Packages) -> tuple[Problem, ...]:
        """What is wrong in `ox.toml`, and with the packages that it names."""
        return (*packages.problems, *found_by_checking(packages, self.database))

    # -- up to date ----------------------------------------------------------------------------------------------------

    def _bring(self, stop: Cancellation) -> None:
        """Bring everything that was noted into the database. Raises Cancelled; then the rest is brought next time."""
        if self._reload:
            self._load(stop)
            self._reload = False
        else:
            self._edit(self._touched)
        self._touched.clear()

    def _edit(self, paths: set[str]) -> None:
        self._inputs = None if paths else self._inputs
        for path in paths:
            if path.endswith(".ar"):
                self.held.edit(self.file(path), self._open[path].text)
            elif is_scenario(path):
                self._scenes.edit(path, self._open[path].text)

    def _load(self, stop: Cancellation) -> None:
        """Read manifest and sources."""
        self._inputs = None
        texts = {path: document.text for path, document in self._open.items()}
        if self.root is None:
            lone = Packages(self.database.package, self._manifest)
            self.held.load(lone, [Source(path, path, text, ()) for path, text in texts.items()], stop)
            return
        if not self.root.root.is_dir():
            log.warning("%s is gone; going on with what was read before", self.root.root)
            self._edit(set(self._open))
            return
        self._scenes.load(self.root, {path: texts.pop(path) for path in list(texts) if is_scenario(path)})
        try:
            inputs = read_inputs(self.root, overlay=texts, memo=self._memo)
        except ArgonError as error:
            log.warning("the sources cannot be read: %s", error)
            self._edit(set(self._open))
            return
        self._manifest = inputs.manifest()
        if self._good is None or not _is_broken(self._manifest):
            self._good = inputs.packages()
        self.held.load(self._good, inputs.all_sources(self._good), stop)
        if not self._good.dependencies and not _is_broken(self._manifest):
            self._inputs = inputs

    # -- names of files ------------------------------------------------------------------------------------------------

    def file(self, path: str) -> str:
        """The database's name of a relative path."""
        name = self.database.package.name
        return f"{name}/{path}" if name else path

    def relative(self, file: str) -> str:
        """The relative path of one of the database's files."""
        if self._good is not None and not file.endswith(".toml"):
            return self._good.relative(file)
        name = self.database.package.name
        return file.removeprefix(f"{name}/") if name else file

    def text(self, file: str) -> str | None:
        """The text of a file of the database, of std, or of the manifest."""
        path = self.relative(file)
        if path == MANIFEST:
            return self._manifest.text
        return self._scenes.text(path) if is_scenario(path) else self.database.text(file)

    def artifact(self) -> Path | None:
        """The package's artifact; None when none was built."""
        if self.root is None:
            return None
        found = self.root.artifact(self._manifest.manifest.package.entry)
        return found if found.is_file() else None

    def unsaved(self) -> list[str]:
        """The relative paths of open documents whose text is not that of the disk."""
        return sorted(path for path, each in self._open.items() if not self._is_saved(path, each))

    def _is_saved(self, path: str, document: OpenText) -> bool:
        place = self.path_of(self.file(path))
        try:
            return place is not None and place.read_bytes() == document.text.encode("utf-8", "surrogatepass")
        except OSError:
            return False

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
