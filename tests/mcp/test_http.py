"""Over HTTP the answers are those over pipes, whoever may not come in stays out, and nobody can hold the others up."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from mcp import Client as SdkClient

from argon_lang.cli.entry import main
from argon_lang.cli.exits import ENVIRONMENT, USAGE
from argon_mcp.http import BOUNDS, Bounds, serve_on
from argon_mcp.options import Options
from argon_mcp.server import Handlers, make_server
from tests.mcp.http_server import Served, begin, call, events, modern, request, served
from tests.mcp.test_discover import Nobody
from tests.support.idle import children, until_idle
from tests.support.mcp_client import LEGACY, PATIENCE
from tests.support.mcp_client import Client as PipeClient
from tests.support.served_packages import SMALL, endless, lease, package, save

SOON = 5.0
"""Seconds within which the server must be gone, on a crowded machine; on a quiet one it is a tenth of one."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lease(tmp_path_factory.mktemp("http"))


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Served]:
    with served(root) as found:
        yield found


# -- the same answers --------------------------------------------------------------------------------------------------


async def asked(url: str, era: str) -> list[Any]:
    heard: list[str] = []

    async def progress(_done: float, _total: float | None, told: str | None) -> None:
        heard.append(told or "")

    async with SdkClient(url, mode=era, read_timeout_seconds=PATIENCE) as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        rows = await client.call_tool("argon_query", {"name": "late_payers"}, progress_callback=progress)
        catalog = (await client.read_resource("argon://diagnostics/OE0101")).contents[0]
    assert "reasoning" in heard
    return [listed, rows.structured_content, rows.content[0].text, catalog.text]


@pytest.mark.parametrize("era", ["2026-07-28", "legacy"])
def test_the_answers_of_both_eras_are_those_over_pipes(era: str, server: Served, root: Path) -> None:
    over_http = asyncio.run(asked(server.url, era))
    with PipeClient(root) as pipes:
        result = pipes.result("argon_query", name="late_payers")
        listed = [tool["name"] for tool in pipes.request("tools/list")["tools"]]
        entry = pipes.request("resources/read", {"uri": "argon://diagnostics/OE0101"})["contents"][0]["text"]
    rows = over_http[1]
    assert {**rows, "asOf": 0} == {**result["structuredContent"], "asOf": 0}
    assert [over_http[0], over_http[3]] == [listed, entry]


def test_a_raw_client_is_answered_in_plain_json(server: Served) -> None:
    found = call(server.port, "argon_explain_code", {"code": "1303"})
    assert found["structuredContent"]["code"] == "OE1303"
    body, headers = modern("server/discover")
    status, _, answer = request(server.port, body, **headers)
    assert (status, json.loads(answer)["result"]["supportedVersions"]) == (200, ["2026-07-28"])


def session_of(port: int) -> dict[str, str]:
    """The headers of an initialized session of the older era."""
    hello = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    status, headers, _ = request(port, {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})
    assert status == 200
    session = {"mcp_session_id": headers["mcp-session-id"], "mcp_protocol_version": LEGACY}
    status, _, _ = request(port, {"jsonrpc": "2.0", "method": "notifications/initialized"}, **session)
    assert status == 202
    return session


def test_each_session_of_the_older_era_is_told_of_a_reload_as_long_as_it_wants(tmp_path: Path) -> None:
    root = package(tmp_path)
    with served(root) as server:
        first, second = session_of(server.port), session_of(server.port)
        streams = [HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE) for _ in range(2)]
        for number, (session, stream) in enumerate(zip((first, second), streams, strict=True)):
            begin(stream, b"", "GET", **session, content_type=None)
            wish = {"jsonrpc": "2.0", "id": number, "method": "resources/subscribe"}
            status, _, _ = request(server.port, {**wish, "params": {"uri": "argon://module"}}, **session)
            assert status == 200
        heard = [events(stream.getresponse()) for stream in streams]
        for name in ("cid", "dan"):
            save(root / "root.ar", SMALL + f'fact Person({name}) {{ name: "{name}" }};\n')
            call(server.port, "argon_query", {"name": "everyone"})
            told = next(heard[0])
            assert (told["method"], told["params"]["uri"]) == ("notifications/resources/updated", "argon://module")
            if name == "cid":
                assert next(heard[1])["params"]["uri"] == "argon://module"
                no_more = {"jsonrpc": "2.0", "id": 9, "method": "resources/unsubscribe"}
                request(server.port, {**no_more, "params": {"uri": "argon://module"}}, **second)
                subscribed = {"jsonrpc": "2.0", "id": 10, "method": "resources/subscribe"}
                request(server.port, {**subscribed, "params": {"uri": "argon://schema/index"}}, **second)
        assert next(heard[1])["params"]["uri"] == "argon://schema/index"
        for stream in streams:
            stream.close()


