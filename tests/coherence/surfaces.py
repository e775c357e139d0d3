"""The three ways into one project, as real processes that may be killed and come back."""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.coherence.processes import Watched, children
from tests.coherence.sources import PARTIES, ROOT, WORLD, State, judged
from tests.support.cli import COMMAND, environment
from tests.support.lsp_client import Client as LanguageClient
from tests.support.mcp_client import LEGACY, MODERN
from tests.support.mcp_client import Client as ToolClient

Json = Any
DEADLINE = 60.0
"""Seconds after which a step counts as a deadlock."""
SEVERITIES = {1: "error", 2: "warning", 3: "info"}


class Terminal:
    """One command under way, with `--json`."""

    def __init__(self, root: Path, trace: Path, *words: str) -> None:
        command = [*COMMAND, words[0], "--json", "--project", str(root), *words[1:]]
        self._process = subprocess.Popen(
            command,
            env=environment({"ARGON_LOCK_TRACE": str(trace)}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._trace = trace

    def answer(self) -> Json | None:
        """What it said; None when it was killed before it had said all of it."""
        out, err = self._process.communicate(timeout=DEADLINE)
        assert err == b"", err.decode()
        try:
            return json.loads(out)
        except ValueError:
            assert self._process.returncode < 0, (self._process.returncode, out)
            return None

    def kill_after(self, seconds: float) -> None:
        """Kill it after so long, unless it ends before."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def kill_under_lock(self, seconds: float) -> None:
        """Kill it so long after it has taken its first lock."""
        mark = f'"pid": {self._process.pid}}}'
        until = time.monotonic() + DEADLINE
        while self._process.poll() is None and not (self._trace.exists() and mark in self._trace.read_text()):
            assert time.monotonic() < until, "the command takes no lock"
            ended_within(self._process, 0.002)
        self.kill_after(seconds)


def ended_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait at most so long for the end of a process; whether it has ended."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


@contextmanager
def outlived_by_nobody(pid: int) -> Iterator[None]:
    """In the body a server ends; then what it started ends as well."""
    workers = [Watched(child) for child in children(pid)]
    yield
    for each in workers:
        assert each.ended(DEADLINE), "the worker outlives its server"
        each.close()


def kill_children(pid: int, seconds: float) -> None:
    """Kill what a server started, each after so long unless it ends before."""
    for child in children(pid):
        worker = Watched(child)
        if not worker.ended(seconds):
            worker.kill()
            assert worker.ended(DEADLINE)
        worker.close()


class Agent:
    """An MCP client; its server is started by the first call, in either era."""

    def __init__(self, root: Path, dice: random.Random) -> None:
        self._root, self._dice = root, dice
        self._client: ToolClient | None = None
        self._worker: Watched | None = None

    def begin(self, tool: str, **arguments: Any) -> tuple[ToolClient, int]:
        """Send a call."""
        if self._client is None:
            self._client = ToolClient(self._root, era=self._dice.choice([MODERN, LEGACY]))
            self._client.__enter__()
        return self._client, self._client.calling(tool, **arguments)

    def end(self, call: tuple[ToolClient, int]) -> Json | None:
        """The content of its result; None when the server was killed before it answered."""
        client, number = call
        response = client.answer(number) if client is self._client else client.rest().get(number)
        return response["result"]["structuredContent"] if response is not None else None

    def call(self, tool: str, **arguments: Any) -> Json:
        """The content of a result."""
        return self.end(self.begin(tool, **arguments))

    def cancel(self, call: tuple[ToolClient, int]) -> None:
        """Nobody waits for a call any more."""
        client, number = call
        if client is self._client:
            client.cancel(number)

    def kill_worker(self, seconds: float) -> None:
        """Kill the process that reasons, after so long."""
        if self._client is not None:
            kill_children(self._client.process.pid, seconds)

    def kill(self, seconds: float) -> None:
        """Kill the server after so long; the process that reasons for it ends by itself."""
        client, self._client = self._client, None
        if client is None:
            return
        with outlived_by_nobody(client.process.pid):
            assert not ended_within(client.process, seconds)
            client.process.kill()
            client.rest()
            client.__exit__()

    def leave(self) -> None:
        """Close the server's input; it ends, and leaves nothing behind."""
        client, self._client = self._client, None
        if client is None:
            return
        with outlived_by_nobody(client.process.pid):
            client.close_input()
            assert client.exit_status(DEADLINE) == 0
            client.__exit__()
        assert not any("Traceback" in line for line in client.log), client.log


class Editor:
    """A language client with two documents open, whose texts may differ from the disk's."""

    OPEN = (ROOT, WORLD)

    def __init__(self, root: Path) -> None:
        self._root = root
        self._client: LanguageClient | None = None
        self._versions: dict[str, int] = {}
        self.texts = State()
        self.edits = 0
        self.lost = False

    @property
    def client(self) -> LanguageClient:
        """The conversation; a server is started when none runs."""
        if self._client is None:
            client = self._client = LanguageClient()
            client.initialize(self._root)
            for file in self.OPEN:
                client.open(self.uri(file), self.texts.text(file))
                self._versions[file] = 1
        return self._client

    def uri(self, file: str) -> str:
        """The URI of a file of the project."""
        return (self._root / file).as_uri()

    def edit(self, file: str, version: str) -> None:
        """Type another version of an open document."""
        client = self.client
        self.edits += 1
        self.texts = self.texts.having(file, version)
        self._versions[file] = client.change(self.uri(file), {"text": self.texts.text(file)})

    def saved(self, file: str) -> None:
        """Tell that a document was saved."""
        self.client.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(file)}})

    def kill_worker(self, seconds: float) -> None:
        """Kill the process that reasons, after so long; whoever waits for it is told."""
        self.lost = True
        if self._client is not None:
            kill_children(self._client.process.pid, seconds)

    def kill(self) -> None:
        """Kill the server; the texts stay with the editor, and the process that reasons ends by itself."""
        client, self._client = self._client, None
        if client is not None:
            with outlived_by_nobody(client.process.pid):
                client.process.kill()
                client.__exit__()

    def leave(self) -> None:
        """Part as the protocol has it."""
        client, self._client = self._client, None
        if client is not None:
            with outlived_by_nobody(client.process.pid):
                assert client.leave() == 0
                client.__exit__()
            assert not any("Traceback" in line for line in client.log), client.log

    def settle(self, saved: State) -> None:
        """Wait until every file's diagnostics are those of a fresh check of open and saved texts together."""
        client = self.client
        wanted = judged(self.texts.having(PARTIES, saved.parties))
        for file in (ROOT, WORLD, PARTIES):
            client.until(self._shows(file, wanted.of(file)), f"{[each['code'] for each in wanted.of(file)]} in {file}")

    def _shows(self, file: str, wanted: list[Json]) -> Callable[[], bool]:
        uri, version = self.uri(file), self._versions.get(file) if file in self.OPEN else None
        plain = [(each["code"], each["severity"], each["span"]["start"], each["span"]["end"]) for each in wanted]

        def shown() -> bool:
            params = self._last(uri)
            if params is None:
                return version is None and not wanted
            found = [_plain(each) for each in params["diagnostics"]]
            return params.get("version") == version and found == plain

        return shown

    def _last(self, uri: str) -> Json | None:
        for each in reversed(self.client.notifications):
            if each["method"] == "textDocument/publishDiagnostics" and each["params"]["uri"] == uri:
                return each["params"]
        return None


def _plain(diagnostic: Json) -> Json:
    where = diagnostic["range"]
    return diagnostic["code"], SEVERITIES[diagnostic["severity"]], where["start"], where["end"]
