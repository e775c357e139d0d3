"""`argon_find_references`: every place where a symbol is named."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import PackageGiven, Result, missing, refused
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class ReferencesGiven(PackageGiven):
    """Which symbol."""

    query: str | None = Field(default=None, min_length=1, description="path or short name", examples=["overdue"])
    symbol_id: str | None = Field(
        default=None, min_length=1, description="of argon_lookup_symbol", examples=["predicate pkg::overdue/1"]
    )


class ReferencesResult(Result):
    """Places."""

    symbol_id: str | None = Field(default=None, description="the symbol that was found")
    references: list[dict[str, Any]] = Field(default=[], description="by file and place: span, line; declarations too")


async def _answer(call: Call, given: ReferencesGiven) -> dict[str, Json]:
    if given.query is None and given.symbol_id is None:
        raise refused(missing("query", "a name, or symbolId"))
    return await call.ask("references", given.wire())


def _text(body: dict[str, Json]) -> str:
    lines = [f"{shown.place(each['span'])}: {each['line']}" for each in body["references"]]
    return "\n".join([f"{body['symbolId']}: {len(lines)} places", *lines])


TOOL = Tool(
    name="argon_find_references",
    title="Find references",
    description=(
        "Every place in the saved sources where a declaration is named, its declaration included, with the text of the "
        "line. Needs a path, a short name that is unique, or a symbolId."
    ),
    toolset="source",
    given=ReferencesGiven,
    result=ReferencesResult,
    answer=_answer,
    text=_text,
)
