"""The program as one view of the standpoint lattice reads it: what its layers say, for and against, as facts (S2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from argon_lang.ir.lattice import layers_of
from argon_lang.ir.lower.fragment import Fragment
from argon_lang.ir.lower.link import Linked
from argon_lang.ir.module import DEFAULT, Claim, Fact
from argon_lang.ir.names import negative_key


def standpoints_to_check(linked: Linked) -> list[str]:
    """The standpoints that say something of their own: facts or checks."""
    said = {claim.standpoint for claim in linked.module.claims}
    said |= {check.standpoint for check in linked.module.checks}
    return sorted(said - {DEFAULT})


def in_view(linked: Linked, view: str) -> Linked:
    """The program with the facts of a view's layers in place of its claims; strong negatives under negative keys."""
    if not linked.module.claims:
        return linked
    layers = frozenset(layers_of(linked.module.standpoints, view))
    fragments = tuple(_fragment(each, layers) for each in linked.fragments)
    facts = (*linked.module.facts, *_facts(linked.module.claims, layers))
    return replace(linked, module=replace(linked.module, facts=facts, claims=()), fragments=fragments)


def _fragment(fragment: Fragment, layers: frozenset[str]) -> Fragment:
    if not fragment.part.claims:
        return fragment
    facts = (*fragment.part.facts, *_facts(fragment.part.claims, layers))
    return replace(fragment, part=replace(fragment.part, facts=facts))


def _facts(claims: tuple[Claim, ...], layers: frozenset[str]) -> Iterator[Fact]:
    for claim in claims:
        if claim.standpoint in layers:
            fact = claim.fact
            yield replace(fact, key=negative_key(fact.key)) if claim.against else fact
