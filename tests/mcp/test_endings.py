"""No orphans: the server ends with the process that started it, and its worker ends with the server."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.mcp.http_server import call, served
from tests.support.idle import children
from tests.support.mcp_client import COMMAND, META, PATIENCE, Client
from tests.support.served_packages import endless, package

DISCOVER = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": META}}
STARTER = "import signal, subprocess, sys; print(subprocess.Popen(sys.argv[1:]).pid, flush=True); signal.pause()"
"""Starts a server on the pipes that it was given itself, says its process id on them, and stays."""


@contextmanager
def watched(pid: int) -> Iterator[int]:
    """A descriptor that tells when a process has ended, whoever its parent is."""
    descriptor = os.pidfd_open(pid)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def ended(descriptor: int, seconds: float = PATIENCE) -> bool:
    return bool(select.select([descriptor], [], [], seconds)[0])


def test_a_server_whose_starter_was_killed_ends_although_its_pipe_is_held_open(tmp_path: Path) -> None:
    """The pipe's other end is here, so no end of input tells the server that its starter has gone."""
    reading, writing = os.pipe()
    command = [sys.executable, "-c", STARTER, *COMMAND, "--project", str(package(tmp_path))]
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    with subprocess.Popen(command, stdin=reading, stdout=subprocess.PIPE, env=environment) as starter:
        os.close(reading)
        assert starter.stdout is not None
        server = int(starter.stdout.readline())
        with watched(server) as process:
            os.write(writing, json.dumps(DISCOVER).encode() + b"\n")
            assert json.loads(starter.stdout.readline())["id"] == 1
            starter.send_signal(signal.SIGKILL)
            assert ended(process)
        os.close(writing)


@pytest.mark.parametrize("over", ["pipes", "http"])
def test_a_worker_whose_server_was_killed_in_mid_reasoning_ends(over: str, tmp_path: Path) -> None:
    root = endless(tmp_path)
    if over == "pipes":
        with Client(root) as client:
            client.call("argon_build")
            client.reasoning("argon_query", name="hits")
            (worker,) = children(client.process.pid)
            with watched(worker) as process:
                client.process.kill()
                assert ended(process)
        return
    with served(root) as server:
        call(server.port, "argon_build", {})
        (worker,) = children(server.process.pid)
        with watched(worker) as process:
            server.process.kill()
            assert ended(process)
