"""`argon_explain_fact`: the proof of a fact, or why it does not hold."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import Rested, RuntimeGiven
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class ExplainGiven(RuntimeGiven):
    """Which fact, and how much of its tree."""

    fact: str = Field(min_length=1, description="a fact; `_` stands for any value", examples=["answers_for(dora, ada)"])
    max_depth: int = Field(default=3, ge=1, le=64, description="levels to unfold", examples=[3])
    max_alternatives: int = Field(default=3, ge=1, le=64, description="ways shown per derived fact", examples=[3])
    suggest: int = Field(
        default=0, ge=0, le=20, description="for an underived fact: how many changes to suggest", examples=[3]
    )


class ExplainResult(Rested):
    """A proof, or a why-not tree: `{rootId, nodes: [{id, parent, kind, fact, …}]}`."""

    fact: str | None = None
    derived: bool | None = Field(default=None, description="does the fact hold?")
    truth4: str | None = Field(default=None, description="Is, Not, Can or Both; absent without any support")
    tree: dict[str, Any] | None = Field(
        default=None, description="the proof: rootId, nodes with id, parent, kind, fact, derivations, source, event"
    )
    why_not: dict[str, Any] | None = Field(
        default=None, description="per clause the conditions that hold and the first that fails: rootId, nodes"
    )
    prose: str | None = Field(default=None, description="the tree in one paragraph")
    suggestions: list[dict[str, Any]] | None = Field(
        default=None,
        description="tried changes that derive it now: source and args for argon_ad_hoc_mutate, accepted, breaks",
    )
    view: str | None = None
    as_of: dict[str, Any] | None = Field(default=None, description="valid, tx")


async def _answer(call: Call, given: ExplainGiven) -> dict[str, Json]:
    found = explained(await call.ask("explain", given.wire()))
    if given.suggest and not found["derived"]:
        asked = {"fact": given.fact, "most": given.suggest, "standpoint": given.standpoint, "fork": given.fork}
        found["suggestions"] = (await call.ask("suggest", asked | {"principal": given.principal}))["suggestions"]
    return found


def explained(found: dict[str, Json]) -> dict[str, Json]:
    """The answer with its tree under the name of what it is."""
    tree = {"rootId": found.pop("rootId"), "nodes": found.pop("nodes")}
    found["tree" if found["derived"] else "whyNot"] = tree
    return found


def _text(body: dict[str, Json]) -> str:
    tree = body.get("tree") or body["whyNot"]
    head = f"{body['fact']}: {'derived, ' + body['truth4'] if body['derived'] else 'not derived; why not:'}"
    lines = [head, body["prose"], shown.tree(tree["nodes"], tree["rootId"])]
    lines += map(shown.suggestion, body.get("suggestions") or ())
    if body.get("suggestions") == []:
        lines.append("no suggestion: no three changes of facts about what there is make it hold")
    return "\n".join([*lines, f"view={body['view']} asOf={body['asOf']['valid']}"])


TOOL = Tool(
    name="argon_explain_fact",
    title="Explain a fact",
    description=(
        "Proves a fact from the rules, declared facts and events it rests on, with the clause and its bindings at each "
        "step. When the fact does not hold, shows for every clause that could derive it the conditions that hold and "
        "the first that fails, and with suggest the smallest changes that would derive it, each tried on a copy: for a "
        "person to confirm."
    ),
    toolset="runtime",
    given=ExplainGiven,
    result=ExplainResult,
    answer=_answer,
    text=_text,
)
