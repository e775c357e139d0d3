"""The write pipeline around the statements: atomic, replayed, rehearsed, ordered (semantics S1, S7)."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from argon_lang.engine.governor import Governor, Limits
from argon_lang.errors import ArgonError
from argon_lang.runtime.options import WriteOptions
from argon_lang.runtime.service import RuntimeService
from argon_lang.store.memory import MemoryStore
from argon_lang.store.protocol import NO_STORE, Store
from argon_lang.store.sqlite import SqliteStore
from tests.runtime.worlds import START, Clock, World, facts, refusal, served

ACCOUNTS = """
use std::time::now;
type Account { mut balance: Money, mut n: Int = 0 }
rel moved(a: Account, b: Account) { amount: Money, seen: DateTime }
fact Account(cash) { balance: 100 };
fact Account(bank) { balance: 0 };
derive rich(a: Account) :- a: Account, a.balance > 50;
derive seen(d: DateTime) :- moved(x, y), j: moved, j.a == x, j.b == y, d = j.seen;
check overdrawn(a: Account) :- a: Account, a.balance < 0 => Diagnostic {
    severity: Severity::Error, message: format!("an account is {} short", 0 - a.balance) };
check dear(a: Account) :- a: Account, a.balance > 500 => Diagnostic {
    severity: Severity::Warning, message: "unusually full" };
check odd(a: Account) :- a: Account, a.n > 10 => Diagnostic { severity: odd_is(a.n), message: "odd" };
fn odd_is(n: Int) -> Severity = if n > 20 { Severity::Error } else { Severity::Warning };
check inverse(a: Account) :- a: Account, a.n < 0 => Diagnostic {
    severity: Severity::Warning, message: format!("{}", 1 / (a.n + 1)) };
