"""Caps on tiers: a package's `max_tier`, and the `dec` of a module, which holds for all that is inside it (§5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from argon_lang.problems import ItemId
from argon_lang.program.tier_names import TIERS


@dataclass(frozen=True, slots=True)
class Caps:
    """`package` caps everything (None, or no tier: nothing); `modules` are caps by path with the items that say so."""

    package: str | None = None
    modules: Mapping[str, tuple[str, ItemId]] = field(default_factory=dict)

    def of(self, module: str) -> tuple[str | None, ItemId | None]:
        """The lowest cap on a module, and the item that sets it; an outer one before an inner one of the same tier."""
        cap, item = (self.package if self.package in TIERS else None), None
        parts = module.split("::") if self.modules else []
        for count in range(1, len(parts) + 1):
            own = self.modules.get("::".join(parts[:count]))
            if own is not None and (cap is None or TIERS.index(own[0]) < TIERS.index(cap)):
                cap, item = own
        return cap, item


def exceeds(tier: str, cap: str | None) -> bool:
    """Is a tier above a cap?"""
    return cap is not None and TIERS.index(tier) > TIERS.index(cap)
