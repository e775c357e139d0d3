"""What could make a fact hold: sets of changes of base facts, proposed from the clauses that could conclude it.

A bounded search backwards from the goal. A literal of a body that holds costs nothing; one that does not is made to
hold: a membership or tuple is inserted, a mutable field set, a derived atom reached by one of its own clauses; under a
negation, what its solution rests on is taken away. What comes out is a proposal: whether it works is tried elsewhere
(`argon_lang.runtime.suggest`), on a state in which it was made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from argon_lang.engine.aggregates import folding
from argon_lang.engine.compiled import CompiledRule
from argon_lang.engine.order import sort_key
from argon_lang.engine.walk import binders, free_locals, literal_variables
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Binary, Expr, Lit
from argon_lang.ir.module import Field
from argon_lang.ir.names import asserted
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Literal, Match, Not, Rule, Test
from argon_lang.ir.values import EnumValue, Row, TupleValue, Value
from argon_lang.program.types import BOOL, Named, OptionOf, Type
from argon_lang.runtime.changes import Change
from argon_lang.runtime.reading import Reading, field_subject

Env = Mapping[str, Value]
Changes = frozenset[Change]
Found = Iterator[tuple[Env, Changes]]
Above = frozenset[tuple[str, "Pattern"]]
"""The atoms that are being reached, or taken away, further up."""
Pattern = tuple[Value, ...]
"""A row to reach; None stands for any value."""
NOTHING: Changes = frozenset()
_ROWS = 64
"""Rows of one read, and individuals of one column, that are tried."""
_STEPS = 20_000
_DEPTH = 8
_PACE = 256


@dataclass
class Remedies:
    """The proposals for one state. `cut`: a bound was met, so there may be others."""

    reading: Reading
    steps: int = 0
    cut: bool = False

    def __post_init__(self) -> None:
        """Short names for what every step asks."""
        self.model = self.reading.model
        self.schema = self.reading.served.schema
        self.rules = self.model.program.by_key

    def for_goal(self, key: str, row: Pattern, budget: int) -> Iterator[Changes]:
        """Sets of at most `budget` changes after which a row of `key` may match `row`, each once."""
        seen: set[Changes] = set()
        for _, changes in self._reach(key, row, budget, frozenset()):
            if changes and changes not in seen:
                seen.add(changes)
                yield changes

    def _spent(self) -> bool:
        self.steps += 1
        if self.steps % _PACE == 0:
            self.reading.governor.check()
        self.cut = self.cut or self.steps > _STEPS
        return self.steps > _STEPS

    # -- to make an atom hold -----------------------------------------------------------------------------------------

    def _reach(self, key: str, row: Pattern, budget: int, above: Above) -> Iterator[tuple[Row, Changes]]:
        """Rows that match and could be made to hold, with what makes them; at least one change each."""
        if budget < 1 or self._spent():
            return
        if key.endswith("^"):
            yield from self._asserting(key, row)
        elif key.endswith("-"):
            yield from ((full, frozenset({Change("refute", key[:-1], full)})) for full in _whole(row))
        elif key in self.schema.fields:
            yield from self._setting(self.schema.fields[key], row)
        else:
            yield from self._concluding(key, row, budget, above)

    def _asserting(self, key: str, row: Pattern) -> Iterator[tuple[Row, Changes]]:
        path = key.removesuffix("^")
        declared = self.schema.concepts.get(path) or self.schema.relations.get(path)
        if declared is None or declared.abstract or path in self.schema.derived:
            return
        relation = self.schema.relations.get(path)
        types = [ty for _, ty in relation.ends] if relation is not None else [None]
        for full in self._filled(row, types):
            if not self.reading.base.holds(key, full):
                yield full, frozenset({Change("insert", key, full, tuple(self._required(path, full)))})

    def _required(self, path: str, row: Row) -> Iterator[tuple[str, Value]]:
        """The fields that an insert must supply, with values that others have; none is invented."""
        relation = path in self.schema.relations
        subject = TupleValue(self.schema.tuple_root(path), row) if relation else row[0]
        for each in self.schema.fields_of(path).values():
            if each.required and not self.reading.base.about(each.key, field_subject(each.key, subject)):
                yield from ((each.key, value) for value in self._values(each)[:1])

    def _setting(self, wanted: Field, row: Pattern) -> Iterator[tuple[Row, Changes]]:
        """A mutable field with a value; where none is asked for, with those that others have."""
        subject, value = row
        subjects = [subject] if subject is not None else self._owners(wanted)
        for each in subjects:
            held = self.reading.base.about(wanted.key, each)
            if not (wanted.mutable or (wanted.many and not held)):
                continue
            for chosen in [value] if value is not None else self._values(wanted):
                full = (each, chosen)
                if full not in held:
                    yield full, frozenset({Change("add" if wanted.many else "set", wanted.key, full)})

    def _concluding(self, key: str, row: Pattern, budget: int, above: Above) -> Iterator[tuple[Row, Changes]]:
        if (key, row) in above or len(above) >= _DEPTH:
            return
        below = above | {(key, row)}
        for compiled in self._clauses(key):
            env = _unify(compiled, row)
            if env is None:
                continue
            for known, changes in self._body(compiled.rule, compiled.rule.body, env, budget, below):
                for full in self._head(compiled.rule, known, row):
                    yield full, changes

    def _clauses(self, key: str) -> Sequence[CompiledRule]:
        """The clauses of a key, those first that do not come back to it: what they take is told without detours."""
        program = self.model.program
        own = program.units[program.home[key]].keys if key in program.home else frozenset()
        found = [compiled for _, compiled in self.rules.get(key, ())]
        return sorted(found, key=lambda compiled: not own.isdisjoint(compiled.reads))

    def _head(self, rule: Rule, known: Env, row: Pattern) -> Iterator[Row]:
        values = (term.value if isinstance(term, Const) else known.get(term.name) for term in rule.terms)
        full = tuple(value if value is not None else asked for value, asked in zip(values, row, strict=True))
        yield from _whole(full)

    # -- to make a body hold ------------------------------------------------------------------------------------------

    def _body(
        self, rule: Rule, body: Sequence[Literal], env: Env, budget: int, above: Above, *, changed: bool = False
    ) -> Found:
        """The ways to satisfy a conjunction with at most `budget` changes.

        Where changes were made already (`changed`) and nothing is left to spend, what does not hold yet is left open:
        it may follow from them, or take another change of the state that they lead to.
        """
        if not body:
            yield env, NOTHING
            return
        if self._spent():
            return
        literal = _next(rule, body, env)
        rest, satisfied = [each for each in body if each is not literal], False
        for known, made in self._literal(rule, literal, env, budget, above):
            satisfied = True
            later = self._body(rule, rest, known, budget - len(made), above, changed=changed or bool(made))
            for final, more in later:
                yield final, made | more
        if changed and budget == 0 and not satisfied:
            yield env, NOTHING

    def _literal(self, rule: Rule, literal: Literal, env: Env, budget: int, above: Above) -> Found:
        match literal:
            case Match():
                yield from self._match(rule, literal, env, budget, above)
            case Not():
                yield from self._not(rule, literal, env, budget, above)
            case Test(expr, _):
                if self._value(expr, env) is True:
                    yield env, NOTHING
                else:
                    yield from self._repair(rule, free_locals(expr), expr, env, budget, above)
            case Bind(var, expr, _):
                yield from self._bind(rule, var, expr, env, budget, above)
            case Each(var, expr, _):
                items = self._value(expr, env)
                listed = items if isinstance(items, tuple | frozenset) else ()
                for item in sorted(listed, key=sort_key):
                    if env.get(var, item) == item:
                        yield {**env, var: item}, NOTHING
            case Aggregate():
                yield from self._aggregate(rule, literal, env, budget, above)

    def _match(self, rule: Rule, literal: Match, env: Env, budget: int, above: Above) -> Found:
        wanted = tuple(_term(term, env) for term in literal.terms)
        for row in self._rows(literal.key, wanted):
            known = _bound(literal, row, env)
            if known is not None:
                yield known, NOTHING
        for row, changes in self._reach(literal.key, wanted, budget, above):
            known = _bound(literal, row, env)
            if known is not None and not self._holds(literal.key, row):
                yield known, changes
        if literal.key in self.schema.fields and wanted[1] is None:
            yield from self._reach_value(rule, literal, wanted, env, budget)

    def _reach_value(self, rule: Rule, literal: Match, wanted: Pattern, env: Env, budget: int) -> Found:
        """A field without a value that a condition of the body is about: values that the condition may take."""
        term = literal.terms[1]
        if isinstance(term, Const):
            return
        for value in _hints(rule, term.name):
            for row, changes in self._reach(literal.key, (wanted[0], value), budget, frozenset()):
                known = _bound(literal, row, env)
                if known is not None:
                    yield known, changes

    def _bind(self, rule: Rule, var: str, expr: Expr, env: Env, budget: int, above: Above) -> Found:
        value = self._value(expr, env)
        if var not in env:
            if value is not None:
                yield {**env, var: value}, NOTHING
        elif sort_key(env[var]) == sort_key(value):
            yield env, NOTHING
        else:
            names = (var, *free_locals(expr))
            yield from self._repair(rule, names, None, env, budget, above, env[var], value)

    def _not(self, rule: Rule, literal: Not, env: Env, budget: int, above: Above) -> Found:
        blocked = next(self._body(rule, literal.body, env, 0, above), None)
        if blocked is None:
            yield env, NOTHING
        elif budget > 0:
            for change in self._against(rule, literal.body, blocked[0], above):
                yield env, frozenset({change})

    def _aggregate(self, rule: Rule, literal: Aggregate, env: Env, budget: int, above: Above) -> Found:
        rows: dict[tuple[object, ...], Value] = {}
        for known, _ in self._body(rule, literal.body, env, 0, above):
            own = tuple(sort_key(_term(term, known)) for term in (*literal.own, literal.value))
            rows[own] = _term(literal.value, known)
        value = folding(literal.op, literal.type)(tuple(rows.values()))
        if value is not None and env.get(literal.var, value) == value:
            yield {**env, literal.var: value}, NOTHING
        elif budget > 0:
            for changes in self._perturb(rule, literal, env, budget, above):
                yield env, changes

    # -- to make a condition hold -------------------------------------------------------------------------------------

    def _repair(
        self, rule: Rule, names: Iterable[str], expr: Expr | None, env: Env, budget: int, above: Above, *sides: Value
    ) -> Found:
        """Change what the variables of a condition that fails were read from."""
        if budget < 1:
            return
        for name in names:
            for literal in rule.body:
                if isinstance(literal, Match) and literal.key in self.schema.fields and _reads(literal, name):
                    yield from self._reset(rule, literal, name, expr, env, sides)
                elif isinstance(literal, Aggregate) and literal.var == name:
                    for changes in self._perturb(rule, literal, env, budget, above):
                        yield env, changes

    def _reset(
        self, rule: Rule, literal: Match, name: str, expr: Expr | None, env: Env, sides: Sequence[Value]
    ) -> Found:
        field_ = self.schema.fields[literal.key]
        subject = _term(literal.terms[0], env)
        if subject is None or not field_.mutable:
            return
        values = [*_hints(rule, name), *sides, *self._values(field_)]
        values += [near for other in self._compared(expr, env) for near in _near(other)]
        for value in _distinct(values):
            known = {**env, name: value}
            if value is not None and (expr is None or self._value(expr, known) is True) and value != env.get(name):
                change = Change("add" if field_.many else "set", literal.key, (subject, value))
                yield known, frozenset({change})

    def _compared(self, expr: Expr | None, env: Env) -> Iterator[Value]:
        if isinstance(expr, Binary):
            yield from (self._value(side, env) for side in (expr.left, expr.right))

    def _perturb(self, rule: Rule, literal: Aggregate, env: Env, budget: int, above: Above) -> Iterator[Changes]:
        """One row more, or one less, of those that an aggregate ranges over."""
        for _, changes in self._body(rule, literal.body, env, budget, above):
            if changes:
                yield changes
        for known, _ in self._body(rule, literal.body, env, 0, above):
            for change in self._against(rule, literal.body, known, above):
                yield frozenset({change})

    # -- to make an atom fail -----------------------------------------------------------------------------------------

    def _against(self, rule: Rule, body: Sequence[Literal], env: Env, above: Above) -> Iterator[Change]:
        """Single changes that take away what one solution of a body rests on."""
        for literal in body:
            if isinstance(literal, Match):
                for row in _whole(tuple(_term(term, env) for term in literal.terms)):
                    yield from self._deny(literal.key, row, above)
            elif isinstance(literal, Not):
                for _, changes in self._body(rule, literal.body, env, 1, above):
                    yield from changes if len(changes) == 1 else ()
            elif isinstance(literal, Aggregate):
                yield from (each for made in self._perturb(rule, literal, env, 1, above) for each in made)

    def _deny(self, key: str, row: Row, above: Above) -> Iterator[Change]:
        if self._spent():
            return
        if key.endswith("^"):
            yield Change("delete", key, row)
        elif key in self.schema.fields:
            yield from self._unsetting(self.schema.fields[key], row)
        elif (key, row) not in above and len(above) < _DEPTH:
            yield from self._denied(key, row, above | {(key, row)})

    def _denied(self, key: str, row: Row, above: Above) -> Iterator[Change]:
        """Take away what each derivation rests on; of what has exceptions, or is open, say that it does not hold."""
        for _, compiled in self.rules.get(key, ()):
            env = _unify(compiled, row)
            if env is not None:
                for known, _ in self._body(compiled.rule, compiled.rule.body, env, 0, above):
                    yield from self._against(compiled.rule, compiled.rule.body, known, above)
        concept = self.schema.concepts.get(key)
        if key in self.reading.served.defaults or (concept is not None and concept.open):
            yield Change("refute", key, row)

    def _unsetting(self, field_: Field, row: Row) -> Iterator[Change]:
        if not field_.mutable:
            return
        if field_.many:
            yield Change("drop", field_.key, row)
            return
        for value in _distinct([*self._values(field_), *_near(row[1])]):
            if value != row[1]:
                yield Change("set", field_.key, (row[0], value))

    # -- what there is ------------------------------------------------------------------------------------------------

    def _rows(self, key: str, wanted: Pattern) -> Sequence[Row]:
        bound = {index: value for index, value in enumerate(wanted) if value is not None}
        found = self.model.some(key, bound, _ROWS + 1)
        self.cut = self.cut or len(found) > _ROWS
        return found[:_ROWS]

    def _holds(self, key: str, row: Row) -> bool:
        return self.model.holds(key, row)

    def _value(self, expr: Expr, env: Env) -> Value:
        """An expression's value; None where it has none."""
        names = free_locals(expr)
        if any(name not in env for name in names):
            return None
        run = self.model.program.functions.compile(expr, names)
        try:
            return run(self.reading.context, 0, *(env[name] for name in names))
        except ArgonError as error:
            if error.code in ("ARGON_RUNTIME_ARITHMETIC", "ARGON_RUNTIME_DERIVE_FAILED"):
                return None
            raise

    def _filled(self, row: Pattern, types: Sequence[Type | None]) -> Iterator[Row]:
        """The row with every open column filled from the individuals of its type."""
        open_columns = [index for index, value in enumerate(row) if value is None]
        if not open_columns:
            yield row
            return
        first = open_columns[0]
        for entity in self._individuals(types[first]):
            yield from self._filled((*row[:first], entity, *row[first + 1 :]), types)

    def _individuals(self, ty: Type | None) -> Sequence[Value]:
        if ty is None:
            keys: Iterable[str] = [asserted(path) for path in self.schema.concepts]
            found = {row[0] for key in keys for row in self.reading.base.of(key)}
            listed: Sequence[Value] = sorted(found, key=sort_key)
        elif isinstance(ty, Named) and ty.path in self.schema.concepts:
            listed = [row[0] for row in self.model.rows(ty.path)]
        else:
            listed = []
        self.cut = self.cut or len(listed) > _ROWS
        return listed[:_ROWS]

    def _owners(self, field_: Field) -> Sequence[Value]:
        owner = self.schema.owner_type(field_.key)
        rows = self.model.rows(owner.path)[:_ROWS]
        if owner.kind == "relation":
            return [TupleValue(self.schema.tuple_root(owner.path), row) for row in rows]
        return [row[0] for row in rows]

    def _values(self, field_: Field) -> list[Value]:
        """Values that a field may take without inventing one: all of a finite type, else those that others have."""
        ty = field_.type.inner if isinstance(field_.type, OptionOf) else field_.type
        if ty == BOOL:
            return [False, True]
        if isinstance(ty, Named) and ty.kind == "enum":
            enum = next((each for each in self.schema.module.enums if each.path == ty.path), None)
            plain = (case for case in enum.variants if not case.payload) if enum is not None else ()
            return [EnumValue(ty.path, case.name) for case in plain]
        if isinstance(ty, Named) and ty.kind == "concept":
            return list(self._individuals(ty))
        others = {row[1] for row in self.reading.base.of(field_.key)}
        return sorted(others, key=sort_key)[:_ROWS]