mutate pay(source: Account, to: Account, amount: Money) {
    require amount > 0;
    update source set { balance -= amount };
    update to set { balance += amount };
    insert moved(source, to) { amount: amount, seen: now() };
}
mutate grant(to: Account, amount: Money) -> Money { update to set { balance += amount }; return to.balance; }
mutate count(a: Account, n: Int) { update a set { n += n }; }
mutate set_n(a: Account, n: Int) { update a set { n = n }; }
mutate open(n: Int) -> Account { let a = insert Account { balance: 0, n: n }; return a; }
mutate divide(a: Account, by: Int) { update a set { n = (10 / by).trunc() }; }
query total() -> [Money] { select a.balance from a: Account }
"""


@pytest.fixture(params=["memory", "sqlite"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    store: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "s" / "store.sqlite3")
    return World(ACCOUNTS, store=store)


def money(world: World) -> dict[Any, Any]:
    return {row[0]: row[1] for row in balances(world)}


def balances(world: World) -> list[list[Any]]:
    from tests.runtime.test_statements import fields

    return fields(world, "balance", "Account")


# -- receipts ---------------------------------------------------------------------------------------------------------


def test_a_receipt_tells_transaction_generation_events_result_and_what_became_derivable(world: World) -> None:
    receipt = world.do("pay", "cash", "bank", "60", options=WriteOptions(include_delta=True))
    assert (receipt.tx, receipt.generation, receipt.dry_run, receipt.replayed) == (1, 1, False, False)
    assert receipt.store_id == str(world.store.id)
    assert facts(receipt.events) == [
        "-cash.balance == 100.00",
        "+cash.balance == 40.00",
        "-bank.balance == 0.00",
        "+bank.balance == 60.00",
        "+moved(cash, bank)",
        "+moved(cash, bank).amount == 60.00",
        "+moved(cash, bank).seen == 2026-03-10T12:00:00Z",
    ]
    assert receipt.derived_delta is not None
    assert {key: (delta.added, delta.removed) for key, delta in receipt.derived_delta.items()} == {
        "pkg::rich/1": (["rich(bank)"], ["rich(cash)"]),
        "pkg::seen/1": (["seen(2026-03-10T12:00:00Z)"], []),
    }
    assert world.do("grant", "cash", "0.5").result == {"money": "40.50"}


def test_every_event_carries_who_wrote_it(world: World) -> None:
    world.do("grant", "cash", "1", options=WriteOptions(principal="agent:x"))
    world.do("grant", "cash", "1")
    log = world.store.snapshot().log()
    assert {line.event.change.principal for line in log if line.tx == 1} == {"agent:x"}
    assert {line.event.change.principal for line in log if line.tx == 2} == {"user:eve"}


# -- refusals ---------------------------------------------------------------------------------------------------------

REFUSED: list[tuple[str, tuple[Any, ...], str]] = [
    ("pay", ("cash", "bank", "0"), "OE0731"),
    ("pay", ("cash", "bank", "1000"), "ARGON_RUNTIME_CHECK_VIOLATION"),
    ("divide", ("cash", 0), "ARGON_RUNTIME_ARITHMETIC"),
    ("pay", ("cash", "nobody", "1"), "ARGON_RUNTIME_NOT_FOUND"),
    ("pay", ("cash", "bank"), "ARGON_RUNTIME_SIGNATURE_MISMATCH"),
    ("pay", ("cash", "bank", 1.5), "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("pay", ("cash", "#9.9", "1"), "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("nothing", (), "ARGON_RUNTIME_NOT_FOUND"),
]


@pytest.mark.parametrize(("name", "given", "code"), REFUSED)
def test_nothing_of_a_refused_write_is_observable(
    world: World, name: str, given: tuple[Any, ...], code: str, tmp_path: Path
) -> None:
    with pytest.raises(ArgonError) as error:
        world.do(name, *given)
    assert refusal(error) == code
    assert list(tmp_path.rglob("*")) == []
    world.do("grant", "cash", "1")
    before, rows = world.state(), money(world)
    with pytest.raises(ArgonError):
        world.do(name, *given)
    assert (world.state(), money(world)) == (before, rows)
    never = World(ACCOUNTS)
    for each in (world, never):
        each.do("grant", "bank", "2")
    never.do("grant", "cash", "1")
    later = World(ACCOUNTS, store=world.store)
    assert (money(later), later.rows("moved")) == (money(never), []), "nor to whoever reads after the next write"


def test_a_new_violation_of_severity_error_refuses_with_its_proof(world: World) -> None:
    with pytest.raises(ArgonError) as error:
        world.do("pay", "cash", "bank", "100.01")
    violations: Any = error.value.details["violations"]
    assert [(v["message"], v["fact"]) for v in violations] == [("an account is 0.01 short", "overdrawn(cash)")]
    assert {node["kind"] for node in violations[0]["nodes"]} >= {"derived", "asserted", "builtin"}


def test_a_violation_that_stood_before_never_blocks(world: World) -> None:
    lax = over(world, "\n".join(line for line in ACCOUNTS.splitlines() if "odd" not in line))
    assert lax.mutate("set_n", ["bank", 25]).tx == 1
    assert [v.severity for v in world.service.checks().violations] == ["error"]
    assert world.do("grant", "bank", "1").tx == 2
    assert world.do("count", "bank", 1).tx == 3


def test_a_warning_is_returned_and_one_that_becomes_an_error_refuses(world: World) -> None:
    assert [v.message for v in world.do("grant", "bank", "501").diagnostics] == ["unusually full"]
    assert world.do("grant", "bank", "1").diagnostics == []
    assert [v.severity for v in world.do("set_n", "bank", 15).diagnostics] == ["warning"]
    with pytest.raises(ArgonError) as error:
        world.do("set_n", "bank", 25)
    assert error.value.code == "ARGON_RUNTIME_CHECK_VIOLATION"


def test_a_violation_whose_report_cannot_be_computed_refuses_and_says_why(world: World) -> None:
    with pytest.raises(ArgonError) as error:
        world.do("set_n", "bank", -1)
    assert error.value.code == "ARGON_RUNTIME_CHECK_VIOLATION"
    assert "zero" in dict(error.value.args_)["found"]


# -- dry runs, replays ------------------------------------------------------------------------------------------------


def test_a_dry_run_tells_everything_and_leaves_nothing(world: World, tmp_path: Path) -> None:
    options = WriteOptions(include_delta=True, dry_run=True, key="k")
    receipt = world.do("pay", "cash", "bank", "60", options=options)
    assert (receipt.tx, receipt.dry_run, receipt.generation) == (None, True, 0)
    assert len(receipt.events) == 7
    assert receipt.derived_delta is not None
    assert list(tmp_path.rglob("*")) == []
    world.do("grant", "cash", "1")
    before = world.state()
    again = world.do("pay", "cash", "bank", "60", options=options)
    assert (again.tx, again.generation) == (None, 1)
    assert world.state() == before
    assert world.do("pay", "cash", "bank", "60", options=WriteOptions(key="k")).replayed is False


def test_a_dry_run_of_a_store_that_does_not_exist_names_none(tmp_path: Path) -> None:
    world = World(ACCOUNTS, store=SqliteStore(tmp_path / "store.sqlite3"))
    receipt = world.do("grant", "cash", "1", options=WriteOptions(dry_run=True))
    assert receipt.store_id == str(NO_STORE)
    assert world.service.query("total").row_count == 2
    assert list(tmp_path.iterdir()) == []


def test_an_idempotency_key_replays_the_first_receipt(world: World) -> None:
    first = world.do("grant", "cash", "1", options=WriteOptions(key="k"))
    before = world.state()
    again = world.do("grant", "cash", "1", options=WriteOptions(key="k"))
    assert again == first.model_copy(update={"replayed": True})
    assert world.state() == before
    assert world.do("grant", "cash", "1", options=WriteOptions(key="other")).tx == 2


def test_a_refused_write_does_not_use_up_its_key(world: World) -> None:
    with pytest.raises(ArgonError):
        world.do("pay", "cash", "bank", "0", options=WriteOptions(key="k"))
    assert world.do("pay", "cash", "bank", "1", options=WriteOptions(key="k")).replayed is False


def together(count: int, action: Any) -> list[Any]:
    """Run the action in so many threads that start at once; what each gave."""
    barrier, found = threading.Barrier(count), [None] * count

    def one(number: int) -> None:
        barrier.wait()
        found[number] = action(number)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_of_equal_calls_at_once_one_writes_and_the_others_are_told_what_it_did(world: World) -> None:
    receipts = together(4, lambda _: world.do("grant", "cash", "1", options=WriteOptions(key="k")))
    assert sorted(receipt.replayed for receipt in receipts) == [False, True, True, True]
    assert money(world)["cash"] == "101.00"


def test_writers_at_once_follow_each_other_and_the_clock(world: World) -> None:
    start, ticks = world.clock.instant, iter(range(1, 10_000))
    lock = threading.Lock()

    def jumping() -> Any:
        with lock:
            tick = next(ticks)
        return start + timedelta(seconds=tick if tick % 2 else -tick)

    world.service.clock = jumping
    together(6, lambda number: world.do("grant", "cash", "1"))
    transactions = world.store.snapshot().transactions()
    assert [each.tx for each in transactions] == [1, 2, 3, 4, 5, 6]
    assert sorted(each.instant for each in transactions) == [each.instant for each in transactions]
    assert money(world)["cash"] == "106.00"


def test_a_clock_that_goes_back_does_not_hide_what_was_written(world: World) -> None:
    world.do("grant", "cash", "1")
    world.clock.advance(days=-3)
    assert money(world)["cash"] == "101.00"
    world.do("grant", "cash", "1")
    assert money(world)["cash"] == "102.00"


def test_readers_go_on_while_a_writer_writes(world: World) -> None:
    world.do("grant", "cash", "1")
    with world.store.write(START):
        assert money(world)["cash"] == "101.00"


# -- another module ---------------------------------------------------------------------------------------------------


def over(world: World, source: str) -> RuntimeService:
    return RuntimeService(served(source), world.store, clock=world.clock)


def test_a_module_that_fits_the_store_takes_over(world: World) -> None:
    world.do("pay", "cash", "bank", "60")
    later = over(world, ACCOUNTS + "derive poor(a: Account) :- a: Account, a.balance < 50;")
    assert [row.values[0]["label"] for row in later.derive("poor").rows] == ["cash"]
    assert later.mutate("grant", ["bank", "1"]).tx == 2
    assert world.store.snapshot().module_hash == later.served.module_hash


ACCOUNT = "type Account { mut balance: Money, mut n: Int = 0 }"
MOVED = "rel moved(a: Account, b: Account) { amount: Money, seen: DateTime }"
CASH, BANK = "fact Account(cash) { balance: 100 };", "fact Account(bank) { balance: 0 };"
MISFITS = [
    (
        [
            "type Account { mut balance: Int, mut n: Int = 0 }",
            MOVED,
            "fact Account(cash) {};",
            "fact Account(bank) {};",
        ],
        "`Account.balance` has another type",
    ),
    ([ACCOUNT, CASH, BANK, "rel moved(a: Account, b: Account, c: Account);"], "`moved` has another arity"),
    ([ACCOUNT, CASH, MOVED], "would hold what is no `Account`"),
    ([ACCOUNT, CASH, BANK, "rel moved(a: Account, b: Account) { amount: Money }"], "`moved.seen` is not declared"),
    ([ACCOUNT, CASH, BANK], "`moved` is not declared"),
    ([ACCOUNT, CASH, BANK, MOVED.replace("b: Account", "b: Int")], "`b` of `moved` has another type"),
]


@pytest.mark.parametrize(("lines", "reason"), MISFITS)
def test_a_module_that_would_retype_or_orphan_live_facts_is_refused_with_every_reason(
    world: World, lines: list[str], reason: str
) -> None:
    world.do("pay", "cash", "bank", "60")
    before = world.state()
    later = over(world, "\n".join([*lines, "mutate noop() { }"]))
    for call in (lambda: later.mutate("noop"), lambda: later.derive("Account")):
        with pytest.raises(ArgonError) as error:
            call()
        assert error.value.code == "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE"
        assert error.value.retryable
        reasons: Any = error.value.details["reasons"]
        assert any(reason in each["reason"] and each["facts"] >= 1 for each in reasons), reasons
    assert world.state() == before


# -- limits -----------------------------------------------------------------------------------------------------------


def test_a_write_that_is_cancelled_or_out_of_time_leaves_the_store_as_it_was(world: World) -> None:
    world.do("grant", "cash", "1")
    before = world.state()
    cancelled, late = Governor(), Governor(Limits(timeout_ms=10), clock=iter([0.0, *[9.0] * 99]).__next__)
    cancelled.cancel()
    for governor, code in ((cancelled, "ARGON_RUNTIME_CANCELLED"), (late, "ARGON_RUNTIME_TIMEOUT")):
        with pytest.raises(ArgonError) as error:
            world.service.mutate("pay", ["cash", "bank", "1"], governor=governor)
        assert error.value.code == code
    assert world.state() == before


def test_the_clock_of_a_world_stands_still() -> None:
    assert Clock()() == START
