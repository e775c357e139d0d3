"""The answer to `server/discover`, as plain data that needs nothing imported.

A client waits for it before it does anything else, and the SDK takes most of a second to import. A test holds it, field
for field, against what the SDK answers for the same server.
"""

from __future__ import annotations

import os

from argon_lang.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "argon"
TITLE = "Argon"
MODERN = "2026-07-28"
_META = "io.modelcontextprotocol/"


def instructions() -> str:
    """What an agent is told when it connects."""
    with open(os.path.join(os.path.dirname(__file__), "instructions.md"), encoding="utf-8") as file:
        return file.read()


def discover_result() -> dict[str, Any]:
    """The result of `server/discover`."""
    return {
        "_meta": {f"{_META}serverInfo": {"name": NAME, "title": TITLE, "version": VERSION}},
        "cacheScope": "private",
        "capabilities": {
            "completions": {},
            "prompts": {"listChanged": True},
            "resources": {"listChanged": True, "subscribe": True},
            "tools": {"listChanged": True},
        },
        "instructions": instructions(),
        "resultType": "complete",
        "supportedVersions": [MODERN],
        "ttlMs": 0,
    }


def is_discover(message: object) -> bool:
    """Is a parsed line a request that `discover_result` answers? Anything out of form is left to the SDK."""
    if not isinstance(message, dict) or message.get("method") != "server/discover" or message.get("jsonrpc") != "2.0":
        return False
    number, params = message.get("id"), message.get("params")
    if isinstance(number, bool) or not isinstance(number, int | str) or not isinstance(params, dict):
        return False
    meta = params.get("_meta")
    if not isinstance(meta, dict) or set(params) != {"_meta"}:
        return False
    capabilities, info = meta.get(f"{_META}clientCapabilities"), meta.get(f"{_META}clientInfo")
    known = info is None or (isinstance(info, dict) and isinstance(info.get("name"), str))
    return meta.get(f"{_META}protocolVersion") == MODERN and isinstance(capabilities, dict) and known
