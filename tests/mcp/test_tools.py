"""Every tool on the lease example: what goes well, what the domain refuses, what fails; data and text say the same."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp import Client as SdkClient

from argon_mcp.common import RuntimeGiven
from argon_mcp.local import start_worker
from argon_mcp.options import Options
from argon_mcp.server import Handlers, make_server
from argon_mcp.toolbox import TOOLS
from tests.mcp.cases import CASES, DOMAIN, ERROR, HAPPY, Case, at, played
from tests.support.mcp_client import PATIENCE, Client
from tests.support.served_packages import lease

BY_NAME = {tool.name: tool for tool in TOOLS}
SURFACE = tomllib.loads((Path(__file__).parent / "surface.toml").read_text("utf-8"))
"""The table of tools of the specification (surfaces §3), for a program to read."""

Answered = list[tuple[Case, dict[str, Any], bool]]


def contents(root: Path) -> dict[str, str]:
    """What is in every file below a folder."""
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Answered:
    """Every case with its result, and whether any file of the project changed by the call."""
    root = lease(tmp_path_factory.mktemp("tools"))
    found: Answered = []
    with Client(root, "--allow-promote") as client:

        def call(tool: str, given: dict[str, Any]) -> Any:
            before = contents(root)
            result = client.result(tool, **given)
            result["wrote"] = contents(root) != before
            return result

        for case, result in played(root, call):
            found.append((case, result, result.pop("wrote")))
    return found


def test_every_tool_has_a_case_of_each_outcome() -> None:
    outcomes: dict[str, set[str]] = {}
    for case in CASES:
        if isinstance(case, Case):
            outcomes.setdefault(case.tool, set()).add(case.outcome)
    assert outcomes == {tool.name: {HAPPY, DOMAIN, ERROR} for tool in TOOLS}


def test_each_call_ends_as_it_should(answered: Answered) -> None:
    for case, result, _ in answered:
        body = result["structuredContent"]
        assert result["isError"] is (case.outcome == ERROR), (str(case), body)
        for path, value in case.has.items():
            assert at(body, path) == value, (str(case), path, at(body, path))


def test_each_result_conforms_to_the_schema_of_its_tool(answered: Answered) -> None:
    for case, result, _ in answered:
        jsonschema.validate(result["structuredContent"], BY_NAME[case.tool].output_schema)


def test_a_tool_that_only_reads_writes_nothing_and_one_that_tries_writes_nothing_either(answered: Answered) -> None:
    wrote = {case.tool for case, _, wrote in answered if wrote}
    assert wrote <= {tool.name for tool in TOOLS if tool.writes}
    assert {"argon_build", "argon_fork_create", "argon_fork_mutate", "argon_fork_abort"} <= wrote
    assert not [str(case) for case, _, wrote in answered if wrote and case.given.get("dryRun")]


def test_every_refusal_says_what_to_do_next_and_names_things_that_exist(answered: Answered) -> None:
    refused = [
        (case, result["structuredContent"]) for case, result, _ in answered if "error" in result["structuredContent"]
    ]
    assert len(refused) > 40
    for case, body in refused:
        assert body["nextStep"], str(case)
        assert set(re.findall(r"argon_[a-z_]+", body["nextStep"])) <= BY_NAME.keys(), body["nextStep"]
        assert body["error"]["code"] in body["diagnosticCodes"]


# -- text and data -----------------------------------------------------------------------------------------------------


def test_the_text_says_what_the_data_says(answered: Answered) -> None:
    for case, result, _ in answered:
        body, (content,) = result["structuredContent"], result["content"]
        text = content["text"]
        assert text
        assert not text.lstrip().startswith("{"), str(case)
        if "error" in body:
            assert body["error"]["code"] in text, str(case)
            assert body["error"]["message"] in text, str(case)
            assert all(line in text for line in body["error"].get("help", ())), str(case)
        for key in ("nextStep", "limitExceeded", "capabilityRequired", "nextCursor", "state", "diffHash", "prose"):
            if key in body:
                told = body[key] if isinstance(body[key], str) else json.dumps(body[key])
                assert told in text or json.dumps(told, ensure_ascii=False) in text, (str(case), key)
        for key in ("moduleHash", "storeId", "inputsDigest"):
            assert key not in body or body[key] in text, (str(case), key)
        for each in body.get("diagnostics", ()):
            if isinstance(each, dict) and "severity" in each and "code" in each:
                assert each["code"] in text, str(case)
                assert each["message"] in text, str(case)


def test_rows_trees_and_receipts_are_told_to_the_last_one(answered: Answered) -> None:
    for case, result, _ in answered:
        body, text = result["structuredContent"], result["content"][0]["text"]
        for row in body.get("rows", ()):
            labels = [each["label"] for each in row["values"] if isinstance(each, dict) and "label" in each]
            assert all(label in text for label in labels), str(case)
        for tree in ("tree", "whyNot"):
            if isinstance(body.get(tree), dict):
                missing = [node["fact"] for node in body[tree]["nodes"] if node.get("fact", "") not in text]
                assert missing == [], str(case)
        for event in body.get("events", ()):
            assert event["fact"] in text, str(case)
        for symbol in body.get("symbols", ()):
            assert symbol["name"] in text, str(case)


# -- the table of the specification ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_takes_and_gives_what_the_table_says(tool: Any) -> None:
    row = SURFACE["tools"][tool.name]
    common = set(SURFACE["common"]["arguments"]) if issubclass(tool.given, RuntimeGiven) else set()
    assert set(tool.input_schema["properties"]) == set(row["arguments"]) | common
    assert set(tool.input_schema.get("required", ())) == set(row.get("required", ()))
    results = set(tool.result.model_json_schema(by_alias=True, mode="serialization")["properties"])
    assert set(row["results"]) <= results
    assert tool.toolset == row["toolset"]


def test_the_table_has_every_tool_in_its_order_and_every_runtime_tool_takes_the_common_arguments() -> None:
    assert set(SURFACE["tools"]) == BY_NAME.keys()
    without = {tool.name for tool in TOOLS if tool.toolset == "runtime" and not issubclass(tool.given, RuntimeGiven)}
    # What a module declares, and how it reasons, is the same on every branch and at every instant.
    assert without == {"argon_schema_lookup", "argon_epistemics"}


# -- the SDK's client in this process ----------------------------------------------------------------------------------


async def in_memory(root: Path, era: str) -> list[Any]:
    options = Options(project=str(root), store="memory")
    worker = start_worker(options)
    try:
        async with SdkClient(make_server(Handlers(worker, options)), mode=era, read_timeout_seconds=PATIENCE) as client:
            listed = await client.list_tools()
            rows = await client.call_tool("argon_query", {"name": "late_payers"})
            refused = await client.call_tool("argon_query", {"name": "nothing"})
            paid = await client.call_tool("argon_mutate", {"name": "pay", "args": {"i": "march"}})
            prompts = await client.list_prompts()
        bodies = [each.structured_content for each in (rows, refused, paid)]
        return [
            [tool.name for tool in listed.tools],
            [each.name for each in prompts.prompts],
            bodies[0]["rows"],
            bodies[1]["error"]["code"],
            bodies[2]["committed"],
        ]
    finally:
        worker.close()


def test_a_client_in_the_same_process_is_answered_alike_in_both_eras(tmp_path: Path) -> None:
    root = lease(tmp_path)
    modern = asyncio.run(in_memory(root, "2026-07-28"))
    assert modern == asyncio.run(in_memory(root, "legacy"))
    assert modern[3:] == ["ARGON_RUNTIME_NOT_FOUND", True]
    assert not [path for path in contents(root) if "store" in path], "an isolated store leaves nothing"
