"""`argon_query`: the rows of a declared query."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import ReadGiven
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool
from argon_mcp.tools.rows import RowsResult, given_to_runtime, tagged


class QueryGiven(ReadGiven):
    """Which query."""

    name: str = Field(min_length=1, description="path or short name of the query", examples=["reminders"])
    args: dict[str, Any] = Field(
        default={}, description="arguments by name, in wire form; individuals by short name", examples=[{"t": "ada"}]
    )


async def _answer(call: Call, given: QueryGiven) -> dict[str, Json]:
    return tagged(await call.ask("query", given_to_runtime(given)), given)


TOOL = Tool(
    name="argon_query",
    title="Ask a query",
    description=(
        "Answers a query that the project declares, against the current sources and store. Names and parameters are "
        "in argon://schema/index. Rows come whole or by the page, each with its truth value; rows that do not hold for "
        "certain are counted under `hidden`. A name that does not exist is an error, never an empty answer."
    ),
    toolset="runtime",
    given=QueryGiven,
    result=RowsResult,
    answer=_answer,
    text=shown.rows,
)
