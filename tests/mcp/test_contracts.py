"""The contracts of the tools as they are listed: portable, described, small, and the same bytes every time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from argon_mcp.options import TOOLSETS, Options, options_of
from argon_mcp.tool import Tool
from argon_mcp.toolbox import TOOLS, definition, listed

COMBINATORS = {"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$defs", "definitions"}
FORK_WRITERS = {"argon_fork_mutate", "argon_fork_abort", "argon_fork_promote"}
WRITERS = {"argon_mutate", "argon_ad_hoc_mutate", "argon_batch", *FORK_WRITERS}
MAKERS = {"argon_build", "argon_fork_create"}


def wire(tool: Tool[Any]) -> dict[str, Any]:
    return definition(tool).model_dump(by_alias=True, mode="json", exclude_none=True)


def schemas(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema with all schemas inside of it."""
    yield schema
    for inner in schema.get("properties", {}).values():
        yield from schemas(inner)
    if "items" in schema:
        yield from schemas(schema["items"])


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
class TestTool:
    def test_its_name_fits_every_client(self, tool: Tool[Any]) -> None:
        assert re.fullmatch(r"argon_[a-z_]+", tool.name)
        assert len(tool.name) <= 24

    def test_its_schemas_are_valid_and_use_nothing_that_a_client_may_refuse(self, tool: Tool[Any]) -> None:
        for root in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(root)
            assert root["type"] == "object"
            for schema in schemas(root):
                assert not COMBINATORS & schema.keys()
                assert isinstance(schema.get("type"), str), schema
                assert "title" not in schema
                assert schema["type"] == "object" or "properties" not in schema
                assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name) for name in schema.get("properties", {}))

    def test_its_arguments_are_closed_described_and_exemplified(self, tool: Tool[Any]) -> None:
        assert tool.input_schema["additionalProperties"] is False
        for schema in schemas(tool.input_schema):
            for name, each in schema.get("properties", {}).items():
                assert each["description"], name
                assert each["examples"], name

    def test_its_examples_are_accepted(self, tool: Tool[Any]) -> None:
        example = {name: each["examples"][0] for name, each in tool.input_schema["properties"].items()}
        jsonschema.validate(example, tool.input_schema)
        tool.given.model_validate_json(json.dumps(example))

    def test_its_result_has_a_version_and_never_less_than_it_says(self, tool: Tool[Any]) -> None:
        assert tool.output_schema["properties"]["schemaVersion"]["enum"] == ["1.0"]
        assert {"schemaVersion", "diagnosticCodes", "retryable", "truncated"} <= set(tool.output_schema["required"])

    def test_its_words_are_not_cut_by_a_client(self, tool: Tool[Any]) -> None:
        assert 80 < len(tool.description.encode()) < 2_000


def test_the_list_is_small_enough_for_every_toolset() -> None:
    def size(options: Options) -> int:
        return len(json.dumps({"tools": [wire(tool) for tool in listed(options)]}, separators=(",", ":")).encode())

    assert size(Options()) <= 48_000
    assert all(size(Options(toolsets=(each,))) <= 26_000 for each in TOOLSETS)


def test_annotations_are_true() -> None:
    hints = {tool.name: wire(tool)["annotations"] for tool in TOOLS}
    assert {name for name, each in hints.items() if not each["readOnlyHint"]} == MAKERS | WRITERS
    assert {name for name, each in hints.items() if each["destructiveHint"]} == WRITERS
    assert {name for name, each in hints.items() if not each["idempotentHint"]} == WRITERS | {"argon_fork_create"}
    assert not any(each["openWorldHint"] for each in hints.values())


def test_read_only_drops_the_tools_that_write() -> None:
    names = {tool.name for tool in listed(Options(read_only=True))}
    assert names == {tool.name for tool in TOOLS} - MAKERS - WRITERS


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ([], Options()),
        (["--allow-promote"], Options(allow_promote=True)),
        (["--read-only", "--dirty", "refuse"], Options(read_only=True, policy="refuse")),
        (["--project=a b", "--store", "memory"], Options(project="a b", store="memory")),
        (["--max-rows", "7", "--max-bytes=9"], Options(max_rows=7, max_bytes=9)),
        (["--toolsets", "runtime,authoring"], Options(toolsets=("authoring", "runtime"))),
        (["--toolsets", "nonsense"], None),
        (["--dirty", "wash"], None),
        (["--max-rows", "0"], None),
        (["--project"], None),
        (["--project", "--read-only"], None),
        (["--help"], None),
        (["extra"], None),
    ],
)
def test_plain_words_are_read_without_the_command_line(words: list[str], options: Options | None) -> None:
    assert options_of(words) == options
