"""`argon_scenario_run`: the whole derived model in one evaluation."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import ReadGiven, Rested
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool
from argon_mcp.tools.rows import given_to_runtime


class ScenarioGiven(ReadGiven):
    """Which heads."""

    heads: list[str] | None = Field(
        default=None, description="these heads; without them everything derived", examples=[["in_arrears", "overdue"]]
    )


class ScenarioResult(Rested):
    """The derived model."""

    projection: str | None = Field(default=None, description="truth4, or k3: Is rows alone")
    facts_derived: int | None = Field(default=None, description="all facts, on whatever page")
    facts: list[dict[str, Any]] = Field(default=[], description="head, tuple, truth4, hidden")
    hidden: dict[str, int] = Field(default={})
    view: str | None = None
    as_of: dict[str, Any] | None = None
    next_cursor: str | None = None


async def _answer(call: Call, given: ScenarioGiven) -> dict[str, Json]:
    return await call.ask("whole", given_to_runtime(given))


def _text(body: dict[str, Json]) -> str:
    lines = [f"{body['factsDerived']} fact{'s' if body['factsDerived'] != 1 else ''} derived ({body['projection']})"]
    for each in body["facts"]:
        tag = f"  [{each['truth4']}]" if each.get("truth4", "Is") != "Is" else ""
        lines.append(f"- {each['head'].rsplit('::', 1)[-1]}({', '.join(map(shown.value, each['tuple']))}){tag}")
    if "nextCursor" in body:
        lines.append(f"nextCursor: {body['nextCursor']}")
    return "\n".join([*lines, f"view={body['view']} asOf={body['asOf']['valid']}"])


TOOL = Tool(
    name="argon_scenario_run",
    title="The whole derived model",
    description=(
        "Derives everything the rules give at a read point in one evaluation: every derived predicate, derived type "
        "and check with its rows, or some heads only. Read a large model by the page."
    ),
    toolset="runtime",
    given=ScenarioGiven,
    result=ScenarioResult,
    answer=_answer,
    text=_text,
)
