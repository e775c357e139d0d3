"""`argon_why`: why the violations that stand do stand."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import Rested, RuntimeGiven
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class WhyGiven(RuntimeGiven):
    """Which violations, and how much of their trees."""

    check: str | None = Field(
        default=None, min_length=1, description="only of this check", examples=["one_tenant_per_flat"]
    )
    violation: str | None = Field(
        default=None, min_length=1, description="only this violation, as a fact", examples=["one_tenant_per_flat(loft)"]
    )
    max_depth: int = Field(default=3, ge=1, le=64, description="levels to unfold", examples=[3])


class WhyResult(Rested):
    """Violations with proofs: check, key, severity, message, fact, prose, rootId, nodes."""

    violations: list[dict[str, Any]] = Field(default=[])
    clean: bool | None = None
    view: str | None = None
    as_of: dict[str, Any] | None = None


async def _answer(call: Call, given: WhyGiven) -> dict[str, Json]:
    return await call.ask("why", given.wire())


def _text(body: dict[str, Json]) -> str:
    return "\n".join(map(shown.violation, body["violations"])) or "clean: no violations"


TOOL = Tool(
    name="argon_why",
    title="Why checks are violated",
    description=(
        "Proves the violations that stand, of one check, one violation or all: the same tree as argon_explain_fact, "
        "its root the violation and its clause the check, with a paragraph that says it in prose."
    ),
    toolset="runtime",
    given=WhyGiven,
    result=WhyResult,
    answer=_answer,
    text=_text,
)
