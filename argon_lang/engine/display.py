"""How a value reads inside `format!` and in proofs: canonical, whatever it was computed from."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from argon_lang.engine import exact
from argon_lang.ir.values import Entity, EnumValue, MapValue, Money, RangeValue, StructValue, TupleValue, Value


def display(value: Value) -> str:
    """The value as text: `12.5`, `1/3`, `2026-01-31`, `3 days`, `alice`, `[1, 2]`; nothing for an absent one."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | Decimal() | Fraction():
            return number(value)
        case Money(amount):
            return number(amount, 2)
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case date():
            return value.isoformat()
        case timedelta():
            return _duration(value)
        case Entity(id_):
            return id_.rsplit("::", 1)[-1]
        case _:
            return _structured(value)


def number(value: int | Decimal | Fraction, least_places: int = 0) -> str:
    """In decimal notation without idle zeros (at least `least_places` decimals); `a/b` when the decimals never end."""
    ratio = exact.fraction(value)
    plain = exact.finite_decimal(ratio)
    if plain is None:
        return f"{Decimal(ratio.numerator):f}/{Decimal(ratio.denominator):f}"
    text = f"{plain:f}"
    body, _, decimals = text.partition(".")
    decimals = decimals.rstrip("0").ljust(least_places, "0")
    return f"{body}.{decimals}" if decimals else body


def _duration(value: timedelta) -> str:
    """The largest units that count it exactly: `3 days`, `1 day 2 hours`."""
    rest = abs(value) // timedelta(microseconds=1)
    parts = []
    for name, size in _UNITS:
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count} {name}" + ("s" if count != 1 else ""))
    text = " ".join(parts) or "0 days"
    return f"-({text})" if value < timedelta() else text


_UNITS = (
    ("day", 86_400_000_000),
    ("hour", 3_600_000_000),
    ("minute", 60_000_000),
    ("second", 1_000_000),
    ("microsecond", 1),
)


def _structured(value: Value) -> str:
    match value:
        case EnumValue(_, variant, ()):
            return variant
        case EnumValue(_, variant, payload):
            return f"{variant}({_joined(payload)})"
        case StructValue(path, fields):
            inner = ", ".join(f"{name}: {display(part)}" for name, part in fields)
            return f"{path.rsplit('::', 1)[-1]} {{ {inner} }}"
        case TupleValue(relation, ends):
            return f"{relation.rsplit('::', 1)[-1]}({_joined(ends)})"
        case frozenset():
            return "{" + ", ".join(sorted(map(display, value))) + "}"
        case MapValue(entries):
            return "{" + ", ".join(sorted(f"{display(key)}: {display(part)}" for key, part in entries)) + "}"
        case RangeValue(start, end):
            return f"{display(start)}..{display(end)}"
        case tuple():
            return f"[{_joined(value)}]"
        case _:
            return str(value)


def _joined(values: tuple[Value, ...]) -> str:
    return ", ".join(map(display, values))
