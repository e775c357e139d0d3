"""An agent and a fork: tried there, told apart everywhere, taken over only where that is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.mcp_client import Client
from tests.support.served_packages import lease

BILL = {"t": "ben", "amount": "5.00", "due": "2026-02-01"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return lease(tmp_path)


def body(client: Client, tool: str, **given: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.result(tool, **given)["structuredContent"]
    return found


def payers(client: Client, **given: Any) -> list[str]:
    return [row["values"][0]["label"] for row in client.call("argon_query", name="late_payers", **given)["rows"]]


def test_a_change_is_tried_compared_and_promoted_by_its_hash(root: Path) -> None:
    with Client(root, "--allow-promote") as client:
        made = client.call("argon_fork_create", name="trial")
        handle = made["fork"]["fork"]
        assert made["state"] == "fork trial at tx 0, 0 uncommitted"
        receipt = client.call("argon_fork_mutate", fork=handle, name="bill", args=BILL)
        assert (receipt["state"], receipt["committed"]) == ("fork trial at tx 1, 1 uncommitted", True)
        assert payers(client) == ["ada"]
        assert payers(client, fork=handle) == ["ada", "ben"]
        for tool, given in [
            ("argon_fork_query", {"name": "late_payers"}),
            ("argon_fork_derive", {"head": "overdue"}),
            ("argon_fork_explain", {"fact": "in_arrears(ben)"}),
            ("argon_compute", {"fn": "late_fee", "args": {"amount": "1.00", "days_late": 1}}),
            ("argon_checks_current", {}),
        ]:
            result = client.result(tool, fork=handle, **given)
            assert result["structuredContent"]["state"] == "fork trial at tx 1, 1 uncommitted", tool
        diff = client.call("argon_fork_diff", fork=handle)
        assert diff["derived"]["pkg::in_arrears/1"]["added"] == ["in_arrears(ben)"]
        assert body(client, "argon_fork_promote", fork=handle, expectDiffHash="0")["error"]["code"].endswith("FAILED")
        done = client.call("argon_fork_promote", fork=handle, expectDiffHash=diff["diffHash"])
        assert (done["promotedTo"], done["state"]) == (1, "fork trial promoted as tx 1")
        assert payers(client) == ["ada", "ben"]
        gone = body(client, "argon_fork_diff", fork=handle)
        assert gone["error"]["code"] == "ARGON_RUNTIME_FORK_NOT_FOUND"


def test_without_leave_nothing_is_promoted(root: Path) -> None:
    with Client(root) as client:
        handle = client.call("argon_fork_create", name="trial")["fork"]["fork"]
        client.call("argon_fork_mutate", fork=handle, name="bill", args=BILL)
        digest = client.call("argon_fork_diff", fork=handle)["diffHash"]
        refused = body(client, "argon_fork_promote", fork=handle, expectDiffHash=digest)
        assert refused["capabilityRequired"] == "promote"
        assert payers(client) == ["ada"]
        assert client.call("argon_fork_abort", fork=handle)["state"] == "fork trial aborted"
        assert "promote" not in client.call("argon_status")["capabilities"]


def test_a_conflict_is_an_ordinary_result_that_lists_it(root: Path) -> None:
    with Client(root, "--allow-promote") as client:
        handle = client.call("argon_fork_create", name="trial")["fork"]["fork"]
        for fork in (handle, None):
            client.call("argon_mutate", fork=fork, name="pay", args={"i": "march"})
        diff = client.call("argon_fork_diff", fork=handle)
        assert diff["conflicts"] == ["march.paid == _"]
        result = client.result("argon_fork_promote", fork=handle, expectDiffHash=diff["diffHash"])
        assert not result.get("isError")
        error = result["structuredContent"]["error"]
        assert (error["code"], error["details"]["conflicts"]) == ("ARGON_RUNTIME_FORK_CONFLICT", ["march.paid == _"])


def test_the_store_itself_is_no_fork_and_a_name_is_no_handle(root: Path) -> None:
    with Client(root) as client:
        client.call("argon_fork_create", name="trial")
        for handle in ("main", "trial", "f-0"):
            for tool, given in [
                ("argon_fork_query", {"name": "late_payers"}),
                ("argon_fork_mutate", {"name": "pay", "args": {"i": "march"}}),
                ("argon_fork_abort", {}),
            ]:
                found = body(client, tool, fork=handle, **given)
                assert found["error"]["code"] == "ARGON_RUNTIME_FORK_NOT_FOUND", (tool, handle)
        assert client.call("argon_status")["store"]["tx"] == 0


def test_a_server_that_only_reads_offers_no_fork_to_write_in(root: Path) -> None:
    with Client(root, "--read-only") as client:
        names = {tool["name"] for tool in client.request("tools/list", {})["tools"]}
        assert {name for name in names if name.startswith("argon_fork")} == {
            "argon_fork_query",
            "argon_fork_derive",
            "argon_fork_explain",
            "argon_fork_diff",
        }
