"""How long an editor waits: for the greeting, the first diagnostics, and the diagnostics after each keystroke.

Run `python -m benchmarks.bench_lsp`. Wall-clock milliseconds over real pipes on the machine at hand; quote ratios. The
budgets of the architecture: greeting 300, first diagnostics of the lease example 1,200; a 5,000-line file: first
diagnostics 400 after opening, a body edit p50 15 and p95 50, a signature edit p95 150; hover p95 30 in a workspace of
50,000 lines, whose server takes 250 MB.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.generate_source import package, source
from tests.support.lsp_client import Client, at

EXAMPLES = Path(__file__).parents[1] / "examples"
MANIFEST = '[package]\nname = "bench"\nprelude = ["std::core::{type, rel}"]\n'
ROUNDS = 60
SERVER = (sys.executable, "-m", "argon_lang", "lsp")

Edit = tuple[tuple[int, int], tuple[int, int], str]


def milliseconds(since: float) -> float:
    """Wall-clock time since `since` (`time.monotonic`)."""
    return (time.monotonic() - since) * 1e3


def quantiles(times: Sequence[float]) -> str:
    """Least, median, 95th percentile and greatest."""
    ordered = sorted(times)
    p50, p95 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    return f"min {ordered[0]:7.1f}  p50 {p50:7.1f}  p95 {p95:7.1f}  max {ordered[-1]:7.1f} ms"


def resident(client: Client) -> float:
    """Megabytes that the server takes."""
    status = Path(f"/proc/{client.process.pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def start(folder: Path, rounds: int = 5) -> None:
    """The greeting, and the first diagnostics of the lease example."""
    greetings, firsts = [], []
    for number in range(rounds):
        root = folder / f"lease{number}"
        shutil.copytree(EXAMPLES / "lease", root, ignore=shutil.ignore_patterns("target", ".argon"))
        with Client(SERVER) as client:
            client.initialize(root)
            greetings.append(milliseconds(client.started))
            uri = (root / "root.ar").as_uri()
            client.open(uri, (root / "root.ar").read_text(encoding="utf-8"))
            client.diagnostics(uri, 1)
            firsts.append(milliseconds(client.started))
            client.leave()
    print(f"spawn to greeting              {quantiles(greetings)}")
    print(f"spawn to diagnostics of lease  {quantiles(firsts)}")


def body_edit(lines: list[str], chooser: random.Random) -> Edit:
    """Break or change a line inside a rule's body."""
    line = chooser.choice([number for number, text in enumerate(lines) if text.strip().startswith("x.")])
    column = chooser.randrange(len(lines[line]) - len(lines[line].lstrip()), len(lines[line]))
    return (line, column), (line, column), chooser.choice(["y", ".", " ", "(", "0", "=="])


def signature_edit(lines: list[str], chooser: random.Random) -> Edit:
    """Rename the parameter type or the name of a rule."""
    heads = [number for number, text in enumerate(lines) if text.strip().startswith("pub derive")]
    line = chooser.choice(heads)
    column = lines[line].index("(")
    return (line, column), (line, column), chooser.choice(["y", "2", "_x"])


def edits(client: Client, uri: str, text: str, kind: Callable[[list[str], random.Random], Edit]) -> list[float]:
    """Times from an edit to its diagnostics, each edit undone before the next (undoing is measured as well)."""
    chooser, lines, times = random.Random(3), text.split("\n"), []
    for _ in range(ROUNDS):
        begin, end, new = kind(lines, chooser)
        undone = (begin[0], begin[1] + len(new))
        for low, high, written in ((begin, end, new), (begin, undone, "")):
            client.notifications.clear()
            since = time.monotonic()
            client.diagnostics(uri, client.edit(uri, low, high, written))
            times.append(milliseconds(since))
    return times


def one_large_file(folder: Path) -> None:
    """A package of one file of 5,000 lines."""
    text = source(5_000)
    root = folder / "large"
    root.mkdir()
    (root / "ox.toml").write_text(MANIFEST, encoding="utf-8")
    (root / "root.ar").write_text(text, encoding="utf-8")
    uri = (root / "root.ar").as_uri()
    with Client(SERVER) as client:
        client.initialize()
        client.request("workspace/symbol", {"query": "warm"})
        since = time.monotonic()
        client.open(uri, text)
        found = client.diagnostics(uri, 1)
        print(f"open 5,000 lines               {milliseconds(since):7.1f} ms, {len(found)} diagnostics")
        print(f"body edit                      {quantiles(edits(client, uri, text, body_edit))}")
        print(f"signature edit                 {quantiles(edits(client, uri, text, signature_edit))}")
        print(f"memory                         {resident(client):7.1f} MB")
        client.leave()


def large_workspace(folder: Path) -> None:
    """A package of 100 files of 500 lines."""
    root = folder / "workspace"
    root.mkdir()
    (root / "ox.toml").write_text(MANIFEST, encoding="utf-8")
    for path, text in package().items():
        (root / path).write_text(text, encoding="utf-8")
    name = "part050.ar"
    text = (root / name).read_text(encoding="utf-8")
    uri = (root / name).as_uri()
    with Client(SERVER) as client:
        client.initialize()
        client.request("workspace/symbol", {"query": "warm"})
        since = time.monotonic()
        client.open(uri, text)
        client.diagnostics(uri, 1)
        print(f"open a file among 50,000 lines {milliseconds(since):7.1f} ms")
        print(f"hover                          {quantiles(questions(client, uri, text, 'textDocument/hover'))}")
        print(f"definition                     {quantiles(questions(client, uri, text, 'textDocument/definition'))}")
        print(f"body edit                      {quantiles(edits(client, uri, text, body_edit))}")
        print(f"memory                         {resident(client):7.1f} MB")
        client.leave()


def questions(client: Client, uri: str, text: str, method: str) -> list[float]:
    """Times of a request at random places."""
    chooser, lines, times = random.Random(4), text.split("\n"), []
    for _ in range(ROUNDS):
        line = chooser.randrange(len(lines))
        since = time.monotonic()
        client.request(method, at(uri, line, chooser.randrange(len(lines[line]) + 1)))
        times.append(milliseconds(since))
    return times


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        start(Path(folder))
        one_large_file(Path(folder))
        large_workspace(Path(folder))


if __name__ == "__main__":
    main()
