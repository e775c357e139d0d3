"""One package under check for as long as a server lives: each check re-computes what the change touched.

Inputs come whole (saved files, or an overlay over them); what differs from the last ones is told to the incremental
database. One request works at a time; a request that is cancelled stops at its next question.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import TypeVar

from argon_lang.artifact.decode import stamp
from argon_lang.artifact.encode import encode
from argon_lang.problems import Problem
from argon_lang.queries.database import Cancelled, Database
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.checked import Checked, texts_of
from argon_lang.session.checking import keep, recall
from argon_lang.session.compiler import diagnostics_of, lock_of
from argon_lang.session.locks import TracedLock
from argon_lang.workspace.build import Compiled
from argon_lang.workspace.cache import NO_CACHE, Cache
from argon_lang.workspace.dependencies import Packages
from argon_lang.workspace.sources import Inputs

T = TypeVar("T")
_KEPT = 4
"""Answers remembered by inputs digest: the saved state, and a few overlays that an agent tries."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What was found out about some inputs; `compiled` when it was asked for."""

    checked: Checked
    compiled: Compiled | None = None


class Program:
    """Checks and compiles inputs of one package. Safe to use from many threads.

    What is in `cache` already is not checked again.
    """

    def __init__(self, cache: Cache = NO_CACHE) -> None:
        self._lock = TracedLock("program")
        self._cache = cache
        self._database: Database | None = None
        self._files: dict[str, tuple[str, tuple[Problem, ...]]] = {}
        self._answers: OrderedDict[str, _Answer] = OrderedDict()

    def check(self, inputs: Inputs, cancellation: Cancellation, *, fast: bool = False) -> Checked:
        """Everything that the gates say of the inputs. Raises `ARGON_RUNTIME_CANCELLED`.

        `fast` leaves out the gates over the whole program.
        """
        known = self._answers.get(inputs.digest)
        if known is not None and not fast:
            return known.checked
        with self._lock.held(cancellation):
            return (
                self._checked(inputs, cancellation, gates=False) if fast else self._answer(inputs, cancellation).checked
            )

    def compile(self, inputs: Inputs, cancellation: Cancellation) -> Compiled:
        """Gates, then encoding: a pure function of the inputs. Raises `ARGON_RUNTIME_CANCELLED`."""
        known = self._answers.get(inputs.digest)
        if known is not None and known.compiled is not None:
            return known.compiled
        with self._lock.held(cancellation):
            answer = self._answer(inputs, cancellation)
            compiled = answer.compiled or self._compiled(inputs, answer.checked, cancellation)
            self._keep(inputs.digest, _Answer(answer.checked, compiled))
            return compiled

    def compiler(self, cancellation: Cancellation) -> Callable[[Inputs], Compiled]:
        """`compile` for one request, as `workspace.build` wants it."""
        return lambda inputs: self.compile(inputs, cancellation)

    def _keep(self, digest: str, answer: _Answer) -> _Answer:
        self._answers[digest] = answer
        while len(self._answers) > _KEPT:
            self._answers.popitem(last=False)
        return answer

    # -- under the lock ------------------------------------------------------------------------------------------------

    def _answer(self, inputs: Inputs, cancellation: Cancellation) -> _Answer:
        known = self._answers.get(inputs.digest)
        if known is not None:
            return known
        checked = recall(inputs, self._cache)
        if checked is None:
            begin = time.monotonic()
            checked = self._checked(inputs, cancellation, gates=True)
            keep(checked, self._cache, begin)
        return self._keep(inputs.digest, _Answer(checked))

    def _checked(self, inputs: Inputs, cancellation: Cancellation, *, gates: bool) -> Checked:
        packages, database = self._load(inputs)
        diagnostics = self._asked(database, cancellation, lambda: diagnostics_of(packages, database, gates=gates))
        return Checked(diagnostics, texts_of(inputs), inputs.digest)

    def _compiled(self, inputs: Inputs, checked: Checked, cancellation: Cancellation) -> Compiled:
        if not checked.ok:
            return Compiled(checked.diagnostics)
        packages, database = self._load(inputs)
        module = self._asked(database, cancellation, database.module)
        if module is None:
            return Compiled(checked.diagnostics)
        data = encode(module, inputs.digest)
        lock = self._asked(database, cancellation, lambda: lock_of(packages, database))
        return Compiled(checked.diagnostics, data, stamp(data).module_hash, lock)

    def _load(self, inputs: Inputs) -> tuple[Packages, Database]:
        """Tell the database what differs from the inputs that it has."""
        packages = inputs.packages()
        database = self._opened(packages)
        wanted = {s.file: (s.text, s.problems) for s in inputs.all_sources(packages)}
        for file in self._files.keys() - wanted.keys():
            database.set_file(file, None)
        for file, (text, problems) in wanted.items():
            if self._files.get(file) != (text, problems):
                database.set_file(file, text, problems)
        self._files = wanted
        return packages, database

    def _opened(self, packages: Packages) -> Database:
        """The database of the package; another name makes another one, since files are named after it."""
        package = packages.info
        if self._database is None or self._database.package.name != package.name:
            self._database, self._files = Database(package), {}
        if (self._database.package, self._database.dependencies) != (package, packages.infos):
            self._database.set_package(package, packages.infos)
        return self._database

    def _asked(self, database: Database, cancellation: Cancellation, question: Callable[[], T]) -> T:
        interruption = _Interruption(database)
        with cancellation.then(interruption.happen):
            try:
                return question()
            except Cancelled:
                cancellation.check()
                raise
            finally:
                interruption.over()


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
