"""`argon_test`: the package's own tests."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import Given, Rested
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class TestGiven(Given):
    """Which tests."""

    __test__ = False

    pattern: str | None = Field(
        default=None, min_length=1, description="only tests whose name contains this", examples=["arrears"]
    )
    run: bool = Field(default=True, description="false only lists them", examples=[True])


class TestResult(Rested):
    """Outcomes; a failure has its message, both sides, and a proof or why-not tree."""

    __test__ = False

    compiled: bool | None = Field(default=None, description="the sources build; absent in a refusal")
    passed: int | None = None
    failed: int | None = None
    errors: int | None = None
    inconclusive: int | None = None
    tests: list[dict[str, Any]] = Field(default=[], description="name, outcome, durationMs, failures")


async def _answer(call: Call, given: TestGiven) -> dict[str, Json]:
    return {"compiled": True, **await call.ask("test", given.wire())}


def _text(body: dict[str, Json]) -> str:
    counts = [f"{body[key]} {key}" for key in ("passed", "failed", "errors", "inconclusive")]
    lines = [", ".join(counts)]
    for each in body["tests"]:
        lines.append(f"{each['outcome']}: {each['name']} ({each['durationMs']} ms)")
        for failure in each["failures"]:
            where = f"{shown.place(failure['span'])}: " if "span" in failure else ""
            lines.append(f"  {where}{failure['message']}")
            if "explanation" in failure:
                lines.append(shown.tree(failure["explanation"]["nodes"], failure["explanation"]["rootId"]))
    return "\n".join(lines)


TOOL = Tool(
    name="argon_test",
    title="Run the tests",
    description=(
        "Runs the tests that the sources declare and the scenario files, each on a fresh store of its own; the "
        "project's store is not touched. A failed assertion shows both sides, and why a fact was or was not derived."
    ),
    toolset="authoring",
    given=TestGiven,
    result=TestResult,
    answer=_answer,
    text=_text,
)
