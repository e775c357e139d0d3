"""Forks: copy-on-write branches that read and write as copies would, share what is common, and leave nothing."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.errors import ArgonError
from argon_lang.store.protocol import EPHEMERAL_SECONDS, MAIN, Change, Store
from argon_lang.store.sqlite import SqliteStore
from argon_lang.store.timeline import BranchTimeline
from tests.store import naive
from tests.store.forker import rows
from tests.store.stores import ALICE, BACKENDS, BOB, RENT, assert_, close, day, memory, pairs, put, sqlite
from tests.store.test_durability import ROOT
from tests.store.test_two_times import agrees, changes

Kept = tuple[Any, ...]


@pytest.fixture(params=BACKENDS, ids=lambda make: make.__name__)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    made = request.param(tmp_path)
    yield made
    made.close()


def refusal(call: Callable[[], Any]) -> ArgonError:
    with pytest.raises(ArgonError) as caught:
        call()
    return caught.value


def records(reader: Any) -> list[Kept]:
    """The records of every transaction time, ids left aside."""
    return [
        (tx, r.kind, r.key, r.row, r.valid_from, r.valid_to, r.tx_from, r.tx_to, r.event_tx, r.standpoint)
        for tx in range(reader.head + 1)
        for r in reader.records(tx)
    ]


def state(store: Store) -> tuple[Any, ...]:
    snapshot = store.snapshot()
    return snapshot.store_id, snapshot.generation, snapshot.head, snapshot.module_hash, tuple(snapshot.log())


# -- one branch -------------------------------------------------------------------------------------------------------


def test_a_fork_begins_as_its_parent_and_the_two_go_their_ways(store: Store) -> None:
    put(store, assert_(start=0))
    fork = store.create_fork("trial", day(1), principal="user:ada")
    branch = store.branch(fork.handle, day(1))
    assert records(branch.snapshot()) == records(store.snapshot())
    put(branch, close(at=3), at=1)
    put(store, assert_((BOB, 1)), at=1)
    assert pairs(branch.snapshot().facts(day(4))) == set()
    assert pairs(store.snapshot().facts(day(4))) == {("p::Lease.rent", RENT), ("p::Lease.rent", (BOB, 1))}
    assert pairs(branch.snapshot().facts(day(4), 1)) == {("p::Lease.rent", RENT)}
    assert (branch.snapshot().head, store.snapshot().head) == (2, 2)
    assert (fork.name, fork.parent, fork.cut, fork.principal) == ("trial", MAIN, 1, "user:ada")


def test_a_fork_continues_the_count_of_transactions_and_has_an_id_of_its_own(store: Store) -> None:
    put(store, assert_(start=0))
    put(store, close(at=1))
    branch = store.branch(store.create_fork("a", day(2)).handle, day(2))
    assert put(branch, assert_()) == 3
    assert branch.id != store.id
    assert [t.tx for t in branch.snapshot().transactions()] == [1, 2, 3]
    assert [t.tx for t in branch.snapshot().transactions(2)] == [3]
    assert [line.tx for line in branch.snapshot().log(row=RENT)] == [1, 2, 3]


def test_a_fork_may_begin_at_an_earlier_transaction(store: Store) -> None:
    put(store, assert_(start=0))
    put(store, close(at=1))
    branch = store.branch(store.create_fork("early", day(2), cut=1).handle, day(2))
    assert pairs(branch.snapshot().facts(day(2))) == {("p::Lease.rent", RENT)}
    for cut in (-1, 3):
        assert refusal(lambda cut=cut: store.create_fork("no", day(2), cut=cut)).code.endswith("VALIDATION_FAILED")


def test_a_write_of_a_fork_that_is_given_up_leaves_nothing(store: Store) -> None:
    put(store, assert_(start=0))
    branch = store.branch(store.create_fork("a", day(1)).handle, day(1))
    before = state(branch), records(branch.snapshot())
    with branch.write(day(1)) as writer:
        writer.append([close(at=1), assert_((BOB, 2)), close((BOB, 2), at=2)])
        assert pairs(writer.facts(day(1))) == {("p::Lease.rent", (BOB, 2))}
    assert (state(branch), records(branch.snapshot())) == before


def test_an_idempotency_key_of_before_the_fork_point_is_known_and_a_later_one_is_not(store: Store) -> None:
    def keyed(target: Store, key: str) -> None:
        with target.write(day(0)) as writer:
            writer.commit(key=key, receipt=key.encode())

    keyed(store, "old")
    branch = store.branch(store.create_fork("a", day(1)).handle, day(1))
    keyed(store, "new")
    keyed(branch, "own")
    assert [branch.snapshot().receipt(key) for key in ("old", "new", "own")] == [b"old", None, b"own"]
    assert store.snapshot().receipt("own") is None


def test_no_two_branches_give_one_name_to_an_individual(store: Store) -> None:
    put(store, assert_())
    handles = [store.create_fork(name, day(1)).handle for name in "ab"]
    nested = store.branch(handles[0], day(1)).create_fork("c", day(1)).handle
    targets = [store, *(store.branch(handle, day(1)) for handle in (*handles, nested))]
    firsts = []
    for target in targets:
        with target.write(day(1)) as writer:
            firsts.append((writer.tx, writer.first_ordinal))
    assert len(set(firsts)) == len(firsts)


# -- handles and ends -------------------------------------------------------------------------------------------------


def test_handles_cannot_be_guessed_from_one_another_nor_from_what_an_answer_shows(store: Store) -> None:
    forks = [store.create_fork("same", day(0)) for _ in range(20)]
    assert len({fork.handle for fork in forks}) == 20
    assert all(len(fork.handle) == 34 for fork in forks)
    assert not any(fork.handle[2:14] in str(fork.store_id).replace("-", "") for fork in forks)


def test_a_handle_that_no_fork_has_is_refused(store: Store) -> None:
    put(store, assert_())
    for handle in ("f-00", "", "trial", "main'--"):
        assert refusal(lambda handle=handle: store.branch(handle, day(0))).code == "ARGON_RUNTIME_FORK_NOT_FOUND"
        assert refusal(lambda handle=handle: store.abort_fork(handle)).code == "ARGON_RUNTIME_FORK_NOT_FOUND"


def test_what_is_aborted_is_gone_and_the_parent_is_as_it_was(store: Store) -> None:
    put(store, assert_())
    before = state(store)
    fork = store.create_fork("a", day(1))
    branch = store.branch(fork.handle, day(1))
    put(branch, close(at=1))
    store.abort_fork(fork.handle)
    assert state(store) == before
    assert store.forks() == []
    assert refusal(lambda: store.branch(fork.handle, day(1))).code == "ARGON_RUNTIME_FORK_NOT_FOUND"
    assert refusal(lambda: put(branch, assert_())).code == "ARGON_RUNTIME_FORK_NOT_FOUND"


def test_a_fork_with_forks_of_its_own_cannot_end_before_them(store: Store) -> None:
    fork = store.create_fork("a", day(1))
    inner = store.branch(fork.handle, day(1)).create_fork("b", day(1))
    assert refusal(lambda: store.abort_fork(fork.handle)).code == "ARGON_RUNTIME_VALIDATION_FAILED"
    store.abort_fork(inner.handle)
    store.abort_fork(fork.handle)
    assert store.forks() == []


def test_an_idle_ephemeral_fork_expires_and_is_swept_and_one_in_use_does_not(store: Store) -> None:
    assert EPHEMERAL_SECONDS == 60 * 60
    put(store, assert_())
    idle, used, kept = (store.create_fork(n, day(0), ephemeral=n != "kept") for n in ("idle", "used", "kept"))
    half, late = (day(0) + timedelta(seconds=EPHEMERAL_SECONDS * part) for part in (0.6, 1.2))
    store.touch_fork(used.handle, half)
    error = refusal(lambda: store.branch(idle.handle, late))
    assert (error.code, [note.key for note in error.notes]) == ("ARGON_RUNTIME_FORK_NOT_FOUND", ["expired"])
    assert store.branch(used.handle, late).snapshot().head == 1
    fresh = store.create_fork("fresh", late)
    assert {fork.handle for fork in store.forks()} == {used.handle, kept.handle, fresh.handle}


def test_a_transaction_that_ends_a_fork_ends_it_whole_or_not_at_all(store: Store) -> None:
    put(store, assert_(start=0))
    fork = store.create_fork("a", day(1))
    branch = store.branch(fork.handle, day(1))
    put(branch, close(at=2), at=1)
    (change,) = branch.snapshot().log(since_tx=1)
    put(store, assert_((BOB, 1)), at=3)
    with store.write(day(3)) as writer:
        writer.replay([change.event])
    assert [each.handle for each in store.forks()] == [fork.handle]
    with store.write(day(3)) as writer:
        writer.replay([change.event])
        writer.commit(ends=fork.handle)
    assert store.forks() == []
    assert [line.event.id for line in store.snapshot().log(row=RENT)][1] == change.event.id
    put(store, assert_((ALICE, 2)), at=3)
    ids = [line.event.id for line in store.snapshot().log()]
    assert len(set(ids)) == len(ids)
    assert ids[-1] == max(ids)


# -- against copies ---------------------------------------------------------------------------------------------------

moves = st.lists(
    st.tuples(
        st.sampled_from(["write", "write", "drop", "fork", "abort"]), st.integers(0, 5), st.integers(0, 9), changes
    ),
    max_size=12,
)


class Copies:
    """Branches as independent lists of transactions: what a fork would be if it copied everything."""

    def __init__(self, store: Store) -> None:
        self.root = store
        self.logs: dict[str, naive.Log] = {MAIN: []}
        self.parents: dict[str, str] = {}

    def store(self, handle: str) -> Store:
        return self.root if handle == MAIN else self.root.branch(handle, day(0))

    def play(self, move: str, which: int, cut: int, done: tuple[Change, ...]) -> None:
        handle = list(self.logs)[which % len(self.logs)]
        log, target = self.logs[handle], self.store(handle)
        if move == "write":
            put(target, *done)
            log.append(done)
        elif move == "drop":
            with target.write(day(0)) as writer:
                writer.append(done)
                agrees(writer, [*log, done])
        elif move == "fork":
            point = min(cut, len(log))
            made = target.create_fork(f"n{len(self.logs)}", day(0), cut=point)
            self.logs[made.handle], self.parents[made.handle] = list(log[:point]), handle
        elif handle != MAIN and handle not in self.parents.values():
            self.root.abort_fork(handle)
            del self.logs[handle], self.parents[handle]

    def check(self) -> None:
        assert {fork.handle for fork in self.root.forks()} == set(self.parents)
        for handle, log in self.logs.items():
            reader = self.store(handle).snapshot()
            agrees(reader, log)
            copy = memory(Path())
            for done in log:
                put(copy, *done)
            assert records(reader) == records(copy.snapshot())


@settings(max_examples=120, deadline=None, derandomize=True)
@given(moves)
def test_branches_of_branches_are_what_copies_would_be(history: list[Any]) -> None:
    copies = Copies(memory(Path()))
    for move in history:
        copies.play(*move)
    copies.check()


@settings(max_examples=40, deadline=None, derandomize=True)
@given(moves)
def test_branches_in_a_file_are_too_and_so_are_they_when_it_is_opened_again(history: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        copies = Copies(sqlite(Path(folder)))
        for move in history:
            copies.play(*move)
        copies.check()
        copies.root.close()
        copies.root = sqlite(Path(folder))
        copies.check()
        copies.root.close()


# -- the file ---------------------------------------------------------------------------------------------------------


def test_a_store_of_version_one_is_read_as_it_is_and_brought_up_to_date_by_its_first_writer(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    put(sqlite(tmp_path), assert_())
    with sqlite3.connect(path) as connection:
        for table in ("forks", "fork_transactions", "fork_events"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("PRAGMA user_version=1")
    connection.close()
    old = SqliteStore(path)
    assert old.forks() == []
    assert old.snapshot().head == 1
    with old.write(day(0)):
        pass
    fork = old.create_fork("a", day(0))
    assert put(old.branch(fork.handle, day(0)), close(at=1)) == 2
    assert SqliteStore(path).branch(fork.handle, day(0)).snapshot().head == 2


def test_two_processes_see_each_others_forks_and_their_ends(tmp_path: Path) -> None:
    one, two = sqlite(tmp_path), SqliteStore(tmp_path / "store.sqlite3")
    put(one, assert_())
    fork = one.create_fork("a", day(0))
    put(two.branch(fork.handle, day(0)), close(at=1))
    assert one.branch(fork.handle, day(0)).snapshot().head == 2
    two.abort_fork(fork.handle)
    assert refusal(lambda: one.branch(fork.handle, day(0))).code == "ARGON_RUNTIME_FORK_NOT_FOUND"


def test_a_fork_that_differs_from_its_digest_is_damage(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    fork = store.create_fork("a", day(0))
    put(store.branch(fork.handle, day(0)), assert_())
    store.close()
    with sqlite3.connect(tmp_path / "store.sqlite3") as connection:
        connection.execute("UPDATE forks SET tx = 7")
    connection.close()
    again = SqliteStore(tmp_path / "store.sqlite3")
    assert refusal(again.forks).details["reason"] == "damaged"


# -- cost -------------------------------------------------------------------------------------------------------------


def test_a_fork_holds_what_it_changed_and_nothing_of_what_its_parent_holds() -> None:
    store = memory(Path())
    with store.write(day(0)) as writer:
        writer.append(assert_((BOB, number)) for number in range(20_000))
        writer.commit()
    made = store.create_fork("a", day(0))
    branch = store.branch(made.handle, day(0))
    put(branch, close((BOB, 5), at=1))
    timeline = branch._timeline  # type: ignore[attr-defined]
    assert isinstance(timeline, BranchTimeline)
    held = len(timeline._live) + len(timeline._gone) + len(timeline._closed)
    assert held <= 4


def test_a_process_killed_at_random_instants_leaves_each_fork_whole_or_gone(tmp_path: Path) -> None:
    path, known, dice_ = tmp_path / "store.sqlite3", 0, random.Random(7)
    for _ in range(6):
        known = max(known, killed(path, dice_.randrange(1, 4), dice_.random() / 20))
        store = SqliteStore(path)
        state = store.snapshot()
        assert state.head >= known
        for transaction in state.transactions():
            assert sorted(event.change.row for event in transaction.events) == rows(transaction.tx)
        left = store.forks()
        assert len(left) <= 1
        for fork in left:
            inside = store.branch(fork.handle, day(0)).snapshot().transactions(fork.cut)
            assert {len(each.events) for each in inside} <= {2}
        store.close()
        known = state.head


def killed(path: Path, acknowledgements: int, delay: float) -> int:
    """Run `forker` and kill it so long after so many acknowledgements; the last take-over that it acknowledged."""
    command = [sys.executable, "-m", "tests.store.forker", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        heard = [process.stdout.readline() for _ in range(1 + acknowledgements)]
        until = time.perf_counter() + delay
        while time.perf_counter() < until:
            pass
        process.kill()
        heard += process.stdout.readlines()
    done = [int(line.split()[1]) for line in heard if line.startswith(b"ack") and line.endswith(b"\n")]
    return max(done, default=0)
