"""Every tool, in the order in which it is listed."""

from __future__ import annotations

from functools import cache
from typing import Any

from mcp_types import Tool as Listed
from mcp_types import ToolAnnotations

from argon_mcp.options import Options
from argon_mcp.tool import Tool
from argon_mcp.tools import (
    ad_hoc_mutate,
    ad_hoc_query,
    batch,
    build,
    check,
    checks_current,
    compute,
    derive,
    epistemics,
    expand_proof,
    explain_code,
    explain_fact,
    find_references,
    forks,
    format_source,
    list_imports,
    lookup_symbol,
    mutate,
    parse_source,
    query,
    rename_symbol,
    scenario_run,
    schema_lookup,
    status,
    test,
    why,
)

TOOLS: tuple[Tool[Any], ...] = (
    status.TOOL,
    check.TOOL,
    build.TOOL,
    test.TOOL,
    query.TOOL,
    ad_hoc_query.TOOL,
    derive.TOOL,
    scenario_run.TOOL,
    explain_fact.TOOL,
    expand_proof.TOOL,
    why.TOOL,
    checks_current.TOOL,
    compute.TOOL,
    schema_lookup.TOOL,
    epistemics.TOOL,
    mutate.TOOL,
    ad_hoc_mutate.TOOL,
    batch.TOOL,
    *forks.TOOLS,
    parse_source.TOOL,
    format_source.TOOL,
    lookup_symbol.TOOL,
    find_references.TOOL,
    list_imports.TOOL,
    rename_symbol.TOOL,
    explain_code.TOOL,
)


def listed(options: Options) -> tuple[Tool[Any], ...]:
    """The tools of a server that was started so. One that lacks a capability is among them, and says so when called."""
    return tuple(tool for tool in TOOLS if why_not(tool, options) in (None, "--allow-promote"))


def why_not(tool: Tool[Any], options: Options) -> str | None:
    """The option that a tool does not work under, or would need; None for one that is live."""
    if tool.toolset not in options.toolsets:
        return "--toolsets"
    if options.read_only and tool.writes:
        return "--read-only"
    return "--allow-promote" if tool.capability == "promote" and not options.allow_promote else None


@cache
def definition(tool: Tool[Any]) -> Listed:
    """A tool as `tools/list` has it."""
    return Listed(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )
