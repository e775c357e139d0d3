"""`argon_ad_hoc_query`: the rows of a query that is written on the spot."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import ReadGiven
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool
from argon_mcp.tools.rows import RowsResult, given_to_runtime, tagged


class AdHocQueryGiven(ReadGiven):
    """The text."""

    source: str = Field(
        min_length=1,
        description="`select …`, or `query name(params) -> T { select … }`; names as in the entry file",
        examples=["select i from i: Invoice where i.paid == false"],
    )
    args: dict[str, Any] = Field(default={}, description="arguments of a `query`, by name", examples=[{"t": "ada"}])


async def _answer(call: Call, given: AdHocQueryGiven) -> dict[str, Json]:
    return tagged(await call.ask("adHocQuery", given_to_runtime(given)), given)


TOOL = Tool(
    name="argon_ad_hoc_query",
    title="Ask a query of your own",
    description=(
        "Answers a query that you write. It is checked like a declared one against the module that serves; what a gate "
        "refuses comes back with its diagnostics under error.details. Nothing is added to the sources."
    ),
    toolset="runtime",
    given=AdHocQueryGiven,
    result=RowsResult,
    answer=_answer,
    text=shown.rows,
)
