"""What the module declares in each layer of a view (semantics S2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from argon_lang.ir.module import DEFAULT, Claim, Fact, Module


def declared_claims(module: Module, layer: str) -> Iterator[Claim]:
    """What the module's facts say in one layer, for and against."""
    if layer == DEFAULT:
        yield from map(Claim, module.facts)
    yield from (claim for claim in module.claims if claim.standpoint == layer)


def valid(fact: Fact, instant: datetime) -> bool:
    """Does the fact's valid time hold the instant?"""
    return (fact.start is None or fact.start <= instant) and (fact.end is None or instant < fact.end)
