"""The parity table on `examples/ledger`: rows of aggregates, proofs over witnesses, why-not, violations that stand."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.e2e.parity import (
    Question,
    Surfaces,
    computed,
    fact,
    head,
    opened,
    outcomes,
    query,
    reasons,
    refusal,
    scenarios,
    statements,
    suggestions,
    trial,
    violations,
)
from tests.e2e.test_parity import agree, names, served
from tests.support.cli import copy

BUDGET = "insert budget(rent, #2026-02-01#) { most: 800 };"
"""Less than what rent has cost: from now on a warning stands."""
SHOES = {
    "number": "5",
    "what": "shoes",
    "source": "purse",
    "target": "spending",
    "amount": "25.00",
    "on": "2026-02-10",
}

ROWS = [
    query("sides", number="3"),
    query("balance_on", a="giro", day="2026-01-27"),
    query("balances"),
    query("balances_on", day="2026-01-31"),
    query("statement", a="giro"),
    query("overspent_on", day="2026-02-20"),
    query("control"),
    query("large", least="500"),
    head("Account"),
    head("part_of"),
    head("entry"),
    head("posted"),
    head("budget"),
    head("within"),
    head("balance"),
    head("running"),
    head("spent"),
    head("overspent"),
    head("difference"),
    head("idle"),
    head("unbalanced"),
    head("overdrawn"),
    head("stray"),
    head("over_budget"),
]
BOOKS = [
    *ROWS,
    fact("balance(assets, 1688.63)"),
    fact("running(giro, 2, 2520.50)"),
    fact("over_budget(rent)"),
    fact("overdrawn(purse)"),
    fact("idle(spending)"),
    fact("balance(purse, 0)"),
    opened("balance(spending, 911.37)"),
    opened("idle(spending)"),
    violations(),
    violations("over_budget"),
    reasons(),
    reasons("over_budget"),
    suggestions("within(travel, assets)"),
    suggestions("idle(food)"),
    suggestions("overspent(travel)"),
    computed("change", a="giro", since="2026-01-31", end="2026-02-28"),
    trial("grant_credit", a="purse", most="10", since="2026-02-01"),
    refusal("argon_mutate", {"name": "transfer", "args": SHOES}, "mutate", "transfer", *SHOES.values()),
    refusal(
        "argon_mutate",
        {"name": "post", "args": {"number": "4", "account": "giro", "amount": "0.01"}},
        *("mutate", "post", "4", "giro", "0.01"),
    ),
    statements("insert part_of(spending, assets);"),
    outcomes("entry"),
    scenarios("purse"),
]
"""Questions about the books with that budget."""


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surfaces]:
    with served(copy("ledger", tmp_path_factory.mktemp("books") / "ledger")) as found:
        found.agent.call("argon_build")
        found.agent.call("argon_ad_hoc_mutate", source=BUDGET)
        yield found


@pytest.mark.parametrize("question", BOOKS, ids=names(BOOKS))
def test_every_surface_gives_the_same_answer_about_the_books(books: Surfaces, question: Question) -> None:
    agree(books, question)


def test_every_declaration_of_the_books_is_asked_for(books: Surfaces) -> None:
    read = books.agent.request("resources/read", {"uri": "argon://schema/index"})
    index = json.loads(read["contents"][0]["text"])
    heads = [each["name"] for kind in ("concepts", "relations", "predicates", "checks") for each in index[kind]]
    wanted = {f"derive {name}" for name in heads} | {f"query {each['name']}" for each in index["queries"]}
    assert wanted == {each.name.partition(" {")[0] for each in ROWS}


def test_a_violation_stands_that_all_surfaces_tell(books: Surfaces) -> None:
    """An agreement about nothing would be none."""
    (only,) = books.agent.call("argon_checks_current")["violations"]
    assert only["check"].endswith("over_budget")
