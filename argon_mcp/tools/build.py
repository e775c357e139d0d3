"""`argon_build`: the gates, then the artifact; the module that serves afterwards is verified to be the one built."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp import shown
from argon_mcp.common import Given, Rested
from argon_mcp.handle import Json
from argon_mcp.tool import Call, Tool


class BuildGiven(Given):
    """How to build."""

    force: bool = Field(default=False, description="build even when the artifact is current", examples=[False])


class BuildResult(Rested):
    """What the build did."""

    ok: bool | None = Field(default=None, description="the gates passed and the artifact is current")
    wrote_oxbin: bool | None = Field(default=None, description="the artifact file is new")
    reloaded: bool | None = Field(default=None, description="another module serves since")
    artifact: str | None = Field(default=None, description="path of the artifact")
    gate_failures: list[dict[str, Any]] = Field(
        default=[], description="diagnostics of severity error, as argon_check has them"
    )
    message: str | None = Field(default=None, description="one line")


async def _answer(call: Call, given: BuildGiven) -> dict[str, Json]:
    found = await call.ask("build", given.wire())
    failures = [each for each in found["diagnostics"] if each["severity"] == "error"]
    answer = {
        "ok": found["ok"],
        "wroteOxbin": found["wroteOxbin"],
        "reloaded": found["reloaded"],
        "gateFailures": failures,
        "message": _message(found, len(failures)),
        "diagnosticCodes": sorted({each["code"] for each in failures}),
    }
    kept = ("moduleHash", "storeId", "generation", "artifact", "inputsDigest", "staleArtifact", "needsBuild", "error")
    answer |= {key: found[key] for key in kept if key in found}
    if failures:
        answer["nextStep"] = "argon_check, mend the sources, then argon_build"
    return answer


def _message(found: Json, failures: int) -> str:
    if failures:
        return f"not built: {failures} gate failure{'s' if failures != 1 else ''}"
    if "error" in found:
        return "built; the module before it goes on serving, since the new one does not fit the store"
    if found["current"]:
        return "the artifact is current"
    return "built" if found["wroteOxbin"] else "built in memory"


def _text(body: dict[str, Json]) -> str:
    where = f" {body['artifact']}" if "artifact" in body else ""
    flags = "".join(f", {flag}" for flag in ("wroteOxbin", "reloaded") if body[flag])
    lines = [f"{body['message']}{where}{flags}"]
    lines.append(shown.diagnostics(body["gateFailures"]))
    if "error" in body:
        lines.append(f"error[{body['error']['code']}]: {body['error']['message']}")
        lines += [f"help: {line}" for line in body["error"].get("help", ())]
    return "\n".join(line for line in lines if line)


TOOL = Tool(
    name="argon_build",
    title="Build the artifact",
    description=(
        "Runs the gates over the saved files, writes the artifact to target/, loads it, and verifies that what serves "
        "is what was built. Does nothing when the artifact is current. A gate failure is an ordinary result with "
        "`ok: false`; nothing is written then."
    ),
    toolset="authoring",
    given=BuildGiven,
    result=BuildResult,
    answer=_answer,
    text=_text,
    writes=True,
)
