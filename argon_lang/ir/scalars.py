"""Scalars of the encoding: what CBOR holds as it is, and the numbers under which exact values travel.

A Decimal keeps its written scale (as text), a Fraction is two integers, dates are day numbers, instants and durations
are whole microseconds: each has exactly one encoding, and nothing passes through a binary float.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from argon_lang.ir.values import Money

MONEY, FRACTION, DECIMAL, DATE, DATETIME, DURATION, TUPLE, SET = 2, 6, 7, 8, 9, 10, 11, 12
PLAIN = frozenset({bool, int, str, float, type(None)})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LONGEST = 1_000_000


class CodecError(ValueError):
    """Something that has no encoding, or data that encodes nothing. Names what was expected and what was found."""

    def __init__(self, expected: str, found: str) -> None:
        """Keep both halves; a room that reports one puts them into its own code's message."""
        super().__init__(expected, found)
        self.expected = expected
        self.found = found


def size(number: int) -> str:
    """An integer in a message: its digits, or only its length when Python would refuse to print it."""
    return str(number) if number.bit_length() < 128 else f"an integer of {number.bit_length()} bits"


def micros(instant: datetime) -> int:
    """Microseconds since 1970 UTC of an aware datetime. Raises CodecError for one without a zone."""
    if instant.tzinfo is None:
        raise CodecError("a DateTime with a zone", "one without")
    return (instant - _EPOCH) // _MICROSECOND


def instant_of(microseconds: int) -> datetime:
    """The aware UTC datetime. Raises CodecError outside the years 1 to 9999."""
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError as error:
        raise CodecError("an instant of the years 1 to 9999", size(microseconds)) from error


def encode_leaf(kind: str, item: Any) -> Any:
    """Plain data of a scalar field."""
    if kind == "instant" and type(item) is datetime:
        return micros(item)
    if type(item) is not _LEAVES[kind]:
        raise CodecError(kind, type(item).__name__)
    return item


def decode_leaf(kind: str, item: Any) -> Any:
    """The scalar field that plain data encodes."""
    if kind == "instant" and type(item) is int:
        return instant_of(item)
    if kind == "instant" or type(item) is not _LEAVES[kind]:
        raise CodecError(kind, type(item).__name__)
    return item


_LEAVES: dict[str, type] = {"text": str, "int": int, "flag": bool, "instant": datetime}


def _text(number: Decimal) -> str:
    text = str(number)
    if len(text) > _LONGEST:
        raise CodecError(f"a number of at most {_LONGEST} characters", f"one of {len(text)}")
    return text


ENCODERS: dict[type, Callable[[Any], list[Any]]] = {
    Money: lambda money: [MONEY, _text(money.amount)],
    Fraction: lambda ratio: [FRACTION, ratio.numerator, ratio.denominator],
    Decimal: lambda number: [DECIMAL, _text(number)],
    date: lambda day: [DATE, day.toordinal()],
    datetime: lambda instant: [DATETIME, micros(instant)],
    timedelta: lambda span: [DURATION, span // _MICROSECOND],
}


def _arguments(array: list[Any], *kinds: type) -> list[Any]:
    found = array[1:]
    if [type(item) for item in found] != list(kinds):
        expected = ", ".join(kind.__name__ for kind in kinds)
        raise CodecError(f"({expected})", "(" + ", ".join(type(item).__name__ for item in found) + ")")
    return found


def _decimal(array: list[Any]) -> Decimal:
    (text,) = _arguments(array, str)
    try:
        number = Decimal(text) if len(text) <= _LONGEST else None
    except InvalidOperation:
        number = None
    if number is None or str(number) != text:
        raise CodecError("a canonical decimal number", repr(text[:40]))
    return number


def _fraction(array: list[Any]) -> Fraction:
    numerator, denominator = _arguments(array, int, int)
    if denominator < 1 or Fraction(numerator, denominator).denominator != denominator:
        raise CodecError("a reduced fraction", f"{size(numerator)}/{size(denominator)}")
    return Fraction(numerator, denominator)


def _date(array: list[Any]) -> date:
    (ordinal,) = _arguments(array, int)
    if not 1 <= ordinal <= date.max.toordinal():
        raise CodecError("a day of the years 1 to 9999", size(ordinal))
    return date.fromordinal(ordinal)


def _datetime(array: list[Any]) -> datetime:
    (microseconds,) = _arguments(array, int)
    return instant_of(microseconds)


def _duration(array: list[Any]) -> timedelta:
    (microseconds,) = _arguments(array, int)
    try:
        return timedelta(microseconds=microseconds)
    except OverflowError as error:
        raise CodecError("a duration of at most 999999999 days", size(microseconds)) from error


DECODERS: dict[int, Callable[[list[Any]], Any]] = {
    MONEY: lambda array: Money(_decimal(array)),
    FRACTION: _fraction,
    DECIMAL: _decimal,
    DATE: _date,
    DATETIME: _datetime,
    DURATION: _duration,
}
