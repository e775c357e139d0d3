"""`argon_audit_mutation`: what a write would do, before it is done."""

from __future__ import annotations

from argon_mcp.prompts.prompt import Argument, Guide

_TEXT = """\
Audit the mutation `{mutation}` with the arguments `{args}`. Nothing may be written.

1. Call argon_schema_lookup for `{mutation}`: its parameters, its docs and its place. Read its source there.
2. Call argon_checks_current, so that violations that stand already are not blamed on this write.
3. Call argon_mutate with the arguments, `dryRun: true` and `includeDerivedDelta: true`.
4. When it is refused, read the code (argon_explain_code teaches it). When checks are violated, call argon_why for each
   of them: the proof names the facts that collide. Say whether the write, the facts or the check is at fault.
5. When it is accepted, go through `events` (what is recorded), `minted` (who is new), `derivedDelta` (what becomes
   derivable and what ceases to be, by head) and `diagnostics` (violations that do not block). For a derived fact that
   surprises you, repeat the write on a fork (argon_fork_create, argon_fork_mutate), call argon_fork_explain there, and
   drop the fork with argon_fork_abort.

Report: what the write records, what follows from it and why, what it breaks or mends, and whether you would let it
through. Leave the decision to a person.
"""


GUIDE = Guide(
    name="argon_audit_mutation",
    title="Audit a mutation",
    description="What a mutation would record, what would follow from it, and which checks would refuse it.",
    text=lambda given: _TEXT.format(**given),
    arguments={
        "mutation": Argument("the mutation", "mutation"),
        "args": Argument('its arguments by name, as a JSON object: `{"i": "march"}`', "args"),
    },
)
