"""The public face of the engine: a program and base facts in, a `Model` that answers questions out."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ParamSpec, TypeVar

from argon_lang.engine import fixpoint
from argon_lang.engine.compiled import CompiledRule, Environment, naming
from argon_lang.engine.exprs import Context
from argon_lang.engine.glimpse import Glimpse
from argon_lang.engine.governor import Governor
from argon_lang.engine.intern import Decoder, Interner, canonical
from argon_lang.engine.maintain import Delta
from argon_lang.engine.openness import OPEN, assuming
from argon_lang.engine.order import row_key
from argon_lang.engine.program import CompiledProgram, compile_program, refusals
from argon_lang.engine.relations import CLAUSES, Ids, Relation, Space
from argon_lang.ir.rules import Rule, Var
from argon_lang.ir.values import Row, Value

__all__ = ["Change", "Model", "Origin", "compile_program", "diff", "evaluate", "glimpse", "refusals"]

_ALL: Mapping[int, int] = {}
_ROUNDS = 1 << 40
"""More than any component has."""
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Origin:
    """The first derivation of a row: the content id of its rule and the round (1, 2, …) within its component."""

    rule: str
    round: int


@dataclass(frozen=True, slots=True)
class Change:
    """What became true and what ceased to be, of one key, each in canonical order."""

    added: tuple[Row, ...]
    removed: tuple[Row, ...]


class Model:
    """All rows that hold, at one instant. Safe to read from several threads; indexes and codes are made on demand.

    Rows come with their columns' declared types, in canonical order (`argon_lang.engine.order`).
    """

    __slots__ = ("_decoders", "_environment", "_finished", "_glimpse", "_sorted", "_upper", "clock", "program")

    def __init__(self, program: CompiledProgram, environment: Environment, finished: fixpoint.Run | Glimpse) -> None:
        """Wrap an evaluation; `evaluate` and `glimpse` are the ways to make one."""
        self.program = program
        self._environment = environment
        self.clock = environment.context.clock
        self._finished = finished if isinstance(finished, fixpoint.Run) else None
        self._glimpse = finished if isinstance(finished, Glimpse) else None
        self._upper: Model | None = None
        self._sorted: dict[str, tuple[Row, ...]] = {}
        self._decoders: dict[str, tuple[Decoder | None, ...]] = {}

    @property
    def finished(self) -> fixpoint.Run:
        """What the evaluation left, which is brought to its end."""
        return self._finish()

    @property
    def environment(self) -> Environment:
        """All rows, and what code over them runs in."""
        self._finish()
        return self._environment

    def _finish(self) -> fixpoint.Run:
        if self._glimpse is not None:
            self._finished, self._glimpse = self._glimpse.finish(), None
        if self._finished is None:
            raise TypeError("a model without an evaluation")
        return self._finished

    def _want(self, keys: Iterable[str]) -> None:
        if self._glimpse is not None:
            self._glimpse.want(keys)

    def clauses(self, key: str) -> tuple[tuple[int, CompiledRule], ...]:
        """The rules by which this estimate derives rows of a key, each with its number."""
        found = self.program.by_key.get(key, ())
        if self._environment.mode == 1:
            return found
        return tuple(pair for pair in found if pair[1].rule.origin != OPEN)

    def known_keys(self) -> tuple[str, ...]:
        """The predicate keys that have rows, sorted."""
        return tuple(sorted(key for key, relation in tuple(self.environment.space.relations.items()) if len(relation)))

    def count(self, key: str) -> int:
        """How many rows the key has."""
        relation = self._relation(key)
        return len(relation) if relation is not None else 0

    def rows(self, key: str) -> tuple[Row, ...]:
        """Every row of the key."""
        found = self._sorted.get(key)
        if found is None:
            relation = self._relation(key)
            found = self.decoded(key, relation.rows) if relation is not None else ()
            self._sorted[key] = found
        return found

    @property
    def doubtful(self) -> bool:
        """Is there a row that is possible and not definite, of those that were asked about?"""
        return bool(self._environment.other.relations or self.program.unknown)

    def upper(self) -> Model:
        """The possible estimate, as a model: all rows that hold or might. Its own `upper` is this one."""
        if self.program.may_doubt:
            self._finish()
        if not self.doubtful:
            return self
        if self._upper is None:
            self._upper = Model(self.program, self.environment.swapped(), self.finished)
            self._upper._upper = self
        return self._upper

    def doubted(self, key: str) -> tuple[Row, ...]:
        """The rows that are possible and not definite, and not refuted: those of truth value Can."""
        definite, possible = self._relation(key), self._environment.other.relations.get(key)
        if possible is None:
            return ()
        known = definite.rows if definite is not None else {}
        return self.decoded(key, [row for row in possible.rows if row not in known])

    def holds(self, key: str, row: tuple[Value, ...]) -> bool:
        """Is there such a row? None stands for any value."""
        bound = {i: value for i, value in enumerate(row) if value is not None}
        return next(self._matching(key, bound), None) is not None

    def lacks(self, key: str, row: tuple[Value, ...]) -> bool:
        """Is there no such row (None: any value)? Then all is at hand that tells why not."""
        bound = {i: number for i, v in enumerate(row) if v is not None and (number := self._number(v)) is not None}
        if self._glimpse is not None:
            self._glimpse.want_rows(key, bound, absent=True)
        return not self.holds(key, row)

    def lookup(self, key: str, bound: Mapping[int, Value]) -> tuple[Row, ...]:
        """The rows whose columns have these values, by column number."""
        return self.decoded(key, self._matching(key, bound))

    def some(self, key: str, bound: Mapping[int, Value], most: int) -> tuple[Row, ...]:
        """At most so many of the rows whose columns have these values: all that there are, or whichever come first."""
        return self.decoded(key, itertools.islice(self._matching(key, bound), most))

    def field(self, key: str, entity: Value) -> tuple[Value, ...]:
        """The values of a field of one individual or relation tuple; empty when absent."""
        return tuple(row[1] for row in self.lookup(key, {0: entity}))

    def origin(self, key: str, row: Row) -> Origin | None:
        """Clause and round of the row's first derivation; None for a base fact. Raises KeyError when it is no row."""
        code = self._code(key, row)
        rule = self.program.rules[code % CLAUSES]
        return None if rule is None else Origin(rule.rule.id, code // CLAUSES)

    def rank(self, key: str, row: Row) -> int:
        """0 for a base fact, else greater than the rank of every premise of the first derivation. Raises KeyError."""
        return self.rank_of(key, self._code(key, row))

    def rank_of(self, key: str, code: int) -> int:
        """The rank that a row's code stands for: that of its component, then its round in it."""
        return self.program.home[key] * _ROUNDS + code // CLAUSES if code else 0

    def solve(self, rule: Rule, inputs: Mapping[str, Value], governor: Governor | None = None) -> list[Row]:
        """The head rows of a query's rule for these inputs, each once, in canonical order.

        Raises `ArgonError`: the governor's refusals, and the domain errors of the body's expressions.
        """
        return _guarded(self._solve)(rule, inputs, governor)

    def _solve(self, rule: Rule, inputs: Mapping[str, Value], governor: Governor | None) -> list[Row]:
        compiled = self.program.query(rule)
        environment = self._watched(governor)
        numbers = [environment.interner.intern(inputs[name]) for name in rule.inputs]
        if self._glimpse is not None:
            self._glimpse.want_solutions(compiled, numbers)
        companions = assuming((rule,), self.program.unknown) if environment.mode == 1 else ()
        out: set[Ids] = set()
        with naming(rule):
            for each in (compiled, *(self.program.query(companion) for companion, _ in companions)):
                each.deriver(environment)(out, None, *numbers)
        return list(self._decode(out, self._head_decoders(compiled)))

    def concludes(self, rule: Rule, row: Row, governor: Governor | None = None) -> bool:
        """Does a clause, or a part of one, conclude this row?"""
        compiled, numbers = self.program.query(rule), tuple(map(self._number, row))
        if None in numbers:
            return False
        self._want(compiled.reads)
        environment = self._watched(governor)
        bound = compiled.unify(environment, numbers)
        return bound is not None and next(compiled.solve(environment, bound), None) is not None

    def with_governor(self, governor: Governor | None) -> Environment:
        """The model's environment watched by another request's governor; None: a new one with the same limits.

        It has what was asked for: rows that `numbers` found, or that `lacks` did not, with all that they rest on.
        """
        return self._watched(governor)

    def _watched(self, governor: Governor | None) -> Environment:
        own = self._environment
        watch = governor or Governor(own.context.governor.limits)
        return Environment(own.space, own.interner, Context(self.clock, watch, own.context.state), own.other, own.mode)

    def _head_decoders(self, compiled: CompiledRule) -> tuple[Decoder | None, ...]:
        rule = compiled.rule
        if rule.key in self.program.shapes:
            return self._columns(rule.key)
        known = [compiled.types.get(term.name) if isinstance(term, Var) else None for term in rule.terms]
        return tuple(self.program.decoders.of(ty) if ty is not None else None for ty in known)

    def numbers(self, key: str, row: Row) -> Ids | None:
        """The row as numbers, when each of its values is known and the key has it."""
        known = tuple(number for number in map(self._number, row) if number is not None)
        if len(known) < len(row):
            return None
        relation = self._relation(key, dict(enumerate(known)))
        return known if relation is not None and known in relation.rows else None

    def decoded(self, key: str, rows: Iterable[Ids]) -> tuple[Row, ...]:
        """Numbered rows of a key as values, in canonical order."""
        return self._decode(rows, self._columns(key))

    def decode_row(self, key: str, row: Ids) -> Row:
        """One numbered row as values."""
        return self._decode((row,), self._columns(key))[0]

    def substitution(self, compiled: CompiledRule, numbers: Mapping[str, int]) -> tuple[tuple[str, Value], ...]:
        """Values of a rule's variables, of their types as far as the rule's reads tell."""
        values, decoders = self._environment.interner.values, self.program.decoders
        shown: list[tuple[str, Value]] = []
        for name, number in numbers.items():
            ty = compiled.types.get(name)
            decode = decoders.of(ty) if ty is not None else None
            shown.append((name, values[number] if decode is None else decode(values[number])))
        return tuple(shown)

    def retyped(self, key: str, row: tuple[Value, ...]) -> tuple[Value, ...]:
        """A row of equal values in the key's column types; None (any value) stays."""
        columns = self._columns(key)
        plain = tuple(map(canonical, row))
        if not any(columns):
            return plain
        return tuple(v if v is None or d is None else d(v) for v, d in zip(plain, columns, strict=True))

    def _decode(self, rows: Iterable[Ids], columns: tuple[Decoder | None, ...]) -> tuple[Row, ...]:
        values = self._environment.interner.values
        plain = [tuple(values[number] for number in row) for row in rows]
        plain.sort(key=row_key)
        if not any(columns):
            return tuple(plain)
        return tuple(
            tuple(value if decode is None else decode(value) for value, decode in zip(row, columns, strict=True))
            for row in plain
        )

    def _columns(self, key: str) -> tuple[Decoder | None, ...]:
        found = self._decoders.get(key)
        if found is None:
            shape = self.program.shapes.get(key)
            found = tuple(self.program.decoders.of(ty) for _, ty in shape.columns) if shape is not None else ()
            self._decoders[key] = found
        return found

    def _matching(self, key: str, bound: Mapping[int, Value]) -> Iterator[Ids]:
        numbers = {column: self._number(value) for column, value in sorted(bound.items())}
        known = {column: number for column, number in numbers.items() if number is not None}
        if len(known) < len(numbers):
            return iter(())
        relation = self._relation(key, known)
        if relation is None or any(column >= relation.arity for column in bound):
            return iter(())
        return _matching(relation, known)

    def _number(self, value: Value) -> int | None:
        """The number of a value; None of one that no row has. What may be computed yet is numbered now."""
        interner = self._environment.interner
        return interner.find(value) if self._glimpse is None else interner.intern(value)

    def _relation(self, key: str, known: Mapping[int, int] = _ALL) -> Relation | None:
        """The relation of a key, in which the rows with these numbers by column are those of the whole."""
        if self._glimpse is not None:
            self._glimpse.want_rows(key, known)
        return self._environment.space.find(key)

    def _code(self, key: str, row: Row) -> int:
        numbers = self.numbers(key, row)
        if numbers is None:
            raise KeyError((key, row))
        return self._environment.space.rows(key)[numbers]


def _matching(relation: Relation, known: dict[int, int]) -> Iterator[Ids]:
    if not known:
        yield from relation.rows
        return
    columns = tuple(known)
    if len(columns) == relation.arity:
        row = tuple(known.values())
        if row in relation.rows:
            yield row
        return
    key = next(iter(known.values())) if len(columns) == 1 else tuple(known.values())
    free = [column for column in range(relation.arity) if column not in known]
    for rest in relation.index(columns, Governor().tick).get(key, ()):
        others = dict(zip(free, (rest,) if isinstance(rest, int) else rest, strict=True))
        yield tuple(known[i] if i in known else others[i] for i in range(relation.arity))


def _guarded(function: Callable[P, R]) -> Callable[P, R]:
    """Turn too deep a nesting of values into a budget refusal."""

    @functools.wraps(function)
    def guarded(*positional: P.args, **named: P.kwargs) -> R:
        try:
            return function(*positional, **named)
        except RecursionError:
            Governor().over("fnDepth", "nested values", Governor().limits.fn_depth + 1, Governor().limits.fn_depth)
            raise

    return guarded


@_guarded
def evaluate(
    program: CompiledProgram,
    facts: Mapping[str, Iterable[Row]],
    clock: datetime,
    governor: Governor | None = None,
    after: Model | None = None,
) -> Model:
    """The least model of the program over base `facts` (rows by predicate key), `clock` being its one instant.

    `after`: an earlier model. What did not change since is taken over from it (base rows are compared by identity, so
    hand in the same row objects), and `diff` of the two is cheap; the result is the same as without it. Raises
    `ArgonError`: the governor's refusals (time, size, cancellation) and domain errors of the rules' expressions.
    """
    context = Context(clock, governor or Governor())
    kept = after if after is not None and after.program is program and not _crowded(after) else None
    space = Space()
    environment = Environment(space, kept.environment.interner if kept else Interner(), context, Space(space), 0)
    finished = fixpoint.run(environment, program, facts, kept.finished if kept else None)
    return Model(program, environment, finished)


def glimpse(
    program: CompiledProgram, facts: Mapping[str, Iterable[Row]], clock: datetime, governor: Governor | None = None
) -> Model:
    """The same model for one request, evaluated as far as that asks: a query costs what it rests on.

    Asked for what might hold, it is evaluated to its end. Raises as `evaluate` does, when asked too.
    """
    space = Space()
    environment = Environment(space, Interner(), Context(clock, governor or Governor()), Space(space), 0)
    return Model(program, environment, Glimpse(environment, program, facts))


_CROWDED = 4


def _crowded(model: Model) -> bool:
    """Has most of the model's numbering gone stale?"""
    live = sum(len(relation) * relation.arity for relation in tuple(model.environment.space.relations.values()))
    return len(model.environment.interner.values) > _CROWDED * (live + 1_000)


_SAME = Delta()


def diff(old: Model, new: Model) -> dict[str, Change]:
    """The derived keys whose rows differ, with what was added and removed."""
    changes: dict[str, Change] = {}
    for key in sorted(old.program.derived | new.program.derived):
        added, removed = _difference(key, old, new)
        if added or removed:
            changes[key] = Change(added, removed)
    return changes


def _difference(key: str, old: Model, new: Model) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    if new.finished.since is old.finished.token:
        delta = new.finished.deltas.get(key, _SAME)
        return new.decoded(key, delta.added), old.decoded(key, delta.removed)
    before, after = (m.environment.space.relations.get(key) for m in (old, new))
    if before is after:
        return (), ()
    if old.environment.interner is new.environment.interner:
        then = before.rows.keys() if before is not None else set()
        now = after.rows.keys() if after is not None else set()
        return new.decoded(key, now - then), old.decoded(key, then - now)
    then_rows = {row_key(row): row for row in old.rows(key)}
    now_rows = {row_key(row): row for row in new.rows(key)}
    added = tuple(row for name, row in now_rows.items() if name not in then_rows)
    return added, tuple(row for name, row in then_rows.items() if name not in now_rows)
