"""Random sequences of writes against the reference: rows of every day, deltas, refusals, and earlier transactions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.errors import ArgonError
from argon_lang.ir.module import Fact
from argon_lang.ir.values import Entity
from argon_lang.runtime.options import WriteOptions
from argon_lang.runtime.service import At
from argon_lang.runtime.shown import labels_of
from argon_lang.store.memory import MemoryStore
from argon_lang.store.sqlite import SqliteStore
from tests.runtime.reference import MINUS, PLUS, SOURCE, Reference, plain
from tests.runtime.worlds import World, served

ZERO = datetime(2026, 3, 1, tzinfo=UTC)
TODAY = 9
DAYS = st.sampled_from([0, 4, 6, TODAY, TODAY, 12, 19, 25])
NAMES = ["ada", "bob", "cleo", "dan", "#1.1", "#2.1"]
PEOPLE = st.sampled_from([*NAMES[:4], *NAMES])
FORWARD = [(a, b) for number, a in enumerate(NAMES) for b in NAMES[number + 1 :]]
PAIRS = st.sampled_from([*FORWARD, *FORWARD, *FORWARD[:5], ("bob", "ada"), ("cleo", "cleo"), ("cleo", "ada")])
FIRMS = st.sampled_from(["acme", "bolt"])
SMALL = st.integers(0, 3)
CALLS: dict[str, tuple[st.SearchStrategy[Any], ...]] = {
    "born": (st.integers(20, 110),),
    "meet": (PAIRS, SMALL, DAYS),
    "meet_for": (PAIRS, SMALL, st.sampled_from([0, 4, 9]), st.sampled_from([10, 12, 25])),
    "love": (PAIRS, SMALL),
    "part": (PAIRS, DAYS),
    "unlove": (PEOPLE,),
    "hire": (FIRMS, PEOPLE, DAYS),
    "fire": (FIRMS,),
    "promote": (PEOPLE, st.integers(7, 9)),
    "demote": (PEOPLE, DAYS),
    "remove": (PEOPLE,),
    "older": (st.integers(0, 60),),
    "set_age": (PEOPLE, st.integers(30, 101), DAYS),
    "tag": (PEOPLE, SMALL),
    "retag": (PEOPLE, SMALL),
    "sure": (PEOPLE,),
}
CALL = st.sampled_from(sorted(CALLS)).flatmap(lambda name: st.tuples(st.just(name), st.tuples(*CALLS[name])))
STEPS = st.lists(st.tuples(CALL, st.sampled_from([0, 0, 1, 2])), min_size=4, max_size=10)


def instant(day: int) -> datetime:
    return ZERO + timedelta(days=day)


def day_of(fact: Fact) -> tuple[int, int]:
    start = MINUS if fact.start is None else (fact.start - ZERO).days
    return start, PLUS if fact.end is None else (fact.end - ZERO).days


class Pair:
    """The runtime and the reference, side by side."""

    def __init__(self, store: MemoryStore | SqliteStore) -> None:
        self.world = World(SOURCE, store=store, module=served(SOURCE))
        self.world.clock.instant = instant(TODAY)
        module = self.world.service.served.module
        self.reference = Reference(module, day=TODAY)
        for fact in module.facts:
            self.reference.facts.setdefault((fact.key.removeprefix("pkg::"), fact.row), []).append(day_of(fact))

    def step(self, name: str, given: tuple[Any, ...], passed: int) -> None:
        """One write on both, after some days have passed; then compare everything."""
        self.reference.day += passed
        self.world.clock.instant = instant(self.reference.day)
        kinds = {param.name: param.type for param in self.world.service.served.schema.mutation(name).params}
        wired, meant = [], []
        for value, kind in zip(given, kinds.values(), strict=True):
            is_day, is_person = str(kind).find("Date") >= 0, isinstance(value, str)
            wired.append(instant(value).date().isoformat() if is_day else value)
            meant.append(Entity(value if value.startswith("#") else f"pkg::{value}") if is_person else value)
        before, derived = self.world.state(), self.derived()
        receipt, code = self.attempt(name, wired)
        expected = self.reference.run(name, *meant) if self.fits(name, meant) else {"ARGON_RUNTIME_VALIDATION_FAILED"}
        assert (code in expected) if expected else (code is None), (name, wired, code, expected)
        if receipt is None:
            assert self.world.state() == before
            return
        assert receipt.tx == self.reference.tx == before[1] + 1
        self.compare()
        self.compare_delta(receipt, derived)

    def attempt(self, name: str, given: list[Any]) -> tuple[Any, str | None]:
        """A write's receipt, or the code of its refusal."""
        try:
            return self.world.do(name, *given, options=WriteOptions(include_delta=True)), None
        except ArgonError as error:
            return None, str(error.details.get("code", error.code))

    def fits(self, name: str, given: list[Any]) -> bool:
        """Do the individuals belong to the parameters' types today? Else the call is refused before it begins."""
        state = self.reference.at(self.reference.day)
        types = [param.type for param in self.world.service.served.schema.mutation(name).params]
        return all(
            self.reference.member(state, ty.path.removeprefix("pkg::"), value)  # type: ignore[union-attr]
            for ty, value in zip(types, given, strict=True)
            if isinstance(value, Entity)
        )

    def derived(self) -> dict[str, set[Any]]:
        rows = self.reference.derived(self.reference.day)
        return {key: set(rows.get(key, ())) for key in self.heads()}

    def heads(self) -> list[str]:
        shapes = self.world.service.served.module.predicates
        return [shape.key for shape in shapes if shape.kind in ("derived", "check")]

    def compare(self) -> None:
        for day in (0, 4, 5, self.reference.day, 12, 20, 30):
            self.compare_rows(At(instant(day).isoformat()), self.reference.derived(day))
        if not self.reference.history:
            return
        past = (len(self.reference.history) - 1) // 2
        earlier = Reference(self.reference.module, self.reference.history[past])
        self.compare_rows(At(instant(12).isoformat(), past), earlier.derived(12))

    def compare_rows(self, at: At, expected: dict[str, set[Any]]) -> None:
        _, reading = self.world.service.read(at)
        for shape in self.world.service.served.module.predicates:
            found = {tuple(map(plain, row)) for row in reading.model.rows(shape.key)}
            assert found == expected.get(shape.key, set()), (shape.key, at)

    def compare_delta(self, receipt: Any, before: dict[str, set[Any]]) -> None:
        now = self.derived()
        labels = labels_of(self.world.service.read()[1])
        told = {key: (set(delta.added), set(delta.removed)) for key, delta in receipt.derived_delta.items()}
        changed = {key for key in now if now[key] != before[key]}
        assert set(told) == changed
        for key in changed:
            added = {labels.fact(key, row) for row in now[key] - before[key]}
            removed = {labels.fact(key, row) for row in before[key] - now[key]}
            assert told[key] == (added, removed)


def run(store: MemoryStore | SqliteStore, steps: list[tuple[tuple[str, tuple[Any, ...]], int]]) -> None:
    pair = Pair(store)
    pair.compare()
    for (name, written), passed in steps:
        flat = [part for value in written for part in (value if isinstance(value, tuple) else (value,))]
        pair.step(name, tuple(flat), passed)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(STEPS)
def test_random_writes_in_memory_agree_with_the_reference(steps: list[Any]) -> None:
    run(MemoryStore(), steps)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(STEPS)
def test_random_writes_on_sqlite_agree_with_the_reference(steps: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "store.sqlite3")
        run(store, steps)
        store.close()


@pytest.mark.long
@settings(max_examples=3_000, deadline=None, derandomize=True)
@given(STEPS)
def test_thousands_of_random_writes_agree_with_the_reference(steps: list[Any]) -> None:
    run(MemoryStore(), steps)
