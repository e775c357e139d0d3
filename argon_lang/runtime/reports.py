"""Events and check violations in wire form."""

from __future__ import annotations

from argon_lang.ir.names import check_key
from argon_lang.ir.values import Row, Value
from argon_lang.program.types import Type, show
from argon_lang.runtime.envelopes import EventForm, Violation
from argon_lang.runtime.explain import proof_nodes
from argon_lang.runtime.guard import UNDECIDED, Found, undecided
from argon_lang.runtime.options import Depth
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.shown import Labels, iso, labels_of, types_of
from argon_lang.store.protocol import Event


def violation_form(reading: Reading, found: Found, *, proof: bool = False) -> Violation:
    """A violation, with its proof when asked for (S6.6: head = violation, clause = check)."""
    labels, key = labels_of(reading), check_key(found.check.path)
    types = types_of(reading.served.schema.predicates[key])[: found.check.arity]
    root, nodes = proof_nodes(reading, key, found.row, Depth()) if proof else (None, [])
    return Violation(
        check=found.check.path,
        key=labels.row(found.key, types),
        severity=found.severity,
        message=found.message,
        code=found.code,
        fact=labels.fact(key, found.row),
        nodes=nodes,
        root_id=root,
    )


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
        fact=labels.fact(change.key, change.row),
        valid_from=iso(change.valid_from) if change.valid_from is not None else None,
        valid_to=iso(change.valid_to) if change.valid_to is not None else None,
        content_id=event.content_id,
    )
