"""Greeting and leaving, and everything that a client may do wrong about them."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.lsp.packages import package
from tests.support.lsp_client import Client, Gone, at

SOON = 1.0
"""Seconds within which a server must be gone when its client is."""

INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, NOT_INITIALIZED = -32600, -32601, -32602, -32002


def test_a_client_that_shuts_down_and_exits_leaves_status_0(greeted: Client) -> None:
    assert greeted.leave() == 0


def test_exit_without_shutdown_is_status_1(greeted: Client) -> None:
    greeted.notify("exit")
    assert greeted.exit_status() == 1


def test_exit_before_initialize_is_status_1(client: Client) -> None:
    client.notify("exit")
    assert client.exit_status() == 1


def test_requests_before_initialize_are_refused_and_notifications_dropped(client: Client) -> None:
    client.notify("textDocument/didOpen", {"textDocument": {}})
    assert client.error("textDocument/hover", at("untitled:a", 0, 0)) == NOT_INITIALIZED
    assert client.error("shutdown") == NOT_INITIALIZED
    assert client.initialize()["positionEncoding"] == "utf-16"


@pytest.mark.parametrize("params", [None, [], {}, {"capabilities": 3}, {"capabilities": {"general": 3}}])
def test_an_initialize_with_wrong_parameters_is_answered_and_may_be_repeated(client: Client, params: object) -> None:
    assert client.error("initialize", params) == INVALID_PARAMS
    client.initialize()
    assert client.leave() == 0


def test_a_second_initialize_is_refused_and_changes_nothing(greeted: Client) -> None:
    again = {"capabilities": {"general": {"positionEncodings": ["utf-8"]}}}
    assert greeted.error("initialize", again) == INVALID_REQUEST
    assert greeted.leave() == 0


def test_requests_after_shutdown_are_refused(greeted: Client) -> None:
    greeted.request("shutdown")
    assert greeted.error("textDocument/hover", at("untitled:a", 0, 0)) == INVALID_REQUEST
    greeted.notify("exit")
    assert greeted.exit_status() == 0


@pytest.mark.parametrize(
    ("offered", "taken"),
    [((), "utf-16"), (("utf-8", "utf-16"), "utf-8"), (("utf-32",), "utf-32"), (("utf-7",), "utf-16")],
)
def test_the_client_s_first_known_encoding_is_taken(client: Client, offered: tuple[str, ...], taken: str) -> None:
    assert client.initialize(encodings=offered)["positionEncoding"] == taken


def test_a_method_that_nobody_knows_is_answered(greeted: Client) -> None:
    assert greeted.error("textDocument/telepathy", {}) == METHOD_NOT_FOUND
    greeted.notify("$/telepathy", {"x": 1})
    assert greeted.leave() == 0


def test_the_end_of_input_ends_the_server_at_once(greeted: Client) -> None:
    greeted.close_input()
    assert greeted.exit_status(SOON + 1) == 1


def test_the_end_of_input_before_the_greeting_ends_the_server(client: Client) -> None:
    client.close_input()
    assert client.exit_status() == 1


def test_the_end_of_input_while_the_server_is_still_being_imported_ends_it(client: Client) -> None:
    client.ask("initialize", {"capabilities": {}})
    client.answer(1)
    begun = time.monotonic()
    client.close_input()
    assert client.exit_status() == 1
    assert time.monotonic() - begun < SOON + 1


def test_the_end_of_input_in_the_midst_of_a_check_ends_the_server(client: Client, tmp_path: Path) -> None:
    text = "".join(f"pub type T{n} {{ a: T{n + 1}? }}\n" for n in range(3_000))
    root = package(tmp_path, root=text)
    client.initialize(root)
    client.open((root / "root.ar").as_uri(), text)
    begun = time.monotonic()
    client.close_input()
    client.exit_status()
    assert time.monotonic() - begun < SOON + 1


def test_a_terminated_server_is_gone_at_once(greeted: Client) -> None:
    greeted.process.send_signal(signal.SIGTERM)
    assert greeted.exit_status(SOON + 1) == 143


def test_a_server_that_is_terminated_in_the_midst_of_a_check_is_gone_at_once(client: Client, tmp_path: Path) -> None:
    text = "".join(f"pub type T{n} {{ a: T{n + 1}? }}\n" for n in range(3_000))
    root = package(tmp_path, root=text)
    client.initialize(root)
    client.open((root / "root.ar").as_uri(), text)
    assert client.request("workspace/symbol", {"query": "no such name"}) == []
    client.process.send_signal(signal.SIGTERM)
    assert client.exit_status(SOON + 1) == 143


def test_a_server_that_is_terminated_before_the_greeting_is_gone_at_once(client: Client) -> None:
    client.send({"jsonrpc": "2.0", "id": 1, "method": "shutdown"})
    client.answer(1)
    client.process.send_signal(signal.SIGTERM)
    assert client.exit_status(SOON + 1) == 143


def test_a_client_that_reads_no_more_does_not_keep_the_server(greeted: Client) -> None:
    assert greeted.process.stdout is not None
    for _ in range(2_000):
        greeted.ask("textDocument/telepathy", {"x": "y" * 100})
    greeted.close_input()
    with pytest.raises(Gone):
        greeted.until(lambda: False)
    assert greeted.exit_status() == 1
