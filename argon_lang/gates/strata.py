"""Stratification: a predicate may not depend on its own negation in this version (language §6, semantics S4.1)."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.engine.strata import Strata
from argon_lang.gates.rules import Findings, Traced
from argon_lang.problems import Problem, args


def check_strata(rules: Iterable[Traced], strata: Strata, findings: Findings) -> None:
    """OE0703 at each negated atom through which a rule depends on itself."""
    cycles = {(cycle.rule.id, cycle.literal.site) for cycle in strata.negative}
    for traced in rules:
        for rule, site in sorted(cycles):
            if rule == traced.rule.id:
                start, end = traced.site(site)
                findings.add(
                    traced.trace.item, Problem("OE0703", start, end, args(construct="recursion through negation"))
                )
