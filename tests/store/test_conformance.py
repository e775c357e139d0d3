"""What every backend does alike: the two times, hides, ids, exclusive writes, receipts, snapshots."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from argon_lang.errors import ArgonError
from argon_lang.ir.values import Entity, TupleValue
from argon_lang.store.events import body_of, content_of
from argon_lang.store.protocol import NO_STORE, Change, Store
from tests.store.stores import ALICE, BACKENDS, BOB, RENT, assert_, close, day, pairs, put

NOW = {("p::Lease.rent", RENT)}


@pytest.fixture(params=BACKENDS, ids=lambda make: make.__name__)
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Store]:
    return lambda **more: request.param(tmp_path, **more)


@pytest.fixture
def store(make: Callable[..., Store]) -> Iterator[Store]:
    made = make()
    yield made
    made.close()


def refusal(call: Callable[[], Any]) -> ArgonError:
    with pytest.raises(ArgonError) as caught:
        call()
    return caught.value


def test_a_new_store_is_empty_and_at_generation_zero(store: Store) -> None:
    state = store.snapshot()
    assert (state.generation, state.head, state.module_hash) == (0, 0, "")
    assert state.facts(day(0)) == {}
    assert state.records() == []
    assert state.log() == []


def test_an_asserted_row_is_valid_from_its_instant_to_its_end_exclusive(store: Store) -> None:
    put(store, assert_(start=2, end=5))
    state = store.snapshot()
    instants = [day(2) - timedelta(microseconds=1), day(2), day(5) - timedelta(microseconds=1), day(5)]
    assert [pairs(state.facts(instant)) for instant in instants] == [set(), NOW, NOW, set()]


def test_an_unbounded_row_is_valid_always(store: Store) -> None:
    put(store, assert_())
    assert pairs(store.snapshot().facts(day(-100_000))) == NOW


def test_every_commit_is_the_next_transaction_and_the_next_generation(store: Store) -> None:
    assert [put(store, assert_(start=n)) for n in range(3)] == [1, 2, 3]
    assert store.generation() == 3
    assert [t.tx for t in store.snapshot().transactions()] == [1, 2, 3]


def test_a_commit_without_events_is_a_transaction_too(store: Store) -> None:
    assert put(store) == 1
    assert store.snapshot().transactions()[0].events == ()


def test_a_close_ends_validity_and_keeps_the_old_record_for_earlier_transactions(store: Store) -> None:
    put(store, assert_(start=0))
    put(store, close(at=3), at=10)
    state = store.snapshot()
    assert pairs(state.facts(day(2))) == NOW
    assert state.facts(day(4)) == {}
    assert pairs(state.facts(day(4), as_of_tx=1)) == NOW
    old, new = sorted((r for r in state.records() if r.kind == "fact"), key=lambda r: r.tx_from), state.records(1)
    assert [(r.valid_to, r.tx_from, r.tx_to) for r in old] == [(day(3), 2, None)]
    assert [(r.valid_to, r.tx_from, r.tx_to) for r in new] == [(None, 1, 2)]


def test_a_close_before_the_beginning_leaves_nothing_valid(store: Store) -> None:
    put(store, assert_(start=5))
    put(store, close(at=1))
    assert store.snapshot().facts(day(6)) == {}


def test_a_close_without_an_instant_says_that_it_never_was(store: Store) -> None:
    put(store, assert_())
    put(store, close())
    assert store.snapshot().facts(day(-5)) == {}
    assert pairs(store.snapshot().hidden(day(-5))) == NOW


def test_an_assertion_never_changes_an_earlier_one(store: Store) -> None:
    put(store, assert_(start=0, end=4))
    before = store.snapshot().records()
    put(store, assert_(start=2, end=8))
    assert store.snapshot().records()[:1] == before
    assert [pairs(store.snapshot().facts(day(n))) for n in (1, 3, 7)] == [NOW, NOW, NOW]


def test_a_close_ends_every_overlapping_assertion_of_the_row(store: Store) -> None:
    put(store, assert_(start=0, end=4), assert_(start=2, end=8), assert_(start=6))
    put(store, close(at=3))
    state = store.snapshot()
    assert pairs(state.facts(day(2))) == NOW
    assert [state.facts(day(n)) for n in (3, 5, 7)] == [{}, {}, {}]


def test_a_close_touches_no_other_row_key_or_standpoint(store: Store) -> None:
    other = (BOB, RENT[1])
    put(store, assert_(), assert_(other), assert_(key="p::Flat.rent"), assert_(standpoint="p::Tax"))
    put(store, close())
    views = ("default", "p::Tax")
    expected = {("p::Lease.rent", other), ("p::Flat.rent", RENT), ("p::Lease.rent", RENT)}
    assert pairs(store.snapshot().facts(day(0), standpoints=views)) == expected


def test_a_delete_of_a_row_that_was_never_logged_hides_it_until_it_is_asserted_again(store: Store) -> None:
    put(store, close(at=2))
    put(store, assert_(start=5, end=7))
    state = store.snapshot()
    assert [pairs(state.hidden(day(n), as_of_tx=1)) for n in (1, 3, 6, 8)] == [set(), NOW, NOW, NOW]
    assert [pairs(state.hidden(day(n))) for n in (1, 3, 6, 8)] == [set(), NOW, set(), NOW]
    assert pairs(state.facts(day(6))) == NOW


def test_a_delete_of_a_logged_row_hides_the_same_declared_row(store: Store) -> None:
    put(store, assert_())
    put(store, close(at=2))
    assert pairs(store.snapshot().hidden(day(3))) == NOW


def test_a_refuted_row_has_support_against_and_keeps_its_support_for(store: Store) -> None:
    put(store, assert_(), replace(assert_(start=1, end=3), op="refute"))
    state = store.snapshot()
    assert [pairs(state.refuted(day(n))) for n in (0, 1, 3)] == [set(), NOW, set()]
    assert pairs(state.facts(day(1))) == NOW


def test_a_view_sees_only_its_standpoints(store: Store) -> None:
    put(store, assert_(standpoint="p::Tax"))
    state = store.snapshot()
    assert state.facts(day(0)) == {}
    assert pairs(state.facts(day(0), standpoints=("default", "p::Tax"))) == NOW


def test_a_row_asserted_twice_is_one_row_in_the_order_of_its_first_assertion(store: Store) -> None:
    first, second = (ALICE, 1), (BOB, 2)
    put(store, assert_(first), assert_(second))
    put(store, assert_(first), close(second), assert_(second))
    assert store.snapshot().facts(day(0)) == {"p::Lease.rent": (first, second)}


def test_the_next_boundary_is_the_first_later_instant_at_which_a_record_begins_or_ends(store: Store) -> None:
    put(store, assert_(start=2, end=9))
    put(store, close(at=5))
    state = store.snapshot()
    assert [state.next_boundary(day(n)) for n in (0, 2, 5)] == [day(2), day(5), None]
    assert state.next_boundary(day(5), as_of_tx=1) == day(9)


def test_a_snapshot_does_not_see_what_is_written_after_it(store: Store) -> None:
    put(store, assert_())
    before = store.snapshot()
    records = before.records()
    put(store, close(at=0), assert_((BOB, 3)))
    assert pairs(before.facts(day(1))) == NOW
    assert before.records() == records
    assert (before.generation, before.head, len(before.log()), before.next_boundary(day(-1))) == (1, 1, 1, None)


def test_a_writer_sees_its_own_events_and_nobody_else_does_before_the_commit(store: Store) -> None:
    put(store, assert_())
    with store.write(day(1)) as writer:
        writer.append([close(at=0)])
        assert writer.facts(day(1)) == {}
        assert pairs(writer.facts(day(1), as_of_tx=1)) == NOW
        assert pairs(store.snapshot().facts(day(1))) == NOW
        assert store.generation() == writer.generation == 1
        assert (writer.tx, len(writer.log()), len(store.snapshot().log())) == (2, 2, 1)
        writer.commit()
    assert store.snapshot().facts(day(1)) == {}


def test_leaving_without_a_commit_leaves_nothing(store: Store) -> None:
    put(store, assert_(), close(at=4), close((BOB, 1)))
    before = store.snapshot().records()
    with store.write(day(1)) as writer:
        writer.set_module_hash("m2")
        writer.append([close(at=2), assert_((BOB, 1), 0, 3), assert_((ALICE, 9)), close((ALICE, 9))])
    after = store.snapshot()
    assert after.records() == before
    assert (after.generation, after.head, after.module_hash, len(after.transactions())) == (1, 1, "", 1)


def test_an_exception_rolls_back_and_comes_through(store: Store) -> None:
    def fail() -> None:
        with store.write(day(0)) as writer:
            writer.append([assert_()])
            raise KeyError("a user's mistake")

    with pytest.raises(KeyError):
        fail()
    assert store.snapshot().records() == []
    assert put(store, assert_()) == 1


def test_a_committed_transaction_takes_no_more(store: Store) -> None:
    with store.write(day(0)) as writer:
        writer.commit()
        with pytest.raises(RuntimeError):
            writer.append([assert_()])
        with pytest.raises(RuntimeError):
            writer.commit()
    assert store.snapshot().head == 1


def test_the_module_hash_is_that_of_the_last_writer(store: Store) -> None:
    for name in ("m1", "m2"):
        with store.write(day(0)) as writer:
            writer.set_module_hash(name)
            writer.commit()
    put(store, assert_())
    state = store.snapshot()
    assert state.module_hash == "m2"
    assert [t.module_hash for t in state.transactions()] == ["m1", "m2", "m2"]


def test_a_receipt_is_found_by_its_idempotency_key_once_it_is_committed(store: Store) -> None:
    before = store.snapshot()
    with store.write(day(0)) as writer:
        writer.commit(key="k", receipt=b"\x01")
    assert before.receipt("k") is None
    assert store.snapshot().receipt("k") == b"\x01"
    with store.write(day(0)) as writer:
        assert writer.receipt("k") == b"\x01"
        refused = refusal(lambda: writer.commit(key="k"))
    assert refused.code == "ARGON_RUNTIME_VALIDATION_FAILED"
    assert store.snapshot().head == 1


def test_event_ids_are_time_ordered_uuids_that_only_grow_even_when_the_clock_goes_back(store: Store) -> None:
    for at in (5, 5, 3, 8):
        put(store, assert_(start=0), assert_(start=1), at=at)
    ids = [line.event.id for line in store.snapshot().log()]
    assert ids == sorted(set(ids))
    assert {uid.version for uid in ids} == {7}
    assert ids[-1].int >> 80 == int(day(8).timestamp() * 1000)


def test_an_event_carries_the_hash_of_its_canonical_body(store: Store) -> None:
    change = assert_(start=1)
    put(store, change)
    (line,) = store.snapshot().log()
    assert line.event.change == change
    assert line.event.content_id == content_of(body_of(change)).hex()
    assert len(line.event.content_id) == 64


def test_the_log_answers_for_a_fact_a_key_an_individual_and_a_span_of_transactions(store: Store) -> None:
    job = TupleValue("p::Job", (BOB, ALICE))
    put(store, assert_(), assert_((job, 4), key="p::Job.pay"))
    put(store, close(at=3), at=1)
    state = store.snapshot()
    assert [line.tx for line in state.log(key="p::Lease.rent")] == [1, 2]
    assert [line.tx for line in state.log(key="p::Lease.rent", row=RENT)] == [1, 2]
    assert [line.tx for line in state.log(individual=ALICE)] == [1, 1, 2]
    assert [line.event.change.key for line in state.log(individual=BOB)] == ["p::Job.pay"]
    assert [(line.tx, line.instant) for line in state.log(since_tx=1)] == [(2, day(1))]
    assert state.log(individual=Entity("p::nobody")) == []


@pytest.mark.parametrize("tx", [-1, 2])
def test_a_read_at_a_transaction_that_is_not_there_is_refused(store: Store, tx: int) -> None:
    put(store, assert_())
    refused = refusal(lambda: store.snapshot().facts(day(0), as_of_tx=tx))
    assert refused.code == "ARGON_RUNTIME_VALIDATION_FAILED"
    assert dict(refused.args_) == {"name": "asOfTx", "expected": "0..1", "found": str(tx)}


@pytest.mark.parametrize(
    "change",
    [
        assert_(start=3, end=3),
        assert_(start=4, end=3),
        replace(assert_(), valid_from=datetime(2026, 1, 1)),  # noqa: DTZ001
        assert_((object(),)),  # type: ignore[arg-type]
        assert_(("\ud800",)),
    ],
    ids=["empty interval", "backward interval", "no zone", "no value", "no text"],
)
def test_a_change_that_is_none_is_refused_and_nothing_of_its_list_is_kept(store: Store, change: Change) -> None:
    with store.write(day(0)) as writer:
        assert refusal(lambda: writer.append([assert_(), change])).code == "ARGON_RUNTIME_VALIDATION_FAILED"
        assert writer.records() == []


def test_a_second_writer_gives_up_after_its_bounded_wait(make: Callable[..., Store]) -> None:
    store = make(wait=0.05)
    caught: list[ArgonError] = []

    def second() -> None:
        caught.append(refusal(lambda: put(store, assert_())))

    with store.write(day(0)) as writer:
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
        writer.commit()
    assert (caught[0].code, caught[0].retryable) == ("ARGON_RUNTIME_STORE_BUSY", True)
    assert put(store, assert_()) == 2
    store.close()


def test_threads_that_write_at_once_take_turns_and_readers_see_whole_transactions(store: Store) -> None:
    def write(name: int) -> None:
        for n in range(8):
            put(store, assert_((name, n)), assert_((name, n, Decimal(1)), key="pair"))

    seen: list[tuple[int, int]] = []

    def read() -> None:
        while store.generation() < 24:
            state = store.snapshot()
            rows = {key: len(found) for key, found in state.facts(day(0)).items()}
            seen.append((rows.get("p::Lease.rent", 0), rows.get("pair", 0)))
            assert rows.get("pair", 0) == state.head

    threads = [threading.Thread(target=write, args=(n,)) for n in range(3)] + [threading.Thread(target=read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(one == two for one, two in seen)
    assert store.snapshot().head == 24


def test_a_store_used_after_close_opens_again_and_old_snapshots_stay_readable(store: Store) -> None:
    put(store, assert_())
    state = store.snapshot()
    store.close()
    assert pairs(state.facts(day(0))) == NOW
    assert pairs(store.snapshot().facts(day(0))) == NOW


def test_a_store_has_an_identity_once_it_exists(store: Store) -> None:
    put(store, assert_())
    assert store.id == store.snapshot().store_id != NO_STORE
    assert store.id.version == 4
