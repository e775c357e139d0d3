"""Tier caps (language §5): a rule above its cap is OE0711 and says which construct raised it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from argon_lang.engine.strata import Strata
from argon_lang.gates.caps import Caps, exceeds
from argon_lang.gates.rules import Findings, Traced
from argon_lang.ir.lower.tiers import tier_of
from argon_lang.problems import ItemId, Note, Problem, Related, args
from argon_lang.program.findings import declared_at


def check_tiers(rules: Iterable[Traced], strata: Strata, caps: Caps, findings: Findings) -> None:
    """Report every rule of the package that needs more than its cap, but for those that `check_strata` has refused."""
    if caps == Caps():
        return
    cycles, negative = cycles_of(strata), {cycle.rule.id for cycle in strata.negative}
    for traced in rules:
        cap, item = caps.of(traced.unit.module) if traced.unit.is_own else (None, None)
        tier, literal = tier_of(traced.rule, cycles.get(traced.rule.key, frozenset()))
        told = traced.rule.id in negative and exceeds("recursive", cap)
        if not told and cap is not None and exceeds(tier, cap) and literal is not None:
            findings.add(traced.trace.item, _above(traced, tier, cap, item, traced.site(literal.site)))


def cycles_of(strata: Strata) -> Mapping[str, frozenset[str]]:
    """The keys that each recursive key depends on and that depend on it."""
    return {key: part.keys for part in strata.components if part.recursive for key in part.keys}


def _above(traced: Traced, tier: str, cap: str, item: ItemId | None, place: tuple[int, int]) -> Problem:
    construct = f"`{traced.text(place)}`"
    values = args(kind=traced.kind, name=traced.trace.name, found=tier, expected=cap)
    related = [Related("raises", *place, args=args(construct=construct, found=tier))]
    related += [Related("cap", place=declared_at(item))] if item is not None else []
    note = Note("raise", args(construct=construct, found=tier))
    return Problem("OE0711", *traced.name_span(), values, tuple(related), (note,))
