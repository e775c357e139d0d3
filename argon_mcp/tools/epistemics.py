"""`argon_epistemics`: how the module reasons, before an answer is read."""

from __future__ import annotations

import json
from typing import Any

from pydantic import Field

from argon_mcp.common import Given, Rested
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class EpistemicsGiven(Given):
    """What of it."""

    of: str | None = Field(
        default=None,
        alias="construct",
        min_length=1,
        description="tiers, standpoints, worlds, exceptions, or a declared name; else all",
        examples=["standpoints"],
    )


class EpistemicsResult(Rested):
    """The parts that were asked for."""

    tiers: list[dict[str, Any]] = Field(default=[], description="name, tier")
    standpoints: list[dict[str, Any]] = Field(default=[], description="path, supers, layers, declares, denies, checks")
    worlds: list[dict[str, Any]] = Field(default=[], description="open concepts; all others are closed")
    exceptions: list[dict[str, Any]] = Field(default=[], description="predicate, label, defeatedBy")


async def _answer(call: Call, given: EpistemicsGiven) -> dict[str, Json]:
    return await call.ask("epistemics", given.wire())


def _text(body: dict[str, Json]) -> str:
    parts = ("tiers", "standpoints", "worlds", "exceptions")
    lines = [f"{part}: {json.dumps(each, ensure_ascii=False)}" for part in parts for each in body.get(part, [])]
    return "\n".join(lines) or "nothing to tell: no rules, one view, every concept closed"


TOOL = Tool(
    name="argon_epistemics",
    title="How the module reasons",
    description=(
        "Tells the decidability tier of each rule, query and check; the standpoints, with the layers that each view "
        "reads; which concepts are open, so that absence is unknown (Can) and not false; and which rules have "
        "exceptions, with what defeats them. Read it before drawing conclusions from truth values and tags."
    ),
    toolset="runtime",
    given=EpistemicsGiven,
    result=EpistemicsResult,
    answer=_answer,
    text=_text,
)
