"""`argon_expand_proof`: open a node of a tree that was folded."""

from __future__ import annotations

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import RuntimeGiven, missing, refused
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool
from argon_mcp.tools.explain_fact import ExplainResult, explained


class ExpandGiven(RuntimeGiven):
    """Which node, or which fact, and how much of its tree."""

    node_id: str | None = Field(
        default=None, min_length=1, description="`id` of a node of an earlier tree", examples=["9f2c41d0aa17"]
    )
    fact: str | None = Field(
        default=None, min_length=1, description="instead of a node: its fact", examples=["overdue(march)"]
    )
    max_depth: int = Field(default=3, ge=1, le=64, description="levels to unfold", examples=[3])
    max_alternatives: int = Field(default=3, ge=1, le=64, description="ways shown per derived fact", examples=[3])


async def _answer(call: Call, given: ExpandGiven) -> dict[str, Json]:
    if given.node_id is None and given.fact is None:
        raise refused(missing("nodeId", "the id of a node, or a fact"))
    return explained(await call.ask("expand", given.wire()))


def _text(body: dict[str, Json]) -> str:
    tree = body.get("tree") or body["whyNot"]
    return f"{body['prose']}\n{shown.tree(tree['nodes'], tree['rootId'])}"


TOOL = Tool(
    name="argon_expand_proof",
    title="Open a folded proof node",
    description=(
        "Opens a node that argon_explain_fact or argon_why left folded, by its id; negations show the absence they "
        "rest on, aggregates the rows they range over. An id from before a write or build is refused as stale."
    ),
    toolset="runtime",
    given=ExpandGiven,
    result=ExplainResult,
    answer=_answer,
    text=_text,
)
