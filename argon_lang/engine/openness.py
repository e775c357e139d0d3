"""Open concepts (semantics S3.2): who possibly belongs to one although nothing says so.

The possible extent of an open concept is given by a rule that only the possible estimate runs: whoever possibly belongs
to all of its direct supertypes, or any individual when it has none. Strong negatives are taken away from every possible
estimate, so from what these rules add too, and a refuted supertype takes the individual from its subtypes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from argon_lang.ir.module import Concept, Module
from argon_lang.ir.names import asserted
from argon_lang.ir.rules import Match, Rule, Var

OPEN = "open"
"""The origin of the rules of the possible estimate alone."""
INDIVIDUALS = "*"
"""The key of all individuals."""


def open_rules(module: Module) -> Iterator[Rule]:
    """The rules that a module's open concepts bring along."""
    opened = [concept for concept in module.concepts if concept.open]
    for concept in opened:
        yield _rule(concept.path, concept.supers or (INDIVIDUALS,), OPEN)
    if any(not concept.supers for concept in opened):
        yield from map(_individuals, module.concepts)


def _individuals(concept: Concept) -> Rule:
    return _rule(INDIVIDUALS, (asserted(concept.path),), "subsumption")


def _rule(key: str, reads: tuple[str, ...], origin: str) -> Rule:
    """`key(x) :- each of the reads holds of x`."""
    content = hashlib.sha256("\n".join((origin, key, *reads)).encode()).hexdigest()[:16]
    individual = (Var("v0"),)
    return Rule(content, key, individual, tuple(Match(read, individual) for read in reads), origin)
