"""What language servers for Python take for a file of equal length, for orientation: another language, other questions.

They are installed from the package registry into an environment that is thrown away; one that cannot be installed, or
does not answer, is left out. The file is that of `beside`. Wall clock over real pipes, from a new process.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from benchmarks.bench_lsp import milliseconds, resident
from benchmarks.beside import text_of
from benchmarks.table import Budget, Samples
from tests.support.lsp_client import Client, Gone, at

SERVERS = {
    "ruff": ("ruff", "server"),
    "ty": ("ty", "server"),
    "basedpyright": ("basedpyright-langserver", "--stdio"),
    "jedi-language-server": ("jedi-language-server",),
}
"""The command of each package."""

MEASURED = ("hover", "definition", "completion", "semantic tokens", "memory", "edit → diagnostics")
ASKED = {
    "hover": "hoverProvider",
    "definition": "definitionProvider",
    "completion": "completionProvider",
}
BUDGETS = tuple(
    Budget(f"beside: `{name}`, {what}, a file of 5,000 lines of Python", unit="MB" if what == "memory" else "ms")
    for name in SERVERS
    for what in MEASURED
)
_MISTAKE = "unknown_"
_WORD = "    return sorted("
_EDITOR = {
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True},
        "hover": {"contentFormat": ["markdown"]},
        "semanticTokens": {
            "requests": {"full": True},
            "tokenTypes": ["class", "function", "variable", "parameter", "property", "method"],
            "tokenModifiers": [],
            "formats": ["relative"],
        },
    }
}


def installed(folder: Path) -> dict[str, tuple[str, ...]]:
    """The commands of the servers that can be had."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    scripts = folder / ("Scripts" if sys.platform == "win32" else "bin")
    found = {}
    for name, (program, *words) in SERVERS.items():
        pip = [str(scripts / "python"), "-m", "pip", "install", "--quiet", name]
        if subprocess.run(pip, capture_output=True).returncode == 0:
            found[name] = (str(scripts / program), *words)
    return found


def edits(client: Client, uri: str, text: str, rounds: int) -> Iterator[float]:
    """Times from an edit that makes or mends a mistake to what is said of it."""
    line = next(number for number, each in enumerate(text.split("\n")) if each.startswith(_WORD))
    column = len("    return ")
    for _ in range(rounds):
        for end, new in ((column, _MISTAKE), (column + len(_MISTAKE), "")):
            client.notifications.clear()
            since = time.monotonic()
            client.edit(uri, (line, column), (line, end), new)
            client.until(partial(_says, client, uri, bool(new)))
            yield milliseconds(since)


def _says(client: Client, uri: str, wrong: bool) -> bool:
    """Whether the last that was said of a document is, or is not, about the mistake."""
    pushed = [each["params"] for each in client.notifications if each["method"] == "textDocument/publishDiagnostics"]
    last = [each["diagnostics"] for each in pushed if each["uri"] == uri][-1:]
    return any(any(_MISTAKE in each["message"] for each in found) is wrong for found in last)


def questions(client: Client, uri: str, text: str, method: str, rounds: int) -> Iterator[float]:
    """Times of a request at a name, behind its dot for completion."""
    chance = random.Random(8)
    lines = [number for number, each in enumerate(text.split("\n")) if "self.amount" in each]
    for _ in range(rounds):
        line = chance.choice(lines)
        column = text.split("\n")[line].index("self.amount") + len("self.am")
        since = time.monotonic()
        client.request(f"textDocument/{method}", at(uri, line, column))
        yield milliseconds(since)


def session(command: tuple[str, ...], root: Path, text: str, rounds: int) -> Iterator[tuple[str, list[float]]]:
    """The figures of one server."""
    uri = (root / "leases.py").as_uri()
    with Client(command, root) as client:
        able = client.initialize(root, capabilities=_EDITOR)
        client.open(uri, text)
        client.diagnostics(uri)
        for method, provider in ASKED.items():
            if able.get(provider):
                yield method, list(questions(client, uri, text, method, rounds))
        if able.get("semanticTokensProvider"):
            yield "semantic tokens", timed(lambda: client.request("textDocument/semanticTokens/full", _of(uri)), rounds)
        yield "memory", [resident(client)]
        yield "edit → diagnostics", list(edits(client, uri, text, rounds))


def _of(uri: str) -> dict[str, dict[str, str]]:
    return {"textDocument": {"uri": uri}}


def timed(ask: Callable[[], object], rounds: int) -> list[float]:
    """Times of the same question again and again."""
    times = []
    for _ in range(rounds):
        since = time.monotonic()
        ask()
        times.append(milliseconds(since))
    return times


def measure(quick: bool) -> Samples:
    """See the module's docstring."""
    text = text_of(300 if quick else 5_000)
    budgets = {budget.what: budget for budget in BUDGETS}
    with tempfile.TemporaryDirectory() as folder:
        for name, command in installed(Path(folder) / "environment").items():
            root = Path(folder) / name
            root.mkdir()
            (root / "leases.py").write_text(text, encoding="utf-8")
            with suppress(AssertionError, Gone, OSError):
                for what, samples in session(command, root, text, 2 if quick else 20):
                    yield budgets[f"beside: `{name}`, {what}, a file of 5,000 lines of Python"].what, samples
