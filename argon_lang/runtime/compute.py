"""The value of a declared function for given arguments, at a read point."""

from __future__ import annotations

from argon_lang.engine.exprs import evaluate_expression
from argon_lang.ir.expr import CallFn, Local
from argon_lang.ir.module import Function
from argon_lang.program.types import show
from argon_lang.runtime.arguments import Given, coerce
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.shown import as_of, labels_of
from argon_lang.runtime.wires import Computed
from argon_lang.store.protocol import Reader


def compute(reader: Reader, reading: Reading, function: Function, given: Given) -> Computed:
    """Call a function. Raises `ARGON_RUNTIME_VALIDATION_FAILED`, `_SIGNATURE_MISMATCH`, domain errors, limits."""
    values = coerce(reading, function.path, function.params, given)
    names = [param.name for param in function.params]
    run = reading.served.compiler.compile(CallFn(function.path, tuple(map(Local, names))), names)
    value = evaluate_expression(run, reading.context, *values)
    return Computed(
        value=labels_of(reading).wire(value, function.result),
        type=show(function.result),
        module_hash=reading.served.module_hash,
        store_id=str(reader.store_id),
        generation=reader.generation,
        view=reading.point.view,
        as_of=as_of(reading),
    )
