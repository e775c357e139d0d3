"""`argon_lookup_symbol`: symbols by a few letters of their names."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import PackageGiven, Result
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class SymbolGiven(PackageGiven):
    """Which letters."""

    query: str = Field(
        min_length=1, description="letters of the name in their order; with :: of the path", examples=["owes"]
    )
    kinds: list[str] = Field(
        default=[], description="only these kinds: concept, relation, predicate, query, …", examples=[["predicate"]]
    )


class SymbolResult(Result):
    """Symbols."""

    symbols: list[dict[str, Any]] = Field(
        default=[], description="closest first: symbolId, name, kind, path, signature, span"
    )


async def _answer(call: Call, given: SymbolGiven) -> dict[str, Json]:
    return await call.ask("symbols", given.wire())


def _text(body: dict[str, Json]) -> str:
    lines = [f"{each['symbolId']}: {each['signature']} at {shown.place(each['span'])}" for each in body["symbols"]]
    return "\n".join(lines) or "no such symbol"


TOOL = Tool(
    name="argon_lookup_symbol",
    title="Find symbols",
    description=(
        "Declarations in the saved sources whose names hold the given letters in order, with their signatures and "
        "places. argon_schema_lookup tells all about one declaration of the loaded module."
    ),
    toolset="source",
    given=SymbolGiven,
    result=SymbolResult,
    answer=_answer,
    text=_text,
)
