"""`argon_mutate`: one transaction, accepted or refused whole."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_mcp import shown
from argon_mcp.common import Rested, RuntimeGiven, reading_point, refused
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class MutateGiven(RuntimeGiven):
    """Which mutation."""

    name: str = Field(min_length=1, description="path or short name of the mutation", examples=["pay"])
    args: dict[str, Any] = Field(
        default={},
        description="arguments by name, in wire form; individuals by short name",
        examples=[{"i": "march"}],
    )
    include_derived_delta: bool = Field(
        default=False, description="say what became derivable and what ceased to be", examples=[True]
    )
    dry_run: bool = Field(default=False, description="do everything but the append", examples=[True])
    idempotency_key: str | None = Field(
        default=None, min_length=1, description="replays the first receipt of an equal key", examples=["pay-march-1"]
    )


class MutateResult(Rested):
    """The receipt (semantics S7), or the refusal under `error`."""

    committed: bool | None = Field(default=None, description="the store has changed")
    tx: int | None = Field(default=None, description="the transaction; absent for a dry run")
    dry_run: bool | None = None
    replayed: bool | None = Field(default=None, description="an earlier call with the same key did it")
    minted: list[dict[str, Any]] = Field(default=[], description="new individuals: entity, concept, label")
    events: list[dict[str, Any]] = Field(default=[], description="id, op, fact, validFrom, validTo, contentId")
    derived_delta: dict[str, Any] | None = Field(default=None, description="by head: added, removed")
    diagnostics: list[dict[str, Any]] = Field(default=[], description="violations that do not block, with proofs")
    result: dict[str, Any] | None = Field(default=None, description="what the mutation returns: {value}")
    emitted: list[dict[str, Any]] = Field(default=[], description="what the mutation emitted")


async def _answer(call: Call, given: MutateGiven) -> dict[str, Json]:
    reading_point(given, TOOL.name)
    for name, value in (("asOf", given.as_of), ("asOfTx", given.as_of_tx)):
        if value is not None:
            values = args(name=name, expected="nothing, since a write happens now", found=value)
            raise refused(ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", values, details={"argument": name}))
    wire = given.wire()
    wire["principal"] = given.principal or f"agent:{call.client}"
    found = await call.ask("mutate", wire)
    found["committed"] = not found["dryRun"]
    if "result" in found:
        found["result"] = {"value": found["result"]}
    return found


def _text(body: dict[str, Json]) -> str:
    head = f"committed tx {body['tx']}" if body["committed"] else "dry run, nothing written"
    lines = [head + (" (replayed)" if body["replayed"] else "")]
    lines += [f"minted {each['label']}: {each['concept']}, {each['entity']}" for each in body["minted"]]
    lines += [f"{each['op']} {each['fact']} (event {each['id']})" for each in body["events"]]
    for head_name, change in body.get("derivedDelta", {}).items():
        lines += [f"derived {head_name}: + {fact}" for fact in change["added"]]
        lines += [f"derived {head_name}: - {fact}" for fact in change["removed"]]
    lines += [shown.violation(each) for each in body["diagnostics"]]
    if "result" in body:
        lines.append(f"result {shown.value(body['result']['value'])}")
    return "\n".join(lines)


TOOL = Tool(
    name="argon_mutate",
    title="Run a mutation",
    description=(
        "Runs a declared mutation as one transaction: statements, gates, checks, one durable append. The receipt "
        "names transaction, generation, events and new individuals. A failed `require`, a gate or a violated check "
        "refuses the whole of it: an ordinary result with `error`, and nothing is written. Try it with `dryRun` first "
        "when unsure; give an `idempotencyKey` when you may have to repeat the call."
    ),
    toolset="runtime",
    given=MutateGiven,
    result=MutateResult,
    answer=_answer,
    text=_text,
    writes=True,
    destructive=True,
    idempotent=False,
)
