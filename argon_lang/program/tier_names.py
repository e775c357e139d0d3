"""The decidability tiers in their order (language.md §5)."""

from __future__ import annotations

TIERS = ("structural", "closure", "expressive", "recursive", "fol", "modal", "metaorder")
"""From the least to the greatest."""
