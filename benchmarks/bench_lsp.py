"""How long an editor waits: for the greeting, the first diagnostics, and the diagnostics after each keystroke.

Wall clock over real pipes, the client's own work included.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from unittest.mock import patch

from benchmarks.generate_source import package, source
from benchmarks.table import Budget, Samples
from tests.coherence.processes import children
from tests.support import lsp_client
from tests.support.lsp_client import Client, at

EXAMPLES = Path(__file__).parents[1] / "examples"
MANIFEST = '[package]\nname = "bench"\nprelude = ["std::core::{type, rel}"]\n'

GREETING = "LSP: spawn → initialize answered"
FIRST = "LSP: spawn → first diagnostics of examples/lease"
OPEN = "LSP: open a 5,000-line file → first diagnostics"
OPEN_ALL = "LSP: open a 5,000-line file → all diagnostics"
BODY = "LSP: body edit → published diagnostics, 5,000-line file"
SIGNATURE = "LSP: signature edit → published diagnostics, 5,000-line file"
OPEN_AMONG = "LSP: open a file of a 50,000-line workspace → first diagnostics"
OPEN_AMONG_ALL = "LSP: open a file of a 50,000-line workspace → all diagnostics"
OPEN_AGAIN = "LSP: open a file of a 50,000-line workspace that was checked before → all diagnostics"
QUESTIONS = {
    "LSP: hover, 50,000-line workspace": "textDocument/hover",
    "LSP: definition, 50,000-line workspace": "textDocument/definition",
}
MEMORY = "LSP: memory, 50,000-line workspace"
AT_NAMES = {
    "LSP: hover over a name, 5,000-line file": "textDocument/hover",
    "LSP: definition of a name, 5,000-line file": "textDocument/definition",
    "LSP: completion within a rule, 5,000-line file": "textDocument/completion",
}
COLOURS = "LSP: body edit → semantic tokens that are different, 5,000-line file"
MEMORY_OF_ONE = "LSP: memory, 5,000-line file"
BUDGETS = (
    Budget(GREETING, p50=300),
    Budget(FIRST, p50=1_200),
    Budget(OPEN, p50=400),
    Budget(OPEN_ALL),
    Budget(BODY, p50=15, p95=50),
    Budget(SIGNATURE, p95=150),
    *(Budget(what, p50=20 if "completion" in what else 10) for what in AT_NAMES),
    Budget(COLOURS, p50=15),
    Budget(MEMORY_OF_ONE, p50=120, unit="MB"),
    Budget(OPEN_AMONG),
    Budget(OPEN_AMONG_ALL, p50=6_000),
    *(Budget(what, p95=30) for what in QUESTIONS),
    Budget(MEMORY, p50=250, unit="MB"),
    Budget(OPEN_AGAIN, p50=1_500),
)
SERVER = (sys.executable, "-m", "argon_lang", "lsp")

NAME = re.compile(r"[A-Za-z_]\w*")

Edit = tuple[tuple[int, int], tuple[int, int], str]


def milliseconds(since: float) -> float:
    """Wall-clock time since `since` (`time.monotonic`)."""
    return (time.monotonic() - since) * 1e3


def resident(client: Client) -> float:
    """Megabytes that the server and the process that reasons for it take together; pages that they share count once."""
    pids = (client.process.pid, *children(client.process.pid))
    rolled = [Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii") for pid in pids]
    return sum(int(each.split("\nPss:")[1].split()[0]) for each in rolled) / 1024


def starts(folder: Path, rounds: int) -> Samples:
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
    yield GREETING, greetings
    yield FIRST, firsts


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


def edits(
    client: Client, uri: str, text: str, kind: Callable[[list[str], random.Random], Edit], rounds: int
) -> list[float]:
    """Times from an edit to its diagnostics, each edit undone before the next (undoing is measured as well)."""
    chooser, lines, times = random.Random(3), text.split("\n"), []
    for _ in range(rounds):
        begin, end, new = kind(lines, chooser)
        undone = (begin[0], begin[1] + len(new))
        for low, high, written in ((begin, end, new), (begin, undone, "")):
            client.notifications.clear()
            since = time.monotonic()
            client.diagnostics(uri, client.edit(uri, low, high, written))
            times.append(milliseconds(since))
    return times


MARK = """
pub type Marked { name: String }
fact Marked(first_marked) { name: "first" };
check marked(x: Marked) :- x: Marked => Diagnostic { severity: Severity::Warning, message: "marked" };
"""
"""What the last gate of all finds fault with, so that everything is known to have been told."""


def opened(client: Client, uri: str, text: str) -> tuple[float, float]:
    """Times from opening a document, which has a `MARK`, to its first diagnostics and to all of them."""
    since = time.monotonic()
    client.open(uri, text)
    client.diagnostics(uri, 1)
    first = milliseconds(since)
    client.codes_until(uri, ["OW1355"])
    return first, milliseconds(since)


def one_large_file(folder: Path, lines: int, rounds: int) -> Samples:
    """A package of one file."""
    text = f"use std::core::{{Diagnostic, Severity}};\n{source(lines)}{MARK}"
    root = folder / "large"
    root.mkdir()
    (root / "ox.toml").write_text(MANIFEST, encoding="utf-8")
    (root / "root.ar").write_text(text, encoding="utf-8")
    uri = (root / "root.ar").as_uri()
    with Client(SERVER) as client:
        client.initialize()
        client.request("workspace/symbol", {"query": "warm"})
        first, everything = opened(client, uri, text)
        yield OPEN, [first]
        yield OPEN_ALL, [everything]
        yield BODY, edits(client, uri, text, body_edit, rounds)
        yield SIGNATURE, edits(client, uri, text, signature_edit, rounds)
        for what, method in AT_NAMES.items():
            yield what, at_names(client, uri, text, method, rounds)
        yield COLOURS, colours(client, uri, text, rounds)
        yield MEMORY_OF_ONE, [resident(client)]
        client.leave()


def at_names(client: Client, uri: str, text: str, method: str, rounds: int) -> list[float]:
    """Times of a request at names within rules."""
    chooser, lines, times = random.Random(5), text.split("\n"), []
    places = [(n, found.end()) for n, line in enumerate(lines) for found in NAME.finditer(line) if line[:4] == "    "]
    for line, column in chooser.choices(places, k=rounds):
        since = time.monotonic()
        client.request(method, at(uri, line, column))
        times.append(milliseconds(since))
    return times


def colours(client: Client, uri: str, text: str, rounds: int) -> list[float]:
    """Times from an edit to what is different in the colours, each edit undone before the next."""
    document = {"textDocument": {"uri": uri}}
    chooser, lines, times = random.Random(6), text.split("\n"), []
    known = client.request("textDocument/semanticTokens/full", document)["resultId"]
    for _ in range(rounds):
        begin, end, new = body_edit(lines, chooser)
        for low, high, written in ((begin, end, new), (begin, (begin[0], begin[1] + len(new)), "")):
            since = time.monotonic()
            version = client.edit(uri, low, high, written)
            found = client.request("textDocument/semanticTokens/full/delta", {**document, "previousResultId": known})
            times.append(milliseconds(since))
            known = found["resultId"]
            client.diagnostics(uri, version)
    return times


def large_workspace(folder: Path, files: Mapping[str, str], rounds: int) -> Samples:
    """A package of many files, one of them open; opened once more by another server."""
    root = folder / "workspace"
    root.mkdir()
    name = sorted(files)[len(files) // 2]
    files = {**files, name: files[name] + MARK}
    (root / "ox.toml").write_text(MANIFEST, encoding="utf-8")
    for path, text in files.items():
        (root / path).write_text(text, encoding="utf-8")
    uri, text = (root / name).as_uri(), files[name]
    with Client(SERVER) as client:
        client.initialize()
        client.request("workspace/symbol", {"query": "warm"})
        first, everything = opened(client, uri, text)
        yield OPEN_AMONG, [first]
        yield OPEN_AMONG_ALL, [everything]
        for what, method in QUESTIONS.items():
            yield what, questions(client, uri, text, method, rounds)
        yield MEMORY, [resident(client)]
        client.leave()
    with Client(SERVER) as client:
        client.initialize()
        client.request("workspace/symbol", {"query": "warm"})
        yield OPEN_AGAIN, [opened(client, uri, text)[1]]
        client.leave()


def questions(client: Client, uri: str, text: str, method: str, rounds: int) -> list[float]:
    """Times of a request at random places."""
    chooser, lines, times = random.Random(4), text.split("\n"), []
    for _ in range(rounds):
        line = chooser.randrange(len(lines))
        since = time.monotonic()
        client.request(method, at(uri, line, chooser.randrange(len(lines[line]) + 1)))
        times.append(milliseconds(since))
    return times


def measure(quick: bool) -> Samples:
    """See the module's docstring; `quick` takes short texts and few rounds."""
    patient = patch.object(lsp_client, "PATIENCE", 300.0)
    with tempfile.TemporaryDirectory() as made, patch.dict(os.environ, ARGON_CACHE_DIR=f"{made}/cache"), patient:
        folder = Path(made)
        yield from starts(folder, 1 if quick else 7)
        yield from one_large_file(folder, 300 if quick else 5_000, 2 if quick else 60)
        yield from large_workspace(folder, package(3, 100) if quick else package(), 2 if quick else 60)
