"""Users' checks over declared facts (semantics S9.1): what `argon checks` would say of a store that nobody wrote to.

Declared facts are valid in intervals, so a check is decided at every instant at which one begins or ends. What reads
the clock, or asks a query in its report, is left to run time: a build depends on no clock. Each check is evaluated over
the rules and facts that it rests on and nothing else (`slices`), and remembered until one of them changes. A violation
is reported at the check, with the fact that it is about beside it, under the code for the severity of its `Diagnostic`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from functools import lru_cache

from argon_lang.engine.display import display
from argon_lang.engine.exprs import Context, Functions, evaluate_expression
from argon_lang.engine.governor import Governor, Limits
from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.errors import ArgonError
from argon_lang.gates.declared import Facts
from argon_lang.gates.rules import Findings, Traced
from argon_lang.gates.slices import Slice, slices
from argon_lang.gates.states import ModelState, instants, valid_at
from argon_lang.ir.expr import Expr, MakeStruct
from argon_lang.ir.lower.link import Linked
from argon_lang.ir.lower.walk import free_locals
from argon_lang.ir.module import Check, Module
from argon_lang.ir.rules import Var
from argon_lang.ir.values import Entity, EnumValue, Row, StructValue, Value
from argon_lang.problems import Args, ItemId, Note, Place, Problem, Related, args
from argon_lang.program.findings import declared_at
from argon_lang.program.model import ConceptSig, RelationSig
from argon_lang.syntax import nodes
from shared_catalog import render

_CODES = {"Error": "OE1354", "Warning": "OW1355", "Info": "OI1356"}


UNKNOWN = "Unknown"


@dataclass(frozen=True, slots=True)
class Violation:
    """One row of a check that declared facts bring about, with what its `Diagnostic` says.

    `since` is the first instant at which they do, `before` the one before which they do (where facts have dates, and
    one or the other is not always so).

    Of one that an open world leaves undecided the severity is `UNKNOWN`, and the message the path of an open concept.
    """

    row: Row
    severity: str
    message: str
    code: str | None
    since: datetime | None = None
    before: datetime | None = None

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is said beside it."""
        said = (("code", self.code), ("since", _when(self.since)), ("before", _when(self.before)))
        return tuple(Note(name, args(found=found)) for name, found in said if found is not None)


def _when(instant: datetime | None) -> str | None:
    """An instant as people write it: a date when it is its midnight."""
    if instant is None:
        return None
    return f"{instant:%Y-%m-%d}" if instant.time() == time() else f"{instant:%Y-%m-%dT%H:%M:%SZ}"


@dataclass(frozen=True, slots=True)
class Undecided:
    """The run-time error that deciding a check ended in."""

    code: str
    args: Args


def check_violations(
    linked: Linked, rules: Iterable[Traced], facts: Facts, findings: Findings, wanted: Callable[[Check], bool]
) -> None:
    """Report what the declared facts violate of the wanted checks. The program must have passed every earlier gate."""
    traced = {each.rule.id: each for each in rules}
    answers = [(part, decided(part)) for part in slices(linked) if wanted(part.check)]
    about = _about(facts, linked) if any(found for _, found in answers) else {}
    for part, found in answers:
        at = traced[part.check.rule.id]
        if isinstance(found, Undecided):
            findings.add(at.unit.id, _undecided(at, found))
        else:
            for item, problem in _placed(at, part.check, found, about):
                findings.add(item, problem)


def _undecided(traced: Traced, found: Undecided) -> Problem:
    shown = args(name=traced.trace.name, found=render.message(found.code, found.args))
    return Problem("OW1357", *traced.name_span(), shown, notes=(Note("guard"),))


# -- evaluation -------------------------------------------------------------------------------------------------------

_LIMITS = Limits(max_derived=2_000_000)
"""Less than the runtime's, and no matter of time alone: the answer should not depend on the machine."""


@lru_cache(maxsize=1024)
def decided(part: Slice) -> tuple[Violation, ...] | Undecided:
    """The violations of one check, each once, by its key; or why they cannot be told."""
    try:
        return tuple(_violations(part.module, part.check))
    except ArgonError as error:
        return Undecided(error.code, error.args_)


def _violations(module: Module, check: Check) -> Iterator[Violation]:
    program, functions = compile_program(module), Functions(module.functions)
    found: dict[str, Violation] = {}
    opened = next((concept.path for concept in module.concepts if concept.open), "")
    moments = instants(module.facts)
    held: Counter[str] = Counter()
    for place, instant in enumerate(moments):
        model = evaluate(program, valid_at(module.facts, instant), instant, Governor(_LIMITS))
        for row in model.rows(check.rule.key):
            name = repr(row[: check.arity])
            held[name] += 1
            if name not in found:
                since = instant if place else None
                found[name] = replace(_violation(row, dict(_report(check, row, model, functions))), since=since)
        for row in model.doubted(check.rule.key):
            found.setdefault(repr(row[: check.arity]), Violation(row, UNKNOWN, opened, None))
    for name in sorted(found):
        passing = found[name].since is None and 0 < held[name] < len(moments)
        yield replace(found[name], before=moments[1]) if passing else found[name]


