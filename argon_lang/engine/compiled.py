"""One rule, compiled: the gate's verdict and the runtime's code from the same plan.

`compile_rule` plans the body once with assumed counts. Whatever it accepts the runtime can run in any order that live
counts suggest, since binding more variables never makes a literal less ready. Code is generated on first use and shared
by all evaluations.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any

from argon_lang.engine.codegen import Generator
from argon_lang.engine.doubt import comparison
from argon_lang.engine.exprs import Context, Functions, Run, make_room
from argon_lang.engine.governor import PACE
from argon_lang.engine.intern import Interner
from argon_lang.engine.needs import Code, CompareOf, DoubtOf, FoldOf, IndexOf, Need, NumberOf, RowsOf, RunOf
from argon_lang.engine.order import SortKey, row_key, sort_key
from argon_lang.engine.plan import (
    Counts,
    Distinct,
    Plan,
    Planner,
    Step,
    assumed,
    check_expressions,
    check_heads,
    check_rebinding,
    uncounted,
)
from argon_lang.engine.refusal import HEAD, Refusal, Refused
from argon_lang.engine.relations import Ids, Space
from argon_lang.engine.vartypes import variable_types
from argon_lang.engine.walk import aggregates, binders, free_locals, matches, negations
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Expr
from argon_lang.ir.rules import Aggregate, Bind, Const, Match, Predicate, Rule, Term, Var
from argon_lang.ir.values import Value
from argon_lang.problems import args


class Environment:
    """What generated code runs in: rows, the table of values, and the expression context of one evaluation.

    `space` has the estimate that is computed, `other` the other one, which is asked under negation. `mode` tells which
    `space` is (0 definite, 1 possible), or is None while no tuple that is read is in doubt. `barred` are rows, by key,
    that are not derived anew: they are refuted.
    """

    __slots__ = ("barred", "context", "interner", "mode", "other", "space")

    def __init__(
        self, space: Space, interner: Interner, context: Context, other: Space | None = None, mode: int | None = None
    ) -> None:
        """Tie them together."""
        self.space = space
        self.interner = interner
        self.context = context
        self.other = space if other is None else other
        self.mode = mode
        self.barred: Mapping[str, Mapping[Ids, int]] = {}

    def swapped(self) -> Environment:
        """The same with the estimates changed over: what stands under a negation is evaluated there."""
        mode = None if self.mode is None else 1 - self.mode
        return Environment(self.other, self.interner, self.context, self.space, mode)

    def settled(self) -> Environment:
        """The same for rules that read nothing in doubt."""
        return Environment(self.space, self.interner, self.context)

    def bind(self, code: Code) -> Callable[..., Any]:
        """The runnable function of `code` over these relations."""
        needs = [self._supply(need) for need in code.needs]
        tick = self.context.governor.tick
        return code.make(self.context, self.interner.values, self.interner.intern, tick, *needs)

    def _supply(self, need: Need) -> Any:
        match need:
            case RowsOf(key, arity, side):
                relation = (self.other if side else self.space).relation(key, arity)
                return relation.known(self.context.governor.tick)
            case IndexOf(key, arity, columns, side):
                relation = (self.other if side else self.space).relation(key, arity)
                return relation.index(columns, self.context.governor.tick).get
            case NumberOf(value):
                return self.interner.intern(value)
            case RunOf(run):
                return run
            case FoldOf(fold) | DoubtOf(fold):
                return fold
            case CompareOf(op, possible):
                return comparison(op, possible)


class naming:
    """`with naming(rule): …` adds the rule to the details of a domain error (`rule`: content id, `key`: its head's)."""

    __slots__ = ("_rule",)

    def __init__(self, rule: Rule) -> None:
        """The rule whose code is about to run."""
        self._rule = rule

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise the domain error anew, with its rule."""
        if isinstance(error, ArgonError) and error.code in DOMAIN_ERRORS and "rule" not in error.details:
            details = {**error.details, "rule": self._rule.id, "key": self._rule.key}
            raise ArgonError(error.code, error.args_, details=details) from error


DOMAIN_ERRORS = frozenset({"ARGON_RUNTIME_ARITHMETIC", "ARGON_RUNTIME_DERIVE_FAILED"})


class CompiledRule:
    """A rule that can run; `compile_rule` makes it.

    `positive` are the (index, key) of its positive reads, `reads` the keys of all, `heads` the distinct head variables,
    `variables` all that a substitution of the body assigns (those local to a negation are not among them), `types`
    theirs as far as known.
    """

    __slots__ = (
        "_aggregates",
        "_codes",
        "_columns",
        "_generator",
        "_planner",
        "_plans",
        "_signatures",
        "heads",
        "positive",
        "reads",
        "rule",
        "types",
        "variables",
    )

    def __init__(self, planner: Planner) -> None:
        """Wrap the rule of `planner`, which has accepted it."""
        rule = self.rule = planner.rule
        self._planner = planner
        self.types = variable_types(rule, planner.shapes, planner.functions)
        self._generator = Generator(rule, planner.functions, self.types, {})
        self._plans: dict[object, Plan] = {}
        self._codes: dict[object, Code] = {}
        self._signatures: dict[int, tuple[Plan, tuple[object, ...]]] = {}
        self._aggregates = any(True for _ in aggregates(rule.body))
        self.reads = tuple(sorted({match.key for match, _ in matches(rule.body)}))
        self.positive = tuple((i, lit.key) for i, lit in enumerate(rule.body) if isinstance(lit, Match))
        reads = (literal for literal in rule.body if isinstance(literal, Match))
        self._columns = tuple({(read.key, at): None for read in reads for at in range(len(read.terms))})
        self.heads = tuple(dict.fromkeys(term.name for term in rule.terms if isinstance(term, Var)))
        bound = (name for literal in rule.body for name in binders(literal))
        self.variables = tuple(dict.fromkeys((*rule.inputs, *self.heads, *bound, *_inverted(rule))))

    def variant(self, rule: Rule) -> CompiledRule:
        """Another rule over the same module, made of parts of this one, which has been accepted."""
        return CompiledRule(Planner(rule, self._planner.shapes, self._planner.functions))

    def expression(self, expr: Expr) -> Run:
        """The code of an expression of the body: `run(context, depth, *values)` of its free variables in order."""
        return self._generator.expression(expr, free_locals(expr))

    def plan(
        self,
        counts: Counts = assumed,
        first: int | None = None,
        bound: tuple[str, ...] = (),
        distinct: Distinct = uncounted,
    ) -> Plan:
        """The order for these live counts, starting with literal `first`, `bound` variables known."""
        open_reads = len(self.positive) - (first is not None)
        sizes = tuple(counts(key).bit_length() // 2 for key in self.reads) if open_reads > 1 else ()
        if sizes and distinct is not uncounted and max(sizes) > _COUNTED:
            sizes += tuple(distinct(key, at).bit_length() // 2 for key, at in self._columns)
        found = self._plans.get((first, bound, sizes))
        if found is None:
            inputs = (*self.rule.inputs, *bound)
            found = self._plans[first, bound, sizes] = self._planner.plan(inputs, counts, first, distinct=distinct)
        return found

    def deriver(self, environment: Environment, first: int | None = None) -> Callable[..., None]:
        """`run(out, delta, *inputs)`: add the head rows to the set `out`; literal `first` reads only `delta`."""
        plan = self.plan(environment.space.count, first, distinct=environment.space.distinct)
        mode, count = self._mode(environment), environment.space.count
        large = frozenset(key for key in self.reads if count(key) >= PACE or key == self.rule.key)
        label = ("derive", first is not None, self._signature(plan), mode, large)
        code = self._codes.get(label)
        if code is None:
            code = self._codes[label] = self._generator.derive(plan, self.rule.inputs, first is not None, mode, large)
        return environment.bind(code)

    def _signature(self, plan: Plan) -> tuple[object, ...]:
        """`_signature` of a plan, made once: plans are kept."""
        found = self._signatures.get(id(plan))
        if found is None or found[0] is not plan:
            found = self._signatures[id(plan)] = (plan, _signature(plan))
        return found[1]

    def _mode(self, environment: Environment) -> int | None:
        """Only aggregates have code for each estimate."""
        return environment.mode if self._aggregates else None

    def unify(self, environment: Environment, row: tuple[int | None, ...]) -> dict[str, int] | None:
        """The head variables' numbers for a row (None: any value); None when the head is another row's."""
        bound: dict[str, int] = {}
        for term, number in zip(self.rule.terms, row, strict=True):
            if number is None:
                continue
            known = environment.interner.find(term.value) if isinstance(term, Const) else bound.get(term.name, number)
            if known != number:
                return None
            if isinstance(term, Var):
                bound[term.name] = number
        return bound

    def solve(self, environment: Environment, bound: Mapping[str, int]) -> Iterator[Ids]:
        """The substitutions of `variables` that satisfy the body, some known: numbers in the order of `variables`."""
        names = tuple(bound)
        plan = self.plan(environment.space.count, None, names)
        return self.run(environment, plan, bound, self.variables)

    def run(
        self, environment: Environment, plan: Plan, bound: Mapping[str, int], wanted: tuple[str, ...], scope: int = -1
    ) -> Iterator[Ids]:
        """The values of `wanted` for each way to satisfy `plan`: the body, a prefix, or a negation's body.

        `scope` tells plans of different conjunctions apart: the index of the `Not`, -1 for the body itself.
        """
        names, mode = tuple(bound), self._mode(environment)
        label = ("solve", scope, names, wanted, self._signature(plan), mode)
        code = self._codes.get(label)
        if code is None:
            code = self._codes[label] = self._generator.solutions(plan, names, wanted, mode=mode)
        found: Iterator[Ids] = environment.bind(code)(None, *bound.values())
        return found

    def runner(
        self, environment: Environment, names: tuple[str, ...], wanted: tuple[str, ...]
    ) -> Callable[..., Iterator[Ids]]:
        """`run(*values of names)`: the values of `wanted` for each way to satisfy the body."""
        plan, mode = self.plan(environment.space.count, None, names), self._mode(environment)
        label = ("solve", -1, names, wanted, self._signature(plan), mode)
        code = self._codes.get(label)
        if code is None:
            code = self._codes[label] = self._generator.solutions(plan, names, wanted, mode=mode)
        return functools.partial(environment.bind(code), None)

    def from_rows(self, environment: Environment, rows: Iterable[Ids]) -> Iterator[Ids]:
        """The substitutions of `variables` that satisfy the body, its first literal reading `rows`."""
        plan, mode = self.plan(environment.space.count, 0), self._mode(environment)
        label = ("from", self._signature(plan), mode)
        code = self._codes.get(label)
        if code is None:
            code = self._codes[label] = self._generator.solutions(plan, self.rule.inputs, self.variables, True, mode)
        found: Iterator[Ids] = environment.bind(code)(rows)
        return found

    def ranged(
        self, environment: Environment, step: Step, known: Mapping[str, int]
    ) -> list[tuple[dict[str, int], Value]]:
        """What an aggregate ranges over under a substitution: each row's least solution of the body, and its value.

        In canonical order of the value, then of the solution.
        """
        literal, values = step.literal, environment.interner.values
        if not isinstance(literal, Aggregate):
            raise TypeError(type(literal).__name__)
        bound = {name: known[name] for name in step.shared}
        names = tuple(dict.fromkeys((*bound, *(name for each in literal.body for name in binders(each)))))
        least: dict[Ids, tuple[SortKey, dict[str, int], Value]] = {}
        for numbers in self.run(environment, step.inner, bound, names, step.index):
            solution = dict(zip(names, numbers, strict=True))
            row = tuple(_of(term, solution, environment) for term in (*literal.own, literal.value))
            order = row_key(values[number] for number in numbers)
            if row not in least or order < least[row][0]:
                least[row] = (order, solution, values[row[-1]])
        ordered = sorted(least.values(), key=lambda each: (sort_key(each[2]), each[0]))
        return [(solution, value) for _, solution, value in ordered]


def _of(term: Term, solution: Mapping[str, int], environment: Environment) -> int:
    return environment.interner.intern(term.value) if isinstance(term, Const) else solution[term.name]


def _inverted(rule: Rule) -> Iterator[str]:
    """Variables that only `y = x` can bind, from its left side."""
    for literal in rule.body:
        if isinstance(literal, Bind):
            yield from free_locals(literal.expr)


def _signature(plan: Plan) -> tuple[object, ...]:
    return tuple((step.index, _signature(step.inner)) for step in plan)


_COUNTED = 6
"""Values of columns matter from 4,096 rows on: half the bits of that."""
_SHALLOW = 20
_FRAMES_PER_NEGATION = 20


def compile_rule(rule: Rule, shapes: Mapping[str, Predicate], functions: Functions) -> CompiledRule | Refusal:
    """The rule ready to run, or why it cannot: OE1303, OE1304, OE1306 or OE1317."""
    depth = negations(rule.body)
    if depth > _SHALLOW:
        make_room(depth * _FRAMES_PER_NEGATION)
    planner = Planner(rule, shapes, functions)
    refusal = check_expressions(rule, functions) or check_rebinding(rule) or _check_arity(rule, shapes)
    if refusal is not None:
        return refusal
    try:
        plan = planner.plan(rule.inputs)
    except Refused as refused:
        return refused.refusal
    bound = {name for step in plan for name in binders(step.literal)} | set(_inverted(rule)) | set(rule.inputs)
    return check_heads(rule, frozenset(bound)) or CompiledRule(planner)


def _check_arity(rule: Rule, shapes: Mapping[str, Predicate]) -> Refusal | None:
    """Every read and the head have as many columns as the key's shape."""
    wanted = [(rule.key, len(rule.terms), HEAD)]
    wanted += [(match.key, len(match.terms), match.site) for match, _ in matches(rule.body)]
    for key, arity, site in wanted:
        shape = shapes.get(key)
        if shape is not None and len(shape.columns) != arity:
            name, rule_name = key.rsplit("::", 1)[-1], rule.key.rsplit("::", 1)[-1]
            return Refusal("OE1317", rule.id, site, args(construct=f"`{name}`", rule=rule_name))
    return None
