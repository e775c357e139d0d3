"""Edits, questions and cancellations in any order, and messages that are none: nothing dies, nothing stays unanswered.

The reference is a model: texts edited by offset, a check from nothing, colours by offset. What the server says in the
end is what the model says.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from argon_lang.queries.snippet import database_of
from argon_lang.text import Encoding, LineIndex
from tests.ide.test_tokens import plainly, unpacked
from tests.lsp.packages import lease
from tests.lsp.test_fuzz import Editor, fresh, said
from tests.support.lsp_client import Client

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
FILES = ("root.ar", "world.ar", "tests.ar")
REFUSALS = {-32800, -32801, -32802, -32803}
"""Cancelled, modified meanwhile, to be asked again, refused in words: every other error is a fault."""

PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
AT_A_PLACE = (
    "hover", "definition", "declaration", "typeDefinition", "implementation", "documentHighlight", "completion",
    "signatureHelp", "prepareCallHierarchy", "prepareTypeHierarchy", "prepareRename",
)  # fmt: skip
OF_A_FILE = (
    "documentSymbol", "documentLink", "foldingRange", "codeLens", "semanticTokens/full", "formatting", "diagnostic",
)  # fmt: skip


class Session:
    """A client and the model of what it shows."""

    def __init__(self, client: Client, root: Path, encoding: Encoding, seed: int, *, pulls: bool) -> None:
        self.client, self.root, self.encoding = client, root, encoding
        self.chance = random.Random(seed)
        self.pulls = pulls
        client.initialize(root, encodings=(encoding,), capabilities=PULLS if pulls else {})
        self.saved = {path.name: path.read_text(encoding="utf-8") for path in (*root.glob("*.ar"), root / "ox.toml")}
        self.editors: dict[str, Editor] = {}
        self.asked: list[int] = []
        self.colours: dict[str, str] = {}

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def step(self) -> None:
        """Something that an editor does next."""
        name = self.chance.choice(FILES)
        if name not in self.editors:
            self.editors[name] = Editor(self.saved[name], self.encoding, self.chance.randrange(1 << 30))
            self.client.open(self.uri(name), self.saved[name])
            return
        what = self.chance.random()
        if what < 0.35:
            changes = [self.editors[name].change() for _ in range(self.chance.randint(1, 4))]
            self.client.change(self.uri(name), *changes)
        elif what < 0.38:
            del self.editors[name]
            self.client.close(self.uri(name))
        elif what < 0.46 and self.asked:
            self.client.notify("$/cancelRequest", {"id": self.chance.choice(self.asked)})
        else:
            self.asked.append(self.ask(name))

    def ask(self, name: str) -> int:
        """A request about a file at a place, which may be none."""
        document: dict[str, Any] = {"textDocument": {"uri": self.uri(name)}}
        kind = self.chance.randrange(4)
        if kind == 0:
            method = self.chance.choice(OF_A_FILE if self.pulls else OF_A_FILE[:-1])
            options = {"options": {"tabSize": 4, "insertSpaces": True}} if method == "formatting" else {}
            return self.client.ask(f"textDocument/{method}", document | options)
        here = self.place(name)
        if kind == 1:
            range_ = {"range": {"start": here, "end": self.place(name)}}
            actions = {"context": {"diagnostics": []}}
            method = self.chance.choice(("inlayHint", "codeAction", "semanticTokens/range"))
            return self.client.ask(f"textDocument/{method}", document | range_ | actions)
        if kind == 2:
            method, more = self.chance.choice(
                (
                    ("textDocument/references", {"position": here, "context": {"includeDeclaration": True}}),
                    ("textDocument/rename", {"position": here, "newName": self.chance.choice(("fresh", "in", "ada"))}),
                    ("textDocument/selectionRange", {"positions": [here, here]}),
                    ("workspace/symbol", {"query": self.chance.choice(("", "a", "zz"))}),
                )
            )
            return self.client.ask(method, document | more)
        return self.client.ask(f"textDocument/{self.chance.choice(AT_A_PLACE)}", document | {"position": here})

    def place(self, name: str) -> dict[str, int]:
        index = LineIndex(self.editors[name].text)
        line, column = index.position(self.chance.randint(0, len(index.text)), self.encoding)
        return {"line": line + self.chance.choice((0, 0, 0, 1)), "character": column + self.chance.choice((0, 0, 7))}

    def settle(self) -> None:
        """Take every answer in, and compare what is said in the end with the model."""
        for number in self.asked:
            answer = self.client.answer(number)
            assert "error" not in answer or answer["error"]["code"] in REFUSALS, (answer, "".join(self.client.log))
        self.asked.clear()
        texts = self.saved | {name: editor.text for name, editor in self.editors.items()}
        reports = self.reports()
        wanted = fresh(texts, self.encoding)
        for name in texts:
            assert reports(name) == wanted.get(name, []), name
        database = database_of({name: text for name, text in texts.items() if name.endswith(".ar")})
        for name in self.editors:
            document = {"textDocument": {"uri": self.uri(name)}}
            numbers = self.client.request("textDocument/semanticTokens/full", document)["data"]
            shown = {place[:3] for place in unpacked(numbers)}
            assert shown == {place[:3] for place in plainly(database, name, self.encoding)}, name
        assert not [line for line in self.client.log if "ERROR" in line]

    def reports(self) -> Callable[[str], list[Any]]:
        """What was said of each file, fetched or pushed."""
        found = self.client.request("workspace/diagnostic", {"previousResultIds": []}) if self.pulls else None
        if found is None:
            for name in self.editors:
                self.client.diagnostics(self.uri(name), self.client.version(self.uri(name)))
            self.client.request("workspace/symbol", {"query": "nothing waits behind this"})
            return lambda name: said(self.client, self.uri(name))
        listed = {each["uri"]: each["items"] for each in found["items"]}
        return lambda name: [
            (each["code"], *((each["range"][end]["line"], each["range"][end]["character"]) for end in ("start", "end")))
            for each in listed.get(self.uri(name), [])
        ]


def run(client: Client, root: Path, seed: int, steps: int) -> None:
    session = Session(client, root, ENCODINGS[seed % 3], seed, pulls=seed % 2 == 0)
    for number in range(1, steps + 1):
        session.step()
        if number % 200 == 0:
            session.settle()
    session.settle()


@pytest.mark.parametrize("seed", range(3))
def test_whatever_an_editor_does_in_whatever_order_the_end_is_that_of_the_model(
    client: Client, tmp_path: Path, seed: int
) -> None:
    run(client, lease(tmp_path), seed, 80)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1_000, 1_020))
def test_ten_thousand_steps_end_like_the_model(
    client: Client, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.lsp_client.PATIENCE", 600.0)
    run(client, lease(tmp_path), seed, 500)


# -- messages that are none --------------------------------------------------------------------------------------------


def malformed(chance: random.Random) -> bytes:
    """Bytes that are no message, or a message that nobody can want; never such as would swallow the next one."""
    junk = bytes(chance.randrange(256) for _ in range(chance.randint(1, 60))).replace(b"\n", b" ")
    bodies: tuple[Any, ...] = (
        [], 3, "text", None, {}, {"jsonrpc": "1.0", "id": 1}, {"jsonrpc": "2.0", "method": 4},
        {"jsonrpc": "2.0", "id": {}, "method": "shutdown"}, {"jsonrpc": "2.0", "id": [1], "method": "x"},
        {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": 1}},
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": []},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "nobody"}},
        {"jsonrpc": "2.0", "id": "nobody", "result": {"a": 1}}, {"jsonrpc": "2.0", "id": 7.5, "error": "no"},
    )  # fmt: skip
    body = json.dumps(chance.choice(bodies)).encode()
    match chance.randrange(6):
        case 0:
            return junk + b"\n"
        case 1:
            return b"Content-Length: %d\r\n\r\n" % len(junk) + junk
        case 2:
            return b"Content-Length: %d\r\n\r\n" % len(body) + body
        case 3:
            length = chance.choice((b"-4", b"many", b"9" * 12, b""))
            return b"Content-Length: " + length + b"\r\n\r\n" + junk + b"\n"
        case 4:
            cut = body[: chance.randint(1, len(body))]
            return b"Content-Length: %d\r\nContent-Type: what\xff\r\n\r\n" % len(cut) + cut
        case _:
            return chance.choice((b"\r\n\r\n", b"\n", b"GET / HTTP/1.1\r\n\r\n", b"{}\n", b": \r\n\r\n"))


def garbled(client: Client, seed: int, count: int) -> None:
    """After each of so many malformed messages a question is answered, and a wrong one refused."""
    chance = random.Random(seed)
    client.initialize()
    client.open("untitled:a", "pub type A;\n")
    for _ in range(count):
        client.send_bytes(malformed(chance))
        wrong = client.ask("textDocument/hover", chance.choice(([], 3, {"textDocument": 1}, {"position": "no"})))
        right = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": "untitled:a"}})
        assert client.answer(wrong)["error"]["code"] == -32602
        assert [each["name"] for each in client.answer(right)["result"]] == ["A"]
    assert client.leave() == 0


def test_messages_that_are_none_cost_no_message_beside_them(client: Client) -> None:
    garbled(client, 1, 60)


@pytest.mark.long
def test_two_thousand_messages_that_are_none(client: Client) -> None:
    garbled(client, 2, 2_000)
