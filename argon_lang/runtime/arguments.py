"""What a caller gives, as values of the declared types: named or in order, JSON or the text of a command line.

Raises `ARGON_RUNTIME_SIGNATURE_MISMATCH` for the wrong arguments and `ARGON_RUNTIME_VALIDATION_FAILED` for a value that
does not fit, each naming the parameter, what was expected and what came.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime

from argon_lang.engine.display import display
from argon_lang.errors import ArgonError
from argon_lang.ir.module import Param
from argon_lang.ir.text_forms import read_date, read_instant
from argon_lang.ir.values import Value
from argon_lang.ir.wire import from_wire
from argon_lang.problems import Note, args
from argon_lang.program.types import ListOf, Named, OptionOf, Primitive, SetOf, Type, show
from argon_lang.runtime.base import instant_of
from argon_lang.runtime.envelopes import Json
from argon_lang.runtime.fitting import is_member, rooted
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.shown import wire_of

Given = Mapping[str, Json] | Sequence[Json]
"""Arguments by name, or in order."""


def coerce(reading: Reading, path: str, params: Sequence[Param], given: Given) -> list[Value]:
    """One value per parameter, in order."""
    name = path.rsplit("::", 1)[-1]
    named = _named(name, params, given)
    return [_value(reading, param, named[param.name]) for param in params]


def _named(name: str, params: Sequence[Param], given: Given) -> Mapping[str, Json]:
    known = [param.name for param in params]
    if isinstance(given, Mapping):
        named = dict(given)
    elif len(given) == len(params):
        named = dict(zip(known, given, strict=True))
    else:
        raise _mismatch(name, params, f"{len(given)}")
    for extra in named.keys() - set(known):
        raise _mismatch(name, params, _list(sorted(named)), Note("unknown", args(variable=extra)))
    for param in params:
        if param.name not in named:
            if not isinstance(param.type, OptionOf):
                raise _mismatch(name, params, _list(sorted(named)), Note("missing", args(variable=param.name)))
            named[param.name] = None
    return named


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "none"


def _mismatch(name: str, params: Sequence[Param], found: str, *notes: Note) -> ArgonError:
    signature = f"{name}({', '.join(f'{param.name}: {show(param.type)}' for param in params)})"
    count = f"{len(params)} argument{'s' if len(params) != 1 else ''}"
    return ArgonError(
        "ARGON_RUNTIME_SIGNATURE_MISMATCH",
        args(name=name, expected=count, found=found),
        details={"name": name, "parameters": [param.name for param in params]},
        notes=(*notes, Note("signature", args(signature=signature))),
    )


def _value(reading: Reading, param: Param, given: Json) -> Value:
    value = rooted(reading.served.schema, from_wire(given, param.type, param.name, wire_of(reading)))
    if not is_member(reading, value, param.type):
        raise invalid(param.name, show(param.type), display(value))
    return value


def invalid(name: str, expected: str, found: str) -> ArgonError:
    """`ARGON_RUNTIME_VALIDATION_FAILED`, its parts under `details` too."""
    return ArgonError(
        "ARGON_RUNTIME_VALIDATION_FAILED",
        args(name=name, expected=expected, found=found),
        details={"argument": name, "expected": expected, "found": found},
    )


def from_words(params: Sequence[Param], name: str, words: Sequence[str]) -> dict[str, Json]:
    """The words of a command line, in order or as `name=value`, as JSON by name. Raises as `coerce` does."""
    known = {param.name: param for param in params}
    waiting = [param.name for param in params]
    named: dict[str, Json] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not (equals and key.isidentifier()):
            key, text = (waiting[0] if waiting else ""), word
        if key not in known or key in named:
            note = () if key in named or not key else (Note("unknown", args(variable=key)),)
            raise _mismatch(name, params, f"{len(words)}", *note)
        waiting.remove(key)
        named[key] = word_json(known[key].type, text)
    return named


def word_json(ty: Type, text: str) -> Json:
    """One word of a command line as JSON of a type: text types as they stand, the others by JSON where it parses.

    A lone element stands for a list of it.
    """
    if isinstance(ty, OptionOf):
        return None if text == "null" else word_json(ty.inner, text)
    if isinstance(ty, ListOf | SetOf) and not text.startswith("["):
        return [word_json(ty.element, text)]
    plain = isinstance(ty, Primitive) and ty.name not in ("Bool", "f64")
    if plain or (isinstance(ty, Named) and not text.startswith("{")):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def instant(text: str) -> datetime:
    """A read point of valid time: a date (midnight UTC) or a date-time with its offset."""
    found: date | datetime | None = read_date(text) or read_instant(text)
    if found is None:
        raise invalid("asOf", "a date or date-time such as 2026-01-31 or 2026-01-31T12:00:00Z", json.dumps(text))
    return instant_of(found)
