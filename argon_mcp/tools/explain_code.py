"""`argon_explain_code`: the catalog's entry of a code. Needs neither a project nor the runtime."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args
from argon_mcp.common import Given, Result, refused
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool
from shared_catalog import lookup, page


class ExplainCodeGiven(Given):
    """Which code."""

    code: str = Field(min_length=1, description="a code, its number, or its name", examples=["OE0101"])
    lang: Literal["en", "zh"] = Field(default="en", description="language of the text", examples=["en"])


class ExplainCodeResult(Result):
    """The entry, with an example that produces the code and its fix."""

    code: str | None = None
    name: str | None = None
    severity: str | None = Field(default=None, description="error, warning or info")
    status: str | None = Field(default=None, description="live, reserved or retired")
    title: str | None = None
    message: str | None = Field(default=None, description="template; `{name}` is a placeholder")
    what: str | None = None
    why: str | None = None
    example: list[dict[str, Any]] = Field(default=[], description="snippets: lang, file, text")
    fix: list[dict[str, Any]] = Field(default=[], description="per fix class: fixClass, prose, snippets")
    fix_classes: list[str] = Field(default=[])
    related: list[dict[str, Any]] = Field(default=[], description="code, title")


async def _answer(call: Call, given: ExplainCodeGiven) -> dict[str, Json]:
    entry = call.handle.entry(given.code, given.lang)
    if entry is None:
        raise refused(unknown_code(given.code, call.handle.codes()))
    return {key: value for key, value in entry.items() if value is not None}


def unknown_code(code: str, known: tuple[str, ...]) -> ArgonError:
    """`ARGON_RUNTIME_NOT_FOUND` with near codes."""
    near = lookup.near(code, known)
    return ArgonError(
        "ARGON_RUNTIME_NOT_FOUND",
        args(kind="diagnostic code", name=code),
        details={"name": code, "near": near},
        notes=tuple(Note("suggest", args(suggestion=each)) for each in near),
    )


def _text(body: dict[str, Json]) -> str:
    return page.as_text({"httpStatus": None, "retryable": None, "reason": None, **body})


TOOL = Tool(
    name="argon_explain_code",
    title="Explain a code",
    description=(
        "Teaches a diagnostic or run-time code: what it means, why it is refused, a program that produces it and the "
        "corrected one. Takes a code, its number or its name."
    ),
    toolset="authoring",
    given=ExplainCodeGiven,
    result=ExplainCodeResult,
    answer=_answer,
    text=_text,
)
