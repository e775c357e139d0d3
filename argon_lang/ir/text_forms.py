"""Text forms of exact scalars: what stands between the quotes of a wire form (semantics S8.1), one spelling each way.

Writing is canonical; reading takes the same spelling, an offset in place of `Z`, and nothing looser: every reader here
returns None for a text that is not one.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

_LONGEST = 4000
"""Characters of a number; Python refuses to convert longer integers."""
_INT = re.compile(r"-?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_RATIO = re.compile(r"(-?(?:0|[1-9][0-9]*))/([1-9][0-9]*)")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})")
_DURATION = re.compile(
    r"(?P<sign>-?)P(?:(?P<days>[0-9]{1,9})D)?"
    r"(?:T(?=[0-9])(?:(?P<hours>[0-9]{1,12})H)?(?:(?P<minutes>[0-9]{1,12})M)?(?:(?P<seconds>[0-9]{1,12})(?P<part>\.[0-9]{1,6})?S)?)?"
)


def show_decimal(number: Decimal, least_places: int = 0) -> str:
    """`12.5`: digits without idle zeros but with `least_places` decimals at least (S1.7), never an exponent.

    Equal numbers of different scale are one value, so the scale that one of them was written in does not show.
    """
    body, _, decimals = format(number, "f").partition(".")
    decimals = decimals.rstrip("0").ljust(least_places, "0")
    text = f"{body}.{decimals}" if decimals else body
    return text.removeprefix("-") if number.is_zero() else text


def show_money(amount: Decimal) -> str:
    """`12.50`: as `show_decimal`, with two decimals at least."""
    return show_decimal(amount, 2)


def show_real(number: int | Fraction | Decimal) -> str:
    """`1/3`, or `3` when whole."""
    return str(Fraction(number))


def show_instant(instant: datetime) -> str:
    """`2026-01-31T12:00:00Z`, with a fraction of a second only when there is one."""
    return instant.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def show_duration(span: timedelta) -> str:
    """ISO 8601 with days as the largest unit: `P30D`, `-P1DT2H`, `PT0.5S`; nothing is `P0D`."""
    sign, span = ("-", -span) if span < timedelta(0) else ("", span)
    minutes, seconds = divmod(span.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    part = f"{seconds}.{span.microseconds:06}".rstrip("0") if span.microseconds else str(seconds)
    clock = "".join(f"{n}{unit}" for n, unit in ((hours, "H"), (minutes, "M")) if n)
    clock += f"{part}S" if seconds or span.microseconds else ""
    day = f"{span.days}D" if span.days or not clock else ""
    return f"{sign}P{day}" + (f"T{clock}" if clock else "")


def read_int(text: str) -> int | None:
    """An integer without sign `+`, leading zeros or separators."""
    return int(text) if len(text) <= _LONGEST and _INT.fullmatch(text) else None


def read_decimal(text: str) -> Decimal | None:
    """A decimal number in digits."""
    return Decimal(text) if len(text) <= _LONGEST and _DECIMAL.fullmatch(text) else None


def read_real(text: str) -> Fraction | None:
    """A ratio of integers, or a decimal number."""
    if len(text) > _LONGEST:
        return None
    ratio = _RATIO.fullmatch(text)
    if ratio:
        return Fraction(int(ratio[1]), int(ratio[2]))
    number = read_decimal(text)
    return None if number is None else Fraction(number)


def read_date(text: str) -> date | None:
    """A day of the calendar."""
    try:
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def read_instant(text: str) -> datetime | None:
    """An instant with its offset, in UTC."""
    if not _INSTANT.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def read_duration(text: str) -> timedelta | None:
    """Days and a clock time, each optional, not both absent."""
    match = _DURATION.fullmatch(text)
    if not match or text.endswith(("P", "T")):
        return None
    days, hours, minutes, seconds = (int(match[unit] or 0) for unit in ("days", "hours", "minutes", "seconds"))
    micros = int((match["part"] or ".")[1:].ljust(6, "0"))
    try:
        span = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds, microseconds=micros)
        return -span if match["sign"] else span
    except OverflowError:
        return None
