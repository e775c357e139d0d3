"""One question, one answer at every read point: both times, standpoints and forks of a store with a past.

The tables ask what the other tables (`test_parity.py`) ask of the present. What no agent is asked, the log and the
migration of a store, is held against the runtime itself, so that the command line adds nothing to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from argon_lang.session.migrating import migrate_project
from argon_lang.session.project import Project
from tests.e2e.parity import Question, Surfaces, _picked, _proof, _receipt, _rows, _violations
from tests.support.cli import copy
from tests.support.lsp_client import Client as Editor
from tests.support.mcp_client import Client as Agent

Json = Any
WHO = "user:ada"
STEPS = [
    {"name": "sell", "args": {"who": "iris", "receipt": 9, "goods": "Food", "price": "3.10", "day": "2026-05-05"}},
    {"name": "claim", "args": {"p": "jon", "year": 2025, "purpose": "Travel", "amount": "40", "since": "2025-06-01"}},
]
MAY, JUNE, EARLIER = "2026-05-04", "2026-06-01T12:00:00Z", "2025-03-01"


def at(
    shared: Any,
    words: list[str],
    tool: str,
    given: Json,
    *,
    valid: str | None = MAY,
    tx: int | None = None,
    **view: str,
) -> Question:
    """A question at a read point; `view` is `standpoint`, or `fork` with any text for the fork of the surfaces."""
    flags = [*(["--as-of", valid] if valid else []), *(["--as-of-tx", str(tx)] if tx is not None else [])]
    more = {"asOf": valid} | ({"asOfTx": tx} if tx is not None else {})
    if "standpoint" in view:
        flags, more = [*flags, "--standpoint", view["standpoint"]], {**more, "standpoint": view["standpoint"]}

    def branch(on: Surfaces) -> tuple[list[str], Json]:
        return (["--fork", FORK[0]], {"fork": FORK[0]}) if "fork" in view else ([], {})

    return Question(
        " ".join([*words, *flags, *view.values()]),
        {
            "terminal": lambda on: shared(on.terminal(*words, *flags, *branch(on)[0])),
            "agent": lambda on: shared(on.agent.call(tool, **given, **more, **branch(on)[1])),
        },
    )


def query(name: str, args: Json, **point: Any) -> Question:
    words = ["query", name, *(f"{key}={value}" for key, value in args.items())]
    return at(_rows, words, "argon_query", {"name": name, "args": args}, **point)


def head(name: str, **point: Any) -> Question:
    return at(_rows, ["derive", name], "argon_derive", {"head": name}, **point)


def why(fact: str, **point: Any) -> Question:
    words = ["explain-fact", fact, "--depth", "4"]
    return at(_proof, words, "argon_explain_fact", {"fact": fact, "maxDepth": 4}, **point)


def checks(**point: Any) -> Question:
    return at(_violations, ["checks"], "argon_checks_current", {}, **point)


def asked(source: str, **point: Any) -> Question:
    return at(_rows, ["query", "--eval", source], "argon_ad_hoc_query", {"source": source}, **point)


def batch(steps: list[Json], name: str) -> Question:
    """Several mutations as one transaction, tried alone; or the refusal of all of them."""

    def shared(found: Json) -> Json:
        return _picked(("code", "message", "details"), found["error"]) if "error" in found else _receipt(found)

    def terminal(on: Surfaces) -> Json:
        (on.root / name).write_text(json.dumps(steps), "utf-8")
        return shared(on.terminal("mutate", "--batch", str(on.root / name), "--dry-run", "--delta", "--principal", WHO))

    def agent(on: Surfaces) -> Json:
        given = {"steps": steps, "dryRun": True, "includeDerivedDelta": True, "principal": WHO}
        return shared(on.agent.result("argon_batch", **given)["structuredContent"])

    return Question(f"batch {name}", {"terminal": terminal, "agent": agent})


def log(*words: str) -> Question:
    """The event history, of which the store itself is the other witness."""
    shared = ("lines", "count", "nextCursor", "moduleHash", "storeId", "generation")

    def core(on: Surfaces) -> Json:
        since = {"since_tx": int(words[2])} if "--since-tx" in words else {}
        about = words[0] if words and not words[0].startswith("--") else None
        return _picked(shared, _service(on).log(about, **since).dump())

    return Question(
        f"log {' '.join(words)}",
        {"terminal": lambda on: _picked(shared, on.terminal("log", *words)), "runtime": core},
    )


def migration() -> Question:
    """What of the store does not fit, and what a map makes of it."""

    def core(on: Surfaces) -> Json:
        opened = Project.open(on.root)
        return migrate_project(opened, str(on.root / "map.toml"), dry_run=True, fork=None, policy="build").dump()

    return Question(
        "migrate",
        {
            "terminal": lambda on: on.terminal("migrate", "--map", str(on.root / "map.toml"), "--dry-run"),
            "runtime": core,
        },
    )


def kept() -> Question:
    """The state of the store: what a backup of it holds."""

    def terminal(on: Surfaces) -> Json:
        made = on.terminal("store", "backup")
        return made["storeId"], made["generation"], made["tx"]

    def agent(on: Surfaces) -> Json:
        told = on.agent.call("argon_status")
        return told["storeId"], told["generation"], told["store"]["tx"]

    return Question("store backup", {"terminal": terminal, "agent": agent})


def promotion() -> Question:
    """What a fork would come to on its parent."""

    def digest(on: Surfaces) -> str:
        return str(on.agent.call("argon_fork_diff", fork=FORK[0])["diffHash"])

    def shared(found: Json) -> Json:
        return _receipt(found) | _picked(("promotedFrom",), found)

    return Question(
        "promote",
        {
            "terminal": lambda on: shared(on.terminal("fork", "promote", FORK[0], "--expect", digest(on), "--dry-run")),
            "agent": lambda on: shared(
                on.agent.call("argon_fork_promote", fork=FORK[0], expectDiffHash=digest(on), dryRun=True)
            ),
        },
    )


def forks() -> Question:
    """The forks that there are."""
    shared = ("fork", "name", "parent", "forkedAt", "ephemeral", "principal")
    return Question(
        "forks",
        {
            "terminal": lambda on: [_picked(shared, each) for each in on.terminal("fork", "list")["forks"]],
            "runtime": lambda on: [_picked(shared, each) for each in _service(on).forks().dump()["forks"]],
        },
    )


FORK: list[str] = []
"""The handle of the fork of the surfaces under test."""
POINTS: list[Json] = [
    {"valid": EARLIER},
    {"valid": JUNE},
    {"tx": 0},
    {"tx": 1, "valid": JUNE},
    {"standpoint": "federal"},
    {"standpoint": "state", "tx": 2},
    {"standpoint": "state", "valid": EARLIER},
    {"fork": "in the fork"},
    {"fork": "in the fork", "tx": 3, "standpoint": "federal"},
]
QUESTIONS = [
    *(head("sales_tax", **point) for point in POINTS),
    *(head("income_tax", **point) for point in POINTS),
    *(query("owed_for", {"who": "jon", "day": MAY}, **point) for point in POINTS[:4]),
    *(query("by_band", {"p": "jon", "year": "2025", "day": MAY}, **point) for point in POINTS[4:]),
    query("purposes", {}),
    query("purposes", {}, valid=EARLIER),
    *(checks(**point) for point in POINTS),
    *(why("taxed(jon, 7)", **point) for point in POINTS),
    why("deducted(jon, 2025, HomeOffice)", standpoint="state"),
    *(asked("select r from sales_rate(g, r) order by r", **point) for point in POINTS),
    batch(STEPS, "steps.json"),
    batch([*STEPS, {"name": "sell", "args": {**STEPS[0]["args"], "price": "-1"}}], "refused.json"),
    batch([{"name": "sell", "args": {"who": "iris"}}], "short.json"),
    log(),
    log("jon"),
    log("sold(jon, _)"),
    log("jon", "--since-tx", "1"),
    migration(),
    kept(),
    forks(),
    promotion(),
]


def _service(on: Surfaces) -> Any:
    return Project.open(on.root).runtime("build", writes=False)


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surfaces]:
    """The tax example with sales, a correction that reaches back, a dispute, and a fork."""
    root: Path = copy("tax", tmp_path_factory.mktemp("past") / "tax")
    (root / "map.toml").write_text('[rename]\n"ledger::Taxpayer" = "ledger::Payer"\n', "utf-8")
    sale = {"who": "jon", "receipt": 7, "goods": "HotMeal", "price": "9.00", "day": MAY}
    with Agent(root, "--allow-promote") as agent, Editor() as editor:
        found = Surfaces(root, agent, editor)
        agent.call("argon_build")
        agent.call("argon_mutate", name="sell", args=sale)
        agent.call(
            "argon_mutate", name="file", args={"p": "jon", "year": 2025, "gross": "61000", "since": "2025-01-01"}
        )
        rate = {"goods": "HotMeal", "rate": "9.5", "since": "2026-05-01", "end": "2026-07-01"}
        agent.call("argon_mutate", name="set_rate", args=rate)
        FORK[:] = [agent.call("argon_fork_create", name="trial", ephemeral=False)["fork"]["fork"]]
        agent.call("argon_fork_mutate", fork=FORK[0], name="sell", args={**sale, "receipt": 8, "price": "12.00"})
        yield found


@pytest.mark.parametrize("question", QUESTIONS, ids=[each.name for each in QUESTIONS])
def test_every_surface_gives_the_same_answer_at_every_read_point(past: Surfaces, question: Question) -> None:
    (first, wanted), *others = question.answers(past).items()
    for surface, answer in others:
        assert answer == wanted, f"{first} and {surface} differ"


def test_the_batches_are_accepted_and_refused_as_meant(past: Surfaces) -> None:
    tried = [batch(STEPS, "steps.json"), batch([STEPS[0], STEPS[0]], "twice.json")]
    answers = [each.answers(past)["agent"] for each in tried]
    assert [len(each["events"]) for each in answers] == [5, 3]
    assert batch([{"name": "sell", "args": {}}], "short.json").answers(past)["agent"]["details"]["batchStep"] == 1


def test_the_read_points_are_told_apart(past: Surfaces) -> None:
    """An agreement of answers that are all alike would be none."""
    answers = [json.dumps(head("income_tax", **point).answers(past)["agent"]["values"]) for point in POINTS]
    assert len(set(answers)) >= 4
    assert len({json.dumps(head("sales_tax", **point).answers(past)["agent"]["values"]) for point in POINTS}) >= 3
