"""The package's own tests: each on a fresh store, what passes, fails and errs, and what a failure shows (S9.2)."""

from __future__ import annotations

from argon_lang.engine.governor import Governor
from argon_lang.runtime.envelopes import TestOutcome
from argon_lang.runtime.testing import run_tests
from tests.runtime.worlds import Clock, served

TESTED = """
type Account { mut balance: Money }
fact Account(cash) { balance: 100 };
derive rich(a: Account) :- a: Account, a.balance > 50;
check overdrawn(a: Account) :- a: Account, a.balance < 0 => Diagnostic {
    severity: Severity::Error, message: "overdrawn" };
mutate take(a: Account, n: Money) { require n > 0; update a set { balance -= n }; }
mutate drop(a: Account) { delete Account(a); }
test "each test has a fresh store" { take(cash, 60); assert cash.balance == 40; }
test "and another one" { assert cash.balance == 100; assert derivable rich(cash); }
test "a failing assert is recorded and the test goes on" {
    assert cash.balance == 1;
    assert not derivable rich(cash);
    take(cash, 99);
    assert cash.balance == 1;
}
test "a refused statement ends the test" { take(cash, 0); assert cash.balance == 1; }
test "a require of the test ends it" { require cash.balance > 500; assert cash.balance == 1; }
test "a rejects block is one transaction that never commits" {
    assert rejects { take(cash, 60); take(cash, 60); }
    assert cash.balance == 100;
    assert rejects(OE0731) { take(cash, 0); }
    assert rejects(overdrawn) { take(cash, 101); }
}
test "an accepted rejects fails" { assert rejects { take(cash, 1); } assert cash.balance == 100; }
test "another refusal than the pinned one fails" { assert rejects(OE0244) { take(cash, 0); } }
test "a local lives on" { let a = insert Account { balance: 5 }; take(a, 2); assert a.balance == 3; }
"""


def outcomes(pattern: str | None = None) -> dict[str, TestOutcome]:
    report = run_tests(served(TESTED), pattern, Clock(), Governor)
    assert report.passed + report.failed + report.errors == len(report.tests)
    return {outcome.name: outcome for outcome in report.tests}


def test_a_package_test_passes_fails_or_errs() -> None:
    found = {name: outcome.outcome for name, outcome in outcomes().items()}
    assert found == {
        "each test has a fresh store": "passed",
        "and another one": "passed",
        "a failing assert is recorded and the test goes on": "failed",
        "a refused statement ends the test": "error",
        "a require of the test ends it": "error",
        "a rejects block is one transaction that never commits": "passed",
        "an accepted rejects fails": "failed",
        "another refusal than the pinned one fails": "failed",
        "a local lives on": "passed",
    }


def test_a_failure_shows_both_sides_or_the_proof_and_its_place() -> None:
    failures = outcomes()["a failing assert is recorded and the test goes on"].failures
    assert [failure.message for failure in failures] == [
        "assert cash.balance == 1: 100.00 against 1.00",
        "assert not derivable rich(cash)",
    ]
    assert (failures[0].left, failures[0].right) == ({"money": "100.00"}, {"money": "1.00"})
    assert failures[1].explanation is not None
    assert failures[1].explanation.derived
    assert all(failure.span is not None for failure in failures)
    assert [failure.span.start.line for failure in failures if failure.span is not None] == [11, 12]


def test_a_wrong_or_missing_refusal_is_told() -> None:
    (accepted,) = outcomes()["an accepted rejects fails"].failures
    assert accepted.message.endswith(": accepted")
    (other,) = outcomes()["another refusal than the pinned one fails"].failures
    assert "OE0731" in other.message


def test_tests_are_chosen_by_a_part_of_their_name() -> None:
    assert list(outcomes("FRESH")) == ["each test has a fresh store"]
    assert outcomes("nothing of the kind") == {}
