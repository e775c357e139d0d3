"""Open concepts (semantics S3.2, S4.4): who possibly belongs to one although nothing says so, and their absent fields.

The possible extent of an open concept is given by a rule that only the possible estimate runs: whoever possibly belongs
to all of its direct supertypes, or any individual when it has none. Strong negatives are taken away from every possible
estimate, so from what these rules add too, and a refuted supertype takes the individual from its subtypes.

A field that an open concept declares and that an individual has no value of may have any. So a clause that reads one
has companions in the possible estimate, in which the individual lacks the value and everything that depends on it is
left open; what the head would need of it, nobody can tell, and there is no such row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from argon_lang.engine.walk import binders, free_locals, literal_variables
from argon_lang.ir.expr import Local
from argon_lang.ir.module import Module
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Literal, Match, Not, Rule, Var

OPEN = "open"
"""The origin of the rules of the possible estimate alone."""


def open_rules(module: Module) -> Iterator[Rule]:
    """The rules that a module's open concepts bring along. Every individual belongs to a concept without supertypes."""
    roots = [concept.path for concept in module.concepts if not concept.supers]
    for concept in module.concepts:
        if concept.open and concept.supers:
            yield _rule(concept.path, concept.supers)
        elif concept.open:
            yield from (_rule(concept.path, (root,)) for root in roots if root != concept.path)


def _rule(key: str, reads: tuple[str, ...]) -> Rule:
    """`key(x) :- each of the reads holds of x`."""
    content = hashlib.sha256("\n".join((OPEN, key, *reads)).encode()).hexdigest()[:16]
    individual = (Var("v0"),)
    return Rule(content, key, individual, tuple(Match(read, individual) for read in reads), OPEN)


Unknown = Mapping[str, str]
"""The fields that may have a value which nobody stated, with the concept that declares each."""
_MOST_READS = 6


def unknown_fields(module: Module) -> Unknown:
    """The fields with at most one value that the open concepts of a module declare."""
    return {
        each.key: concept.path
        for concept in module.concepts
        if concept.open
        for each in concept.fields
        if not each.many
    }


def assuming(rules: Iterable[Rule], unknown: Unknown) -> Iterator[tuple[Rule, Rule]]:
    """The companions of clauses that read such fields, each with its clause."""
    for rule in rules if unknown else ():
        reads = [at for at, literal in enumerate(rule.body) if isinstance(literal, Match) and literal.key in unknown]
        for count in range(1, min(len(reads), _MOST_READS) + 1):
            for absent in combinations(reads, count):
                companion = _companion(rule, absent, unknown)
                if companion is not None:
                    yield companion, rule


def _companion(rule: Rule, absent: Sequence[int], unknown: Unknown) -> Rule | None:
    """The clause where these reads find no value; None where its head needs one."""
    lacking = [literal for at in absent if isinstance(literal := rule.body[at], Match)]
    owners = [Match(unknown[literal.key], literal.terms[:1], literal.site) for literal in lacking]
    kept = [literal for at, literal in enumerate(rule.body) if at not in absent]
    kept = [*(owner for owner in dict.fromkeys(owners) if owner not in kept), *kept]
    known = _known(rule, kept)
    if not {term.name for term in rule.terms if isinstance(term, Var)} <= known:
        return None
    decided = [literal for literal in kept if not _outside(rule, literal) - known]
    without = [Not((Match(each.key, (each.terms[0], Var(f"any {at}"))),), each.site) for at, each in enumerate(lacking)]
    content = hashlib.sha256("\n".join((OPEN, rule.id, *map(str, absent))).encode()).hexdigest()[:16]
    return Rule(content, rule.key, rule.terms, (*decided, *without), OPEN, rule.inputs)


def _known(rule: Rule, body: Sequence[Literal]) -> set[str]:
    """The variables that a conjunction gives a value to."""
    known = set(rule.inputs)
    for literal in body:
        known.update(binders(literal) if isinstance(literal, Match) else ())
    before = -1
    while len(known) != before:
        before = len(known)
        for literal in body:
            match literal:
                case Bind(var, Local(name), _) if var in known:
                    known.add(name)
                case Bind(var, expr, _) | Each(var, expr, _) if known.issuperset(free_locals(expr)):
                    known.add(var)
                case Aggregate(var) if known.issuperset(_outside(rule, literal) - {var}):
                    known.add(var)
    return known


def _outside(rule: Rule, literal: Literal) -> set[str]:
    """The variables of a literal that are not its own."""
    if not isinstance(literal, Not | Aggregate):
        return set(literal_variables(literal))
    others = {name for other in rule.body if other is not literal for name in literal_variables(other)}
    heads = {term.name for term in rule.terms if not isinstance(term, Const)}
    return set(literal_variables(literal)) & (others | heads | set(rule.inputs))
