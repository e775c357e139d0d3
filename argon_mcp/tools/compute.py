"""`argon_compute`: the value of a declared function."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import Rested, RuntimeGiven
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class ComputeGiven(RuntimeGiven):
    """Which function."""

    fn: str = Field(min_length=1, description="path or short name of the function", examples=["late_fee"])
    args: dict[str, Any] = Field(
        default={}, description="arguments by name, in wire form", examples=[{"amount": "100.00", "days_late": 11}]
    )


class ComputeResult(Rested):
    """The value."""

    value: dict[str, Any] | None = Field(default=None, description="{value} in wire form")
    type: str | None = None
    emissions: list[dict[str, Any]] = Field(default=[])
    view: str | None = None
    as_of: dict[str, Any] | None = None


async def _answer(call: Call, given: ComputeGiven) -> dict[str, Json]:
    found = await call.ask("compute", given.wire())
    found["value"] = {"value": found.get("value")}
    return found


def _text(body: dict[str, Json]) -> str:
    return f"{shown.value(body['value']['value'])}: {body['type']}"


TOOL = Tool(
    name="argon_compute",
    title="Compute a function",
    description=(
        "Computes a function that the project declares, with exact numbers. One that reads facts reads them at "
        "asOf/asOfTx. Nothing is written."
    ),
    toolset="runtime",
    given=ComputeGiven,
    result=ComputeResult,
    answer=_answer,
    text=_text,
)
