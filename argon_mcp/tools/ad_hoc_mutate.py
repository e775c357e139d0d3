"""`argon_ad_hoc_mutate`: statements that are written on the spot, as one transaction."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool
from argon_mcp.tools.writes import WriteGiven, WriteResult, receipt, receipt_text


class AdHocMutateGiven(WriteGiven):
    """The text."""

    source: str = Field(
        min_length=1,
        description="statements, or `mutate name(params) { … }`; names as in the entry file",
        examples=["insert lets(ben, loft) { rent: 700.00, start: today() };"],
    )
    args: dict[str, Any] = Field(default={}, description="arguments of a `mutate`, by name", examples=[{"t": "ada"}])


async def _answer(call: Call, given: AdHocMutateGiven) -> dict[str, Json]:
    return await receipt(call, TOOL.name, "adHocMutate", given)


TOOL = Tool(
    name="argon_ad_hoc_mutate",
    title="Run statements of your own",
    description=(
        "Runs statements that you write as one transaction, through the same gates, checks and receipt as a declared "
        "mutation. What a gate of the language refuses comes back with its diagnostics under error.details."
    ),
    toolset="runtime",
    given=AdHocMutateGiven,
    result=WriteResult,
    answer=_answer,
    text=receipt_text,
    writes=True,
    destructive=True,
    idempotent=False,
)
