"""A fact written as text, for questions about it: `owes(ada, 12.50)`, `Tenant(ada)`, `ada.name == "Ada"`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from argon_lang.engine.display import display
from argon_lang.ir.rules import Predicate
from argon_lang.ir.values import Row, Value
from argon_lang.ir.wire import from_wire
from argon_lang.program.types import DATE, DATETIME, STRING, UNKNOWN, Type
from argon_lang.runtime.arguments import invalid
from argon_lang.runtime.envelopes import Json
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.shown import wire_of

_TOKEN = re.compile(
    r'\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<minted>#\d+\.\d+(?![\w#]))|#(?P<date>[0-9][^#]*)#'
    r"|(?P<number>-?\d[\d_]*(?:\.\d+)?)|(?P<name>[^\W\d]\w*(?:::[^\W\d]\w*)*(?:/\d+)?)|(?P<mark>==|[(),.])|(?P<bad>\S))"
)
EXPECTED = "a fact such as `owes(ada)`"


@dataclass(frozen=True, slots=True)
class Goal:
    """A predicate key with a row to ask about; None stands for `_`. `text` is the question as written."""

    key: str
    row: tuple[Value, ...]
    text: str

    @property
    def ground(self) -> bool:
        """Is every column given?"""
        return None not in self.row

    @property
    def full_row(self) -> Row:
        """The row, when it is ground."""
        return self.row


@dataclass(frozen=True, slots=True)
class _Written:
    kind: str
    text: str


def read_goal(reading: Reading, text: str) -> Goal:
    """Resolve a written fact. Raises VALIDATION_FAILED, NOT_FOUND, SIGNATURE_MISMATCH, OE0102."""
    tokens = list(_tokens(text))
    if len(tokens) >= 5 and tokens[1].text == "." and tokens[3].text == "==":
        return _field_goal(reading, tokens, text)
    if len(tokens) < 3 or tokens[0].kind != "name" or tokens[1].text != "(" or tokens[-1].text != ")":
        raise invalid("fact", EXPECTED, json.dumps(text))
    written = list(_arguments(tokens[2:-1], text))
    shape = reading.served.schema.head(tokens[0].text, len(written))
    return Goal(shape.key, tuple(_columns(reading, shape, written, text)), text)


def _tokens(text: str) -> Iterator[_Written]:
    for match in _TOKEN.finditer(text.strip().rstrip(";")):
        kind = match.lastgroup or "bad"
        if kind == "bad":
            raise invalid("fact", EXPECTED, json.dumps(text))
        yield _Written(kind, match[kind])


def _arguments(tokens: list[_Written], text: str) -> Iterator[_Written]:
    for index, token in enumerate(tokens):
        if (token.kind == "mark") != (index % 2 == 1) or (index % 2 == 1 and token.text != ","):
            raise invalid("fact", EXPECTED, json.dumps(text))
        if index % 2 == 0:
            yield token


def _columns(reading: Reading, shape: Predicate, written: list[_Written], text: str) -> Iterator[Value]:
    """The given columns; a check's violations may be named by their head arguments alone."""
    if shape.kind == "check":
        arity = reading.served.schema.checks[shape.key.removesuffix("!")].arity
        if len(written) != arity:
            raise invalid("fact", f"{arity} arguments", str(len(written)))
    for (name, ty), token in zip(shape.columns, written, strict=False):
        yield None if token.text == "_" else from_wire(_json(token, ty), ty, name, wire_of(reading))
    yield from [None] * (len(shape.columns) - len(written))


def _json(token: _Written, ty: Type) -> Json:
    match token.kind:
        case "string":
            return json.loads(token.text)
        case "number":
            plain = token.text.replace("_", "")
            return int(plain) if "." not in plain else plain
        case "date":
            return {"dateTime" if "T" in token.text else "date": token.text}
        case _ if token.text in ("true", "false"):
            return token.text == "true"
        case _ if ty in (STRING, DATE, DATETIME):
            return {"name": token.text}
        case _ if ty == UNKNOWN:
            return {"entity": token.text}
        case _:
            return token.text


def _field_goal(reading: Reading, tokens: list[_Written], text: str) -> Goal:
    schema = reading.served.schema
    subject = from_wire({"entity": tokens[0].text}, UNKNOWN, "fact", wire_of(reading))
    for key, field in schema.fields.items():
        held = reading.model.lookup(key, {0: subject})
        if field.name == tokens[2].text and (held or schema.concepts.get(key.rpartition(".")[0])):
            value = from_wire(_json(tokens[4], field.type), field.type, field.name, wire_of(reading))
            return Goal(key, (subject, value), text)
    raise invalid("fact", f"a field of `{display(subject)}`", tokens[2].text)
