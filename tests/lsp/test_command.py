"""`argon lsp`: how the server is started."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib import util
from pathlib import Path

import pytest

from argon_lang.cli.commands import lsp
from argon_lang.cli.entry import main
from argon_lang.cli.exits import ENVIRONMENT, USAGE
from tests.support.lsp_client import Client

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "argon_lang", "lsp")
PATIENCE = 30


@pytest.mark.parametrize("words", [(), ("--stdio",)])
def test_the_command_serves_standard_input_and_output(words: tuple[str, ...]) -> None:
    with Client((*COMMAND, *words)) as client:
        assert client.initialize()["hoverProvider"] is True
        assert client.leave() == 0


@pytest.fixture
def listening() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server that waits on a port of its own choice."""
    process = subprocess.Popen([*COMMAND, "--tcp", "0"], stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stderr is not None
    found = re.search(r"listening on 127\.0\.0\.1:(\d+)", process.stderr.readline())
    assert found is not None
    yield process, int(found[1])
    process.kill()
    process.wait()
    process.stderr.close()


def test_a_client_may_come_over_a_loopback_address(listening: tuple[subprocess.Popen[str], int]) -> None:
    process, port = listening
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
        connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        assert connection.recv(16) == b"Content-Length: "
    assert process.wait(PATIENCE) == 1


@pytest.mark.parametrize("address", ["0.0.0.0:7325", "example.org:7325", "[::]:7325", "localhost", "127.0.0.1:99999"])
def test_an_address_that_others_could_reach_or_that_is_none_is_a_usage_error(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lsp", "--tcp", address]) == USAGE
    assert "--tcp" in capsys.readouterr().err


def test_both_ways_at_once_are_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lsp", "--stdio", "--tcp", "7325"]) == USAGE
    assert "not both" in capsys.readouterr().err


def test_an_installation_without_the_server_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = util.find_spec

    def find_spec(name: str) -> object:
        return None if name == "pygls" else there(name)

    monkeypatch.setattr(util, "find_spec", find_spec)
    monkeypatch.setattr(lsp, "find_spec", find_spec)
    assert main(["lsp"]) == ENVIRONMENT
    said = capsys.readouterr().err
    assert "ARGON_EXTRA_MISSING" in said
    assert "pip install 'argon-lang[lsp]'" in said
