"""The least decidability tier that admits a rule (language §5), by the constructs of its body.

Structural: membership, tuples, field tests, computed values. Closure: repeated steps over a relation. Expressive:
negation, aggregates. Recursive: a predicate that depends on itself. Metaorder: a variable that ranges over types. The
first-order and modal tiers belong to constructs that this version refuses earlier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from argon_lang.ir.module import Module
from argon_lang.ir.rules import Aggregate, Literal, Match, Not, Rule, Var
from argon_lang.program.reflection import KEYS, META_OF_INDIVIDUAL
from argon_lang.program.tier_names import TIERS
from argon_lang.program.types import METATYPE, TRAIT_REF, TYPE_REF

__all__ = ["STEP_MARKS", "TIERS", "tier_of", "tier_table"]

STEP_MARKS = "+*}"
"""How the keys of repeated steps end."""


def tier_of(rule: Rule, cycle: frozenset[str] = frozenset()) -> tuple[str, Literal | None]:
    """The rule's tier and the literal that raises it. `cycle`: the keys that depend on the head and it on them."""
    over_types = next((each for each in rule.body if _ranges_over_types(each)), None)
    if over_types is not None:
        return "metaorder", over_types
    recursive = next((each for each in _reads(rule.body) if each.key in cycle), None)
    if recursive is not None:
        return "recursive", recursive
    negated = next((each for each in rule.body if isinstance(each, Not | Aggregate)), None)
    if negated is not None:
        return "expressive", negated
    stepped = next((each for each in _reads(rule.body) if each.key[-1] in STEP_MARKS), None)
    return ("closure", stepped) if stepped is not None else ("structural", None)


_OF_TYPES = {
    key: tuple(place for place, column in enumerate(columns) if column in (TYPE_REF, METATYPE, TRAIT_REF))
    for key, columns in KEYS.items()
    if key != META_OF_INDIVIDUAL
}
"""The columns of reflective relations that hold types. That an individual has its metatype ranges over none."""


def _ranges_over_types(literal: Literal) -> bool:
    return any(
        at in _OF_TYPES.get(each.key, ()) and isinstance(term, Var)
        for each in _reads((literal,))
        for at, term in enumerate(each.terms)
    )


def _reads(body: Iterable[Literal]) -> Iterable[Match]:
    for literal in body:
        if isinstance(literal, Match):
            yield literal
        elif isinstance(literal, Not | Aggregate):
            yield from _reads(literal.body)


def tier_table(module: Module) -> tuple[tuple[str, str], ...]:
    """The tier of every derived predicate, check and query by its key: the highest of its rules'."""
    queries = (rule for query in module.queries for rule in query.rules)
    rules = [
        *(rule for rule in module.rules if rule.origin == "clause"),
        *(each.rule for each in module.checks),
        *queries,
    ]
    graph = {rule.key: set[str]() for rule in rules}
    for rule in rules:
        graph[rule.key].update(match.key for match in _reads(rule.body))
    found: dict[str, str] = dict.fromkeys(graph, "structural")
    for rule in rules:
        tier, _ = tier_of(rule, _cycle(rule.key, graph))
        found[rule.key] = max(found[rule.key], tier, key=TIERS.index)
    return tuple(sorted(found.items()))


def _cycle(key: str, graph: Mapping[str, set[str]]) -> frozenset[str]:
    """The keys on a cycle through `key`."""
    forward = _reachable(graph.get(key, ()), graph)
    return frozenset(other for other in forward if key in _reachable([other], graph)) if key in forward else frozenset()


def _reachable(starts: Iterable[str], graph: Mapping[str, set[str]]) -> set[str]:
    found = set(starts)
    queue = list(found)
    for at in queue:
        fresh = graph.get(at, set()) - found
        found |= fresh
        queue.extend(fresh)
    return found
