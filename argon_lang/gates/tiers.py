"""Tier caps (language §5): a rule above `[package].max_tier` is OE0711 and says which construct raised it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from argon_lang.engine.strata import Strata
from argon_lang.gates.rules import Findings, Traced
from argon_lang.ir.lower.tiers import TIERS, tier_of
from argon_lang.problems import Note, Problem, Related, args


def check_tiers(rules: Iterable[Traced], strata: Strata, cap: str | None, findings: Findings) -> None:
    """Report every rule of the package that needs more than the cap, but for those that `check_strata` has refused."""
    if cap not in TIERS:
        return
    cycles = cycles_of(strata)
    told = {cycle.rule.id for cycle in strata.negative} if TIERS.index(cap) < TIERS.index("recursive") else set()
    for traced in rules:
        tier, literal = tier_of(traced.rule, cycles.get(traced.rule.key, frozenset()))
        if (
            traced.rule.id not in told
            and TIERS.index(tier) > TIERS.index(cap)
            and literal is not None
            and traced.unit.is_own
        ):
            findings.add(traced.trace.item, _above(traced, tier, cap, traced.site(literal.site)))


def cycles_of(strata: Strata) -> Mapping[str, frozenset[str]]:
    """The keys that each recursive key depends on and that depend on it."""
    return {key: part.keys for part in strata.components if part.recursive for key in part.keys}


def _above(traced: Traced, tier: str, cap: str, place: tuple[int, int]) -> Problem:
    construct = f"`{traced.text(place)}`"
    values = args(kind=traced.kind, name=traced.trace.name, found=tier, expected=cap)
    related = Related("raises", *place, args=args(construct=construct, found=tier))
    note = Note("raise", args(construct=construct, found=tier))
    return Problem("OE0711", *traced.name_span(), values, (related,), (note,))
