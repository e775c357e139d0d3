"""The eight tools of a fork: a branch of the store to try changes on (semantics S10)."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_mcp import shown
from argon_mcp.common import Given, PageGiven, Rested, refused
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool
from argon_mcp.tools import derive, explain_fact, query
from argon_mcp.tools.rows import STRICT, RowsResult, tagged
from argon_mcp.tools.writes import WriteResult, receipt_text, receipted

_HANDLE = "f-1c9a7e5b"
_FORK = Field(min_length=1, description="handle of the fork", examples=[_HANDLE])


class ForkGiven(Given):
    """Which fork."""

    fork: str = _FORK


class ForkReadGiven(ForkGiven):
    """Which fork, and when."""

    as_of: str | None = Field(default=None, description="valid time", examples=["2026-01-31"])
    as_of_tx: int | None = Field(default=None, ge=0, description="as known at this tx", examples=[12])


class ForkRowsGiven(ForkReadGiven):
    """How to read rows."""

    page: PageGiven | None = Field(default=None, description="read by the page", examples=[{"size": 100}])
    project_k3: bool = Field(default=False, alias="projectK3", description="only rows that hold", examples=[True])


class CreateGiven(Given):
    """How to call the fork, and how long it lives."""

    name: str = Field(min_length=1, max_length=80, description="what to call it", examples=["trial"])
    ephemeral: bool = Field(default=True, description="it ends when idle for 60 minutes", examples=[True])
    fork: str | None = Field(default=None, description="parent fork; else the store itself", examples=[_HANDLE])


class CreateResult(Rested):
    """The fork that was made; `fork.fork` is its handle."""

    state: str | None = None
    fork: dict[str, Any] | None = None


class MutateGiven(ForkGiven):
    """Which mutation."""

    name: str = Field(min_length=1, description="the mutation", examples=["pay"])
    args: dict[str, Any] = Field(default={}, description="arguments by name", examples=[{"i": "march"}])
    include_derived_delta: bool = Field(default=False, description="say what became derivable", examples=[True])
    dry_run: bool = Field(default=False, description="do everything but the append", examples=[True])
    principal: str | None = Field(default=None, description="who writes", examples=["user:ada"])


class QueryGiven(ForkRowsGiven):
    """Which query."""

    name: str = Field(min_length=1, description="the query", examples=["reminders"])
    args: dict[str, Any] = Field(default={}, description="arguments by name", examples=[{"t": "ada"}])


class DeriveGiven(ForkRowsGiven):
    """Which head."""

    head: str = Field(min_length=1, description="predicate, concept, relation or check", examples=["in_arrears"])


class ExplainGiven(ForkReadGiven):
    """Which fact."""

    fact: str = Field(min_length=1, description="a fact; `_` is any value", examples=["in_arrears(ada)"])
    max_depth: int = Field(default=3, ge=1, le=64, description="levels to unfold", examples=[3])
    max_alternatives: int = Field(default=3, ge=1, le=64, description="ways per derived fact", examples=[3])


class PromoteGiven(ForkGiven):
    """Which diff was read."""

    expect_diff_hash: str = Field(min_length=1, description="`diffHash` of argon_fork_diff", examples=["9f86d081884c"])
    dry_run: bool = Field(default=False, description="do everything but the append", examples=[True])


class ForkWriteResult(WriteResult):
    """A receipt."""

    state: str | None = None


class PromoteResult(ForkWriteResult):
    """A receipt on the parent."""

    promoted_to: int | None = None
    promoted_from: str | None = None


class ForkRowsResult(RowsResult):
    """Rows."""

    state: str | None = None


class ForkExplainResult(explain_fact.ExplainResult):
    """A proof or why-not tree."""

    state: str | None = None


class DiffResult(Rested):
    """What the fork changed."""

    state: str | None = None
    created: list[dict[str, Any]] = Field(default=[])
    fields: list[dict[str, Any]] = Field(default=[])
    added: list[str] = Field(default=[])
    removed: list[str] = Field(default=[])
    violated: list[dict[str, Any]] = Field(default=[])
    fixed: list[dict[str, Any]] = Field(default=[])
    derived: dict[str, Any] | None = None
    events: list[dict[str, Any]] = Field(default=[])
    conflicts: list[str] = Field(default=[])
    diff_hash: str | None = None


class AbortResult(Rested):
    """What ended."""

    state: str | None = None
    ended: bool | None = None


def _wire(given: Given) -> dict[str, Json]:
    """The arguments as the runtime's question takes them; the store itself is no fork. Raises Refused."""
    wire = given.wire()
    if wire["fork"] == "main":
        raise refused(ArgonError("ARGON_RUNTIME_FORK_NOT_FOUND", args(name="main"), details={"fork": "main"}))
    if wire.get("page", False) is None:
        del wire["page"]
    return wire


def _who(call: Call, given: str | None = None) -> str:
    return given or f"agent:{call.client}"


def _under_state(text: str, body: dict[str, Json]) -> str:
    return f"{body['state']}\n{text}".rstrip()


async def _create(call: Call, given: CreateGiven) -> dict[str, Json]:
    return await call.ask("forkCreate", _wire(given) | {"dryRun": False, "principal": _who(call)})


async def _mutate(call: Call, given: MutateGiven) -> dict[str, Json]:
    wire = _wire(given) | {"idempotencyKey": None, "principal": _who(call, given.principal)}
    return receipted(await call.ask("mutate", wire))


async def _query(call: Call, given: QueryGiven) -> dict[str, Json]:
    return tagged(await call.ask("query", _wire(given)), given)


async def _derive(call: Call, given: DeriveGiven) -> dict[str, Json]:
    return tagged(await call.ask("derive", _wire(given)), given, STRICT)


