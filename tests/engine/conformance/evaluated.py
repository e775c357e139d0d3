"""What Argon says of a case of the suite: what differs from the expected, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import product
from typing import Any

from argon_lang.engine.governor import Governor, Limits
from argon_lang.engine.model import compile_program, evaluate
from argon_lang.ir.module import Module
from argon_lang.queries.snippet import database_of
from argon_lang.runtime.truth import told
from tests.engine.conformance.suite import Row, Translated, program, theory, word
from tests.runtime.worlds import World, served

CLOCK = datetime(2026, 1, 31, tzinfo=UTC)
CODES = {
    "arity_mismatch": {"OE0209"},
    "cyclic_negation": {"OW0502"},
    "safety_violations": {"OE0001"},
    "SafetyViolationError": {"OE1303"},
    "unbound_variable": {"OE1303"},
}
"""By which code Argon says what the suite names. Recursion through negation has a meaning here, and is told as such;
`_` in a head is no name, and so a syntax error."""
PATIENT = Limits(timeout_ms=3_600_000)
"""Time enough for a million rows on a busy machine."""
POLICY = "blocking"
"""The policy that S5 follows: an attacker whose own premise is undecided does not attack."""

Found = Mapping[str, Mapping[Row, bool]]
"""By predicate the rows that hold, each with whether a strict clause concludes it."""


def differences(case: Mapping[str, Any], policy: str = POLICY) -> Iterator[str]:
    """What of a case comes out differently. The expectations of a case with several policies are those of one."""
    source = case["source"]
    made = program(case["program"], source) if "program" in case else theory(case["theory"], source)
    if case.get("expect_error"):
        found = {each.code for each in database_of({"root.ar": made.source}).diagnostics()}
        if not found & CODES[case["expect_error"]]:
            yield f"{case['expect_error']}: Argon says {sorted(found)}"
        return
    holding = rows_of(made)
    expected = case["expect_per_policy"][policy] if case.get("expect_per_policy") else case["expect"]
    sections = {"": expected} if "program" in case else expected
    for section, predicates in sections.items():
        for name, rows in predicates.items():
            wanted = {made.row(name, tuple(row)) for row in rows or ()}
            yield from compared(section, name, wanted, holding.get(name, {}))


def compared(section: str, name: str, wanted: set[Row], holding: Mapping[Row, bool]) -> Iterator[str]:
    """Rows that are, or are not, in the section where the suite has them."""
    if section in ("not_defeasibly", "undecided"):
        surplus = wanted & set(holding)
        if surplus:
            yield f"{section} {name}: {sorted(surplus)} hold"
        return
    found = {row for row, strict in holding.items() if strict or section != "definitely"}
    if found != wanted:
        yield f"{section} {name}: expected {sorted(wanted, key=str)[:5]}, found {sorted(found, key=str)[:5]}"


def rows_of(made: Translated) -> Found:
    """Evaluate a translated case: by a service over its facts, or by the engine alone where rows are handed to it."""
    handed = made.handed()
    if handed:
        return _handed(made, handed)
    reading = World(made.source, module=served(made.source)).service.read()[1]
    keys = keys_of(reading.served.module)
    return {
        name: {each.row: each.tag != "+∂" for each in told(reading, keys[word(name)]) if each.truth4 in ("Is", "Both")}
        for name in made.arities
    }


def _handed(made: Translated, handed: dict[str, list[Row]]) -> Found:
    module = database_of({"root.ar": made.source}).module()
    assert module is not None
    facts = dict(handed)
    for fact in module.facts:
        facts.setdefault(fact.key, []).append(fact.row)
    model = evaluate(compile_program(module), facts, CLOCK, Governor(PATIENT))
    keys = keys_of(module)
    return {name: dict.fromkeys(model.rows(keys[word(name)]), True) for name in made.arities}


def keys_of(module: Module) -> dict[str, str]:
    """The key of each predicate by its word."""
    kinds = product(module.predicates, ("derived", "relation"))
    return {shape.key.split("::")[-1].split("/")[0]: shape.key for shape, kind in kinds if shape.kind == kind}
