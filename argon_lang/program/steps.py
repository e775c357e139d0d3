"""How often a step is repeated, as written: `+`, `*`, `{n}`, `{n,m}` (language §3.9)."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes

MOST_STEPS = 64
"""Bounded steps are written out, one rule for each; beyond this many `+` serves."""


def bounds_of(node: nodes.Repetition) -> tuple[int, int] | None:
    """The least and greatest number of steps in `{n,m}`; None when they are no whole numbers."""
    low = _number(node.low)
    high = _number(node.high) if node.high is not None else low
    return None if low is None or high is None else (low, high)


def _number(bound: nodes.Low | nodes.High | None) -> int | None:
    value = bound.value if bound is not None else None
    token = value.token if isinstance(value, nodes.Literal) else None
    if token is None or token.kind != K.INT or len(token.text) > 9:
        return None
    return int(token.text.replace("_", ""))
