"""The incremental database of one package for as long as somebody works on it: told what differs, asked under a flag.

Everything that keeps a package in memory stands on this: the checks of an agent's server and those of an editor's. One
thread at a time may use it. A computation stops at its next question when its `Cancellation` is cancelled, also when
that happened before the computation began; what it found out until then stays remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import TypeVar

from argon_lang.problems import Problem
from argon_lang.queries.collector import collect_again
from argon_lang.queries.database import Cancelled, Database
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.trees import Trees
from argon_lang.workspace.cache import NO_CACHE, Cache
from argon_lang.workspace.dependencies import Packages
from argon_lang.workspace.sources import Source

T = TypeVar("T")


class Incremental:
    """A database and what it was told. `database` is another one after a package came under another name.

    What a text parses to is taken from `cache` where it is known; nothing is put there.
    """

    def __init__(self, database: Database, cache: Cache = NO_CACHE) -> None:
        self.database = database
        self._trees = Trees(cache)
        self._files: dict[str, tuple[str, tuple[Problem, ...]]] = {}

    def load(self, packages: Packages, sources: Iterable[Source], cancellation: Cancellation) -> Database:
        """Hold exactly these sources; only what differs is told. Raises Cancelled between two files.

        After that the next load goes on where this one stopped.
        """
        database = self._opened(packages)
        wanted = {each.file: (each.text, each.problems) for each in sources}
        for file in self._files.keys() - wanted.keys():
            database.set_file(file, None)
            del self._files[file]
        for file, (text, problems) in wanted.items():
            if self._files.get(file) != (text, problems):
                if cancellation():
                    raise Cancelled
                parsed = self._trees.known(text) if file not in self._files else None
                database.set_file(file, text, problems, parsed)
                self._files[file] = text, problems
        return database

    def edit(self, file: str, text: str) -> None:
        """Give one file another text."""
        self.database.set_file(file, text)
        self._files[file] = text, ()

    def ask(self, question: Callable[[], T], cancellation: Cancellation) -> T:
        """What a question of the database answers. Raises Cancelled when the cancellation is, before or meanwhile."""
        interruption = _Interruption(self.database)
        with cancellation.then(interruption.happen):
            try:
                return question()
            finally:
                interruption.over()

    def _opened(self, packages: Packages) -> Database:
        """The database of the package; another name makes another one, since files are named after it."""
        package = packages.info
        if self.database.package.name != package.name:
            self.database, self._files = Database(package), {}
            collect_again()
        if (self.database.package, self.database.dependencies) != (package, packages.infos):
            self.database.set_package(package, packages.infos)
        return self.database


class _Interruption:
    """Cancels what a database computes, at most once, and lets it be asked again afterwards."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._guard = Lock()
        self._happened = False
        self._over = False

    def happen(self) -> None:
        """Make the computation raise `Cancelled`; nothing when it is over."""
        with self._guard:
            if not self._happened and not self._over:
                self._happened = True
                self._database.memory.announce()

    def over(self) -> None:
        """The computation has ended: from now on nothing is interrupted."""
        with self._guard:
            self._over = True
            if self._happened:
                with self._database.memory.changing(announced=True):
                    pass
