"""`argon_check`: every gate over the saved files, or over unsaved text laid upon them. Needs no artifact."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from argon_mcp import catalog, shown
from argon_mcp.common import Given, Rested
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class Unsaved(Given):
    """A file as it would be."""

    path: str = Field(min_length=1, description="relative to the project", examples=["root.ar"])
    text: str = Field(description="the whole text of the file", examples=["pub type Person;\n"])


class CheckGiven(Given):
    """What to check."""

    file_paths: list[str] = Field(
        default=[], description="report only on these files or folders; all are checked", examples=[["root.ar"]]
    )
    overlay: list[Unsaved] = Field(
        default=[],
        description="unsaved texts that stand for their files",
        examples=[[{"path": "root.ar", "text": "pub type Person;\n"}]],
    )
    mode: Literal["full", "fast"] = Field(
        default="full", description="`fast` leaves out the gates over the whole program", examples=["full"]
    )
    max_diagnostics: int | None = Field(
        default=None, ge=1, description="refuse the answer when there are more", examples=[50]
    )


class CheckResult(Rested):
    """What the gates say."""

    ok: bool | None = Field(default=None, description="no error stands")
    mode: str | None = None
    diagnostics: list[dict[str, Any]] = Field(
        default=[],
        description=(
            "code, severity, message, span {file, start, end: {line, character}} (from 0, UTF-16), sourceLine, "
            "related, help, fixes [{title, safe, edits: [{span, text}]}]"
        ),
    )
    remediation: list[dict[str, Any]] = Field(default=[], description="once per code: code, title, fixClasses, why")
    summary: dict[str, int] = Field(default={}, description="errors, warnings, infos")


async def _answer(call: Call, given: CheckGiven) -> dict[str, Json]:
    found = await call.ask("check", given.wire())
    diagnostics, summary = found["diagnostics"], found["summary"]
    codes = sorted({each["code"] for each in diagnostics})
    answer = {
        "ok": not summary["errors"],
        "mode": given.mode,
        "diagnostics": diagnostics,
        "remediation": [_remediation(code) for code in codes],
        "summary": summary,
        "diagnosticCodes": codes,
        "inputsDigest": found["inputsDigest"],
        "needsBuild": found["needsBuild"],
    }
    most = given.max_diagnostics
    if most is not None and len(diagnostics) > most:
        limit = {"limit": most, "reached": len(diagnostics), "knob": "maxDiagnostics"}
        answer |= {"diagnostics": [], "remediation": [], "limitExceeded": limit}
        answer["nextStep"] = (
            f"argon_check with filePaths {[diagnostics[0]['span']['file']]}, or a larger maxDiagnostics"
        )
    elif summary["errors"]:
        answer["nextStep"] = "mend the sources, then argon_check; argon_explain_code teaches a code"
    elif found["needsBuild"] and not given.overlay:
        answer["nextStep"] = "argon_build"
    return answer


def _remediation(code: str) -> dict[str, Json]:
    entry = catalog.entry(code) or {}
    return {
        "code": code,
        "title": entry["title"],
        "fixClasses": entry["fixClasses"],
        "why": " ".join(entry["why"].split()),
    }


def _text(body: dict[str, Json]) -> str:
    counts = ", ".join(f"{number} {name}" for name, number in body["summary"].items())
    lines = [f"{'ok' if body['ok'] else 'not ok'} ({body['mode']}): {counts}"]
    lines.append(shown.diagnostics(body["diagnostics"]))
    lines += [
        f"{each['code']}: {each['title']} (fix by: {', '.join(each['fixClasses'])}). {each['why']}"
        for each in body["remediation"]
    ]
    return "\n".join(line for line in lines if line)


TOOL = Tool(
    name="argon_check",
    title="Check the sources",
    description=(
        "Runs every gate (syntax, names, types, constructs, strata, rule evaluability, declared facts) over the saved "
        "files, without building. Give unsaved text as `overlay` to try an edit before saving it. Each diagnostic "
        "has a code, its place, the source line, and edits that mend it where there are some."
    ),
    toolset="authoring",
    given=CheckGiven,
    result=CheckResult,
    answer=_answer,
    text=_text,
)
