"""`argon_parse_source`: the tree of a text, and what is wrong with it."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import Result, TextGiven
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class ParseGiven(TextGiven):
    """Which text, and how deep."""

    depth: int = Field(
        default=3, ge=1, le=64, description="levels of the tree; below it children are counted", examples=[3]
    )
    tab_size: int = Field(
        default=4, ge=1, le=16, description="columns of a tab, for `sourceLine` and `column`", examples=[4]
    )


class ParseResult(Result):
    """A tree and diagnostics."""

    tree: list[dict[str, Any]] = Field(
        default=[], description="per item: node, start, end (code points), text, children or childCount"
    )
    diagnostics: list[dict[str, Any]] = Field(
        default=[], description="as of argon_check, for this text alone, with `column`: from 1, tabs counted by tabSize"
    )


async def _answer(call: Call, given: ParseGiven) -> dict[str, Json]:
    return await call.ask("parse", given.wire())


def _text(body: dict[str, Json]) -> str:
    lines = [line for each in body["tree"] for line in _lines(each, 0)]
    return "\n".join([*lines, shown.diagnostics(body["diagnostics"])]).strip()


def _lines(node: dict[str, Json], level: int) -> list[str]:
    below = [line for each in node.get("children", ()) for line in _lines(each, level + 1)]
    hidden = f" (+{node['childCount']} below)" if "childCount" in node else ""
    return [f"{'  ' * level}{node['node']} {node['start']}..{node['end']}: {node['text']}{hidden}", *below]


TOOL = Tool(
    name="argon_parse_source",
    title="Parse a text",
    description=(
        "The syntax tree of a pasted text or a saved file, and the diagnostics of that text alone. For a whole "
        "package use argon_check."
    ),
    toolset="source",
    given=ParseGiven,
    result=ParseResult,
    answer=_answer,
    text=_text,
)
