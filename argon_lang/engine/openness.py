"""Open concepts (semantics S3.2): who possibly belongs to one although nothing says so.

The possible extent of an open concept is given by a rule that only the possible estimate runs: whoever possibly belongs
to all of its direct supertypes, or any individual when it has none. Strong negatives are taken away from every possible
estimate, so from what these rules add too, and a refuted supertype takes the individual from its subtypes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from argon_lang.ir.module import Module
from argon_lang.ir.rules import Match, Rule, Var

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
