"""Users' checks over declared facts (semantics S9.1): what `argon checks` would say of a store that nobody wrote to.

Declared facts are valid in intervals, so a check is decided at every instant at which one begins or ends. What reads
the clock, or asks a query in its report, is left to run time: a build depends on no clock. Each check is evaluated over
the rules and facts that it rests on and nothing else (`slices`), and remembered until one of them changes. A violation
is reported at the check, with the fact that it is about beside it, under the code for the severity of its `Diagnostic`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from argon_lang.engine.display import display
from argon_lang.engine.exprs import Context, Functions, evaluate_expression
from argon_lang.engine.governor import Governor
from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.errors import ArgonError
from argon_lang.gates.declared import Facts
from argon_lang.gates.rules import Findings, Traced
from argon_lang.gates.slices import Slice, slices
from argon_lang.ir.lower.link import Linked
from argon_lang.ir.lower.walk import free_locals
from argon_lang.ir.module import Check, Fact
from argon_lang.ir.rules import Var
from argon_lang.ir.values import Entity, EnumValue, Row, StructValue, TupleValue, Value
from argon_lang.problems import Note, Place, Problem, Related, args

_CODES = {"Error": "OE1354", "Warning": "OW1355", "Info": "OI1356"}
_ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Violation:
    """One row of a check that declared facts bring about, with its report."""

    row: Row
    report: StructValue


def check_violations(linked: Linked, rules: Iterable[Traced], facts: Facts, findings: Findings) -> None:
    """Report what the declared facts violate. The program must have passed every earlier gate."""
    traced = {each.rule.id: each for each in rules}
    for part in slices(linked):
        at = traced[part.check.rule.id]
        found = (_problem(at, part.check, violation, facts) for violation in violations(part))
        findings.add(at.unit.id, *found)


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


@lru_cache(maxsize=1024)
def violations(part: Slice) -> tuple[Violation, ...]:
    """Each violation of one check once, by its key in the order of rows, instants first to last."""
    module, check = part.module, part.check
    program, functions = compile_program(module), Functions(module.functions)
    found: dict[str, Violation] = {}
    for instant in _instants(module.facts):
        model = evaluate(program, _valid(module.facts, instant), instant)
        for row in model.rows(check.rule.key):
            name = repr(row[: check.arity])
            if name not in found and (made := _reported(check, row, model, functions)) is not None:
                found[name] = made
    return tuple(found[name] for name in sorted(found))


def _reported(check: Check, row: Row, model: Model, functions: Functions) -> Violation | None:
    names = free_locals(check.report)
    env = {term.name: value for term, value in zip(check.rule.terms, row, strict=True) if isinstance(term, Var)}
    run = functions.compile(check.report, names)
    context = Context(model.clock, Governor(), _State(model))
    value = evaluate_expression(run, context, *(env[name] for name in names))
    return Violation(row, value) if isinstance(value, StructValue) else None


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


def _problem(traced: Traced, check: Check, violation: Violation, facts: Facts) -> Problem:
    values = dict(violation.report.fields)
    severity = values.get("severity")
    code = _CODES.get(severity.variant if isinstance(severity, EnumValue) else "Error", "OE1354")
    key = ", ".join(display(value) for value in violation.row[: check.arity])
    notes = (Note("code", args(found=display(values["code"]))),) if values.get("code") is not None else ()
    shown = args(name=traced.trace.name, variable=key, message=display(values.get("message")))
    related = _about(violation.row[: check.arity], traced.trace.name, facts)
    return Problem(code, *traced.name_span(), shown, related, notes)


def _about(key: Row, name: str, facts: Facts) -> tuple[Related, ...]:
    """The first declared fact about each individual of the violation's key."""
    places: dict[Place, None] = {}
    for subject in dict.fromkeys(value for value in key if isinstance(value, Entity)):
        first = next((fact for fact in facts.all() if subject in fact.fact.row), None)
        if first is not None:
            root = first.unit.item.root
            places[Place(first.unit.id, root.start, root.end)] = None
    return tuple(Related("fact", place=place, args=args(name=name)) for place in places)
