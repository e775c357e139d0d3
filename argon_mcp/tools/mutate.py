"""`argon_mutate`: one transaction, accepted or refused whole."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool
from argon_mcp.tools.writes import WriteGiven, WriteResult, receipt, receipt_text


class MutateGiven(WriteGiven):
    """Which mutation."""

    name: str = Field(min_length=1, description="path or short name of the mutation", examples=["pay"])
    args: dict[str, Any] = Field(
        default={},
        description="arguments by name, in wire form; individuals by short name",
        examples=[{"i": "march"}],
    )


async def _answer(call: Call, given: MutateGiven) -> dict[str, Json]:
    return await receipt(call, TOOL.name, "mutate", given)


TOOL = Tool(
    name="argon_mutate",
    title="Run a mutation",
    description=(
        "Runs a declared mutation as one transaction: statements, gates, checks, one durable append. The receipt "
        "names transaction, generation, events and new individuals. A failed `require`, a gate or a violated check "
        "refuses the whole of it: an ordinary result with `error`, and nothing is written. Try it with `dryRun` first "
        "when unsure; give an `idempotencyKey` when you may have to repeat the call."
    ),
    toolset="runtime",
    given=MutateGiven,
    result=WriteResult,
    answer=_answer,
    text=receipt_text,
    writes=True,
    destructive=True,
    idempotent=False,
)
