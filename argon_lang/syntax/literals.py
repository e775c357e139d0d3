"""What makes a literal or a name well formed, and what exactly is wrong with one that is not."""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from datetime import datetime
from functools import lru_cache

_STRING = re.compile(r'"(?:[^"\\]++|\\(?:[ntr0"\\]|u\{[0-9A-Fa-f]{1,6}\}))*+"')
_ESCAPE = re.compile(r"\\(?:u\{[^}\"]*\}?|.|$)", re.S)
_CODE_POINT = re.compile(r"\\u\{([0-9A-Fa-f]{1,6})\}")
_NUMBER = re.compile(r"[0-9]+(?:_[0-9]+)*(?:\.[0-9]+(?:_[0-9]+)*)?")
_DATE = re.compile(r"#(\d{4})-(\d{2})-(\d{2})#")
_DATETIME = re.compile(
    r"#(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-](\d{2}):(\d{2}))?#", re.ASCII
)

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "\\": "\\"}

LOOKALIKES = dict(zip("аеорсухіјѕԁһΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТХІЈЅονι", "aeopcyxijsdhABEZHIKMNOPTYXABEKMHOPCTXIJSovi",
                      strict=True))  # fmt: skip
"""Letters of other scripts that look like a Latin one."""

_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "LATIN"})


def bad_string(token: str) -> bool:
    """Whether a string literal is unterminated or has a wrong escape."""
    if not _STRING.fullmatch(token):
        return True
    return "\\u" in token and any(not scalar(match[1]) for match in _CODE_POINT.finditer(token))


def string_closed(token: str) -> bool:
    """Whether a string literal has its closing quote."""
    return len(token) > 1 and re.fullmatch(r'"(?:[^"\\]|\\.)*"', token, re.S) is not None


def scalar(digits: str) -> bool:
    """Whether hexadecimal digits name a Unicode scalar value."""
    code = int(digits, 16)
    return code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF


def wrong_escapes(token: str) -> list[tuple[int, int]]:
    """Spans, inside the literal, of the escapes that are none."""
    found = []
    for match in _ESCAPE.finditer(token):
        point = _CODE_POINT.fullmatch(match[0])
        if not (point and scalar(point[1])) and match[0][1:] not in _ESCAPES:
            found.append(match.span())
    return found


def string_value(token: str) -> str:
    """The text that a well-formed string literal stands for."""

    def replaced(match: re.Match[str]) -> str:
        point = _CODE_POINT.fullmatch(match[0])
        return chr(int(point[1], 16)) if point else _ESCAPES.get(match[0][1:], match[0])

    return _ESCAPE.sub(replaced, token[1:-1])


def bad_number(token: str) -> bool:
    """Whether a numeric literal is not digits with `_` between them and at most one point."""
    return not _NUMBER.fullmatch(token)


def number_value(token: str) -> str:
    """The digits of a well-formed numeric literal, without `_`."""
    return token.replace("_", "")


def date_closed(token: str) -> bool:
    """Whether a date literal has its closing `#`."""
    return token.endswith("#")


def bad_date(token: str) -> bool:
    """Whether a date or date-time literal is unterminated or names no instant of the calendar."""
    return not date_closed(token) or date_fault(token) is not None


def date_fault(token: str) -> tuple[str, dict[str, str]] | None:
    """What is wrong with a closed date literal: a note key of OE0013 and its values; None when it is right."""
    match = _DATE.fullmatch(token) or _DATETIME.fullmatch(token)
    if not match:
        return "form", {}
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    if year < 1 or not 1 <= month <= 12:
        return "form", {}
    if not 1 <= day <= (days := monthrange(year, month)[1]):
        return "range", {"name": f"{match[1]}-{match[2]}", "count": str(days)}
    return None if match.re is _DATE else _time_fault(match)


def _time_fault(match: re.Match[str]) -> tuple[str, dict[str, str]] | None:
    if match[7] is None:
        return "offset", {}
    hour, minute, second = int(match[4]), int(match[5]), int(match[6] or 0)
    if hour > 23 or minute > 59 or second > 59:
        return "time", {}
    if match[8] is not None and (int(match[8]) > 23 or int(match[9]) > 59):
        return "offset", {}
    return None


def date_value(token: str) -> str:
    """The ISO text of a well-formed date or date-time literal."""
    return token.strip("#")


def datetime_value(token: str) -> datetime:
    """The instant of a well-formed date-time literal, microseconds kept."""
    return datetime.fromisoformat(date_value(token).replace("Z", "+00:00"))


@lru_cache(maxsize=4096)
def script(character: str) -> str:
    """The writing system of a letter, by the first word of its Unicode name; empty for marks, digits and `_`."""
    if not character.isalpha():
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


def scripts(name: str) -> tuple[str, ...]:
    """The writing systems of an identifier, in order of appearance."""
    return tuple(dict.fromkeys(found for found in map(script, name) if found))


def mixes_scripts(name: str) -> bool:
    """Whether an identifier mixes writing systems (the East Asian ones mix with each other and with Latin)."""
    if name.isascii():
        return False
    found = set(scripts(name))
    return len(found) > 1 and not found <= _EAST_ASIAN
