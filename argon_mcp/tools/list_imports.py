"""`argon_list_imports`: what a file brings in by `use`."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp.common import Result, TextGiven
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class ImportsGiven(TextGiven):
    """Which text."""


class ImportsResult(Result):
    """Imports."""

    imports: list[dict[str, Any]] = Field(
        default=[], description="in the order of the text: module, items (`*` for all), isPublic, resolved"
    )


async def _answer(call: Call, given: ImportsGiven) -> dict[str, Json]:
    return await call.ask("imports", given.wire())


def _text(body: dict[str, Json]) -> str:
    lines = [
        f"{'pub ' if each['isPublic'] else ''}{each['module']}: {', '.join(each['items'])}"
        + ("" if each["resolved"] else "  (not found)")
        for each in body["imports"]
    ]
    return "\n".join(lines) or "nothing is imported"


TOOL = Tool(
    name="argon_list_imports",
    title="List imports",
    description=(
        "What a pasted text or a saved file imports, and whether each of it is there. "
        "argon_lookup_symbol finds what could be imported."
    ),
    toolset="source",
    given=ImportsGiven,
    result=ImportsResult,
    answer=_answer,
    text=_text,
)
