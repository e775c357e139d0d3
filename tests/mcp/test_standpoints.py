"""An agent reads views, writes into one, and gets every row with its truth value."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.mcp_client import Client
from tests.support.served_packages import EXAMPLES


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    root: Path = tmp_path_factory.mktemp("access") / "access"
    shutil.copytree(EXAMPLES / "access", root, ignore=shutil.ignore_patterns("target", ".argon"))
    with Client(root) as found:
        yield found


def told(answer: dict[str, Any]) -> dict[tuple[str, ...], tuple[str | None, str | None]]:
    """Truth value and tag by the labels of a row."""
    return {
        tuple(value["label"] for value in row["values"]): (row.get("truth4"), row.get("tag")) for row in answer["rows"]
    }


def test_a_read_has_every_row_with_its_truth_value_and_its_tag(client: Client) -> None:
    answer = client.call("argon_query", name="rights")
    found = told(answer)
    assert found["dan", "diary"] == ("Is", "+Δ")
    assert found["ann", "blueprint"] == ("Is", "+∂")
    assert found["eve", "blueprint"] == ("Can", None)
    assert (answer["rowCount"], answer["hidden"]["can"]) == (6, 1)


def test_only_what_is_comes_when_the_truth_values_are_projected_away(client: Client) -> None:
    found = told(client.call("argon_derive", head="may_read", projectK3=True))
    assert ("eve", "blueprint") not in found
    assert {truth for truth, _ in found.values()} == {None}


def test_a_view_is_read_by_its_name(client: Client) -> None:
    security = told(client.call("argon_query", name="rights", standpoint="Security"))
    assert security["eve", "blueprint"] == ("Is", "+∂")
    assert ("cyd", "handbook") not in security
    found = client.call("argon_explain_fact", fact="may_read(eve, blueprint)", standpoint="Audit")
    assert (found["derived"], found["truth4"]) == (False, "Not")
    unknown = client.result("argon_query", name="rights", standpoint="Secrecy")["structuredContent"]["error"]
    assert unknown["code"] == "ARGON_RUNTIME_NOT_FOUND"
    assert unknown["details"]["candidates"] == ["Security"]


def test_the_whole_model_has_truth_values_too(client: Client) -> None:
    facts = client.call("argon_scenario_run", heads=["may_read"])["facts"]
    (eve,) = [each for each in facts if [value["label"] for value in each["tuple"]] == ["eve", "blueprint"]]
    assert (eve["truth4"], eve["hidden"]) == ("Can", True)


def test_a_write_goes_into_the_layer_of_its_standpoint(client: Client) -> None:
    client.call("argon_mutate", name="deny", args={"p": "bob", "d": "handbook"}, standpoint="Audit")
    readers = {
        view: set(told(client.call("argon_query", name="readers", args={"d": "handbook"}, standpoint=view)))
        for view in ("Audit", "Security")
    }
    assert readers == {"Audit": {("ann",), ("eve",)}, "Security": {("ann",), ("bob",), ("eve",)}}


def test_how_the_module_reasons_is_a_tool_and_two_resources(client: Client) -> None:
    found = client.call("argon_epistemics", construct="Cleared")
    assert found["worlds"] == [{"concept": "pkg::Cleared", "world": "open"}]
    for part in ("standpoints", "tiers"):
        (content,) = client.request("resources/read", {"uri": f"argon://{part}"})["contents"]
        assert json.loads(content["text"])[part] == client.call("argon_epistemics", construct=part)[part]
