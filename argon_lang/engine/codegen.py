"""Generated Python: a planned body as nested loops over indexes of numbered rows.

Four shapes of the same body: `derive` adds head rows to a set, `solutions` yields the values of given variables,
`exists` (inside a negation) tells whether there is any, and `collect` (inside an aggregate) gathers what it ranges
over. The source is built from a fixed vocabulary and made-up names (`v0`, `R1`, `c2`); keys, constants and expressions
reach it as parameters, so equal shapes share compiled code.

Where a program has tuples that are possible and not definite, a read depends on how many negations stand over it: under
an odd number of them it asks the other of the two estimates (`side` 1). So one body serves both estimates; only an
aggregate, which needs both at once, has code for each.

Every loop but a cheap innermost one counts down and asks the governor when its batch is used up; an innermost one over
very many rows asks it once per so many. Python allows 20
nested blocks, so a long join goes on in a function of its own after `_LOOPS` of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from argon_lang.engine.aggregates import folding
from argon_lang.engine.doubt import compared_only, doubtful_fold
from argon_lang.engine.exprs import Functions, Run, code_of
from argon_lang.engine.governor import PACE, paced
from argon_lang.engine.needs import Code, CompareOf, DoubtOf, FoldOf, IndexOf, Need, NumberOf, RowsOf, RunOf
from argon_lang.engine.plan import Plan, Step
from argon_lang.engine.vartypes import by_number
from argon_lang.engine.walk import free_locals, literal_variables
from argon_lang.ir.expr import Binary, Expr, Lit, Local
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Match, Not, Rule, Term, Test, Var
from argon_lang.program.types import Type

_LOOPS = 15


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a function of one shape ends, gives up, and goes on in another function."""

    exit: str
    tail: str | None
    go_on: str
    parameters: str
    count: str


_DERIVE = _Shape("return", None, "{}", "out, delta", "len(out)")
_SOLUTIONS = _Shape("return", None, "yield from {}", "delta", "0")
_EXISTS = _Shape("return False", "return False", "if {}: return True", "", "0")
_COLLECT = _Shape("return", None, "{}", "out", "0")


class _Source:
    """What all functions generated for one body share: parameters of the factory, helper functions, variable names."""

    def __init__(self, generator: Generator, plan: Plan, mode: int | None, large: frozenset[str]) -> None:
        self.large = large
        self.types = generator.types
        self.generator = generator
        self.mode = mode
        self.ranges = compared_only(generator.rule, plan) if mode is not None else {}
        self.tests = {at: (var, *how) for var, tests in self.ranges.items() for at, how in tests.items()}
        self.needs: dict[str, Need] = {}
        self.known: dict[object, str] = {}
        self.blocks: list[list[str]] = []
        self.names: dict[str, str] = {}

    def variable(self, name: str) -> str:
        return self.names.setdefault(name, f"v{len(self.names)}")

    def need(self, prefix: str, need: Need) -> str:
        known = self.known.get(need)
        if known is None:
            known = self.known[need] = f"{prefix}{len(self.needs)}"
            self.needs[known] = need
        return known

    def run(self, expr: Expr, params: tuple[str, ...]) -> str:
        return self.need("x", RunOf(self.generator.expression(expr, params)))

    def value(self, name: str) -> str:
        """The number of a variable; of one that has bounds, that of its definite rows."""
        return f"{self.variable(name)}[2]" if name in self.ranges else self.variable(name)

    def term(self, term: Term) -> str:
        return self.variable(term.name) if isinstance(term, Var) else self.need("c", NumberOf(term.value))


def _row(parts: Iterable[str]) -> str:
    listed = list(parts)
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


