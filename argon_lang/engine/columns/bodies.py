"""A planned body as a line of operators over frames, literal by literal in the order of the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from argon_lang.engine.codegen import needed_after
from argon_lang.engine.columns.folds import Ranging
from argon_lang.engine.columns.frames import (
    NOTHING,
    Existing,
    Frame,
    Join,
    Operator,
    Part,
    Reading,
    equal,
    only,
    scanned,
    spread,
)
from argon_lang.engine.columns.packing import Column, Mask
from argon_lang.engine.columns.table import Table
from argon_lang.engine.columns.values import COMPARISONS, Values
from argon_lang.engine.compiled import CompiledRule
from argon_lang.engine.plan import Plan, Step
from argon_lang.engine.vartypes import by_number
from argon_lang.engine.walk import binders, free_locals
from argon_lang.ir.expr import Binary, Expr, Lit, Local
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Match, Not, Test, Var

Tables = Callable[[str, int], Table]
"""The table of a key."""


class Body:
    """Runs frames through the operators of a plan."""

    def __init__(self, operators: Sequence[Operator], values: Values, scan: tuple[Table, Reading] | None) -> None:
        """`scan`: how the first literal reads the delta, where it does."""
        self._operators = operators
        self._values = values
        self._scan = scan

    def whole(self, frame: Frame = NOTHING) -> Iterator[Frame]:
        """The substitutions that satisfy the body, starting from those of a frame."""
        return self._run((frame,))

    def over(self, delta: Column) -> Iterator[Frame]:
        """The substitutions that satisfy the body, its first literal reading these packed rows."""
        if self._scan is None:
            raise TypeError("a body that reads no delta")
        return self._run(scanned(*self._scan, delta))

    def _run(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        pending = [iter(frames)]
        while pending:
            frame = next(pending[-1], None)
            if frame is None:
                pending.pop()
            elif frame.size and len(pending) > len(self._operators):
                yield frame
            elif frame.size:
                self._values.tick()
                pending.append(iter(self._operators[len(pending) - 1](frame)))


@dataclass(slots=True)
class Maker:
    """Makes the operators of one rule's body and of what is nested in it."""

    compiled: CompiledRule
    values: Values
    tables: Tables

    def body(self, plan: Plan, given: Iterable[str], wanted: Iterable[str], delta: bool = False) -> Body:
        """The body of a plan, some variables `given`; `wanted` are read from its frames. `delta`: as in `Body.over`."""
        bound, after = set(given), needed_after(plan, wanted)
        scan: tuple[Table, Reading] | None = None
        operators: list[Operator] = []
        live = frozenset(given)
        for at, (step, needed) in enumerate(zip(plan, after, strict=True)):
            drops = at + 1 < len(plan) and not needed.issuperset((*live, *binders(step.literal)))
            if delta and not at and isinstance(step.literal, Match):
                scan = self._scan(step.literal, bound, needed, drops)
            else:
                operators.append(self._operator(step, bound, needed, drops))
            live = needed & bound
        return Body(operators, self.values, scan)

    def _scan(self, literal: Match, bound: set[str], needed: frozenset[str], drops: bool) -> tuple[Table, Reading]:
        arity = len(literal.terms)
        return self.tables(literal.key, arity), self._reading(literal, tuple(range(arity)), bound, needed, drops)

    def _operator(self, step: Step, bound: set[str], needed: frozenset[str], drops: bool) -> Operator:
        match step.literal:
            case Match() as literal:
                return self._match(literal, bound, needed, drops)
            case Test(expr, _):
                return self._test(expr, needed)
            case Bind(var, expr, _):
                return self._bind(var, expr, bound, needed)
            case Each(var, expr, _):
                return self._each(var, expr, bound, needed)
            case Not() as literal:
                return self._not(literal, step, bound, needed)
            case Aggregate() as literal:
                ranging = self._ranging(step, literal, needed)
                known = literal.var in bound
                bound.add(literal.var)
                return lambda frame: ranging.folded(frame, known)

    def _match(self, literal: Match, bound: set[str], needed: frozenset[str], drops: bool) -> Operator:
        table = self.tables(literal.key, len(literal.terms))
        known = tuple(at for at, t in enumerate(literal.terms) if isinstance(t, Const) or t.name in bound)
        free = tuple(at for at in range(len(literal.terms)) if at not in known)
        keys = tuple(self.values.part(literal.terms[at]) for at in known)
        names = [t.name for at in free if isinstance(t := literal.terms[at], Var)]
        if not needed.intersection(names) and len(set(names)) == len(names):
            return Existing(table, known, keys, True, needed)
        return Join(table, known, keys, self._reading(literal, free, bound, needed, drops))

    def _reading(
        self, literal: Match, free: Sequence[int], bound: set[str], needed: frozenset[str], drops: bool
    ) -> Reading:
        """How the free columns of a read bind variables, which are bound from then on."""
        binds: list[tuple[int, str]] = []
        conditions: list[tuple[str, Part]] = []
        for at in free:
            term = literal.terms[at]
            if isinstance(term, Var) and term.name not in bound:
                bound.add(term.name)
                binds.append((at, term.name))
            else:
                name = f"@{at}"
                binds.append((at, name))
                conditions.append((name, self.values.part(term)))
        compared = {part for pair in conditions for part in pair if isinstance(part, str)}
        kept = tuple((at, name) for at, name in binds if name in needed or name in compared)
        return Reading(kept, tuple(conditions), needed, needed | compared, drops)

    def _test(self, expr: Expr, needed: frozenset[str]) -> Operator:
        if by_number(expr, self.compiled.types):
            return self._same(expr, needed)
        run, params = self.compiled.expression(expr), free_locals(expr)

        def test(frame: Frame) -> Iterator[Frame]:
            mask = self._compared(expr, frame)
            if mask is None:
                found, which = self.values.evaluated(run, params, frame)
                mask = np.fromiter(map(bool, found), np.bool_, len(found))[which]
            yield only(frame.where(mask), needed)

        return test

    def _same(self, expr: Expr, needed: frozenset[str]) -> Operator:
        """`==` or `!=` of numbers."""
        if not isinstance(expr, Binary):
            raise TypeError(type(expr).__name__)
        left, right, equals = self._side(expr.left), self._side(expr.right), expr.op == "=="

        def same(frame: Frame) -> Iterator[Frame]:
            sides = [frame.columns[side] if isinstance(side, str) else np.int64(side) for side in (left, right)]
            mask = np.broadcast_to(sides[0] == sides[1], frame.size)
            yield only(frame.where(mask if equals else ~mask), needed)

        return same

    def _side(self, expr: Expr) -> Part:
        if isinstance(expr, Local):
            return expr.name
        if isinstance(expr, Lit):
            return self.values.number(expr.value)
        raise TypeError(type(expr).__name__)

    def _compared(self, expr: Expr, frame: Frame) -> Mask | None:
        """An order between whole numbers, all at once; None where there is more to it."""
        if not isinstance(expr, Binary) or expr.op not in COMPARISONS:
            return None
        sides: list[Column] = []
        for side in (expr.left, expr.right):
            if not isinstance(side, Local | Lit):
                return None
            part = self._side(side)
            found = self.values.whole(frame.columns[part] if isinstance(part, str) else np.array([part], np.int64))
            if found is None:
                return None
            sides.append(found)
        return np.broadcast_to(COMPARISONS[expr.op](*sides), (frame.size,))

    def _bind(self, var: str, expr: Expr, bound: set[str], needed: frozenset[str]) -> Operator:
        if isinstance(expr, Local) and expr.name not in bound:
            var, expr = expr.name, Local(var)
        target = "@bound" if var in bound else var
        make = self._made(target, expr)
        bound.add(var)
        if target == var:
            return lambda frame: (only(make(frame), needed),)
        return lambda frame: (only(equal(make(frame), ((target, var),)), needed),)

    def _made(self, target: str, expr: Expr) -> Callable[[Frame], Frame]:
        """Adds the column of an expression's values."""
        if isinstance(expr, Local):
            name = expr.name
            return lambda frame: frame.but({target: frame.columns[name]})
        if isinstance(expr, Lit):
            number = self.values.number(expr.value)
            return lambda frame: frame.but({target: np.full(frame.size, number, np.int64)})
        run, params = self.compiled.expression(expr), free_locals(expr)

        def computed(frame: Frame) -> Frame:
            found, which = self.values.evaluated(run, params, frame)
            return frame.but({target: self.values.numbers(found)[which]})

        return computed

    def _each(self, var: str, expr: Expr, bound: set[str], needed: frozenset[str]) -> Operator:
        run, params = self.compiled.expression(expr), free_locals(expr)
        target = "@each" if var in bound else var
        conditions: tuple[tuple[str, Part], ...] = ((target, var),) if target != var else ()
        bound.add(var)

        def elements(frame: Frame) -> Iterator[Frame]:
            found, which = self.values.evaluated(run, params, frame)
            lists = [np.unique(self.values.numbers(each or ())) for each in found]
            sizes = np.array([len(each) for each in lists], np.int64)
            begin, all_of_them = np.cumsum(sizes) - sizes, np.concatenate([np.zeros(0, np.int64), *lists])
            for part, chosen in spread(frame, all_of_them, begin[which], sizes[which]):
                yield only(equal(part.but({target: chosen}), conditions), needed)

        return elements

    def _not(self, literal: Not, step: Step, bound: set[str], needed: frozenset[str]) -> Operator:
        inner = literal.body[0]
        if len(literal.body) == 1 and isinstance(inner, Match):
            names = [t.name for t in inner.terms if isinstance(t, Var) and t.name not in bound]
            if len(set(names)) == len(names):
                known = tuple(at for at, t in enumerate(inner.terms) if isinstance(t, Const) or t.name in bound)
                keys = tuple(self.values.part(inner.terms[at]) for at in known)
                return Existing(self.tables(inner.key, len(inner.terms)), known, keys, False, needed)
        return self._ranging(step, None, needed).absent

    def _ranging(self, step: Step, literal: Aggregate | None, needed: frozenset[str]) -> Ranging:
        """What stands inside a negation or an aggregate, for each combination of the variables from outside."""
        wanted = () if literal is None else (*literal.own, literal.value)
        ranged = tuple(map(self.values.part, wanted))
        group = f"@{step.index}:{len(step.shared)}:{id(step)}"
        names = [name for name in ranged if isinstance(name, str)]
        inner = () if literal is None else literal.body
        complete = {*names, *step.shared}.issuperset(name for each in inner for name in binders(each))
        body = self.body(step.inner, (*step.shared, group), (*names, group))
        return Ranging(self.values, body.whole, step.shared, group, ranged, complete, literal, needed)