def test_a_client_that_closes_its_stream_has_cancelled_its_question(tmp_path: Path) -> None:
    with served(endless(tmp_path)) as server:
        call(server.port, "argon_build", {})
        body, headers = modern("tools/call", {"name": "argon_query", "arguments": {"name": "hits"}})
        body["params"]["_meta"] = {**body["params"]["_meta"], "progressToken": "p"}
        for _ in range(2):
            connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
            begin(connection, body, **headers)
            response = connection.getresponse()
            told = events(response)
            while next(told)["params"]["message"] != "reasoning":
                pass
            response.close()
            connection.close()
            (worker,) = children(server.process.pid)
            until_idle(worker, PATIENCE)
        assert call(server.port, "argon_check", {})["structuredContent"]["ok"]
        assert children(server.process.pid) == [worker]


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_soon_in_the_middle_of_reasoning(tmp_path: Path, ending: signal.Signals) -> None:
    with served(endless(tmp_path)) as server:
        call(server.port, "argon_build", {})
        body, headers = modern("tools/call", {"name": "argon_query", "arguments": {"name": "hits"}})
        body["params"]["_meta"] = {**body["params"]["_meta"], "progressToken": "p"}
        connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        begin(connection, body, **headers)
        told = events(connection.getresponse())
        while next(told)["params"]["message"] != "reasoning":
            pass
        begun = time.monotonic()
        server.process.send_signal(ending)
        assert server.process.wait(PATIENCE) == 128 + ending
        took = time.monotonic() - begun
        # Standard error is inherited by the worker: it ends only when nothing is left of either process.
        server._drain.join(PATIENCE)
        assert took < SOON
        connection.close()
        assert server.stop() == ""


# -- who may come in ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["0.0.0.0:7325", "192.168.1.2:1", "example.org:80", "[::]:1", "7325x", "::1:99999"])
def test_an_address_that_others_could_reach_is_refused_in_one_message(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", "--http", "--addr", address]) == USAGE
    said = capsys.readouterr().err
    assert said.count("error") == 1
    assert "--addr" in said


def test_an_address_without_http_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--addr", "7325"]) == USAGE
    assert "--http" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["mcp", "--http", "--addr"], ["lsp", "--tcp"]])
