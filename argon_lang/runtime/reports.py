"""Events and check violations in wire form."""

from __future__ import annotations

from argon_lang.ir.names import check_key
from argon_lang.ir.values import Row, Value
from argon_lang.program.types import Type, show
from argon_lang.runtime.arguments import invalid
from argon_lang.runtime.drawings.prose import violated
from argon_lang.runtime.envelopes import EventForm, ProofNode, Violation
from argon_lang.runtime.explain import explained, proof_nodes
from argon_lang.runtime.facts import Goal, read_goal
from argon_lang.runtime.guard import UNDECIDED, Found, undecided, violations
from argon_lang.runtime.options import Depth
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.shown import Labels, iso, labels_of, types_of
from argon_lang.store.protocol import Change, Event


def violation_form(reading: Reading, found: Found, proof: Depth | None = None) -> Violation:
    """A violation, with its proof when asked for (S6.6: head = violation, clause = check)."""
    labels, key = labels_of(reading), check_key(found.check.path)
    types = types_of(reading.served.schema.predicates[key])[: found.check.arity]
    root, nodes = _proved(reading, key, found, proof) if proof is not None else (None, [])
    return Violation(
        check=found.check.path,
        key=labels.row(found.key, types),
        severity=found.severity,
        message=found.message,
        code=found.code,
        fact=labels.fact(key, found.row),
        prose=violated(found.message, found.check.path, nodes, root) if root is not None else None,
        nodes=nodes,
        root_id=root,
    )


def _proved(reading: Reading, key: str, found: Found, depth: Depth) -> tuple[str, list[ProofNode]]:
    """Why a check is violated; of a violation that is only possible, why it may be and why that is not certain."""
    if found.code == UNDECIDED and not reading.model.holds(key, found.row):
        return explained(reading, Goal(key, found.row, ""), depth)
    return proof_nodes(reading, key, found.row, depth)


def named_violation(reading: Reading, fact: str) -> list[Found]:
    """The violations that a fact such as `no_overlap(flat)` names, if they stand.

    Raises as `read_goal` does, and `ARGON_RUNTIME_VALIDATION_FAILED` for a fact that is no violation.
    """
    goal = read_goal(reading, fact)
    check = reading.served.schema.checks.get(goal.key.removesuffix("!")) if goal.key.endswith("!") else None
    if check is None:
        raise invalid("violation", "a violation of a check, such as `no_overlap(flat)`", f"`{fact}`")
    asked = goal.row[: check.arity]
    return [
        found
        for found in violations(reading, [check])
        if all(want is None or want == value for want, value in zip(asked, found.key, strict=True))
    ]


def doubt_form(labels: Labels, fact: tuple[str, Row], doubt: tuple[Value, str, Type]) -> Violation:
    """OW0245 of a row that was admitted, though it is unknown whether a value belongs where it stands."""
    (key, row), (value, owner, ty) = fact, doubt
    return Violation(
        check=owner,
        key=[labels.wire(value, ty)],
        severity="warning",
        message=undecided(labels.text(value), owner, show(ty)),
        code=UNDECIDED,
        fact=labels.fact(key, row),
    )


def event_form(labels: Labels, event: Event) -> EventForm:
    """A logged event."""
    change = event.change
    return EventForm(
        id=str(event.id),
        op=change.op,
        fact=_told(labels, change),
        valid_from=iso(change.valid_from) if change.valid_from is not None else None,
        valid_to=iso(change.valid_to) if change.valid_to is not None else None,
        count=change.row[0] if change.op == "erase" and isinstance(change.row[0], int) else None,
        content_id=event.content_id,
    )


def _told(labels: Labels, change: Change) -> str:
    """What an event says, as a fact; of an erasure only what it concerns."""
    match change.op:
        case "erase":
            return change.key.rsplit("::", 1)[-1]
        case "erased":
            return ""
        case _:
            return labels.fact(change.key, change.row)
