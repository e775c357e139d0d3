"""How long an agent waits: for the discovery, the first check of the lease example, and for a tool that hardly works.

Wall clock over real pipes. `argon_explain_code` looks up one catalog entry, so its time is what any tool pays for being
called; the client's own reading is in it.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from benchmarks.table import Budget, Samples
from tests.support.mcp_client import Client

EXAMPLES = Path(__file__).parents[1] / "examples"
DISCOVER = "MCP: spawn → discover answered"
CHECK = "MCP: spawn → first check of examples/lease"
CALL = "MCP: a tool call's overhead (argon_explain_code)"
BUDGETS = (Budget(DISCOVER, p50=150), Budget(CHECK, p50=1_200), Budget(CALL, p50=2))


def milliseconds(since: float) -> float:
    """Wall-clock time since `since` (`time.monotonic`)."""
    return (time.monotonic() - since) * 1e3


def measure(quick: bool) -> Samples:
    """See the module's docstring; `quick` starts one server."""
    discovered, checked, called = [], [], []
    for _ in range(1 if quick else 7):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "lease"
            shutil.copytree(EXAMPLES / "lease", root, ignore=shutil.ignore_patterns("target", ".argon"))
            with Client(root) as client:
                client.request("server/discover")
                discovered.append(milliseconds(client.started))
                client.call("argon_check")
                checked.append(milliseconds(client.started))
                for _ in range(3 if quick else 40):
                    since = time.monotonic()
                    client.call("argon_explain_code", code="OE1317")
                    called.append(milliseconds(since))
    yield DISCOVER, discovered
    yield CHECK, checked
    yield CALL, called