def _key(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else _row(parts)


class _Writer:
    """Writes one function (and, through `_Source.blocks`, its helpers)."""

    def __init__(
        self, source: _Source, shape: _Shape, name: str, bound: Iterable[str], final: str, side: int = 0
    ) -> None:
        self.source = source
        self.side = side
        self.shape = shape
        self.name = name
        self.given = tuple(bound)
        self.bound = dict.fromkeys(self.given)
        self.final = final
        self.loops = 0
        self.ticking: list[tuple[int, int, bool]] = []
        self.lines: list[str] = []
        self.temporaries = 0

    def line(self, text: str) -> None:
        self.lines.append(" " * (self.loops + 2) + text)

    def unless(self, condition: str) -> None:
        """Give up on this binding unless `condition`."""
        self.line(f"if not ({condition}): {'continue' if self.loops else self.shape.exit}")

    def loop(self, target: str, over: str, long: bool = False) -> None:
        self.line(f"for {target} in {over}:")
        self.loops += 1
        self.ticking.append((len(self.lines), self.loops, long))

    def temporary(self) -> str:
        self.temporaries += 1
        return f"w{self.temporaries}"

    def body(self, steps: Plan, needed: tuple[frozenset[str], ...], delta: bool) -> None:
        """Write `steps`; `needed[i]` are the variables read after step i."""
        costly = False
        for i, step in enumerate(steps):
            if self.loops >= _LOOPS:
                self._go_on(steps[i:], needed[i:])
                costly = True
                break
            costly = self._step(step, needed[i], delta and i == 0) or costly
        else:
            self.line(self.final)
        self._close(costly)

    def _go_on(self, steps: Plan, needed: tuple[frozenset[str], ...]) -> None:
        name = f"s{len(self.source.blocks)}"
        self.source.blocks.append([])
        at = len(self.source.blocks) - 1
        writer = _Writer(self.source, self.shape, name, self.bound, self.final, self.side)
        writer.body(steps, needed, False)
        self.source.blocks[at] = writer.lines
        listed = ", ".join(p for p in (self.shape.parameters, *map(self.source.variable, self.bound)) if p)
        self.line(self.shape.go_on.format(f"{name}({listed})"))

    def _close(self, costly: bool) -> None:
        """Add the function's head, its ticks and its tail."""
        last = self.loops
        self.loops = 0
        if self.shape.tail:
            self.line(self.shape.tail)
        for at, depth, long in reversed(self.ticking):
            pad = " " * (depth + 2)
            if depth < last or costly:
                self.lines[at:at] = [f"{pad}n -= 1", f"{pad}if n < 0: n = T({self.shape.count})"]
            elif long:
                target, over = self.lines[at - 1].strip().removesuffix(":").split(" in ", 1)
                self.lines[at - 1] = f"{pad[1:]}{target} in (m if len(m := {over}) < {PACE} else P(T, m)):"
        params = ", ".join(p for p in (self.shape.parameters, *map(self.source.variable, self.given)) if p)
        head = [f" def {self.name}({params}):", "  n = 256"]
        if self.shape in (_DERIVE, _COLLECT):
            head.append("  add = out.add")
        self.lines[:0] = head

    def _step(self, step: Step, needed: frozenset[str], delta: bool) -> bool:
        """Write one literal. True when it is more than a lookup."""
        match step.literal:
            case Match() as literal:
                self._match(literal, needed, delta)
                return False
            case Test(expr, _):
                return self._test(expr)
            case Bind(var, expr, _):
                return self._bind(var, expr)
            case Each(var, expr, _):
                self._each(var, expr)
                return True
            case Not() as literal:
                return self._not(literal, step)
            case Aggregate() as literal:
                self._aggregate(literal, step)
                return True

    def _match(self, literal: Match, needed: frozenset[str], delta: bool) -> None:
        source, arity = self.source, len(literal.terms)
        columns = [i for i, t in enumerate(literal.terms) if isinstance(t, Const) or t.name in self.bound]
        if delta:
            self._scan(literal, list(range(arity)), "delta", needed)
        elif len(columns) == arity:
            self.unless(f"{_row(map(source.term, literal.terms))} in {self.rows(literal)}")
        else:
            free = [i for i in range(arity) if i not in columns]
            self._read(literal, columns, free, needed)

    def rows(self, literal: Match, side: int | None = None) -> str:
        return self.source.need("R", RowsOf(literal.key, len(literal.terms), self.side if side is None else side))

    def _read(self, literal: Match, columns: list[int], free: list[int], needed: frozenset[str]) -> None:
        source, arity = self.source, len(literal.terms)
        rows = self.rows(literal) if not columns else ""
        get = source.need("X", IndexOf(literal.key, arity, tuple(columns), self.side)) if columns else ""
        key = _key([source.term(literal.terms[i]) for i in columns]) if columns else ""
        names = [t.name for i in free if isinstance(t := literal.terms[i], Var)]
        if not needed.intersection(names) and len(set(names)) == len(names):
            self.unless(f"{get}({key})" if columns else rows)
        else:
            self._scan(literal, free, f"{get}({key}, ())" if columns else rows, needed, bool(columns))

    def _scan(self, literal: Match, free: list[int], over: str, needed: frozenset[str], keyed: bool = False) -> None:
        """Loop over rows, binding the columns `free`; known and repeated ones become conditions."""
        targets: list[str] = []
        conditions: list[str] = []
        for i in free:
            term = literal.terms[i]
            if isinstance(term, Var) and term.name not in self.bound:
                self.bound[term.name] = None
                targets.append(self.source.variable(term.name))
            else:
                targets.append(self.temporary())
                conditions.append(f"{targets[-1]} == {self.source.term(term)}")
        target = targets[0] if keyed and len(targets) == 1 else _row(targets) if targets else "_"
        self.loop(target, over, not keyed or literal.key in self.source.large)
        for condition in conditions:
            self.unless(condition)

    def _values(self, params: tuple[str, ...]) -> str:
        return "".join(f", V[{self.source.variable(name)}]" for name in params)

    def _call(self, expr: Expr) -> str:
        params = free_locals(expr)
        return f"{self.source.run(expr, params)}(S, 0{self._values(params)})"

    def _test(self, expr: Expr) -> bool:
        if isinstance(expr, Binary) and (how := self.source.tests.get(id(expr))) is not None:
            self._within(expr, *how)
            return True
        compared = self._compared(expr)
        self.unless(compared or self._call(expr))
        return compared is None

    def _compared(self, expr: Expr) -> str | None:
        """`==` and `!=` of interned values are comparisons of numbers, where the types tell that this is the same."""
        compared = by_number(expr, self.source.types)
        if compared is None:
            return None
        return f"{self._number(compared.left)} {compared.op} {self._number(compared.right)}"

    def _number(self, side: Expr) -> str:
        """The number of a local or a constant, or of what an expression yields."""
        match side:
            case Local(name):
                return self.source.variable(name)
            case Lit(value):
                return self.source.need("c", NumberOf(value))
            case _:
                return f"I({self._call(side)})"

    def _bind(self, var: str, expr: Expr) -> bool:
        if isinstance(expr, Local) and expr.name not in self.bound:
            var, expr = expr.name, Local(var)
        target, value = self.source.variable(var), self._number(expr)
        if var in self.bound:
            self.unless(f"{target} == {value}")
        else:
            self.bound[var] = None
            self.line(f"{target} = {value}")
        return not isinstance(expr, Local | Lit)

    def _each(self, var: str, expr: Expr) -> None:
        elements = f"{{I(e) for e in {self._call(expr)} or ()}}"
        if var in self.bound:
            self.unless(f"{self.source.variable(var)} in {elements}")
            return
        self.loop(self.source.variable(var), elements)
        self.bound[var] = None

    def _aggregate(self, literal: Aggregate, step: Step) -> None:
        """Gather the distinct rows `(own…, value)`, make one value of them, bind or compare it."""
        wanted = [*literal.own, literal.value]
        final = f"add({_row(map(self.source.term, wanted))})"
        names = [term.name for term in wanted if isinstance(term, Var)]
        value = self.temporary()
        if self.source.mode is None:
            rows = self._gathered(step, final, names, self.side)
            fold = self.source.need("g", FoldOf(folding(literal.op, literal.type)))
            self.line(f"{value} = {fold}([V[r[-1]] for r in {rows}])")
        else:
            ranged = literal.var in self.source.ranges
            self.line(f"{value} = {self._doubtful(literal, step, final, names, ranged)}")
            if ranged:
                self._bounded(literal.var, value)
                return
        self.unless(f"{value} is not None")
        target = self.source.variable(literal.var)
        if literal.var in self.bound:
            self.unless(f"{target} == I({value})")
        else:
            self.bound[literal.var] = None
            self.line(f"{target} = I({value})")

    def _gathered(self, step: Step, final: str, names: list[str], side: int) -> str:
        """The set of rows that an aggregate ranges over in one estimate."""
        helper, rows = self._helper("h", _COLLECT, step, final, names, side), self.temporary()
        self.line(f"{rows} = set()")
        self.line(f"{helper}({', '.join([rows, *map(self.source.variable, step.shared)])})")
        return rows

    def _doubtful(self, literal: Aggregate, step: Step, final: str, names: list[str], ranged: bool) -> str:
        """The call that makes the value, or the bounds, of what the two estimates range over."""
        mode = self.source.mode or 0
        definite, possible = (self._gathered(step, final, names, int(estimate != mode)) for estimate in (0, 1))
        fold = self.source.need("g", DoubtOf(doubtful_fold(literal.op, literal.type, ranged)))
        in_doubt = f"[V[r[-1]] for r in {possible} - {definite}]"
        return f"{fold}([V[r[-1]] for r in {definite}], {in_doubt}, {(mode ^ self.side) == 1})"

    def _bounded(self, var: str, value: str) -> None:
        """Keep the bounds of an aggregate that is only compared."""
        self.unless(f"{value} is not None")
        self.bound[var] = None
        self.line(f"{self.source.variable(var)} = ({value}[0], {value}[1], I({value}[2]))")

    def _within(self, expr: Binary, var: str, op: str, left: bool) -> None:
        """A comparison of an aggregate's bounds."""
        other = expr.right if left else expr.left
        asked = self.source.need("b", CompareOf(op, bool((self.source.mode or 0) ^ self.side)))
        self.unless(f"{asked}({self.source.variable(var)}, {self._value(other)})")

    def _value(self, side: Expr) -> str:
        match side:
            case Local(name):
                return f"V[{self.source.variable(name)}]"
            case Lit(value):
                return f"V[{self.source.need('c', NumberOf(value))}]"
            case _:
                return self._call(side)

    def _helper(
        self, prefix: str, shape: _Shape, step: Step, final: str, wanted: Iterable[str], side: int | None = None
    ) -> str:
        """A function of its own for the body of a negation or an aggregate; its name."""
        name = f"{prefix}{len(self.source.blocks)}"
        self.source.blocks.append([])
        at = len(self.source.blocks) - 1
        writer = _Writer(self.source, shape, name, step.shared, final, self.side if side is None else side)
        writer.body(step.inner, needed_after(step.inner, wanted), False)
        self.source.blocks[at] = writer.lines
        return name

    def _not(self, literal: Not, step: Step) -> bool:
        only = literal.body[0]
        if len(literal.body) == 1 and isinstance(only, Match):
            names = [t.name for t in only.terms if isinstance(t, Var) and t.name not in self.bound]
            if len(set(names)) == len(names):
                self._absent(only)
                return False
        name = self._helper("n", _EXISTS, step, "return True", (), 1 - self.side)
        self.unless(f"not {name}({', '.join(map(self.source.variable, step.shared))})")
        return True

    def _absent(self, literal: Match) -> None:
        """No row of one predicate matches."""
        source, arity = self.source, len(literal.terms)
        columns = [i for i, t in enumerate(literal.terms) if isinstance(t, Const) or t.name in self.bound]
        if len(columns) == arity:
            rows = self.rows(literal, 1 - self.side)
            self.unless(f"{_row(map(source.term, literal.terms))} not in {rows}")
        elif not columns:
            self.unless(f"not {self.rows(literal, 1 - self.side)}")
        else:
            get = source.need("X", IndexOf(literal.key, arity, tuple(columns), 1 - self.side))
            self.unless(f"not {get}({_key([source.term(literal.terms[i]) for i in columns])})")


def needed_after(plan: Plan, finally_: Iterable[str]) -> tuple[frozenset[str], ...]:
    """For each step, the variables that a later step or the end of the body reads."""
    wanted = frozenset(finally_)
    result: list[frozenset[str]] = []
    for step in reversed(plan):
        result.append(wanted)
        wanted |= frozenset(literal_variables(step.literal))
    return tuple(reversed(result))


@dataclass(slots=True)
class Generator:
    """Makes code for the bodies of one rule; `runs` keeps its compiled expressions by identity."""

    rule: Rule
    functions: Functions
    types: Mapping[str, Type]
    runs: dict[int, Run]

    def expression(self, expr: Expr, params: tuple[str, ...]) -> Run:
        """The code of an expression of the body, a function of its free variables."""
        found = self.runs.get(id(expr))
        if found is None:
            found = self.runs[id(expr)] = self.functions.compile(expr, params)
        return found

    def derive(
        self,
        plan: Plan,
        bound: tuple[str, ...],
        delta: bool,
        mode: int | None = None,
        large: frozenset[str] = frozenset(),
    ) -> Code:
        """`run(out, delta, *bound)` adds head rows to `out`. With `delta`, the first literal reads it.

        `mode`: the estimate that is computed, 0 definite and 1 possible; None where the two are the same. `large` are
        the keys of which one value of some columns may have very many rows.
        """
        source = _Source(self, plan, mode, large)
        final = f"add({_row(map(source.term, self.rule.terms))})"
        heads = [term.name for term in self.rule.terms if isinstance(term, Var)]
        return _write(source, _DERIVE, plan, bound, heads, final, delta)

    def solutions(
        self, plan: Plan, bound: tuple[str, ...], wanted: tuple[str, ...], delta: bool = False, mode: int | None = None
    ) -> Code:
        """`run(delta, *bound)` yields the numbers of `wanted`, once per way to satisfy the body."""
        source = _Source(self, plan, mode, frozenset())
        final = f"yield {_row(map(source.value, wanted))}"
        return _write(source, _SOLUTIONS, plan, bound, wanted, final, delta)


def _write(
    source: _Source, shape: _Shape, plan: Plan, bound: tuple[str, ...], wanted: Iterable[str], final: str, delta: bool
) -> Code:
    writer = _Writer(source, shape, "run", bound, final)
    writer.body(plan, needed_after(plan, wanted), delta)
    params = "".join(f", {name}" for name in source.needs)
    lines = [f"def make(S, V, I, T{params}):"]
    for block in (*source.blocks, writer.lines):
        lines.extend(block)
    namespace: dict[str, Any] = {"P": paced}
    exec(code_of("\n".join([*lines, " return run", ""])), namespace)
    return Code(namespace.pop("make"), tuple(source.needs.values()))  # or it would be in a circle with its globals