def _next(rule: Rule, body: Sequence[Literal], env: Env) -> Literal:
    """The literal to satisfy next: a condition that is ready, else the read that knows most, else as written."""
    for literal in body:
        if not isinstance(literal, Match) and _ready(rule, literal, body, env):
            return literal
    reads = [literal for literal in body if isinstance(literal, Match)]
    if not reads:
        return body[0]
    return max(
        reads, key=lambda each: sum(_term(term, env) is not None for term in each.terms) / len(each.terms or "_")
    )


def _ready(rule: Rule, literal: Literal, body: Sequence[Literal], env: Env) -> bool:
    match literal:
        case Test(expr, _) | Bind(_, expr, _) | Each(_, expr, _):
            return all(name in env for name in free_locals(expr))
        case _:
            others = {name for each in body if each is not literal for name in literal_variables(each)}
            own = binders(literal) if isinstance(literal, Aggregate) else ()
            shared = [name for name in literal_variables(literal) if name in others and name not in own]
            return all(name in env for name in shared)


def _unify(compiled: CompiledRule, row: Pattern) -> dict[str, Value] | None:
    env: dict[str, Value] = {}
    for term, value in zip(compiled.rule.terms, row, strict=True):
        if value is None:
            continue
        known = term.value if isinstance(term, Const) else env.setdefault(term.name, value)
        if sort_key(known) != sort_key(value):
            return None
    return env


