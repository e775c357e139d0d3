"""What `argon_query` and `argon_derive` share: the form of rows."""

from __future__ import annotations

from typing import Any, Protocol

from pydantic import Field

from argon_mcp.common import ReadGiven, Rested
from argon_mcp.handle import Json

STRICT = "+Δ"
"""The tag of a row that strict clauses alone derive (semantics S5.3)."""


class RowsResult(Rested):
    """The envelope of rows (semantics S8.2)."""

    columns: list[dict[str, str]] = Field(default=[], description="name, type")
    rows: list[dict[str, Any]] = Field(default=[], description="values in wire form, truth4, tag")
    row_count: int | None = Field(default=None, description="all rows, on whatever page")
    hidden: dict[str, int] = Field(default={}, description="rows that are not Is: can, both, not")
    view: str | None = None
    as_of: dict[str, Any] | None = Field(default=None, description="valid, tx")
    next_cursor: str | None = Field(default=None, description="for the next page")


def given_to_runtime(given: ReadGiven) -> dict[str, Json]:
    """The arguments as the runtime's question takes them."""
    wire = given.wire()
    if wire["page"] is None:
        del wire["page"]
    return wire


class Projected(Protocol):
    """Arguments that say whether truth values are wanted."""

    @property
    def project_k3(self) -> bool:
        """Only the rows that hold, without them."""
        ...


def tagged(answer: dict[str, Json], given: Projected, tag: str | None = None) -> dict[str, Json]:
    """Each row with its truth value (unless `projectK3`) and its proof tag.

    A query's rows are its Is rows; where others exist, the runtime names their value itself.
    """
    if not given.project_k3:
        for row in answer["rows"]:
            row.setdefault("truth4", "Is")
    if tag is not None:
        for row in answer["rows"]:
            if row.get("truth4", "Is") in ("Is", "Both"):
                row.setdefault("tag", tag)
    return answer
