"""From an answer or a refusal to a tool's result: the fields that all carry, the bound on the size, the flag.

A refusal of the domain is an ordinary result that carries `error`. `isError` is set only for what could not run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from mcp_types import CallToolResult, TextContent

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args
from argon_lang.session.refusals import error_body
from argon_mcp import shown
from argon_mcp.handle import Json
from argon_mcp.tool import Tool

COULD_NOT_RUN = frozenset(
    {
        "MCP-INVALID-INPUT",
        "MCP-PROJECT-NOT-FOUND",
        "MCP-PATH-OUTSIDE-PROJECT",
        "MCP-LOCKED",
        "MCP-INTERNAL",
        "ARGON_RUNTIME_VALIDATION_FAILED",
        "ARGON_RUNTIME_SIGNATURE_MISMATCH",
        "ARGON_RUNTIME_NOT_FOUND",
        "ARGON_RUNTIME_INVALID_CURSOR",
        "ARGON_RUNTIME_TIMEOUT",
        "ARGON_RUNTIME_STORE_BUSY",
        "ARGON_RUNTIME_STORE_UNAVAILABLE",
    }
)
"""Codes of results whose `isError` is true (surfaces §3); every other refusal is a result like any other."""

_NARROWER = 'narrow the question, or read it by the page: page {"size": 100}'
_NAMES = "read argon://schema/index for the names there are"
_CODES = "read argon://diagnostics/catalog for the codes there are"
_FACTS = "argon_why for the proof; change the arguments or the facts, and try with dryRun"
NEXT_STEPS: Mapping[str, str] = {
    "DIRTY_WORKSPACE": "argon_check, mend the sources, then argon_build",
    "NO_ARTIFACT": "argon_build",
    "ARGON_RUNTIME_ARITHMETIC": "change the arguments, or guard the expression in the source",
    "ARGON_RUNTIME_BUDGET_EXCEEDED": "narrow the question, or raise the knob in [limits] of ox.toml",
    "ARGON_RUNTIME_CANCELLED": "the same call again, if it is still wanted",
    "ARGON_RUNTIME_CAPABILITY_REQUIRED": "ask a person to start the server with what `capabilityRequired` names",
    "ARGON_RUNTIME_CHECK_VIOLATION": _FACTS,
    "ARGON_RUNTIME_FORK_CONFLICT": "argon_fork_diff, settle the conflicts, then argon_fork_promote with its `diffHash`",
    "ARGON_RUNTIME_FORK_NOT_FOUND": "argon_fork_create; an ephemeral fork ends when it is idle",
    "ARGON_RUNTIME_INVALID_CURSOR": "ask for the first page again, without a cursor",
    "ARGON_RUNTIME_NOT_FOUND": _NAMES,
    "ARGON_RUNTIME_RESULT_TOO_LARGE": _NARROWER,
    "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE": "undo the change of the declarations that the facts rest on",
    "ARGON_RUNTIME_SIGNATURE_MISMATCH": "read argon://schema/index for the signature",
    "ARGON_RUNTIME_STALE_PROOF": "argon_explain_fact again; node ids belong to one state",
    "ARGON_RUNTIME_STORE_BUSY": "the same call again",
    "ARGON_RUNTIME_STORE_UNAVAILABLE": "argon_status; a person has to look at the store",
    "ARGON_RUNTIME_TIMEOUT": _NARROWER,
    "ARGON_RUNTIME_VALIDATION_FAILED": "mend the argument that the message names, then the same call",
    "ARGON_RUNTIME_WRITE_REFUSED": "argon_explain_code for the refused code; change the arguments or the facts",
    "ARGON_INPUT_UNREADABLE": "give a file that is there; argon_status names the root",
    "ARGON_RENAME_REFUSED": "choose another name",
    "MCP-INVALID-INPUT": "mend the argument that the message names, then the same call",
    "MCP-LOCKED": "the same call again",
    "MCP-INTERNAL": "argon_status",
    "MCP-PATH-OUTSIDE-PROJECT": "give a path inside of the project; argon_status names its root",
    "MCP-PROJECT-NOT-FOUND": "argon_status; a person starts the server with --project, or makes one by argon new",
}
"""What to do next, by code; of any other code, to read what it means."""

_MORE = ("limitExceeded", "capabilityRequired", "nextStep")


def result_of(tool: Tool[Any], answer: dict[str, Json], max_bytes: int) -> CallToolResult:
    """The result of a call that was answered, refused whole when it is over the size."""
    body = _completed(answer)
    size = len(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        return refusal_of(tool, error_body(_too_large(size, max_bytes)), rested_on(body))
    return _result(body, _text(tool, body), failed=False)


def refusal_of(
    tool: Tool[Any] | None, error: Mapping[str, Json], rest: Mapping[str, Json] | None = None
) -> CallToolResult:
    """The result of a call that was refused, or could not run."""
    error = _ours(error)
    failed = error["code"] in COULD_NOT_RUN
    body = _completed({**(rest or {}), "error": error, **({"requestId": str(uuid4())} if failed else {})})
    lines = [f"error[{error['code']}]: {error['message']}", *(f"help: {line}" for line in error.get("help", ()))]
    lines += [f"{key}: {json.dumps(body[key], ensure_ascii=False)}" for key in _MORE if key in body]
    lines.append(shown.details(error["details"]))
    return _result(body, "\n".join(line for line in lines if line), failed=failed)


def rested_on(body: Mapping[str, Json]) -> dict[str, Json]:
    """What an answer rests on, without the answer."""
    kept = ("moduleHash", "storeId", "generation", "inputsDigest", "staleArtifact", "needsBuild")
    return {key: body[key] for key in kept if key in body}


def _completed(answer: Mapping[str, Json]) -> dict[str, Json]:
    """The answer with the fields that every result has."""
    body = {"schemaVersion": "1.0", **answer}
    error = _ours(answer["error"]) if "error" in answer else None
    codes = list(body.get("diagnosticCodes", ()))
    if error is not None:
        body["error"], details = error, error["details"]
        codes += [error["code"], *details.get("diagnosticCodes", ())]
        if {"limit", "reached", "knob"} <= details.keys():
            body["limitExceeded"] = {key: details[key] for key in ("limit", "reached", "knob")}
        if "capability" in details:
            body["capabilityRequired"] = details["capability"]
        body.setdefault("nextStep", _CODES if "near" in details else _step(error["code"]))
    body["diagnosticCodes"] = sorted(set(codes))
    body["retryable"] = bool(error is not None and error["retryable"])
    body["truncated"] = False
    return body


def _step(code: str) -> str:
    return NEXT_STEPS.get(code, f"argon_explain_code {code}")


def _text(tool: Tool[Any], body: dict[str, Json]) -> str:
    """The rendering of a tool, then what it rests on."""
    lines = [tool.text(body)]
    rest = rested_on(body)
    if rest:
        lines.append(" ".join(f"{key}={_short(value)}" for key, value in rest.items()))
    lines += [f"{key}: {json.dumps(body[key], ensure_ascii=False)}" for key in _MORE if key in body]
    return "\n".join(line for line in lines if line)


def _short(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _result(body: dict[str, Json], text: str, *, failed: bool) -> CallToolResult:
    try:
        json.dumps([body, text], ensure_ascii=False).encode()
    except UnicodeEncodeError:
        body, text = json.loads(json.dumps([body, text], ensure_ascii=False).encode("utf-8", "replace"))
    return CallToolResult(content=[TextContent(text=text)], structured_content=body, is_error=failed)


def _ours(error: Mapping[str, Json]) -> dict[str, Json]:
    """An error of the runtime under the code that this surface has for it."""
    details = error["details"]
    match error["code"]:
        case "ARGON_PROJECT_NOT_FOUND":
            ours = ArgonError("MCP-PROJECT-NOT-FOUND", args(path=details["path"]), notes=(Note("new"),))
        case "ARGON_PATH_OUTSIDE_PROJECT":
            ours = ArgonError("MCP-PATH-OUTSIDE-PROJECT", args(path=details["path"]), notes=(Note("root"),))
        case "ARGON_PROJECT_LOCKED":
            waited = Note("wait", args(found=details["waitedMs"]))
            values = args(name=details["command"], pid=details["pid"])
            ours = ArgonError("MCP-LOCKED", values, retryable=True, notes=(waited,))
        case "ARGON_RUNTIME_INTERNAL":
            found = details.get("found", error["message"].removeprefix("internal error: "))
            ours = ArgonError(
                "MCP-INTERNAL", args(found=found), retryable=bool(error["retryable"]), notes=(Note("report"),)
            )
        case _:
            return dict(error)
    return {**error_body(ours), "details": details}


def _too_large(size: int, most: int) -> ArgonError:
    return ArgonError(
        "ARGON_RUNTIME_RESULT_TOO_LARGE",
        args(found=size, what="bytes", knob="maxBytes", limit=most),
        details={"limit": most, "reached": size, "knob": "maxBytes"},
        notes=(Note("narrow", args(knob="maxBytes")),),
    )