def _bound(literal: Match, row: Row, env: Env) -> Env | None:
    known = dict(env)
    for term, value in zip(literal.terms, row, strict=True):
        held = term.value if isinstance(term, Const) else known.setdefault(term.name, value)
        if sort_key(held) != sort_key(value):
            return None
    return known


def _term(term: object, env: Env) -> Value:
    return term.value if isinstance(term, Const) else env.get(getattr(term, "name", ""))


def _whole(row: Pattern) -> Iterator[Row]:
    if all(value is not None for value in row):
        yield row


def _reads(literal: Match, name: str) -> bool:
    last = literal.terms[-1]
    return not isinstance(last, Const) and last.name == name


def _hints(rule: Rule, name: str) -> Iterator[Value]:
    """The constants that a body compares a variable with, and those beside them."""
    for literal in rule.body:
        if isinstance(literal, Test | Bind) and name in literal_variables(literal):
            pending: list[Expr] = [literal.expr]
            while pending:
                expr = pending.pop()
                if isinstance(expr, Lit):
                    yield from _near(expr.value)
                elif isinstance(expr, Binary):
                    pending += [expr.left, expr.right]


def _near(value: Value) -> Iterator[Value]:
    """A value and, of a whole number, those beside it."""
    if value is None or isinstance(value, tuple | frozenset):
        return
    yield value
    if isinstance(value, int) and not isinstance(value, bool):
        yield value + 1
        yield value - 1


def _distinct(values: Iterable[Value]) -> list[Value]:
    return list({sort_key(value): value for value in values if value is not None}.values())
