"""`argon_rename_symbol`: change a name everywhere, as text for the caller to write."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import PackageGiven, Result, missing, refused
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class RenameGiven(PackageGiven):
    """What is renamed: a name in a pasted text, or a symbol of the project."""

    new_name: str = Field(min_length=1, description="the new name", examples=["Renter"])
    symbol: str | None = Field(
        default=None, min_length=1, description="project-wide: path, short name or symbolId", examples=["pkg::Tenant"]
    )
    source: str | None = Field(default=None, description="a pasted text", examples=["pub type Tenant { }\n"])
    old_name: str | None = Field(default=None, min_length=1, description="its name in `source`", examples=["Tenant"])
    scope: str | None = Field(
        default=None,
        pattern="^(module|item:.+)$",
        description="in `source`: module, or item:NAME for a name inside of one item",
        examples=["item:owes"],
    )


class RenameResult(Result):
    """The renamed text; nothing was written."""

    source: str | None = Field(default=None, description="the new text, when one was given")
    edits: list[dict[str, Any]] = Field(default=[], description="span, newText")
    files: list[str] = Field(default=[], description="files that change")
    diff: str | None = Field(default=None, description="everything as a unified diff")
    diagnostics: list[dict[str, Any]] = Field(default=[], description="of the new text, when one was given")


async def _answer(call: Call, given: RenameGiven) -> dict[str, Json]:
    if given.symbol is None and (given.source is None or given.old_name is None):
        raise refused(missing("symbol", "a symbol of the project, or source and oldName"))
    return await call.ask("rename", given.wire())


def _text(body: dict[str, Json]) -> str:
    head = f"{len(body['edits'])} places in {', '.join(body['files']) or 'no file'}; nothing is written"
    return "\n".join([head, str(body["diff"]), shown.diagnostics(body.get("diagnostics", []))]).strip()


TOOL = Tool(
    name="argon_rename_symbol",
    title="Rename",
    description=(
        "Renames a declaration in the whole project, or a name in a pasted text, wherever it means that thing and "
        "nowhere else. Refuses when the new name would be mistaken for something. Writes nothing: apply the diff, then "
        "argon_check."
    ),
    toolset="source",
    given=RenameGiven,
    result=RenameResult,
    answer=_answer,
    text=_text,
)
