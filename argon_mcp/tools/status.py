"""`argon_status`: where things stand. Never fails, even where there is no project."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from argon_mcp.common import Given, Rested
from argon_mcp.handle import Json
from argon_mcp.options import Options
from argon_mcp.tool import Call, Tool


class StatusGiven(Given):
    """No arguments."""


class StatusResult(Rested):
    """The state of project, artifact, store and server."""

    project: dict[str, Any] = Field(
        default={}, description="root, source (flag, manifest, fallback), manifest, package"
    )
    artifact: dict[str, Any] = Field(default={}, description="path, loadedHash, onDiskHash, artifactLoaded")
    source_dirty: bool | None = Field(default=None, description="a build would do something")
    store: dict[str, Any] = Field(default={}, description="kind, id, exists, tx")
    fork: str | None = Field(default=None, description="branch of the store")
    as_of: str | None = Field(default=None, description="now: reads see the present unless they say otherwise")
    limits: dict[str, Any] = Field(default={}, description="what bounds one answer, by knob")
    capabilities: list[str] = Field(default=[], description="what this server may do")
    tools: list[dict[str, Any]] = Field(default=[], description="name, live, why not: the option that is in the way")
    lock_holder: dict[str, Any] | None = Field(default=None, description="who builds at the moment")
    versions: dict[str, str] = Field(default={}, description="of argon and what it runs on")


_STORE = ("kind", "path", "exists", "id", "tx", "moduleHash", "lastWrite", "forks")


async def _answer(call: Call, _: StatusGiven) -> dict[str, Json]:
    from argon_mcp.toolbox import TOOLS, why_not

    found = await call.ask("status", {})
    artifact, store = found.get("artifact", {}), found.get("store", {})
    answer: dict[str, Json] = {
        "project": found["project"],
        "artifact": _artifact(artifact),
        "sourceDirty": found["sourceDirty"],
        "needsBuild": found["sourceDirty"],
        "store": {key: store[key] for key in _STORE if key in store},
        "fork": "main",
        "asOf": "now",
        "limits": found["limits"] | {"maxBytes": call.options.max_bytes},
        "capabilities": _capabilities(call.options),
        "tools": [_live(each.name, why_not(each, call.options)) for each in TOOLS],
        "versions": found["versions"],
        "generation": store.get("generation", 0),
    }
    optional = {
        "lockHolder": found.get("lockHolder"),
        "inputsDigest": found.get("inputsDigest"),
        "moduleHash": artifact.get("loadedHash"),
        "storeId": store.get("id"),
        "error": found.get("error"),
        "nextStep": _next(found),
    }
    return answer | {key: value for key, value in optional.items() if value is not None}


def _live(name: str, why: str | None) -> dict[str, Json]:
    return {"name": name, "live": why is None} | ({"why": why} if why is not None else {})


def _capabilities(options: Options) -> list[str]:
    promote = ["promote"] if options.allow_promote else []
    return ["read"] if options.read_only else ["read", "build", "write", *promote]


def _artifact(found: Json) -> dict[str, Json]:
    shown = {key: found[key] for key in ("path", "loadedHash", "artifactLoaded", "inputsDigest") if key in found}
    return shown | ({"onDiskHash": found["moduleHash"]} if "moduleHash" in found else {})


def _next(found: Json) -> str | None:
    step: str | None = found.get("nextStep")
    return {"argon build": "argon_check, then argon_build", "argon check": "argon_check"}.get(step or "", step)


def _text(body: dict[str, Json]) -> str:
    project, artifact, store = body["project"], body["artifact"], body["store"]
    lines = [
        f"project {project.get('package', '(nameless)')} at {project['root']} (by {project['source']})",
        f"artifact {artifact.get('path', 'none')}: on disk {artifact.get('onDiskHash', 'none')}, "
        f"loaded {artifact.get('loadedHash', 'none')}; sources {'changed since' if body['sourceDirty'] else 'current'}",
        f"store {store.get('kind', 'none')} {store.get('path', '')}: tx {store.get('tx', 0)}, fork {body['fork']}",
        "limits " + ", ".join(f"{knob} {limit}" for knob, limit in body["limits"].items()),
        f"may {', '.join(body['capabilities'])}; tools {_told(body['tools'])}",
        "versions " + ", ".join(f"{name} {version}" for name, version in body["versions"].items()),
    ]
    if "lockHolder" in body:
        holder = body["lockHolder"]
        lines.append(f"locked by {holder['command']} (pid {holder['pid']}) since {holder['since']}")
    if "error" in body:
        lines.append(f"error[{body['error']['code']}]: {body['error']['message']}")
    return "\n".join(lines)


def _told(tools: list[dict[str, Json]]) -> str:
    """The tools, the live ones of a name, the others with what keeps them."""
    return ", ".join(each["name"] + ("" if each["live"] else f" (not live: {each['why']})") for each in tools)


TOOL = Tool(
    name="argon_status",
    title="Project status",
    description=(
        "Says where things stand: project root, artifact on disk and loaded, whether sources changed since, store with "
        "its generation, limits, what this server may do, and the next step. Never fails, even without a project."
    ),
    toolset="authoring",
    given=StatusGiven,
    result=StatusResult,
    answer=_answer,
    text=_text,
)
