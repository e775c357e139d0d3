"""Rule evaluability: the runtime's own compiler is asked whether it can run each rule (architecture, invariant 3).

It is asked about the rule as the language reads it: an annotation of the head filters and never binds, and `x.f` reads
a field of an `x` that something else binds. In a lowered rule both are reads that could bind as well, so the question
leaves the filters out and puts a computed value for each field. What is accepted so, the runtime can run: the rule that
it executes only binds more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from argon_lang.engine.compiled import compile_rule
from argon_lang.engine.exprs import Functions
from argon_lang.engine.refusal import Refusal
from argon_lang.engine.strata import Strata
from argon_lang.engine.termination import endless
from argon_lang.gates.refusals import refusal_problem
from argon_lang.gates.rules import Findings, Traced
from argon_lang.ir.expr import Binary, Expr, GetMember, Lit, Local
from argon_lang.ir.lower.remember import PerRow
from argon_lang.ir.rules import Aggregate, Bind, Each, Literal, Match, Not, Predicate, Rule, Term, Test, Var
from argon_lang.program.types import BOOL

Shapes = Mapping[str, Predicate]


def check_evaluability(
    rules: Iterable[Traced], shapes: Shapes, functions: Functions, strata: Strata, findings: Findings
) -> None:
    """Report every rule that cannot be executed, each once."""
    listed = list(rules)
    unending = {refusal.rule: refusal for refusal in endless([each.rule for each in listed], strata)}
    for traced, found in zip(listed, verdicts(listed, shapes, functions), strict=True):
        refusal = found or unending.get(traced.rule.id)
        if refusal is not None:
            findings.add(traced.trace.item, refusal_problem(traced, refusal))


_KEYS: PerRow[tuple[list[str], list[str]]] = PerRow()
_VERDICTS: PerRow[Refusal | None] = PerRow()


def verdicts(rules: Sequence[Traced], shapes: Shapes, functions: Functions) -> list[Refusal | None]:
    """Why each rule cannot run; None for those that can. Most rules are the same from one keystroke to the next."""
    needed = _KEYS.all([(each,) for each in rules], _needed)
    rows = []
    for traced, (keys, calls) in zip(rules, needed, strict=True):
        used = [shapes[key] for key in keys if key in shapes]
        rows.append((traced, *used, *(_readiness(path, functions) for path in calls)))
    return _VERDICTS.all(rows, lambda traced, *used: _verdict(traced, used, functions))


def _needed(traced: Traced) -> tuple[list[str], list[str]]:
    """The keys and the functions that the verdict on a rule depends on."""
    return sorted(traced.needs.reads | {traced.rule.key}), sorted(traced.needs.calls)


def _readiness(path: str, functions: Functions) -> bool | None:
    """Does the function read the state? None for one that is not declared."""
    function = functions.declared.get(path)
    return None if function is None else function.reads_state


def _verdict(traced: Traced, used: Iterable[object], functions: Functions) -> Refusal | None:
    """The compiler's answer. It depends on the shapes among `used`, and of `functions` on what `used` says of each."""
    shapes = {shape.key: shape for shape in used if isinstance(shape, Predicate)}
    made = compile_rule(as_written(traced.rule, traced.trace.filters, shapes, traced.trace.guards), shapes, functions)
    return made if isinstance(made, Refusal) else None


def as_written(rule: Rule, filters: int, shapes: Shapes, guards: int = 0) -> Rule:
    """The rule in which only what the language lets bind a variable does so; `filters` stand before the `guards`."""
    end = len(rule.body) - guards
    kept = rule.body[: end - filters] + rule.body[end:]
    body = _values(kept, shapes, set(rule.inputs))
    return Rule(rule.id, rule.key, rule.terms, body, rule.origin, rule.inputs)


def _values(body: tuple[Literal, ...], shapes: Shapes, seen: set[str]) -> tuple[Literal, ...]:
    found = []
    for literal in body:
        literal = _value(literal, shapes, seen)
        found.append(literal)
        match literal:
            case Match(_, terms):
                seen.update(term.name for term in terms if isinstance(term, Var))
            case Bind(var) | Each(var) | Aggregate(var):
                seen.add(var)
    return tuple(found)


def _value(literal: Literal, shapes: Shapes, seen: set[str]) -> Literal:
    match literal:
        case Not(inner, site):
            return Not(_values(inner, shapes, set(seen)), site)
        case Aggregate(_, _, _, _, inner):
            return replace(literal, body=_values(inner, shapes, set(seen)))
        case Match(key, (Var(base), value), site) if key in shapes and shapes[key].kind == "field":
            read = GetMember(Local(base), key.rpartition(".")[2])
            if isinstance(value, Var) and value.name not in seen:
                return Bind(value.name, read, site)
            return Test(Binary("==", read, _expr(value), BOOL), site)
        case _:
            return literal


def _expr(term: Term) -> Expr:
    return Local(term.name) if isinstance(term, Var) else Lit(term.value)
