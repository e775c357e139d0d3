"""The events of a fork as the plan of a transaction on its parent (semantics S10.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from argon_lang.errors import ArgonError
from argon_lang.ir.values import Value
from argon_lang.problems import args
from argon_lang.runtime.envelopes import Json
from argon_lang.runtime.shown import Labels
from argon_lang.runtime.work import Work
from argon_lang.store.protocol import Fork, Transaction


@dataclass(frozen=True, slots=True)
class Replay:
    """What a fork recorded, as it was when its parent stood at `parent_tx`. A `Plan` (`argon_lang.runtime.plans`)."""

    transactions: tuple[Transaction, ...]
    fork: Fork
    parent_tx: int

    @property
    def ends(self) -> str:
        """The fork ends with the transaction."""
        return self.fork.handle

    def action(self, work: Work) -> Callable[[], Value]:
        """Replay the events. Raises `ARGON_RUNTIME_VALIDATION_FAILED` when the parent has moved meanwhile."""
        if work.writer.tx != self.parent_tx + 1:
            told = args(name="expectDiffHash", expected="the hash of the diff as it is now", found="an earlier one")
            raise ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", told, details={"argument": "expectDiffHash"})

        def run() -> Value:
            for transaction in self.transactions:
                work.replay([event for event in transaction.events if event.change.op not in ("erase", "erased")])
            return None

        return run

    def shown(self, labels: Labels, result: Value) -> Json:
        """Nothing is returned."""
        return None
