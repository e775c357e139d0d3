"""What one transaction is to do: one mutation, or several in a row (semantics S7.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from argon_lang.errors import ArgonError
from argon_lang.ir.module import Mutation
from argon_lang.ir.values import Value
from argon_lang.program.types import UNKNOWN
from argon_lang.runtime.arguments import Given, coerce
from argon_lang.runtime.envelopes import Json
from argon_lang.runtime.shown import Labels
from argon_lang.runtime.statements import call
from argon_lang.runtime.work import GateRefusal, Work

REFUSALS = frozenset({"ARGON_RUNTIME_WRITE_REFUSED", "ARGON_RUNTIME_CHECK_VIOLATION"})
"""Refusals of a whole transaction that come when all of it has run."""


class Plan(Protocol):
    """What a transaction runs, and how the receipt shows what that yields."""

    @property
    def ends(self) -> str | None:
        """The handle of a fork that ends with the transaction."""
        ...

    def action(self, work: Work) -> Callable[[], Value]:
        """The body, with its arguments made values. Raises `ARGON_RUNTIME_VALIDATION_FAILED`, `_SIGNATURE_MISMATCH`."""
        ...

    def shown(self, labels: Labels, result: Value) -> Json:
        """What the body yields in wire form; None without a result."""
        ...


@dataclass(frozen=True, slots=True)
class Single:
    """One mutation with its arguments."""

    mutation: Mutation
    given: Given

    @property
    def ends(self) -> None:
        """No fork."""

    def action(self, work: Work) -> Callable[[], Value]:
        """The mutation's body on the arguments as they are now."""
        values = coerce(work.before or work.reading, self.mutation.path, self.mutation.params, self.given)
        return lambda: call(work, self.mutation, values)

    def shown(self, labels: Labels, result: Value) -> Json:
        """The value that the mutation returns."""
        return labels.wire(result, self.mutation.result or UNKNOWN)


@dataclass(frozen=True, slots=True)
class Batch:
    """Mutations in order; the arguments of each are read in the state that the ones before it left."""

    steps: tuple[tuple[Mutation, Given], ...]

    @property
    def ends(self) -> None:
        """No fork."""

    def action(self, work: Work) -> Callable[[], Value]:
        """Every step in turn; one that fails is named."""

        def run() -> Value:
            return tuple(_step(work, number, *step) for number, step in enumerate(self.steps, 1))

        return run

    def shown(self, labels: Labels, result: Value) -> Json:
        """What each step returns."""
        values = result if isinstance(result, tuple) else ()
        return [labels.wire(value, step[0].result or UNKNOWN) for value, step in zip(values, self.steps, strict=True)]


def _step(work: Work, number: int, mutation: Mutation, given: Given) -> Value:
    try:
        return call(work, mutation, coerce(work.reading, mutation.path, mutation.params, given))
    except GateRefusal as refusal:
        raise replaced(refusal, number) from refusal
    except ArgonError as error:
        raise at_step(error, number) from error


def replaced(refusal: GateRefusal, number: int) -> GateRefusal:
    """The refusal of a gate, with the step that met it."""
    return GateRefusal(refusal.code, refusal.args_, number)


def at_step(error: ArgonError, number: int) -> ArgonError:
    """The same error with the step of the batch that it is about."""
    details = {**error.details, "batchStep": number}
    return ArgonError(error.code, error.args_, details=details, retryable=error.retryable, notes=error.notes)
