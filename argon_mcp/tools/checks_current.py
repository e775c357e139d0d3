"""`argon_checks_current`: the violations that stand."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import Rested, RuntimeGiven
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class ChecksGiven(RuntimeGiven):
    """Which check."""

    check: str | None = Field(
        default=None, min_length=1, description="only this check", examples=["one_tenant_per_flat"]
    )


class ChecksResult(Rested):
    """Violations: check, key, severity, message, code, fact."""

    violations: list[dict[str, Any]] = Field(default=[])
    clean: bool | None = None
    view: str | None = None
    as_of: dict[str, Any] | None = None


async def _answer(call: Call, given: ChecksGiven) -> dict[str, Json]:
    return await call.ask("checks", given.wire())


def _text(body: dict[str, Json]) -> str:
    return "\n".join(map(shown.violation, body["violations"])) or "clean: no violations"


TOOL = Tool(
    name="argon_checks_current",
    title="Violations that stand",
    description=(
        "Lists the violations of the project's checks at a read point, of one check or of all, each with its severity, "
        "message and the fact to ask argon_explain_fact about."
    ),
    toolset="runtime",
    given=ChecksGiven,
    result=ChecksResult,
    answer=_answer,
    text=_text,
)
