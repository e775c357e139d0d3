"""`argon_derive`: every row of a derived predicate, concept, relation, or check."""

from __future__ import annotations

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import ReadGiven
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool
from argon_mcp.tools.rows import STRICT, RowsResult, given_to_runtime, tagged


class DeriveGiven(ReadGiven):
    """Which head."""

    head: str = Field(
        min_length=1, description="path or short name, with `/arity` where that is needed", examples=["in_arrears"]
    )
    tags: bool = Field(default=True, description="give each row its proof tag", examples=[True])


async def _answer(call: Call, given: DeriveGiven) -> dict[str, Json]:
    return tagged(await call.ask("derive", given_to_runtime(given)), given, STRICT if given.tags else None)


TOOL = Tool(
    name="argon_derive",
    title="Derive a head",
    description=(
        "Lists every row of a derived predicate, a concept, a relation, or a check (its violations), with proof tags: "
        "+Δ strict, +∂ by default. argon_explain_fact proves one row."
    ),
    toolset="runtime",
    given=DeriveGiven,
    result=RowsResult,
    answer=_answer,
    text=shown.rows,
)
