"""In the middle of reasoning that would go on for hours: the client leaves, and within a second nothing is left."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.coherence.processes import Watched, children
from tests.support.lsp_client import Client as LanguageClient
from tests.support.lsp_client import at
from tests.support.mcp_client import LEGACY, MODERN
from tests.support.mcp_client import Client as ToolClient
from tests.support.served_packages import endless, endless_check

SOON = 1.0
"""Seconds within which the server must be gone, and its children with it."""
PATIENCE = 30.0

Client = LanguageClient | ToolClient


@contextmanager
def reasoning_for_an_editor(folder: Path) -> Iterator[Client]:
    """A language server that checks; it has answered since, and will say nothing of the file before it is done."""
    root = endless_check(folder)
    with LanguageClient() as client:
        client.initialize(root)
        uri = (root / "root.ar").as_uri()
        client.open(uri, (root / "root.ar").read_text("utf-8"))
        assert client.request("textDocument/hover", at(uri, 1, 10)) is not None
        assert client.request("textDocument/hover", at(uri, 1, 10)) is not None
        assert [each for each in client.notifications if each.get("params", {}).get("uri") == uri] == []
        assert len(children(client.process.pid)) == 1
        yield client


def reasoning_for_an_agent(era: str, question: str) -> Callable[[Path], object]:
    """A tool server that answers a question, or writes, in either era."""

    @contextmanager
    def begin(folder: Path) -> Iterator[Client]:
        with ToolClient(endless(folder), era=era) as client:
            client.call("argon_build")
            if question == "query":
                client.reasoning("argon_query", name="hits", args={})
            else:
                client.reasoning("argon_mutate", name="add", args={"n": 1}, includeDerivedDelta=True)
            assert len(children(client.process.pid)) == 1
            yield client

    return begin


BUSY = {
    "editor": reasoning_for_an_editor,
    "agent": reasoning_for_an_agent(MODERN, "query"),
    "agent of the older era": reasoning_for_an_agent(LEGACY, "query"),
    "agent that writes": reasoning_for_an_agent(MODERN, "mutate"),
}


def end(client: Client, ending: str) -> None:
    """End the conversation."""
    if ending == "eof":
        client.close_input()
    else:
        client.process.send_signal(signal.Signals[ending])


if sys.platform == "linux":

    @pytest.mark.parametrize("ending", ["eof", "SIGTERM"])
    @pytest.mark.parametrize("busy", BUSY)
    def test_in_the_middle_of_reasoning_the_end_comes_within_a_second(tmp_path: Path, busy: str, ending: str) -> None:
        with ExitStack() as stack:
            client = stack.enter_context(BUSY[busy](tmp_path))
            everybody = [Watched(pid) for pid in (client.process.pid, *children(client.process.pid))]
            begun = time.monotonic()
            end(client, ending)
            for each in everybody:
                assert each.ended(PATIENCE), "the process goes on without its client"
            took = time.monotonic() - begun
            for each in everybody:
                each.close()
            status = client.exit_status()
        assert took < SOON
        assert status == (143 if ending == "SIGTERM" else int(busy == "editor"))
        assert not any("Traceback" in line for line in client.log), client.log
