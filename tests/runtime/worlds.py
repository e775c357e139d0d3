"""Small worlds for the runtime's tests: a program as text, a service over it, a clock that stands still."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from argon_lang.engine.governor import Limits
from argon_lang.queries.snippet import check_files, module_of
from argon_lang.runtime.envelopes import Receipt
from argon_lang.runtime.options import PLAIN, WriteOptions
from argon_lang.runtime.served import Served
from argon_lang.runtime.service import At, RuntimeService
from argon_lang.store.memory import MemoryStore
from argon_lang.store.protocol import Store

START = datetime(2026, 3, 10, 12, tzinfo=UTC)


@dataclass
class Clock:
    """Says `instant` until it is moved."""

    instant: datetime = START

    def __call__(self) -> datetime:
        return self.instant

    def advance(self, **by: float) -> None:
        """Move by a timedelta's parts."""
        self.instant += timedelta(**by)


@lru_cache(maxsize=64)
def served(source: str) -> Served:
    """A program, served under a hash of its own text; the same one for equal texts."""
    module = module_of({"root.ar": source})
    assert module is not None, [f"{each.code} {each.message}" for each in check_files({"root.ar": source})]
    return Served.of(module, hashlib.sha256(source.encode()).hexdigest())


@dataclass
class World:
    """A service over a program, with the questions that tests ask most, in short."""

    source: str
    clock: Clock = field(default_factory=Clock)
    store: Store = field(default_factory=MemoryStore)
    limits: Limits = field(default_factory=Limits)
    module: Served | None = None

    def __post_init__(self) -> None:
        self.service = RuntimeService(
            self.module or served(self.source), self.store, clock=self.clock, limits=self.limits, principal="user:eve"
        )

    def do(self, name: str, *given: Any, options: WriteOptions = PLAIN) -> Receipt:
        """Run a mutation."""
        return self.service.mutate(name, given, options)

    def rows(self, head: str, **at: Any) -> list[list[Any]]:
        """The rows of a head, values in short."""
        return [[short(value) for value in row.values] for row in self.service.derive(head, At(**at)).rows]

    def ask(self, name: str, *given: Any) -> list[list[Any]]:
        """The rows of a query, values in short."""
        return [[short(value) for value in row.values] for row in self.service.query(name, given).rows]

    def state(self) -> tuple[Any, ...]:
        """Everything that a refused write must leave alone: generation, head, log, records."""
        snapshot = self.store.snapshot()
        return snapshot.generation, snapshot.head, tuple(snapshot.log()), tuple(snapshot.records())


def short(value: Any) -> Any:
    """A wire value as a test writes it: an individual's last name, a number's text."""
    match value:
        case {"entity": id_, **_rest}:
            return id_.rsplit("::", 1)[-1]
        case {"enum": path}:
            return path.rsplit("::", 1)[-1]
        case {"struct": _, "fields": fields}:
            return {name: short(part) for name, part in fields.items()}
        case {"tuple": path, "ends": ends}:
            return (path.rsplit("::", 1)[-1], *map(short, ends))
        case dict() if len(value) == 1:
            return next(iter(value.values()))
        case list():
            return [short(part) for part in value]
        case _:
            return value


def facts(events: Sequence[Any]) -> list[str]:
    """Events as signed facts."""
    return [f"{'+' if event.op == 'assert' else '-'}{event.fact}" for event in events]


def refusal(error: Any) -> str:
    """The code that a refused write names: the gate's own, or the run-time code."""
    return str(error.value.details.get("code", error.value.code))
