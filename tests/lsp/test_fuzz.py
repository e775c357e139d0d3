"""Random edits over the wire: what is pushed in the end is what a fresh check of the final text finds."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from argon_lang.queries.snippet import check_files
from argon_lang.text import Encoding, LineIndex
from tests.lsp.packages import lease
from tests.support.lsp_client import Client

STRANGE = ("é", "😀", "\u2028", "\x0c")
PIECES = ("x", " ", "\n", "\r\n", "\r", ";", "(", ")", "{", "}", '"', "/*", "*/", "// ", "not ", "==", *STRANGE)


class Editor:
    """The reference: a text, edited by offsets, that tells each edit in an encoding."""

    def __init__(self, text: str, encoding: Encoding, seed: int) -> None:
        self.text = text
        self.encoding: Encoding = encoding
        self.chance = random.Random(seed)
        self.undo: list[tuple[int, int, str]] = []

    def change(self) -> dict[str, Any]:
        """One more edit: mostly something new, often the last one taken back, so that the text stays a program."""
        if self.undo and self.chance.random() < 0.6:
            return self.apply(*self.undo.pop())
        low, high = self.place(), 0
        while low + high < len(self.text) and self.chance.random() < 0.3:
            high += 1
        low, high = self.settled(low), self.settled(low + high)
        new = "".join(self.chance.choice(PIECES) for _ in range(self.chance.randint(0, 3)))
        old = self.text[low:high]
        told = self.apply(low, high, new)
        if self.settled(low) == low and self.settled(low + len(new)) == low + len(new):
            self.undo.append((low, low + len(new), old))
        else:
            self.undo.clear()
        return told

    def place(self) -> int:
        return self.chance.randint(0, len(self.text))

    def settled(self, offset: int) -> int:
        """The offset, or the one before a CR LF that it would part: no position points between the two."""
        return offset - 1 if offset and self.text[offset - 1 : offset + 1] == "\r\n" else offset

    def apply(self, low: int, high: int, new: str) -> dict[str, Any]:
        index = LineIndex(self.text)
        start, end = (index.position(offset, self.encoding) for offset in (low, high))
        self.text = self.text[:low] + new + self.text[high:]
        ends = ({"line": line, "character": column} for line, column in (start, end))
        return {"range": dict(zip(("start", "end"), ends, strict=True)), "text": new}


@pytest.mark.parametrize(("encoding", "seed"), [("utf-8", 1), ("utf-16", 2), ("utf-32", 3)])
def test_after_any_edits_the_diagnostics_are_those_of_a_fresh_check(
    client: Client, tmp_path: Path, encoding: Encoding, seed: int
) -> None:
    run(client, lease(tmp_path), encoding, seed, rounds=8)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 130))
def test_long_runs_of_edits_end_like_a_fresh_check(client: Client, tmp_path: Path, seed: int) -> None:
    encodings: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
    run(client, lease(tmp_path), encodings[seed % 3], seed, rounds=100)


def run(client: Client, root: Path, encoding: Encoding, seed: int, rounds: int) -> None:
    """Edit root.ar in bursts; after each burst compare what is said of every file."""
    client.initialize(root, encodings=(encoding,))
    texts = {path.name: path.read_text(encoding="utf-8") for path in (*root.glob("*.ar"), root / "ox.toml")}
    uri = (root / "root.ar").as_uri()
    editor = Editor(texts["root.ar"], encoding, seed)
    client.open(uri, editor.text)
    for _ in range(rounds):
        changes = [editor.change() for _ in range(editor.chance.randint(1, 12))]
        cut = editor.chance.randint(0, len(changes))
        client.change(uri, *changes[:cut])
        version = client.change(uri, *changes[cut:])
        client.diagnostics(uri, version)
        client.request("workspace/symbol", {"query": "nothing waits behind this"})
        wanted = fresh(texts | {"root.ar": editor.text}, encoding)
        for name in (name for name in texts if name.endswith(".ar")):
            assert said(client, (root / name).as_uri()) == wanted.get(name, []), name


def fresh(texts: dict[str, str], encoding: Encoding) -> dict[str, list[Any]]:
    """Code and range of everything that a check from nothing finds, by file."""
    found: dict[str, list[Any]] = {}
    for each in check_files(texts):
        index = LineIndex(texts[each.location.file])
        ends = (index.position(offset, encoding) for offset in (each.location.start, each.location.end))
        found.setdefault(each.location.file, []).append((each.code, *ends))
    return found


def said(client: Client, uri: str) -> list[Any]:
    """Code and range of everything that was last pushed for a document."""
    pushed = [each["params"] for each in client.notifications if each.get("params", {}).get("uri") == uri]
    diagnostics = pushed[-1]["diagnostics"] if pushed else []
    return [(each["code"], point(each["range"]["start"]), point(each["range"]["end"])) for each in diagnostics]


def point(position: dict[str, int]) -> tuple[int, int]:
    return position["line"], position["character"]
