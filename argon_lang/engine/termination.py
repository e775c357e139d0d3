"""OE1318: recursion that computes ever new numbers, found before it runs.

Columns of the keys of one component form a graph: a rule of the component passes a value from a body column to a head
column, either as it is or *grown* (through `+ - *` or any other computation that makes new numbers). A cycle with a
grown edge makes new values for ever, unless a rule on the cycle bounds the computed value by a test against something
that does not itself grow. Data types without end (numbers, durations, dates, text, lists) only arise by computation, so
every other recursion is finite.

The test is static and errs to one side only in what it accepts: any comparison of the grown variable (or of what it
grew from) with `< <= > >= == in`, or a read of it from outside the component, counts as a bound. `maxRounds` and
`maxDerived` stand behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from argon_lang.engine.refusal import Refusal
from argon_lang.engine.strata import Component, Strata, components
from argon_lang.engine.walk import free_locals, subexpressions
from argon_lang.ir.expr import Binary, Expr, GetEnd, GetMember, GetPayload, If, IsCase, LetIn, Lit, Local, MakeList
from argon_lang.ir.rules import Bind, Each, Match, Rule, Test, Var
from argon_lang.problems import args

Column = tuple[str, int]
_BOUNDS = frozenset({"<", "<=", ">", ">=", "==", "in"})


@dataclass(frozen=True, slots=True)
class _Flow:
    """A value goes from a body column to a head column of the same component. `site` ≥ 0 is where it is computed."""

    source: Column
    target: Column
    rule: Rule
    variable: str
    site: int | None


def endless(rules: Iterable[Rule], strata: Strata) -> tuple[Refusal, ...]:
    """One refusal per rule whose computed head column feeds itself without a bound."""
    by_key: dict[str, list[Rule]] = {}
    for rule in rules:
        by_key.setdefault(rule.key, []).append(rule)
    found: list[Refusal] = []
    for component in strata.components:
        if component.recursive:
            own = [rule for key in sorted(component.keys) for rule in by_key.get(key, ())]
            found.extend(_endless(own, component))
    return tuple(found)


def _endless(rules: list[Rule], component: Component) -> Iterator[Refusal]:
    flows = [flow for rule in rules for flow in _flows(rule, component)]
    home = _cycles(flows)
    refused: set[str] = set()
    for flow in flows:
        grown = flow.site is not None and home.get(flow.source) == home.get(flow.target) is not None
        if grown and flow.rule.id not in refused:
            refused.add(flow.rule.id)
            name = flow.rule.key.rsplit("::", 1)[-1]
            cycle = _shown(flow, home, flows)
            values = args(name=name, variable=flow.variable, cycle=cycle)
            yield Refusal("OE1318", flow.rule.id, flow.site or 0, values, ("bound",))


def _cycles(flows: list[_Flow]) -> dict[Column, int]:
    """The number of the cycle that a column lies on; columns on none are left out."""
    names = {f"{key}\n{i}": (key, i) for flow in flows for key, i in (flow.source, flow.target)}
    graph: dict[str, set[str]] = {name: set() for name in names}
    for flow in flows:
        graph[f"{flow.target[0]}\n{flow.target[1]}"].add(f"{flow.source[0]}\n{flow.source[1]}")
    parts = components({name: frozenset(below) for name, below in graph.items()})
    looping = [part for part in parts if len(part) > 1 or any(name in graph[name] for name in part)]
    return {names[name]: number for number, part in enumerate(looping) for name in part}


def _shown(flow: _Flow, home: dict[Column, int], flows: list[_Flow]) -> str:
    """The keys of the cycle, by name: `counter`, or `even, odd`."""
    number = home[flow.source]
    keys = sorted({f.target[0] for f in flows if home.get(f.target) == number == home.get(f.source)})
    return ", ".join(f"`{key.rsplit('::', 1)[-1]}`" for key in keys)


def _flows(rule: Rule, component: Component) -> Iterator[_Flow]:
    origin = _origins(rule, component)
    fixed = _fixed(rule, component)
    computed = {literal.var: literal for literal in rule.body if isinstance(literal, Bind | Each)}
    for i, term in enumerate(rule.terms):
        if not isinstance(term, Var) or term.name in fixed:
            continue
        for name, site in _ancestors(term.name, computed):
            if name not in fixed:
                for source in origin.get(name, ()):
                    yield _Flow(source, (rule.key, i), rule, term.name, site)


def _ancestors(name: str, computed: dict[str, Bind | Each]) -> Iterator[tuple[str, int | None]]:
    """The variables that `name` is made from, with the site of the computation (None where it is only passed on)."""
    pending: list[tuple[str, int | None]] = [(name, None)]
    seen: set[str] = set()
    while pending:
        current, site = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        yield current, site
        literal = computed.get(current)
        if literal is not None:
            here = literal.site if any(map(grows, _made(literal))) else site
            pending.extend((source, here) for source in free_locals(literal.expr))


def _made(literal: Bind | Each) -> tuple[Expr, ...]:
    """What the variable takes its values from: the elements themselves where a list is written out."""
    if isinstance(literal, Each) and isinstance(literal.expr, MakeList):
        return literal.expr.items
    return (literal.expr,)


def grows(expr: Expr) -> bool:
    """Does the expression make new values? Variables, constants, choices and parts of a value are no new ones."""
    parts = Local | Lit | If | LetIn | GetMember | GetEnd | GetPayload | IsCase
    return any(not isinstance(part, parts) for part in subexpressions(expr))


def _origins(rule: Rule, component: Component) -> dict[str, list[Column]]:
    """The recursive columns that each variable is read from."""
    found: dict[str, list[Column]] = {}
    for literal in rule.body:
        if isinstance(literal, Match) and literal.key in component.keys:
            for i, term in enumerate(literal.terms):
                if isinstance(term, Var):
                    found.setdefault(term.name, []).append((literal.key, i))
    return found


def _fixed(rule: Rule, component: Component) -> frozenset[str]:
    """The variables that range over a finite set: read from outside the component, or compared with a bound."""
    fixed = {
        term.name
        for literal in rule.body
        if isinstance(literal, Match) and literal.key not in component.keys
        for term in literal.terms
        if isinstance(term, Var)
    }
    for literal in rule.body:
        if isinstance(literal, Test):
            fixed.update(_bounded(literal.expr))
    return frozenset(fixed)


def _bounded(expr: Expr) -> Iterator[str]:
    for part in subexpressions(expr):
        if isinstance(part, Binary) and part.op in _BOUNDS:
            yield from free_locals(part)