def test_an_address_that_is_taken_is_named(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        assert main([*words, address]) == ENVIRONMENT
    said = capsys.readouterr().err
    assert "ARGON_ADDRESS_UNAVAILABLE" in said
    assert address in said


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:{port}"}, 421),
        ({"host": "127.0.0.1"}, 421),
        ({"host": "127.0.0.1:1"}, 421),
        ({"host": "localhost:{port}"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost.evil.example:80"}, 403),
        ({"origin": "http://localhost:6274"}, 200),
        ({"content_type": "text/plain"}, 400),
    ],
)
def test_a_page_of_the_web_stays_out(headers: dict[str, str], status: int, server: Served) -> None:
    body, with_it = modern("tools/list")
    given = {name: value.format(port=server.port) for name, value in headers.items()}
    assert request(server.port, body, **{**with_it, **given})[0] == status


def test_there_is_nothing_at_other_paths(server: Served) -> None:
    for path in ("/", "/sse", "/mcp/", "/../mcp"):
        status, _, answer = request(server.port, modern("tools/list")[0], path=path)
        assert status == 404
        assert "/mcp" in json.loads(answer)["error"]["message"]


def test_with_a_token_only_who_shows_it_is_served(tmp_path: Path) -> None:
    with served(package(tmp_path), "--require-token", ARGON_MCP_TOKEN="open sesame") as server:
        body, headers = modern("tools/list")
        for shown in (
            None,
            "Bearer ",
            "Bearer open",
            "Basic open sesame",
            "open sesame",
            "Bearer open sesame2",
            "\xff",
        ):
            status, answered, _ = request(server.port, body, **headers, authorization=shown)
            assert (status, answered["www-authenticate"]) == (401, "Bearer")
        assert request(server.port, body, **headers, authorization="Bearer open sesame")[0] == 200
        assert not any("sesame" in line for line in server.said)


def test_a_token_that_nobody_chose_is_told_once(tmp_path: Path) -> None:
    with served(package(tmp_path), "--require-token", ARGON_MCP_TOKEN="") as server:
        (told,) = [line for line in server.said if "token" in line]
        body, headers = modern("tools/list")
        assert request(server.port, body, **headers)[0] == 401
        assert request(server.port, body, **headers, authorization=f"Bearer {told.split()[-1]}")[0] == 200


# -- hostile and slow clients ------------------------------------------------------------------------------------------


def test_bodies_that_are_no_messages_are_answered_and_the_next_one_is_served(server: Served) -> None:
    _, headers = modern("tools/list")
    for body in (b"", b"garbage", b"\xff\xfe", b"[" * 100_000, b"[]", b"42", b'{"jsonrpc": "2.0"}'):
        status, _, answer = request(server.port, body, **headers)
        assert status == 400, body[:20]
        assert json.loads(answer)["error"]["code"] in (-32_700, -32_600, -32_602), body[:20]
    assert request(server.port, modern("tools/list")[0], **headers)[0] == 200


def test_a_body_over_the_limit_is_refused_whether_it_says_so_or_not(server: Served) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as client:
        said = f"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{server.port}\r\ncontent-length: {10**12}\r\n\r\n"
        client.sendall(said.encode())
        assert b" 413 " in client.recv(1_024)
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as client:
        said = f"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{server.port}\r\ntransfer-encoding: chunked\r\n\r\n"
        client.sendall(said.encode())
        answered = b""
        try:
            for _ in range(2 * BOUNDS.body_bytes // 65_536):
                client.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
        except OSError:
            pass  # it stopped reading
        try:
            answered = client.recv(1_024)
        except OSError:
            return
        assert b" 413 " in answered or not answered


def test_what_is_no_http_is_turned_away(server: Served) -> None:
    for said in (
        b"\x16\x03\x01\x02\x00",
        b"GET\r\n\r\n",
        b"x" * 100_000,
        b"POST /mcp HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as client:
            try:
                client.sendall(said)
                client.shutdown(socket.SHUT_WR)
                answered = client.recv(1_024)
            except OSError:
                continue
            assert not answered or b" 400 " in answered or b" 421 " in answered
    assert call(server.port, "argon_explain_code", {"code": "1303"})["isError"] is False


async def _bounded(bounds: Bounds, client: Any) -> None:
    """Run a client against a server in this process that has these bounds."""
    with socket.create_server(("127.0.0.1", 0)) as bound:
        server = make_server(Handlers(Nobody(), Options()))
        serving = asyncio.create_task(serve_on(bound, server, None, bounds))
        try:
            await client(bound.getsockname()[1])
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)


HEAD = b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n"


@pytest.mark.parametrize("said", [b"", b"POST /mc", HEAD, HEAD + b"\r\n", HEAD + b"\r\n" + b"x" * 50])
def test_whoever_does_not_finish_a_request_loses_the_connection(said: bytes) -> None:
    async def client(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        with suppress(ConnectionResetError):
            assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        writer.close()

    asyncio.run(_bounded(Bounds(request_seconds=0.05), client))


def test_a_drop_now_and_then_does_not_keep_a_connection_open() -> None:
    async def client(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /mcp HTTP/1.1\r\n")
        gone = asyncio.create_task(reader.read())
        drops = 0
        try:
            while not gone.done():
                writer.write(b"x: y\r\n")
                await writer.drain()
                await asyncio.wait([gone], timeout=0.02)
                drops += 1
        except ConnectionError:
            pass
        assert drops < 1_000
        await asyncio.gather(gone, return_exceptions=True)
        writer.close()

    asyncio.run(_bounded(Bounds(request_seconds=0.2), client))


def test_while_many_hold_half_a_request_the_others_are_served_and_too_many_are_turned_away(server: Served) -> None:
    held = [socket.create_connection(("127.0.0.1", server.port), PATIENCE) for _ in range(BOUNDS.connections - 10)]
    try:
        for each in held:
            each.sendall(b"POST /mcp HTTP/1.1\r\nhost:")
        assert call(server.port, "argon_explain_code", {"code": "1303"})["isError"] is False
        more = [socket.create_connection(("127.0.0.1", server.port), PATIENCE) for _ in range(20)]
        held += more
        assert _closed(more[-1])
    finally:
        for each in held:
            each.close()
    while True:
        try:
            assert call(server.port, "argon_explain_code", {"code": "1303"})["isError"] is False
            break
        except ConnectionError:
            continue  # it has not noticed yet that they have gone


def _closed(client: socket.socket) -> bool:
    try:
        return client.recv(1) == b""
    except ConnectionError:
        return True


def test_a_client_that_goes_before_its_answer_leaves_nothing_behind(server: Served) -> None:
    body, headers = modern("tools/call", {"name": "argon_check", "arguments": {}})
    for _ in range(20):
        connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        begin(connection, body, **headers)
        connection.close()
    assert call(server.port, "argon_check", {})["structuredContent"]["ok"]
    assert not any("Traceback" in line for line in server.said)
