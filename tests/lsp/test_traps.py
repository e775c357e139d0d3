"""What goes wrong in servers that take their protocol library as it is: each trap, sprung over real pipes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lsp.packages import covered, package, position
from tests.support.lsp_client import Client, at

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, CANCELLED = -32700, -32600, -32602, -32800
URI = "untitled:Untitled-1"
TEXT = "pub type Person {\n    name: String,\n}\n"


@pytest.fixture(scope="module")
def shared() -> Iterator[Client]:
    """One server for all tests that leave it as it was."""
    with Client() as found:
        found.initialize()
        yield found


def slow_package(folder: Path, rules: int = 4_000) -> tuple[str, str]:
    """A source that takes seconds to check: its URI and text."""
    chain = "".join(
        f"pub derive p{n}(x: Thing, y: Thing) :- edge(x, z), p{n - 1}(z, y), x.size > {n}, y.size < z.size;\n"
        for n in range(1, rules)
    )
    text = (
        "pub type Thing { size: Int }\npub rel edge(a: Thing, b: Thing);\n"
        "pub derive p0(x: Thing, y: Thing) :- edge(x, y);\n" + chain
    )
    return (package(folder, root=text) / "root.ar").as_uri(), text


# 1: the reader must not wait for a computation


def test_a_request_of_the_protocol_is_answered_while_a_check_computes(client: Client, tmp_path: Path) -> None:
    uri, text = slow_package(tmp_path)
    client.initialize()
    client.open(uri, text)
    assert client.error("textDocument/telepathy", {}) == -32601
    assert not any(each["method"] == "textDocument/publishDiagnostics" for each in client.notifications)


def test_a_question_does_not_wait_for_the_check_of_a_large_package(client: Client, tmp_path: Path) -> None:
    uri, text = slow_package(tmp_path)
    client.initialize()
    client.open(uri, text)
    found = client.request("textDocument/hover", at(uri, 1, 9))
    assert "rel edge(a: Thing, b: Thing)" in found["contents"]["value"]
    assert not any(each["method"] == "textDocument/publishDiagnostics" for each in client.notifications)


# 2: a request that is being computed can be cancelled


def test_a_cancelled_request_is_answered_at_once_also_while_it_computes(client: Client, tmp_path: Path) -> None:
    uri, text = slow_package(tmp_path)
    client.initialize()
    client.open(uri, text)
    number = client.ask("textDocument/references", at(uri, 1, 9, context={"includeDeclaration": True}))
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer(number)["error"]["code"] == CANCELLED


def test_cancelling_what_was_answered_or_never_asked_does_nothing(shared: Client) -> None:
    for number in (99_999, "nobody", 1):
        shared.notify("$/cancelRequest", {"id": number})
    assert shared.request("workspace/symbol", {"query": "zzz"}) == []


# 3: every request is answered, and no window pops up


@pytest.mark.parametrize(
    "params",
    [None, [], {}, {"textDocument": {"uri": URI}}, at(URI, 0, 0) | {"position": "here"}, at(URI, -1, 0)],
)
def test_a_request_with_wrong_parameters_is_answered(shared: Client, params: object) -> None:
    assert shared.error("textDocument/hover", params) == INVALID_PARAMS


def test_parameters_that_hold_a_message_are_read_as_parameters(shared: Client) -> None:
    nested = at(URI, 0, 0, workDoneToken="t") | {"x": {"jsonrpc": "2.0", "method": "exit"}}
    assert shared.request("textDocument/hover", nested) is None


def test_a_notification_with_wrong_parameters_is_logged_and_nothing_more(shared: Client) -> None:
    for params in (None, {}, {"textDocument": {"uri": URI}, "contentChanges": 7}):
        shared.notify("textDocument/didChange", params)
        shared.notify("textDocument/didOpen", params)
    assert shared.request("workspace/symbol", {"query": "zzz"}) == []
    assert not any(each["method"].startswith("window/") for each in shared.notifications)


@pytest.mark.parametrize(
    ("body", "code"),
    [(b"{", PARSE_ERROR), (b"\xff\xfe", PARSE_ERROR), (b"[]", INVALID_REQUEST), (b'{"id": 1}', INVALID_REQUEST)],
)
def test_a_message_that_is_none_is_answered_and_the_next_one_is_read(client: Client, body: bytes, code: int) -> None:
    client.initialize()
    client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    client.until(lambda: None in client.responses or 1 in client.responses, "an answer to it")
    found = client.responses.get(None) or client.responses[1]
    assert found["error"]["code"] == code
    assert client.leave() == 0


def test_an_id_that_is_neither_number_nor_text_is_refused(greeted: Client) -> None:
    greeted.send({"jsonrpc": "2.0", "id": [1], "method": "shutdown"})
    assert greeted.answer(None)["error"]["code"] == INVALID_REQUEST


def test_garbage_between_messages_costs_no_message(client: Client) -> None:
    client.initialize()
    client.send_bytes(b"\x00\x01 what is this\r\nno header\r\n\r\n")
    assert client.request("workspace/symbol", {"query": "zzz"}) == []
    client.send_bytes(b"Content-Length: nonsense\r\n\r\n")
    assert client.leave() == 0


# 4, 5: lines end where the editor ends them, columns past the end are the end


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_separators_that_end_no_line_and_wide_letters_keep_positions_right(client: Client, encoding: str) -> None:
    client.initialize(encodings=(encoding,))
    text = "// a\u2028b\x0cc\x85d 😀\r\npub type A {\r\n    x: Int, /* 😀é */ y: Nowhere,\r\n}\r\n"
    client.open(URI, text)
    (found,) = client.diagnostics(URI, 1)
    before = "    x: Int, /* 😀é */ y: "
    width = {"utf-8": len(before.encode()), "utf-16": len(before) + 1, "utf-32": len(before)}[encoding]
    assert found["range"]["start"] == {"line": 2, "character": width}
    version = client.edit(URI, (2, width), (2, width + len("Nowhere")), "String")
    assert client.diagnostics(URI, version) == []


def test_an_edit_past_the_end_of_the_last_line_appends(shared: Client) -> None:
    shared.open(URI, "pub type A {")
    version = shared.edit(URI, (0, 500), (9, 9), "}")
    assert shared.diagnostics(URI, version) == []
    shared.close(URI)


# 6, 7: many positions, many edits


def test_hundreds_of_edits_in_one_notification_are_one_change(client: Client, tmp_path: Path) -> None:
    lines = [f"pub type T{number} {{ a: Int }}\n" for number in range(5_000)]
    uri = (package(tmp_path, root="".join(lines)) / "root.ar").as_uri()
    client.initialize()
    client.open(uri, "".join(lines))
    edits = [
        {"range": {"start": {"line": n, "character": 0}, "end": {"line": n, "character": 0}}, "text": "    "}
        for n in range(0, 4_000, 10)
    ]
    client.change(uri, *edits)
    found = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert len(found) == 5_000
    assert [each["range"]["start"]["character"] for each in found[:12]] == [4, *[0] * 9, 4, 0]


# 8, 9, 10 (and its lifecycle) are in test_lifecycle.py


def test_an_edit_of_a_document_that_was_never_opened_is_logged(greeted: Client) -> None:
    document = {"uri": "file:///nowhere.ar", "version": 2}
    greeted.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": "x"}]})
    assert greeted.request("textDocument/hover", at("file:///nowhere.ar", 0, 0)) is None
    assert greeted.leave() == 0
    assert any("not open" in line for line in greeted.log)


def test_header_names_are_read_in_any_case(client: Client) -> None:
    client.initialize()
    body = b'{"jsonrpc":"2.0","id":"low","method":"workspace/symbol","params":{"query":"zzz"}}'
    client.send_bytes(b"content-length: %d\r\n\r\n%s" % (len(body), body))
    assert client.answer("low")["result"] == []


def test_a_client_that_answers_a_request_late_or_twice_harms_nothing(client: Client) -> None:
    client.initialize(capabilities={"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    client.until(lambda: client.requests, "the registration")
    (request,) = client.requests
    assert request["method"] == "client/registerCapability"
    client.send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32603, "message": "no"}})
    client.send({"jsonrpc": "2.0", "id": "nothing", "result": {}})
    assert client.leave() == 0


# 11: the encoding is a word of the protocol, not the name of a Python object


def test_the_encoding_is_told_in_the_protocol_s_words(client: Client) -> None:
    assert client.initialize(encodings=("utf-16",))["positionEncoding"] == "utf-16"


# and a flood


def test_a_flood_of_requests_and_edits_is_answered_in_full(client: Client, tmp_path: Path) -> None:
    uri = (package(tmp_path, root=TEXT) / "root.ar").as_uri()
    client.initialize()
    client.open(uri, TEXT)
    numbers = []
    for round_ in range(300):
        client.edit(uri, (0, 0), (0, 0), "// a\n" if round_ % 2 == 0 else "")
        numbers.append(client.ask("textDocument/hover", at(uri, 3, 10)))
        numbers.append(client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}}))
    answers = [client.answer(number) for number in numbers]
    assert all("result" in each or each["error"]["code"] == -32801 for each in answers)
    assert client.diagnostics(uri, 301) == []
    assert client.leave() == 0


def test_an_id_that_is_being_answered_is_not_taken_twice(client: Client, tmp_path: Path) -> None:
    uri, text = slow_package(tmp_path, 400)
    client.initialize()
    client.open(uri, text)
    for _ in range(2):
        client.send({"jsonrpc": "2.0", "id": "twice", "method": "workspace/symbol", "params": {"query": "p1"}})
    assert client.answer("twice")["error"]["code"] == INVALID_REQUEST
    assert client.answer("twice")["result"]


def test_a_lone_surrogate_goes_in_and_out(shared: Client) -> None:
    shared.open(URI, 'test "\ud83d" {\n}\n')
    found = shared.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert found[0]["name"] == "\ud83d"
    shared.close(URI)


def test_the_answer_to_a_position_is_about_that_position(shared: Client) -> None:
    shared.open(URI, TEXT)
    line, column = position(TEXT, "name")
    begun = time.monotonic()
    found = shared.request("textDocument/hover", at(URI, line, column + 1))
    assert covered(TEXT, found["range"]) == "name"
    assert time.monotonic() - begun < 20
    shared.close(URI)
