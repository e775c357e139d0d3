"""A fact written as text, for questions about it: `owes(ada, 12.50)`, `Tenant(ada)`, `ada.name == "Ada"`.

What a proof shows can be asked about again: minted individuals by their id (`#3.1`), fields of relation tuples
(`lets(ada, loft).rent == 850`), enum cases with their payload, lists; `_` stands for any value.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from argon_lang.engine.display import display
from argon_lang.errors import ArgonError
from argon_lang.ir.module import Field
from argon_lang.ir.rules import Predicate
from argon_lang.ir.values import Entity, TupleValue, Value
from argon_lang.ir.wire import from_wire
from argon_lang.program.types import BOOL, STRING, UNKNOWN, ListOf, Named, OptionOf, SetOf, Type
from argon_lang.runtime.arguments import invalid
from argon_lang.runtime.envelopes import Json
from argon_lang.runtime.fitting import rooted, types_of_subject
from argon_lang.runtime.reading import Reading, field_subject
from argon_lang.runtime.schema import field_owner
from argon_lang.runtime.shown import wire_of

_TOKEN = re.compile(
    r'\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<minted>#\d+\.\d+(?![\w#]))|#(?P<date>[0-9][^#]*)#'
    r"|(?P<number>-?\d[\d_]*(?:\.\d+)?)|(?P<name>[^\W\d]\w*(?:::[^\W\d]\w*)*(?:/\d+)?)|(?P<mark>==|[(),.\[\]])|(?P<bad>\S))"
)
_MOST_TOKENS = 10_000
EXPECTED = 'a fact such as `owes(ada)` or `ada.name == "Ada"`'


@dataclass(frozen=True, slots=True)
class Goal:
    """A predicate key with a row to ask about; None stands for `_`. `text` is the question as written."""

    key: str
    row: tuple[Value, ...]
    text: str


@dataclass(frozen=True, slots=True)
class _Term:
    """A written value: a token, `name(parts)`, or a list."""

    kind: str
    text: str
    parts: tuple[_Term, ...] = ()


def read_goal(reading: Reading, text: str) -> Goal:
    """Resolve a written fact. Raises VALIDATION_FAILED, NOT_FOUND, SIGNATURE_MISMATCH, OE0102."""
    parser = _Parser(text, list(_tokens(text)))
    subject = parser.term()
    if parser.take("."):
        field = parser.take(kind="name") or parser.refuse()
        parser.take("==") or parser.refuse()
        return _field_goal(reading, subject, field.text, parser.last(parser.term()), text)
    parser.last(subject)
    if subject.kind != "call":
        parser.refuse()
    shape = reading.served.schema.head(subject.text, len(subject.parts))
    return Goal(shape.key, tuple(_columns(reading, shape, subject.parts)), text)


def _tokens(text: str) -> Iterator[_Term]:
    for count, match in enumerate(_TOKEN.finditer(unicodedata.normalize("NFC", text).strip().rstrip(";"))):
        kind = match.lastgroup or "bad"
        if kind == "bad" or count > _MOST_TOKENS:
            raise _no_fact(text)
        yield _Term(kind, match[kind])


def _no_fact(text: str) -> ArgonError:
    return invalid("fact", EXPECTED, json.dumps(text if len(text) < 200 else text[:200] + "…", ensure_ascii=False))


class _Parser:
    """Reads terms off a list of tokens."""

    def __init__(self, text: str, tokens: Sequence[_Term]) -> None:
        self.text = text
        self.tokens = tokens
        self.at = 0

    def refuse(self) -> _Term:
        raise _no_fact(self.text)

    def take(self, mark: str = "", kind: str = "mark") -> _Term | None:
        """The next token when it is this mark, or of this kind."""
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is None or token.kind != kind or (mark and token.text != mark):
            return None
        self.at += 1
        return token

    def last(self, term: _Term) -> _Term:
        """The term, with which the text must end."""
        return term if self.at == len(self.tokens) else self.refuse()

    def term(self, depth: int = 0) -> _Term:
        if depth > 32 or self.at >= len(self.tokens):
            self.refuse()
        if self.take("["):
            return _Term("list", "", self.parts("]", depth))
        token = self.tokens[self.at]
        if token.kind == "mark":
            self.refuse()
        self.at += 1
        if token.kind == "name" and self.take("("):
            return _Term("call", token.text, self.parts(")", depth))
        return token

    def parts(self, close: str, depth: int) -> tuple[_Term, ...]:
        found: list[_Term] = []
        while not self.take(close):
            if found:
                self.take(",") or self.refuse()
            found.append(self.term(depth + 1))
        return tuple(found)


# -- goals ------------------------------------------------------------------------------------------------------------


def _columns(reading: Reading, shape: Predicate, written: Sequence[_Term]) -> Iterator[Value]:
    """The given columns; a check's violations may be named by their head arguments alone."""
    if shape.kind == "check":
        arity = reading.served.schema.checks[shape.key.removesuffix("!")].arity
        if len(written) != arity:
            raise invalid("fact", f"{arity} argument{'s' if arity != 1 else ''}", str(len(written)))
    for (name, ty), term in zip(shape.columns, written, strict=False):
        yield _value(reading, term, ty, name)
    yield from [None] * (len(shape.columns) - len(written))


