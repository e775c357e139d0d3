"""`argon_schema_lookup`: what one name of the module stands for, or all names."""

from __future__ import annotations

import json
from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import Given, Rested
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class LookupGiven(Given):
    """Which declaration."""

    name: str | None = Field(
        default=None, min_length=1, description="path or short name; without it the index", examples=["Invoice"]
    )


class LookupResult(Rested):
    """One declaration, or the index by kind."""

    declaration: dict[str, Any] | None = Field(default=None, description="kind, name, path, doc, source, and its parts")
    index: dict[str, Any] | None = Field(default=None, description="by kind: name, path, signature, doc")


async def _answer(call: Call, given: LookupGiven) -> dict[str, Json]:
    found = await call.ask("lookup", given.wire())
    if given.name is not None:
        return found
    kinds = {key: value for key, value in found.items() if isinstance(value, list)}
    return {key: value for key, value in found.items() if key not in kinds} | {"index": kinds}


def _text(body: dict[str, Json]) -> str:
    if "index" in body:
        rows = [(kind, each) for kind, listed in body["index"].items() for each in listed]
        return "\n".join(f"{kind}: {each['signature']}" for kind, each in rows) or "nothing is declared"
    told = body["declaration"]
    lines = [f"{told['kind']} {told['path']}" + (f" at {shown.place(told['source'])}" if "source" in told else "")]
    lines += [f"{key}: {json.dumps(told[key], ensure_ascii=False)}" for key in told if key not in _HEAD]
    return "\n".join([*lines, *([told["doc"]] if "doc" in told else [])])


_HEAD = ("kind", "name", "path", "source", "doc")

TOOL = Tool(
    name="argon_schema_lookup",
    title="Look a declaration up",
    description=(
        "Says what a name of the loaded module stands for: a concept with its fields, a relation, query, mutation, "
        "check, predicate or function with its signature, docs and place. Without a name lists every declaration."
    ),
    toolset="runtime",
    given=LookupGiven,
    result=LookupResult,
    answer=_answer,
    text=_text,
)