async def _explain(call: Call, given: ExplainGiven) -> dict[str, Json]:
    return explain_fact.explained(await call.ask("explain", _wire(given)))


async def _diff(call: Call, given: ForkGiven) -> dict[str, Json]:
    return await call.ask("forkDiff", _wire(given))


async def _abort(call: Call, given: ForkGiven) -> dict[str, Json]:
    return await call.ask("forkAbort", _wire(given) | {"dryRun": False})


async def _promote(call: Call, given: PromoteGiven) -> dict[str, Json]:
    if not call.options.allow_promote:
        values = args(name="argon_fork_promote", expected="promote")
        raise refused(ArgonError("ARGON_RUNTIME_CAPABILITY_REQUIRED", values, details={"capability": "promote"}))
    more = {"idempotencyKey": None, "includeDerivedDelta": False, "principal": _who(call)}
    found = receipted(await call.ask("forkPromote", _wire(given) | more))
    return found | ({"promotedTo": found["tx"]} if "tx" in found else {})


def _diff_text(body: dict[str, Json]) -> str:
    lines = [f"new {each['label']}: {each['concept']}" for each in body["created"]]
    for change in body["fields"]:
        lines += [f"- {fact}" for fact in change["before"]] + [f"+ {fact}" for fact in change["after"]]
    lines += [f"- {fact}" for fact in body["removed"]] + [f"+ {fact}" for fact in body["added"]]
    for head, delta in body["derived"].items():
        lines += [f"derived {head}: - {fact}" for fact in delta["removed"]]
        lines += [f"derived {head}: + {fact}" for fact in delta["added"]]
    lines += [f"newly violated: {shown.violation(each)}" for each in body["violated"]]
    lines += [f"fixed: {each['fact']}" for each in body["fixed"]]
    lines += [f"conflict: the parent changed {each} too" for each in body["conflicts"]]
    return _under_state("\n".join([*lines, f"diffHash {body['diffHash']}"]), body)


def _created_text(body: dict[str, Json]) -> str:
    return f"{body['state']}\nhandle {body['fork']['fork']}"


CREATE = Tool(
    name="argon_fork_create",
    title="Make a fork",
    description=(
        "Makes a copy-on-write branch of the store to try changes on. Its handle, `fork.fork`, is the only way to it: "
        "keep it. Nothing done there reaches the store until it is promoted."
    ),
    toolset="fork",
    given=CreateGiven,
    result=CreateResult,
    answer=_create,
    text=_created_text,
    writes=True,
    idempotent=False,
)
MUTATE = Tool(
    name="argon_fork_mutate",
    title="Write in a fork",
    description="Runs a declared mutation as one transaction of a fork, through all gates, as argon_mutate does.",
    toolset="fork",
    given=MutateGiven,
    result=ForkWriteResult,
    answer=_mutate,
    text=lambda body: _under_state(receipt_text(body), body),
    writes=True,
    destructive=True,
    idempotent=False,
)
QUERY = Tool(
    name="argon_fork_query",
    title="Ask a query in a fork",
    description="Answers a declared query against a fork of the store, as argon_query does against the store itself.",
    toolset="fork",
    given=QueryGiven,
    result=ForkRowsResult,
    answer=_query,
    text=lambda body: _under_state(query.TOOL.text(body), body),
)
DERIVE = Tool(
    name="argon_fork_derive",
    title="Derive a head in a fork",
    description="Lists every row of a predicate, concept, relation or check in a fork, as argon_derive does.",
    toolset="fork",
    given=DeriveGiven,
    result=ForkRowsResult,
    answer=_derive,
    text=lambda body: _under_state(derive.TOOL.text(body), body),
)
EXPLAIN = Tool(
    name="argon_fork_explain",
    title="Explain a fact in a fork",
    description="Proves a fact in a fork, or says for each clause why it does not hold, as argon_explain_fact does.",
    toolset="fork",
    given=ExplainGiven,
    result=ForkExplainResult,
    answer=_explain,
    text=lambda body: _under_state(explain_fact.TOOL.text(body), body),
)
DIFF = Tool(
    name="argon_fork_diff",
    title="What a fork changed",
    description=(
        "Says what a fork changed: individuals, fields, tuples, checks, derived facts, every recorded event, and what "
        "its parent changed too (conflicts). `diffHash` names the diff for argon_fork_promote."
    ),
    toolset="fork",
    given=ForkGiven,
    result=DiffResult,
    answer=_diff,
    text=_diff_text,
)
ABORT = Tool(
    name="argon_fork_abort",
    title="Drop a fork",
    description="Ends a fork: nothing of it stays, and the store is as it was. One with forks of its own cannot end.",
    toolset="fork",
    given=ForkGiven,
    result=AbortResult,
    answer=_abort,
    text=lambda body: body["state"],
    writes=True,
    destructive=True,
    idempotent=False,
)
PROMOTE = Tool(
    name="argon_fork_promote",
    title="Take a fork over",
    description=(
        "Replays what a fork recorded on its parent as one transaction, through all gates, and ends the fork. Needs a "
        "server started with --allow-promote, and the hash of the diff as it is now. Conflicts refuse it whole."
    ),
    toolset="fork",
    given=PromoteGiven,
    result=PromoteResult,
    answer=_promote,
    text=lambda body: _under_state(receipt_text(body), body),
    writes=True,
    destructive=True,
    idempotent=False,
    capability="promote",
)
TOOLS = (CREATE, MUTATE, QUERY, DERIVE, EXPLAIN, DIFF, ABORT, PROMOTE)
"""In the order in which they are listed."""
