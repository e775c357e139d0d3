"""`argon_batch`: several mutations as one transaction."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp.common import Given
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool
from argon_mcp.tools.writes import WriteGiven, WriteResult, receipt, receipt_text


class Step(Given):
    """One mutation of the batch."""

    name: str = Field(min_length=1, description="the mutation", examples=["pay"])
    args: dict[str, Any] = Field(default={}, description="its arguments, by name", examples=[{"i": "march"}])


class BatchGiven(WriteGiven):
    """Which mutations."""

    steps: list[Step] = Field(
        min_length=1,
        max_length=500,
        description="mutations in order, each seeing the ones before",
        examples=[[{"name": "pay", "args": {"i": "march"}}]],
    )


async def _answer(call: Call, given: BatchGiven) -> dict[str, Json]:
    return await receipt(call, TOOL.name, "batch", given)


TOOL = Tool(
    name="argon_batch",
    title="Run mutations together",
    description=(
        "Runs declared mutations in order as one transaction: all or nothing. A refusal names the failing step, "
        "counted from 1, as error.details.batchStep. The result lists what each step returns."
    ),
    toolset="runtime",
    given=BatchGiven,
    result=WriteResult,
    answer=_answer,
    text=receipt_text,
    writes=True,
    destructive=True,
    idempotent=False,
)
