"""What the tools share that write: their options, the receipt and its text."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_mcp import shown
from argon_mcp.common import Rested, RuntimeGiven, refused
from argon_mcp.handle import Json
from argon_mcp.tool import Call


class WriteGiven(RuntimeGiven):
    """How to write."""

    include_derived_delta: bool = Field(
        default=False, description="say what became derivable and what ceased to be", examples=[True]
    )
    dry_run: bool = Field(default=False, description="do everything but the append", examples=[True])
    idempotency_key: str | None = Field(
        default=None, min_length=1, description="replays the first receipt of an equal key", examples=["pay-march-1"]
    )


class WriteResult(Rested):
    """The receipt (semantics S7), or the refusal under `error`."""

    committed: bool | None = Field(default=None, description="the store has changed")
    tx: int | None = Field(default=None, description="the transaction; absent for a dry run")
    dry_run: bool | None = None
    replayed: bool | None = Field(default=None, description="an earlier call with the same key did it")
    minted: list[dict[str, Any]] = Field(default=[], description="new individuals: entity, concept, label")
    events: list[dict[str, Any]] = Field(default=[], description="id, op, fact, validFrom, validTo, contentId")
    derived_delta: dict[str, Any] | None = Field(default=None, description="by head: added, removed")
    diagnostics: list[dict[str, Any]] = Field(default=[], description="violations that do not block, with proofs")
    result: dict[str, Any] | None = Field(default=None, description="what is returned: {value}")
    emitted: list[dict[str, Any]] = Field(default=[], description="what was emitted")


async def receipt(call: Call, tool: str, question: str, given: WriteGiven) -> dict[str, Json]:
    """The receipt of a question that writes. Raises Refused."""
    for name, value in (("asOf", given.as_of), ("asOfTx", given.as_of_tx)):
        if value is not None:
            values = args(name=name, expected="nothing, since a write happens now", found=value)
            raise refused(ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", values, details={"argument": name}))
    wire = given.wire()
    wire["principal"] = given.principal or f"agent:{call.client}"
    return receipted(await call.ask(question, wire))


def receipted(found: dict[str, Json]) -> dict[str, Json]:
    """A receipt in the form of a result."""
    found["committed"] = not found["dryRun"]
    if "result" in found:
        found["result"] = {"value": found["result"]}
    return found


def receipt_text(body: dict[str, Json]) -> str:
    """A receipt as text."""
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
