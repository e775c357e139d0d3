"""Scalar wire forms as a table, and the refusal that every reader shares; see `argon_lang.ir.wire`."""

from __future__ import annotations

import json as json_
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

from argon_lang.errors import ArgonError
from argon_lang.ir import text_forms as forms
from argon_lang.ir.values import Money, Value
from argon_lang.ir.wire_context import FLOATS, SAFE, Json
from argon_lang.problems import args

MISSING = object()
"""Stands in a refusal for what did not come at all."""
Read = Callable[[Any], Value]
"""The value of a text or a JSON scalar; None when it is none of this type."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """How one primitive type is read: `{tag: text}`, bare JSON by its class, and bare text; with an example of it."""

    example: str
    tags: Mapping[str, Read] = field(default_factory=dict)
    bare: Mapping[type, Read] = field(default_factory=dict)


def _maybe(make: Callable[[Any], Value], read: Callable[[Any], Any]) -> Read:
    """Reads a text and makes a value of what was read, if anything was."""

    def reader(text: str) -> Value:
        found = read(text)
        return None if found is None else make(found)

    return reader


def _safe(number: int) -> int | None:
    return number if abs(number) <= SAFE else None


def _natural(number: int | None) -> int | None:
    return number if number is not None and number >= 0 else None


_money, _ratio = _maybe(Money, forms.read_decimal), _maybe(Fraction, forms.read_decimal)

SCALARS: dict[str, Scalar] = {
    "Bool": Scalar("true", bare={bool: bool}),
    "String": Scalar('"text"', bare={str: str}),
    "Int": Scalar('12 or "12"', bare={int: _safe, str: forms.read_int}),
    "Nat": Scalar('12 or "12"', bare={int: lambda n: _natural(_safe(n)), str: lambda t: _natural(forms.read_int(t))}),
    "Real": Scalar(
        '"1/3" or {"real": "1/3"}',
        {"real": forms.read_real, "decimal": _ratio},
        {int: _maybe(Fraction, _safe), str: forms.read_real},
    ),
    "Decimal": Scalar(
        '"12.50" or {"decimal": "12.50"}',
        {"decimal": forms.read_decimal},
        {int: _maybe(Decimal, _safe), str: forms.read_decimal},
    ),
    "Money": Scalar(
        '"12.50" or {"money": "12.50"}',
        {"money": _money},
        {int: _maybe(lambda n: Money(Decimal(n)), _safe), str: _money},
    ),
    "f64": Scalar(
        "12.5",
        {"f64": lambda text: float(text) if text in FLOATS else None},
        {float: float, int: _maybe(float, _safe)},
    ),
    "Date": Scalar('"2026-01-31" or {"date": "2026-01-31"}', {"date": forms.read_date}, {str: forms.read_date}),
    "DateTime": Scalar(
        '"2026-01-31T12:00:00Z" or {"dateTime": "2026-01-31T12:00:00Z"}',
        {"dateTime": forms.read_instant},
        {str: forms.read_instant},
    ),
    "Duration": Scalar('"P30D" or {"duration": "P30D"}', {"duration": forms.read_duration}, {str: forms.read_duration}),
}

TAGGED: dict[str, Read] = {
    tag: read
    for name in ("Real", "Decimal", "Money", "f64", "Date", "DateTime", "Duration")
    for tag, read in SCALARS[name].tags.items()
} | {"decimal": forms.read_decimal}
"""Reading of a full form whose type is not known; all of them tell their own type."""


def scalar(json: Json, name: str, where: str) -> Value:
    """A value of a primitive type."""
    spec = SCALARS[name]
    found: Value = None
    if isinstance(json, dict):
        found = tagged(json, spec.tags)
    elif type(json) in spec.bare:
        found = spec.bare[type(json)](json)
    if found is None:
        refuse(where, f"{name}, as {spec.example}", json)
    return found


def tagged(json: dict[str, Json], tags: Mapping[str, Read]) -> Value:
    """The value of `{tag: text}`; None when it is none of these tags, or the text does not fit."""
    if len(json) != 1:
        return None
    ((tag, text),) = json.items()
    return tags[tag](text) if tag in tags and isinstance(text, str) else None


def refuse(where: str, expected: str, json: Json) -> NoReturn:
    """Refuse what came, naming the argument, what was expected there and what came."""
    found = shown(json)
    raise ArgonError(
        "ARGON_RUNTIME_VALIDATION_FAILED",
        args(name=where, expected=expected, found=found),
        details={"argument": where, "expected": expected, "found": found},
    )


def shown(json: Json) -> str:
    """What came, in short; a binary float is called one, because its digits look like a decimal's."""
    if json is MISSING:
        return "nothing"
    if isinstance(json, float):
        return f"the binary float {json!r}"
    if isinstance(json, int) and not isinstance(json, bool) and abs(json) > SAFE:
        return f"the JSON number {json:.3e}" if abs(json) < 10**300 else "a JSON number beyond 2^53"
    try:
        text = json_.dumps(json, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return type(json).__name__
    return text if len(text) <= 80 else text[:77] + "…"
