"""Where the keys and values of a TOML text stand, which `tomllib` does not tell.

The scanner walks a text that `tomllib` has accepted, so it needs no errors of its own: it only has to find where each
key and value begins and ends. A path is a tuple of keys and array indexes, as in pydantic's `loc`; offsets count code
points of the text.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass

KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class TomlPlace:
    """Spans of one entry: its key as written, and its value. For a `[table]` both are the name in the header."""

    key: tuple[int, int]
    value: tuple[int, int]


_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")'
    r"|'''.*?'{3,5}(?!')"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]*")


def toml_places(text: str) -> dict[KeyPath, TomlPlace]:
    """The place of every key, table and array element of a text that `tomllib.loads` accepts."""
    return _Scanner(text).document()


class _Scanner:
    """A cursor over the text; every method leaves it behind what it has read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places: dict[KeyPath, TomlPlace] = {}
        self.elements: dict[KeyPath, int] = {}

    def document(self) -> dict[KeyPath, TomlPlace]:
        table: KeyPath = ()
        self.blank()
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.blank()
        return self.places

    def blank(self) -> None:
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def blank_in_line(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1

    def header(self) -> KeyPath:
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        keys, span = self.dotted()
        self.at += 2 if many else 1
        path = self.resolved(keys, open_last=many)
        for length in range(1, len(path) + 1):
            self.places.setdefault(path[:length], TomlPlace(span, span))
        return path

    def resolved(self, keys: list[str], open_last: bool) -> KeyPath:
        """The path of a header: a key that names an array of tables means its newest element."""
        path: KeyPath = ()
        for number, key in enumerate(keys):
            path = (*path, key)
            if open_last and number == len(keys) - 1:
                self.elements[path] = self.elements.get(path, -1) + 1
            if path in self.elements:
                path = (*path, self.elements[path])
        return path

    def dotted(self) -> tuple[list[str], tuple[int, int]]:
        self.blank_in_line()
        start, keys = self.at, [self.key()]
        end = self.at
        self.blank_in_line()
        while self.text.startswith(".", self.at):
            self.at += 1
            self.blank_in_line()
            keys.append(self.key())
            end = self.at
            self.blank_in_line()
        return keys, (start, end)

    def key(self) -> str:
        quoted = _STRING.match(self.text, self.at)
        found = quoted or _BARE_KEY.match(self.text, self.at)
        word = found.group() if found else ""
        self.at += len(word)
        return str(tomllib.loads(f"k = {word}")["k"]) if quoted else word

    def pair(self, table: KeyPath) -> None:
        keys, key_span = self.dotted()
        self.at += 1
        self.blank_in_line()
        path = (*table, *keys)
        start = self.at
        self.value(path)
        for length in range(len(table) + 1, len(path) + 1):
            self.places.setdefault(path[:length], TomlPlace(key_span, (start, self.at)))

    def value(self, path: KeyPath) -> None:
        opener = self.text[self.at]
        if opener == "[":
            self.array(path)
        elif opener == "{":
            self.inline_table(path)
        elif found := _STRING.match(self.text, self.at):
            self.at = found.end()
        elif found := _SCALAR.match(self.text, self.at):
            self.at += len(found.group().rstrip())

    def array(self, path: KeyPath) -> None:
        self.at += 1
        self.blank()
        index = 0
        while self.text[self.at] != "]":
            start = self.at
            self.value((*path, index))
            self.places[(*path, index)] = TomlPlace((start, self.at), (start, self.at))
            index += 1
            self.comma()
        self.at += 1

    def inline_table(self, path: KeyPath) -> None:
        self.at += 1
        self.blank()
        while self.text[self.at] != "}":
            self.pair(path)
            self.comma()
        self.at += 1

    def comma(self) -> None:
        self.blank()
        if self.text[self.at] == ",":
            self.at += 1
            self.blank()
