"""Suggestions (semantics S6.5): the smallest changes of base facts that make a fact derivable, each one tried.

Proposals (`argon_lang.runtime.remedies`) are made on a throw-away copy of the state, one transaction each that is never
committed: those of one change first, then on the states that these lead to, those of two, then of three. What derives
the fact there is written as a text of the language, compiled as any text of a caller's is, and run once more through
all gates and the check guard. Nothing that does not work is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from argon_lang.engine.governor import Governor
from argon_lang.engine.order import SortKey
from argon_lang.errors import ArgonError
from argon_lang.ir.module import Mutation
from argon_lang.runtime.changes import Change, Unwritable, literal, statement, text_of
from argon_lang.runtime.envelopes import Violation
from argon_lang.runtime.facts import Goal, read_goal
from argon_lang.runtime.options import SHALLOW
from argon_lang.runtime.plans import REFUSALS, Single
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.remedies import Changes, Remedies
from argon_lang.runtime.reports import violation_form
from argon_lang.runtime.shown import Labels, as_of, labels_of
from argon_lang.runtime.statements import run
from argon_lang.runtime.transact import perform
from argon_lang.runtime.wires import Suggestion, Suggestions
from argon_lang.runtime.work import GateRefusal, Work
from argon_lang.store.memory import MemoryStore
from argon_lang.store.protocol import Reader, WriteTransaction

Compile = Callable[[str], Mutation]
"""A text of statements, or of one `mutate`, as the front end reads it. Raises ArgonError for one that is refused."""
MOST_CHANGES = 3
_STATES = 400
_CANDIDATES = 12
_SHARE = 0.2
_DOMAIN = ("ARGON_RUNTIME_ARITHMETIC", "ARGON_RUNTIME_DERIVE_FAILED", "ARGON_RUNTIME_VALIDATION_FAILED")


def suggestions(
    reader: Reader, reading: Reading, fact: str, most: int, compiled: Compile, governor: Governor
) -> Suggestions:
    """The changes that make a fact derivable, at most `most` sets of them; none when it holds already.

    Raises as `read_goal` does, and the governor's refusals.
    """
    goal = read_goal(reading, fact)
    derived = reading.model.holds(goal.key, goal.row)
    search = _Search(reading, goal, _copy(reader), compiled, governor)
    found: list[Suggestion] = []
    for size in range(1, MOST_CHANGES + 1 if not derived else 1):
        found += search.of_size(size, most)
        if any(each.accepted for each in found):
            break
    found.sort(key=lambda each: (each.size, not each.accepted, each.source))
    return Suggestions(
        fact=labels_of(reading).fact(goal.key, goal.row),
        derived=derived,
        suggestions=found[:most],
        tried=search.tried,
        complete=search.complete,
        module_hash=reading.served.module_hash,
        store_id=str(reader.store_id),
        generation=reader.generation,
        view=reading.point.view,
        as_of=as_of(reading),
    )


def _copy(reader: Reader) -> MemoryStore:
    """The state in memory, to be tried on and thrown away; the store itself is left alone."""
    store = MemoryStore(random=bytes)
    for transaction in reader.transactions():
        with store.write(transaction.instant) as writer:
            writer.replay(transaction.events)
            writer.set_module_hash(transaction.module_hash)
            writer.commit()
    return store


@dataclass
class _Search:
    """One search. `insufficient` are the sets of changes that were made and did not suffice, by size."""

    reading: Reading
    goal: Goal
    store: MemoryStore
    compiled: Compile
    governor: Governor
    tried: int = 0
    complete: bool = True
    working: list[Changes] = field(default_factory=list)
    insufficient: dict[int, list[Changes]] = field(default_factory=dict)
    _seen: set[Changes] = field(default_factory=set)

    def __post_init__(self) -> None:
        """The time begins to run."""
        self.started = self.governor.check()

    def of_size(self, size: int, most: int) -> Iterator[Suggestion]:
        """What works with so many changes and with no fewer of the same, by its text; `most` that are accepted."""
        sufficient = list[Changes]()
        for changes in self._proposed(size):
            if self.tried >= _STATES or len(sufficient) >= _CANDIDATES or self._late():
                self.complete = False
                break
            self.tried += 1
            after = self._after(changes)
            if after is None:
                continue
            if self._holds(after):
                least = self._shrunk(changes)
                if least not in sufficient:
                    sufficient.append(least)
            else:
                self.insufficient.setdefault(size, []).append(changes)
        self.working += sufficient
        labels, accepted = labels_of(self.reading), 0
        for changes in sorted(sufficient, key=lambda each: _written(labels, each))[:_CANDIDATES]:
            suggestion = self._verified(changes) if accepted < most else None
            if suggestion is not None:
                accepted += suggestion.accepted
                yield suggestion

    def _late(self) -> bool:
        """Is the part of the request's time used up that looking for more may take?"""
        return (self.governor.check() - self.started) * 1000 > self.governor.limits.timeout_ms * _SHARE

    def _proposed(self, size: int) -> Iterator[Changes]:
        """Sets of `size` changes that contain none that works: what is proposed in each smaller state, on top of it."""
        for smaller in range(size):
            for known in self.insufficient.get(smaller, [frozenset()] if smaller == 0 else []):
                if self._late():
                    self.complete = False
                    return
                state = self._after(known) if known else self.reading
                if state is None:
                    continue
                remedies = Remedies(state)
                for more in remedies.for_goal(self.goal.key, self.goal.row, size - smaller):
                    changes = known | more
                    if len(changes) != size or changes in self._seen or any(each <= changes for each in self.working):
                        continue
                    self._seen.add(changes)
                    yield changes
                self.complete = self.complete and not remedies.cut

    def _holds(self, after: Reading | None) -> bool:
        return after is not None and after.model.holds(self.goal.key, self.goal.row)

    def _shrunk(self, changes: Changes) -> Changes:
        """Those of the changes that are needed."""
        for each in sorted(changes, key=_one):
            fewer = changes - {each}
            if fewer and self._holds(self._after(fewer)):
                return self._shrunk(fewer)
        return changes

    def _work(self, writer: WriteTransaction) -> Work:
        return Work(self.reading.served, writer, self.reading.clock, "trial", self.governor.anew(), self.reading)

    def _after(self, changes: Changes) -> Reading | None:
        """The state with the changes made, one after the other; None where one cannot be."""
        with self.store.write(self.reading.clock) as writer:
            work = self._work(writer)
            schema = self.reading.served.schema
            try:
                run(work, [statement(schema, each) for each in sorted(changes, key=_one)], {}, "")
                return _evaluated(work.reading)
            except GateRefusal:
                return None
            except ArgonError as error:
                if error.code in _DOMAIN:
                    return None
                raise

    def _verified(self, changes: Changes) -> Suggestion | None:
        """The changes as a text that was compiled and run; None when it is refused by more than checks."""
        labels, ordered = labels_of(self.reading), tuple(sorted(changes, key=_one))
        for by_argument in (False, True):
            try:
                text = text_of(labels, ordered, by_argument=by_argument)
                mutation = self.compiled(text.source)
            except Unwritable:
                continue
            except ArgonError as error:
                if error.code != "ARGON_RUNTIME_VALIDATION_FAILED":
                    raise
                continue
            broken = self._run(mutation, text.args)
            if broken is not None:
                return Suggestion(
                    source=text.source,
                    args=dict(text.args),
                    size=len(ordered),
                    accepted=not any(each.severity == "error" for each in broken),
                    assumed=list(dict.fromkeys(_assumed(labels, ordered))),
                    breaks=broken,
                )
        return None

    def _run(self, mutation: Mutation, given: Mapping[str, str]) -> list[Violation] | None:
        """The violations that the text would bring about; None when the fact does not hold after it."""
        with self.store.write(self.reading.clock) as writer:
            work = self._work(writer)
            try:
                performed = perform(work, self._before, Single(mutation, given).action(work))
                broken = [violation_form(after, found, SHALLOW) for after, found in performed.fresh]
            except ArgonError as error:
                if error.code != "ARGON_RUNTIME_CHECK_VIOLATION":
                    if error.code in (*_DOMAIN, *REFUSALS):
                        return None
                    raise
                listed = error.details["violations"]
                broken = [Violation.model_validate(each) for each in listed] if isinstance(listed, list) else []
            return broken if work.reading.model.holds(self.goal.key, self.goal.row) else None

    def _before(self, instant: datetime) -> Reading:
        point = self.reading.point
        return self.reading if instant == point.valid_at else self.reading.at(replace(point, valid_at=instant))


def _assumed(labels: Labels, changes: Iterable[Change]) -> Iterator[str]:
    for each in changes:
        for key, value in each.given:
            yield f"{labels.schema.fields[key].name}: {literal(value, {})}"


def _evaluated(reading: Reading) -> Reading:
    """The reading with its model, which can be asked for only while the transaction lasts."""
    reading.model.known_keys()
    return reading


def _one(change: Change) -> tuple[str, str, SortKey]:
    return change.order


def _written(labels: Labels, changes: Changes) -> tuple[str, list[tuple[str, str, SortKey]]]:
    """The order of texts; what has none comes first, and is dropped."""
    ordered = sorted(changes, key=_one)
    try:
        return text_of(labels, tuple(ordered), by_argument=False).source, list(map(_one, ordered))
    except Unwritable:
        return "", list(map(_one, ordered))
