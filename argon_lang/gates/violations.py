"""Users' checks over declared facts (semantics S9.1): what `argon checks` would say of a store that nobody wrote to.

Declared facts are valid in intervals, so the checks are decided at every instant at which one begins or ends. What
reads the clock is left to run time: a build depends on no clock. A violation is reported at the check, with the fact
that it is about beside it, under the code for the severity of its `Diagnostic`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from argon_lang.engine.display import display
from argon_lang.engine.exprs import Context, Functions, evaluate_expression
from argon_lang.engine.governor import Governor
from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.errors import ArgonError
from argon_lang.gates.declared import Facts
from argon_lang.gates.rules import Findings, Traced
from argon_lang.ir.expr import Builtin, CallFn
from argon_lang.ir.lower.link import Linked
from argon_lang.ir.lower.walk import free_locals, parts
from argon_lang.ir.module import Check, Fact, Module
from argon_lang.ir.rules import Match, Rule, Var
from argon_lang.ir.values import Entity, EnumValue, Row, StructValue, TupleValue, Value
from argon_lang.problems import Note, Place, Problem, Related, args

_CLOCKS = frozenset({"today", "now"})
_CODES = {"Error": "OE1354", "Warning": "OW1355", "Info": "OI1356"}
_ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Violation:
    """One row of a check that declared facts bring about, with its report."""

    check: Check
    row: Row
    report: StructValue


def check_violations(linked: Linked, rules: Iterable[Traced], facts: Facts, findings: Findings) -> None:
    """Report what the declared facts violate. The program must have passed every earlier gate."""
    module = linked.module
    checks = [check for check in module.checks if not reads_clock(check, module)]
    if not checks or not module.facts:
        return
    traced = {each.rule.id: each for each in rules}
    for violation in _violations(module, checks):
        at = traced.get(violation.check.rule.id)
        if at is not None:
            findings.add(at.unit.id, _problem(at, violation, facts))


# -- what reads the clock ---------------------------------------------------------------------------------------------


def reads_clock(check: Check, module: Module) -> bool:
    """Does the check, its report, or anything that it depends on read the transaction's clock?"""
    ticking = _ticking_functions(module)
    by_key: dict[str, list[Rule]] = {}
    for rule in module.rules:
        by_key.setdefault(rule.key, []).append(rule)
    queue: list[object] = [check.rule, check.report]
    seen: set[str] = set()
    for whole in queue:
        for part in parts(whole):
            if _ticks(part, ticking):
                return True
            if isinstance(part, Match) and part.key not in seen:
                seen.add(part.key)
                queue.extend(by_key.get(part.key, ()))
    return False


def _ticks(part: object, ticking: frozenset[str]) -> bool:
    match part:
        case Builtin(name):
            return name in _CLOCKS
        case CallFn(path):
            return path in ticking
        case _:
            return False


def _ticking_functions(module: Module) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    while True:
        more = {f.path for f in module.functions if any(_ticks(part, found) for part in parts(f.body))}
        if more == found:
            return found
        found = frozenset(more)


# -- evaluation -------------------------------------------------------------------------------------------------------


class _State:
    """The engine's `State` over a model of declared facts: what a report may read."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def field(self, key: str, entity: Value) -> tuple[Value, ...]:
        """The values of a field."""
        owner = key.rpartition(".")[0]
        return self.model.field(key, TupleValue(owner, entity.ends) if isinstance(entity, TupleValue) else entity)

    def holds(self, key: str, arguments: tuple[Value, ...]) -> bool:
        """Is there such a row?"""
        return self.model.holds(key, arguments)

    def query(self, path: str, arguments: tuple[Value, ...]) -> Value:
        """Queries in reports are answered at run time only."""
        raise ArgonError("ARGON_RUNTIME_DERIVE_FAILED", args(name=path, found="a query in a report"))


def _violations(module: Module, checks: list[Check]) -> Iterator[Violation]:
    """Each violation once, in the order of checks and rows."""
    program, functions = compile_program(module), Functions(module.functions)
    found: dict[tuple[str, str], Violation] = {}
    for instant in _instants(module.facts):
        model = evaluate(program, _valid(module.facts, instant), instant)
        for check in checks:
            for row in model.rows(check.rule.key):
                name = (check.path, repr(row[: check.arity]))
                if name not in found and (made := _reported(check, row, model, functions)) is not None:
                    found[name] = made
    for name in sorted(found):
        yield found[name]


def _reported(check: Check, row: Row, model: Model, functions: Functions) -> Violation | None:
    names = free_locals(check.report)
    env = {term.name: value for term, value in zip(check.rule.terms, row, strict=True) if isinstance(term, Var)}
    run = functions.compile(check.report, names)
    context = Context(model.clock, Governor(), _State(model))
    value = evaluate_expression(run, context, *(env[name] for name in names))
    return Violation(check, row, value) if isinstance(value, StructValue) else None


def _instants(facts: Iterable[Fact]) -> list[datetime]:
    """Where the set of valid facts changes; one instant before them all."""
    bounds = {instant for fact in facts for instant in (fact.start, fact.end) if instant is not None}
    before = min(bounds, default=_ALWAYS)
    first = before.replace(year=max(1, before.year - 1), day=1) if bounds else before
    return sorted({first, *bounds})


def _valid(facts: Iterable[Fact], instant: datetime) -> Mapping[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for fact in facts:
        if (fact.start is None or fact.start <= instant) and (fact.end is None or instant < fact.end):
            found.setdefault(fact.key, []).append(fact.row)
    return found


# -- reporting --------------------------------------------------------------------------------------------------------


def _problem(traced: Traced, violation: Violation, facts: Facts) -> Problem:
    values = dict(violation.report.fields)
    severity = values.get("severity")
    code = _CODES.get(severity.variant if isinstance(severity, EnumValue) else "Error", "OE1354")
    key = ", ".join(display(value) for value in violation.row[: violation.check.arity])
    notes = (Note("code", args(found=display(values["code"]))),) if values.get("code") is not None else ()
    shown = args(name=traced.trace.name, variable=key, message=display(values.get("message")))
    return Problem(code, *traced.name_span(), shown, _about(violation, traced.trace.name, facts), notes)


def _about(violation: Violation, name: str, facts: Facts) -> tuple[Related, ...]:
    """The first declared fact about each individual of the violation's key."""
    subjects = dict.fromkeys(value for value in violation.row[: violation.check.arity] if isinstance(value, Entity))
    places: dict[Place, None] = {}
    for subject in subjects:
        first = next((fact for fact in facts.all() if subject in fact.fact.row), None)
        if first is not None:
            root = first.unit.item.root
            places[Place(first.unit.id, root.start, root.end)] = None
    return tuple(Related("fact", place=place, args=args(name=name)) for place in places)
