"""One package under check for as long as a server lives: each check re-computes what the change touched.

Inputs come whole (saved files, or an overlay over them); what differs from the last ones is told to the incremental
database. One request works at a time; a request that is cancelled stops at its next question.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from argon_lang.artifact.decode import stamp
from argon_lang.artifact.encode import encode
from argon_lang.queries.database import Cancelled, Database
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.checked import Checked, texts_of
from argon_lang.session.checking import keep, recall
from argon_lang.session.compiler import diagnostics_of, lock_of
from argon_lang.session.incremental import Incremental
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
        self._held: Incremental | None = None
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

    def ask(self, inputs: Inputs, cancellation: Cancellation, question: Callable[[Packages, Database], T]) -> T:
        """What a question about the inputs answers. Raises `ARGON_RUNTIME_CANCELLED`."""
        with self._lock.held(cancellation):
            packages, database = self._load(inputs, cancellation)
            return self._asked(lambda: question(packages, database), cancellation)

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
        packages, database = self._load(inputs, cancellation)
        diagnostics = self._asked(lambda: diagnostics_of(packages, database, gates=gates), cancellation)
        return Checked(diagnostics, texts_of(inputs), inputs.digest)

    def _compiled(self, inputs: Inputs, checked: Checked, cancellation: Cancellation) -> Compiled:
        if not checked.ok:
            return Compiled(checked.diagnostics)
        packages, database = self._load(inputs, cancellation)
        module = self._asked(database.module, cancellation)
        if module is None:
            return Compiled(checked.diagnostics)
        data = encode(module, inputs.digest)
        lock = self._asked(lambda: lock_of(packages, database), cancellation)
        return Compiled(checked.diagnostics, data, stamp(data).module_hash, lock)

    def _load(self, inputs: Inputs, cancellation: Cancellation) -> tuple[Packages, Database]:
        packages = inputs.packages()
        held = self._held = self._held or Incremental(Database(packages.info), self._cache)
        with _refusing(cancellation):
            return packages, held.load(packages, inputs.all_sources(packages), cancellation)

    def _asked(self, question: Callable[[], T], cancellation: Cancellation) -> T:
        if self._held is None:
            raise RuntimeError("asked before anything was loaded")
        with _refusing(cancellation):
            return self._held.ask(question, cancellation)


@contextmanager
def _refusing(cancellation: Cancellation) -> Iterator[None]:
    """Turns the end of a cancelled computation into `ARGON_RUNTIME_CANCELLED`."""
    try:
        yield
    except Cancelled:
        cancellation.check()
        raise