def _field_goal(reading: Reading, written: _Term, name: str, value: _Term, text: str) -> Goal:
    subject = _subject(reading, written, text)
    field = _field(reading, subject, name)
    held = _value(reading, value, field.type, field.name)
    return Goal(field.key, (field_subject(field.key, subject), held), text)


def _subject(reading: Reading, written: _Term, text: str) -> Value:
    if written.kind in ("name", "minted"):
        return from_wire({"entity": written.text}, UNKNOWN, "fact", wire_of(reading))
    if written.kind != "call":
        raise _no_fact(text)
    shape = reading.served.schema.head(written.text, len(written.parts))
    if shape.kind != "relation":
        raise invalid("fact", "a field of an individual or relation tuple", f"one of `{written.text}`")
    return rooted(reading.served.schema, TupleValue(shape.key, tuple(_columns(reading, shape, written.parts))))


def _field(reading: Reading, subject: Value, name: str) -> Field:
    """The field of that name which the subject has; of a dead individual, any field of that name."""
    schema = reading.served.schema
    owned = [each for path in types_of_subject(reading, subject) for each in schema.fields_of(path).values()]
    owned = owned or [f for f in schema.fields.values() if schema.owner_type(f.key).kind == _kind(subject)]
    above = {parent for path in types_of_subject(reading, subject) for parent in schema.ancestors(path)}
    owned += [view for key, view in schema.views.items() if field_owner(key) in above]
    for field in owned:
        if field.name == name:
            return field
    known = ", ".join(sorted({field.name for field in owned})[:12])
    raise invalid("fact", f"a field of `{display(subject)}`: {known or 'it has none'}", f"`{name}`")


def _kind(subject: Value) -> str:
    return "concept" if isinstance(subject, Entity) else "relation"


# -- values -----------------------------------------------------------------------------------------------------------


def _value(reading: Reading, term: _Term, ty: Type, name: str) -> Value:
    if term.kind == "name" and term.text == "_":
        return None
    found = from_wire(_json(reading, term, ty), ty, name, wire_of(reading))
    return rooted(reading.served.schema, found)


def _json(reading: Reading, term: _Term, ty: Type) -> Json:
    """What was written as the wire form of a type."""
    if isinstance(ty, OptionOf):
        ty = ty.inner
    match term.kind:
        case "string":
            return _string(term.text)
        case "number":
            return _number(term.text.replace("_", ""), ty)
        case "date":
            return {"dateTime" if "T" in term.text else "date": term.text}
        case "list":
            element = ty.element if isinstance(ty, ListOf | SetOf) else UNKNOWN
            return [_json(reading, part, element) for part in term.parts]
        case "call":
            return _call(reading, term, ty)
        case _:
            return _name(term, ty)


def _string(text: str) -> Json:
    try:
        return json.loads(text, strict=False)
    except ValueError:
        raise invalid("fact", "a text with JSON's escapes", text) from None


def _number(text: str, ty: Type) -> Json:
    if "." in text:
        return text if ty != UNKNOWN else {"decimal": text}
    return int(text) if len(text) < 16 else text


def _name(term: _Term, ty: Type) -> Json:
    if term.text in ("true", "false") and ty in (BOOL, UNKNOWN):
        return term.text == "true"
    if ty == UNKNOWN or term.kind == "minted":
        return {"entity": term.text}
    return term.text if isinstance(ty, Named) or ty != STRING else {"name": term.text}


def _call(reading: Reading, term: _Term, ty: Type) -> Json:
    """`Case(parts)` of an enum, or a relation tuple."""
    schema = reading.served.schema
    if isinstance(ty, Named) and ty.kind == "enum":
        variant = term.text.rsplit("::", 1)[-1]
        enum = next((each for each in schema.module.enums if each.path == ty.path), None)
        case = next((each for each in enum.variants if each.name == variant), None) if enum is not None else None
        types = [sub for _, sub in case.payload] if case is not None else []
        padded = [*types, *[UNKNOWN] * len(term.parts)]
        payload = [_json(reading, part, sub) for part, sub in zip(term.parts, padded, strict=False)]
        return {"enum": f"{ty.path}::{variant}", "payload": payload}
    shape = schema.head(term.text, len(term.parts))
    types = [sub for _, sub in shape.columns]
    return {"tuple": shape.key, "ends": [_json(reading, p, sub) for p, sub in zip(term.parts, types, strict=False)]}
