"""Every write that was tried, what was acknowledged, and whether the store's log says the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from argon_lang.runtime.envelopes import Receipt
from argon_lang.store.protocol import Transaction
from argon_lang.store.sqlite import SqliteStore
from tests.coherence.sources import DECLARED_DEBTORS, State

Json = Any
EVENTS = {"bill": 5, "pay": 2}
"""Events of one whole transaction, by mutation."""


@dataclass(frozen=True, slots=True)
class Write:
    """A mutation with its arguments in wire form, under an idempotency key that no other write has."""

    key: str
    name: str
    args: Mapping[str, str]

    @property
    def words(self) -> list[str]:
        """As the command line takes it, after `mutate`."""
        return [self.name, *(f"{name}={value}" for name, value in self.args.items()), "--idempotency-key", self.key]


@dataclass
class Ledger:
    """Writes by key: tried, acknowledged with a receipt, and refused."""

    path: Path
    tried: dict[str, Write] = field(default_factory=dict)
    receipts: dict[str, Json] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    _log: list[Transaction] = field(default_factory=list)

    def begin(self, name: str, args: Mapping[str, str]) -> Write:
        """A write that is about to be tried."""
        write = Write(f"key-{len(self.tried):04}", name, args)
        self.tried[write.key] = write
        return write

    def acknowledge(self, write: Write, receipt: Json) -> None:
        """A receipt arrived: from now on the write must be there, whatever happens."""
        known = self.receipts.setdefault(write.key, receipt)
        assert told(known) == told(receipt), f"another receipt for the same write: {told(known)} and {told(receipt)}"
        assert write.key not in self.refused

    @property
    def acknowledged(self) -> int:
        """The generation that every answer from now on must have reached."""
        return max((each["generation"] for each in self.receipts.values()), default=0)

    @property
    def in_doubt(self) -> list[Write]:
        """Writes whose answer never came."""
        return [write for key, write in self.tried.items() if key not in self.receipts and key not in self.refused]

    def log(self) -> Sequence[Transaction]:
        """The transactions on record now, each whole, without a gap, and all that was acknowledged among them."""
        store = SqliteStore(self.path)
        try:
            state = store.snapshot()
            fresh = state.transactions(len(self._log))
            assert state.generation == state.head, "a generation without a transaction, or the other way round"
        finally:
            store.close()
        self._log += fresh
        assert [each.tx for each in self._log] == list(range(1, state.head + 1))
        for each in fresh:
            self._is_whole(each)
        keys = {each.key: each.tx for each in self._log}
        assert len(keys) == len(self._log), "a write is there twice"
        assert self.refused.isdisjoint(keys), "a refused write is there"
        for key, receipt in self.receipts.items():
            assert keys.get(key) == receipt["tx"], f"an acknowledged write is lost: {receipt}"
        return self._log

    def _is_whole(self, transaction: Transaction) -> None:
        write = self.tried[transaction.key or ""]
        receipt = receipt_of(transaction)
        assert [str(each.id) for each in transaction.events] == [each["id"] for each in receipt["events"]]
        assert len(transaction.events) == EVENTS[write.name]
        assert (receipt["tx"], receipt["generation"]) == (transaction.tx, transaction.tx)
        assert receipt["moduleHash"] == transaction.module_hash
        facts = {each["fact"] for each in receipt["events"]}
        if write.name == "bill":
            assert any(fact.endswith(f".amount == {write.args['amount']}") for fact in facts)
        else:
            assert f"{write.args['i']}.paid == true" in facts
        if (known := self.receipts.get(write.key)) is not None:
            assert told(known) == told(receipt), f"the store has another receipt: {told(known)} and {told(receipt)}"

    def debtors(self, state: State, generation: int) -> set[str]:
        """Who is in arrears after so many transactions, told by the writes alone."""
        open_ = {"march": "ada"}
        for transaction in self._log[:generation]:
            write = self.tried[transaction.key or ""]
            if write.name == "bill":
                minted = receipt_of(transaction)["minted"]
                open_[minted[0]["entity"]] = write.args["t"]
            else:
                open_.pop(write.args["i"])
        return {*open_.values(), *DECLARED_DEBTORS[state.world]}

    def open_invoices(self) -> Iterator[str]:
        """Invoices that were billed, acknowledged, and that nobody has tried to pay."""
        tried = {write.args["i"] for write in self.tried.values() if write.name == "pay"}
        billed = (each["minted"][0]["entity"] for each in self.receipts.values() if each["minted"])
        yield from (each for each in ["march", *billed] if each not in tried)


def receipt_of(transaction: Transaction) -> Json:
    """The receipt that a transaction carries, in wire form."""
    return Receipt.model_validate_json(transaction.receipt).dump()


def told(receipt: Json) -> Json:
    """What a receipt says by whichever surface it came."""
    shared = ("tx", "generation", "storeId", "minted", "events", "moduleHash")
    return {key: receipt[key] for key in shared}
