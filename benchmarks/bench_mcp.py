"""How long an agent waits: for the discovery, the first check, a tool that hardly works, and a tool that works hard.

Wall clock over real pipes; the client's own reading is in it. `argon_explain_code` looks up one catalog entry, so its
time is what any tool pays for being called. What the answers of a whole loop cost to read is kept in
`tests/mcp/loop_bytes.json`.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from benchmarks.generate_source import package
from benchmarks.table import Budget, Samples
from tests.support.idle import children, memory_kb, until_idle
from tests.support.mcp_client import Client
from tests.support.served_packages import MANIFEST, endless, save

EXAMPLES = Path(__file__).parents[1] / "examples"
DISCOVER = "MCP: spawn → discover answered"
CHECK = "MCP: spawn → first check of examples/lease"
CALL = "MCP: a tool call's overhead (argon_explain_code)"
PARSE = "MCP: argon_parse_source of 500 lines"
EDIT = "MCP: one rule of a 50,000-line workspace edited and saved → argon_check"
CANCEL = "MCP: cancelled in mid-reasoning → the worker is idle"
MEMORY = "MCP: memory of server and worker, examples/lease checked, idle"
BUDGETS = (
    Budget(DISCOVER, p50=150),
    Budget(CHECK, p50=1_200),
    Budget(CALL, p50=2),
    Budget(MEMORY, p50=130, unit="MB"),
    Budget(PARSE, p95=100),
    Budget(CANCEL, p95=100),
    Budget(EDIT, p50=300),
)
MARK = "pub derive bench_mark(n: Int) :- n in [1, 2];\n"
PATIENCE = 120.0


def milliseconds(since: float) -> float:
    """Wall-clock time since `since` (`time.monotonic`)."""
    return (time.monotonic() - since) * 1e3


def measure(quick: bool) -> Samples:
    """See the module's docstring; `quick` starts one server of each kind, on small packages."""
    yield from starts(1 if quick else 7, 3 if quick else 40)
    with tempfile.TemporaryDirectory() as folder:
        yield from parses(Path(folder), 3 if quick else 100)
    with tempfile.TemporaryDirectory() as folder:
        yield CANCEL, cancels(Path(folder), 1 if quick else 20)
    with tempfile.TemporaryDirectory() as folder:
        yield EDIT, edits(Path(folder), 2 if quick else 100, 2 if quick else 20)


def starts(rounds: int, calls: int) -> Samples:
    """Servers of the lease example, each from its start."""
    discovered, checked, called, memory = [], [], [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "lease"
            shutil.copytree(EXAMPLES / "lease", root, ignore=shutil.ignore_patterns("target", ".argon"))
            with Client(root) as client:
                client.request("server/discover")
                discovered.append(milliseconds(client.started))
                client.call("argon_check")
                checked.append(milliseconds(client.started))
                memory.append(resident(client))
                for _ in range(calls):
                    since = time.monotonic()
                    client.call("argon_explain_code", code="OE1317")
                    called.append(milliseconds(since))
    yield DISCOVER, discovered
    yield CHECK, checked
    yield CALL, called
    yield MEMORY, memory


def resident(client: Client) -> float:
    """Memory of the server and its worker in MB, each with the pages of files that both have."""
    pids = [client.process.pid, *children(client.process.pid)]
    return sum(map(memory_kb, pids)) / 1024


def parses(folder: Path, rounds: int) -> Samples:
    """The outline of a pasted text, each time another one."""
    text, times = package(1, 500)["part000.ar"], []
    root = folder / "empty"
    root.mkdir()
    (root / "ox.toml").write_text(MANIFEST, encoding="utf-8")
    (root / "root.ar").write_text(MARK, encoding="utf-8")
    with Client(root, "--max-bytes", str(1 << 22)) as client:
        for number in range(rounds + 1):
            since = time.monotonic()
            client.call("argon_parse_source", source=f"// {number}\n{text}", depth=3)
            times.append(milliseconds(since))
    yield PARSE, times[1:]


def cancels(folder: Path, rounds: int) -> list[float]:
    """From the cancellation of an endless join to the worker's last tick of work."""
    times = []
    with Client(endless(folder)) as client:
        client.call("argon_build")
        (worker,) = children(client.process.pid)
        for _ in range(rounds):
            number = client.reasoning("argon_query", name="hits")
            since = time.monotonic()
            client.cancel(number)
            times.append((until_idle(worker, PATIENCE) - since) * 1e3)
    return times


def edits(folder: Path, files: int, rounds: int) -> list[float]:
    """A rule is edited and saved, and the package checked."""
    made = package(files, 500)
    (folder / "ox.toml").write_text(MANIFEST, encoding="utf-8")
    for path, text in made.items():
        (folder / path).write_text(text, encoding="utf-8")
    file, times = "part000.ar", []
    with Client(folder) as client:
        assert client.call("argon_check")["ok"]
        for number in range(rounds):
            save(folder / file, made[file] + MARK.replace("2]", f"{number}]"))
            since = time.monotonic()
            assert client.call("argon_check")["ok"]
            times.append(milliseconds(since))
    return times[1:] or times