def _violation(row: Row, report: Mapping[str, Value]) -> Violation:
    severity, code = report.get("severity"), report.get("code")
    shown = severity.variant if isinstance(severity, EnumValue) else "Error"
    return Violation(row, shown, display(report.get("message")), None if code is None else display(code))


def _report(check: Check, row: Row, model: Model, functions: Functions) -> tuple[tuple[str, Value], ...]:
    """The fields of the check's `Diagnostic` for one row; of one that cannot be computed, why."""
    env = {term.name: value for term, value in zip(check.rule.terms, row, strict=True) if isinstance(term, Var)}
    governor = Governor(_LIMITS)
    context = Context(model.clock, governor, ModelState(model, governor))
    if isinstance(check.report, MakeStruct):
        return tuple((name, _field(expr, env, context, functions)) for name, expr in check.report.fields)
    value = _field(check.report, env, context, functions)
    return value.fields if isinstance(value, StructValue) else (("message", value),)


def _field(expr: Expr, env: Mapping[str, Value], context: Context, functions: Functions) -> Value:
    names = free_locals(expr)
    try:
        return evaluate_expression(functions.compile(expr, names), context, *(env[name] for name in names))
    except ArgonError as error:
        return render.message(error.code, error.args_)


# -- reporting --------------------------------------------------------------------------------------------------------


About = Mapping[Value, Place]
"""The last declared fact about each individual, and the declaration of each type."""


def _about(facts: Facts, linked: Linked) -> About:
    found: dict[Value, Place] = {}
    for unit in linked.units.values():
        name: nodes.Name | None = getattr(unit.item.root, "name", None)
        for sig in unit.signatures if name is not None else ():
            if isinstance(sig, ConceptSig | RelationSig) and name is not None:
                found[Entity(sig.path)] = Place(unit.id, name.start, name.end)
    for fact in facts.all():
        root = fact.unit.item.root
        place = Place(fact.unit.id, root.start, root.end)
        found.update((value, place) for value in fact.fact.row if isinstance(value, Entity))
    return found


def _placed(traced: Traced, check: Check, found: Iterable[Violation], about: About) -> Iterator[tuple[ItemId, Problem]]:
    """At an own check; what breaks the check of a dependency is told at the fact, for that is what may be mended."""
    listed = list(found)
    placed = [(each, _place_of(each, check, about)) for each in listed] if not traced.unit.is_own else []
    placed = [(each, place) for each, place in placed if each.severity != UNKNOWN]
    for violation, place in placed:
        if place is not None:
            related = (Related("check", place=declared_at(traced.unit.id), args=args(name=traced.trace.name)),)
            shown = args(name=traced.trace.name, variable=_key(violation, check), message=violation.message)
            problem = Problem(_CODES[violation.severity], place.start, place.end, shown, related, violation.notes)
            yield place.item, problem
    told = [violation for violation, place in placed if place is not None]
    for problem in _problems(traced, check, [each for each in listed if each not in told], about):
        yield traced.unit.id, problem


def _place_of(violation: Violation, check: Check, about: About) -> Place | None:
    return next((about[value] for value in violation.row[: check.arity] if value in about), None)


def _problems(traced: Traced, check: Check, found: Iterable[Violation], about: About) -> Iterator[Problem]:
    """One problem per severity, at the check: the first violation in its message, the others beside it."""
    grouped: dict[str, list[Violation]] = {}
    for violation in found:
        grouped.setdefault(violation.severity, []).append(violation)
    for severity, (first, *others) in grouped.items():
        if severity == UNKNOWN:
            yield _unknown(traced, check, first)
            continue
        places = dict.fromkeys(about[value] for value in first.row[: check.arity] if value in about)
        related = [Related("fact", place=place, args=args(name=traced.trace.name)) for place in places]
        related += [_also(traced, check, each, about) for each in others]
        shown = args(name=traced.trace.name, variable=_key(first, check), message=first.message)
        yield Problem(_CODES[severity], *traced.name_span(), shown, tuple(related), first.notes)


def _unknown(traced: Traced, check: Check, violation: Violation) -> Problem:
    """OW0245: whether there is a violation rests on what is not known of an open concept."""
    values = args(name=_key(violation, check), of=traced.trace.name, type=violation.message.rsplit("::", 1)[-1])
    return Problem("OW0245", *traced.name_span(), values, (), (Note("decide"),))


def _key(violation: Violation, check: Check) -> str:
    return ", ".join(display(value) for value in violation.row[: check.arity])


def _also(traced: Traced, check: Check, violation: Violation, about: About) -> Related:
    place = _place_of(violation, check, about)
    values = args(name=traced.trace.name, variable=_key(violation, check), message=violation.message)
    return Related("also", *traced.name_span(), place, values)
