"""Reads in two times are what the naive store says, for any history, in both backends alike."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.store.protocol import Change, Reader, Record, Store
from argon_lang.store.view import holds
from tests.store import naive
from tests.store.stores import ALICE, BOB, day, memory, pairs, put, sqlite

DAYS = 3
KEYS, ROWS, LAYERS = ("p::A^", "p::A.f"), ((ALICE,), (BOB, 1)), ("default", "p::Tax")
VIEWS = (("default",), LAYERS)
INSTANTS = [day(n) - timedelta(hours=12) for n in range(DAYS + 2)]

days = st.none() | st.integers(0, DAYS).map(day)
intervals = st.tuples(days, days).filter(lambda pair: pair[0] is None or pair[1] is None or pair[0] < pair[1])
facts = st.tuples(st.sampled_from(KEYS), st.sampled_from(ROWS), st.sampled_from(LAYERS))
openings = st.builds(
    lambda op, fact, span: Change(op, fact[0], fact[1], *span, standpoint=fact[2]),
    st.sampled_from(["assert", "assert", "refute"]),
    facts,
    intervals,
)
closings = st.builds(lambda fact, at: Change("close", fact[0], fact[1], at, standpoint=fact[2]), facts, days)
changes = st.lists(openings | closings, max_size=4).map(tuple)
steps = st.lists(st.tuples(changes, st.booleans()), max_size=8)
"""Transactions: their changes, and whether they are committed."""


def play(store: Store, history: list[tuple[tuple[Change, ...], bool]], log: naive.Log) -> naive.Log:
    """Write the history, add what was committed to the log."""
    for done, kept in history:
        if kept:
            put(store, *done)
            log.append(done)
            continue
        with store.write(day(0)) as writer:
            writer.append(done)
            agrees(writer, [*log, done])
    return log


def agrees(reader: Reader, log: naive.Log) -> None:
    """The reader's answers are the naive ones at every instant, transaction and view."""
    assert reader.head == len(log)
    for as_of in range(len(log) + 1):
        for view in VIEWS:
            for instant in INSTANTS:
                asked = (instant, as_of, view)
                assert pairs(reader.facts(*asked)) == naive.facts(log, *asked), asked
                assert pairs(reader.hidden(*asked)) == naive.hidden(log, *asked), asked
                assert pairs(reader.refuted(*asked)) == naive.refuted(log, *asked), asked


def well_formed(records: Sequence[Record]) -> None:
    """No record is valid for no time, and no two hides of one row meet."""
    assert all(r.valid_from is None or r.valid_to is None or r.valid_from < r.valid_to for r in records)
    hides = [r for r in records if r.kind == "hide"]
    for instant in INSTANTS:
        covered = [(r.standpoint, r.key, r.row) for r in hides if holds(r, instant)]
        assert len(covered) == len(set(covered))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(steps)
def test_facts_hides_and_refutations_are_what_the_naive_store_says(
    history: list[tuple[tuple[Change, ...], bool]],
) -> None:
    store = memory(Path())
    log = play(store, history, [])
    agrees(store.snapshot(), log)
    well_formed(store.snapshot().records())


@settings(max_examples=150, deadline=None, derandomize=True)
@given(steps)
def test_an_earlier_snapshot_answers_the_same_after_everything_that_came_later(
    history: list[tuple[tuple[Change, ...], bool]],
) -> None:
    store = memory(Path())
    half = len(history) // 2
    log = play(store, history[:half], [])
    early = store.snapshot()
    records = early.records()
    play(store, history[half:], list(log))
    agrees(early, log)
    assert early.records() == records


@settings(max_examples=60, deadline=None, derandomize=True)
@given(steps)
def test_both_backends_hold_the_same_records_and_a_reopened_file_too(
    history: list[tuple[tuple[Change, ...], bool]],
) -> None:
    ram = memory(Path())
    play(ram, history, [])
    with TemporaryDirectory() as folder:
        disk = sqlite(Path(folder))
        play(disk, history, [])
        again = sqlite(Path(folder))
        for reader in (disk.snapshot(), again.snapshot()):
            assert [reader.records(tx) for tx in range(reader.head + 1)] == [
                ram.snapshot().records(tx) for tx in range(reader.head + 1)
            ]
            assert reader.transactions() == ram.snapshot().transactions()
            assert reader.generation == ram.generation()
        disk.close()
        again.close()


@settings(max_examples=100, deadline=None, derandomize=True)
@given(steps, steps)
def test_the_edges_of_a_writer_are_those_of_its_records_in_a_fork_too(
    history: list[tuple[tuple[Change, ...], bool]], more: list[tuple[tuple[Change, ...], bool]]
) -> None:
    store = memory(Path())
    play(store, history, [])
    for branch in (store, store.branch(store.create_fork("f", day(0)).handle, day(0))):
        with branch.write(day(0)) as writer:
            for changes, _ in more:
                writer.append(changes)
            for instant in INSTANTS:
                wanted = [r for r in writer.records() if any(e and e > instant for e in (r.valid_from, r.valid_to))]
                found = list(writer.edges(instant))
                assert sorted(map(repr, found)) == sorted(map(repr, wanted)), instant
