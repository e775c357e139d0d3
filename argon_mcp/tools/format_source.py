"""`argon_format_source`: a text in its canonical layout."""

from __future__ import annotations

from pydantic import Field

from argon_mcp.common import Result, TextGiven
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class FormatGiven(TextGiven):
    """Which text; the layout has no options."""


class FormatResult(Result):
    """The layout."""

    formatted: str | None = Field(default=None, description="the whole text, laid out")
    changed: bool | None = Field(default=None, description="differs from what was given")
    hunks: str | None = Field(default=None, description="what changed, as a unified diff")


async def _answer(call: Call, given: FormatGiven) -> dict[str, Json]:
    return await call.ask("format", given.wire())


def _text(body: dict[str, Json]) -> str:
    return str(body["hunks"]) if body["changed"] else "laid out already"


TOOL = Tool(
    name="argon_format_source",
    title="Lay a text out",
    description=(
        "The canonical layout of a pasted text or a saved file: comments kept, meaning unchanged, items with syntax "
        "errors left as they are. Writes nothing; `argon fmt` does."
    ),
    toolset="source",
    given=FormatGiven,
    result=FormatResult,
    answer=_answer,
    text=_text,
)
