"""The whole derived model of one evaluation, head by head (surfaces §3, `argon_scenario_run`)."""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.errors import ArgonError
from argon_lang.ir.rules import Predicate
from argon_lang.problems import Note, args
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.schema import Schema, head_path
from argon_lang.runtime.shown import as_of, labels_of, types_of
from argon_lang.runtime.truth import hidden, told
from argon_lang.runtime.wires import DerivedFact, DerivedModel
from argon_lang.store.protocol import Reader


def derived_heads(schema: Schema, wanted: Sequence[str] | None) -> list[Predicate]:
    """The heads to show: those asked for, else every derived predicate, `iff` type and check of the package.

    Raises `ARGON_RUNTIME_NOT_FOUND`, OE0102.
    """
    if wanted is not None:
        return list(dict.fromkeys(schema.head(name) for name in wanted))
    own = [shape for shape in schema.module.predicates if (head_path(shape) or "").startswith("pkg::")]
    return [shape for shape in own if shape.kind in ("derived", "check") or shape.key in schema.derived]


def derived_model(
    reader: Reader, reading: Reading, heads: Sequence[Predicate], *, most: int, k3: bool = False
) -> DerivedModel:
    """Every row of these heads; with `k3` those alone that are. Raises `ARGON_RUNTIME_RESULT_TOO_LARGE` over `most`."""
    labels = labels_of(reading)
    found = [(shape, each) for shape in heads for each in told(reading, shape.key)]
    rows = [(shape, each) for shape, each in found if not k3 or each.truth4 == "Is"]
    if len(rows) > most:
        raise too_large(len(rows), most)
    schema = reading.served.schema
    facts = [
        DerivedFact(
            head=head_path(shape) or shape.key,
            tuple=labels.row(each.row[: _width(schema, shape)], types_of(shape)[: _width(schema, shape)]),
            truth4=None if k3 else each.truth4,
            hidden=each.truth4 != "Is",
        )
        for shape, each in rows
    ]
    return DerivedModel(
        projection="k3" if k3 else "truth4",
        facts_derived=sum(not each.hidden for each in facts),
        facts=facts,
        hidden=hidden(each for _, each in found),
        module_hash=reading.served.module_hash,
        store_id=str(reader.store_id),
        generation=reader.generation,
        view=reading.point.view,
        as_of=as_of(reading),
    )


def _width(schema: Schema, shape: Predicate) -> int:
    """The columns that a row is told by: of a check its head arguments."""
    return schema.checks[shape.key.removesuffix("!")].arity if shape.kind == "check" else len(shape.columns)


def too_large(found: int, most: int) -> ArgonError:
    """More rows than one answer may have."""
    return ArgonError(
        "ARGON_RUNTIME_RESULT_TOO_LARGE",
        args(found=found, what="rows", knob="maxRows", limit=most),
        details={"reached": found, "knob": "maxRows", "limit": most},
        notes=(Note("narrow", args(knob="maxRows")),),
    )
