"""What the members of optional values, lists, sets, maps and ranges do; `argon_lang.program.collections` types them.

A function value is called as a Python function of the values. Whatever has no order of its own (a set, a map's entries)
comes in value order, so that no result depends on how values are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import date, timedelta
from functools import lru_cache, reduce
from itertools import chain
from typing import Any

from argon_lang.engine import exact
from argon_lang.engine.display import display
from argon_lang.engine.identity import identity, same
from argon_lang.engine.order import sort_key
from argon_lang.ir.values import MapValue, RangeValue, Value

Called = Callable[..., Value]
_ABSENT = object()
_MOST = 1_000_000
"""The most values that a range is written out to: a limit that tells a slip (`0.to(n)`) from a list."""


def before(left: Any, right: Any) -> bool:
    """`left < right` of two values of one ordered type, or of dates and instants."""
    return bool(sort_key(left) < sort_key(right))


@lru_cache(maxsize=256)
def entries_of(entries: frozenset[tuple[Value, Value]]) -> Mapping[Hashable, Value]:
    """The values of a map by the identity of their keys."""
    return {identity(key): value for key, value in entries}


def ordered(value: MapValue) -> list[tuple[Value, Value]]:
    """The entries of a map in the order of its keys."""
    return sorted(value.entries, key=lambda entry: sort_key(entry[0]))


def listed(whole: Any) -> Iterable[Any]:
    """The elements of a list, of a set in value order, of an optional value."""
    if isinstance(whole, frozenset):
        return sorted(whole, key=sort_key)
    return whole if isinstance(whole, tuple) else (whole,)


# -- sizes and elements -----------------------------------------------------------------------------------------------


def _length(_: object, value: Any) -> Value:
    return len(value.entries if isinstance(value, MapValue) else value)


def _is_empty(_: object, value: Any) -> Value:
    if isinstance(value, RangeValue):
        return not before(value.start, value.end)
    return _length(_, value) == 0


def contains(_: object, whole: Any, part: Any) -> Value:
    """Is a part in a text, list, set or range; has a map the key?"""
    match whole:
        case str():
            return part in whole
        case MapValue(entries):
            return identity(part) in entries_of(entries)
        case RangeValue(start, end):
            return not before(part, start) and before(part, end)
        case _:
            return any(same(element, part) for element in whole)


def _end(index: int) -> Called:
    def take(_: object, value: tuple[Value, ...]) -> Value:
        return value[index] if value else None

    return take


def _get(_: object, whole: Any, at: Any) -> Value:
    if isinstance(whole, MapValue):
        return entries_of(whole.entries).get(identity(at))
    found: Value = whole[at] if 0 <= at < len(whole) else None
    return found


def _index(_: object, whole: Any, at: Any) -> Value:
    if isinstance(whole, MapValue):
        found: Any = entries_of(whole.entries).get(identity(at), _ABSENT)
        if found is _ABSENT:
            exact.fail("[…]", f"no key {display(at)}")
    elif 0 <= at < len(whole):
        found = whole[at]
    else:
        exact.fail("[…]", f"position {display(at)} of {len(whole)}, counted from 0")
    value: Value = found
    return value


def _slice(_: object, whole: Any, low: int, high: int) -> Value:
    first = max(low, 0)
    part: Value = whole[first : max(high, first)]
    return part


def _to_list(_: object, value: Any) -> Value:
    if not isinstance(value, RangeValue):
        return tuple(listed(value))
    start: Any = value.start
    end: Any = value.end
    days = isinstance(start, date)
    count: int = (end - start).days if days else end - start
    if count > _MOST:
        exact.fail("to_list", f"a range of {count} values")
    return tuple(start + (timedelta(days=n) if days else n) for n in range(count))


def _join(_: object, parts: tuple[str, ...], between: str) -> Value:
    return between.join(parts)


def _concat(_: object, left: tuple[Value, ...], right: tuple[Value, ...]) -> Value:
    return left + right


def _to_set(_: object, value: tuple[Value, ...]) -> Value:
    return exact.together("to_set", value)


def _add(_: object, whole: frozenset[Value], element: Value) -> Value:
    return exact.together("add", (*whole, element))


def _without(_: object, whole: Any, part: Value) -> Value:
    if isinstance(whole, MapValue):
        return MapValue(frozenset(entry for entry in whole.entries if not same(entry[0], part)))
    return frozenset(each for each in whole if not same(each, part))


# -- functions over elements ------------------------------------------------------------------------------------------


def _map(_: object, whole: Any, made: Called) -> Value:
    if isinstance(whole, tuple | frozenset):
        return tuple(made(each) for each in listed(whole))
    return None if whole is None else made(whole)


def _filter(_: object, whole: Any, holds: Called) -> Value:
    match whole:
        case tuple():
            return tuple(each for each in whole if holds(each) is True)
        case frozenset():
            return frozenset(each for each in listed(whole) if holds(each) is True)
        case MapValue():
            return MapValue(frozenset(entry for entry in ordered(whole) if holds(*entry) is True))
        case _:
            return whole if whole is not None and holds(whole) is True else None


def _flat_map(_: object, whole: Any, made: Callable[[Value], tuple[Value, ...]]) -> Value:
    return tuple(chain.from_iterable(made(each) for each in whole))


def _fold(_: object, whole: Any, start: Value, step: Called) -> Value:
    if isinstance(whole, MapValue):
        return reduce(lambda so_far, entry: step(so_far, *entry), ordered(whole), start)
    return reduce(step, listed(whole), start)


def _truths(whole: Any, holds: Called) -> Iterable[bool]:
    if isinstance(whole, MapValue):
        return (holds(*entry) is True for entry in ordered(whole))
    return (holds(each) is True for each in listed(whole))


def _any(_: object, whole: Any, holds: Called) -> Value:
    return any(_truths(whole, holds))


def _all(_: object, whole: Any, holds: Called) -> Value:
    return all(_truths(whole, holds))


def _find(_: object, whole: tuple[Value, ...], holds: Called) -> Value:
    return next((each for each in whole if holds(each) is True), None)


def _sort_by(_: object, whole: tuple[Value, ...], key: Called) -> Value:
    return tuple(sorted(whole, key=lambda each: sort_key(key(each))))


def _and_then(_: object, value: Value, made: Called) -> Value:
    return None if value is None else made(value)


# -- maps, ranges, options --------------------------------------------------------------------------------------------


def _to_map(_: object, whole: tuple[Value, ...], key: Called, value: Called) -> Value:
    found: dict[Hashable, tuple[Value, Value]] = {}
    for each in whole:
        name = key(each)
        if identity(name) in found:
            exact.fail("to_map", f"the key {display(name)} twice")
        found[identity(name)] = (name, value(each))
    exact.together("to_map", (name for name, _part in found.values()))
    return MapValue(frozenset(found.values()))


def _group_by(_: object, whole: tuple[Value, ...], key: Called) -> Value:
    found: dict[Hashable, tuple[Value, list[Value]]] = {}
    for each in whole:
        name = key(each)
        found.setdefault(identity(name), (name, []))[1].append(each)
    exact.together("group_by", (name for name, _part in found.values()))
    return MapValue(frozenset((name, tuple(group)) for name, group in found.values()))


def _keys(_: object, value: MapValue) -> Value:
    return tuple(key for key, _value in ordered(value))


def _values(_: object, value: MapValue) -> Value:
    return tuple(part for _key, part in ordered(value))


def _put(_: object, whole: MapValue, key: Value, value: Value) -> Value:
    others = [entry for entry in whole.entries if not same(entry[0], key)]
    exact.together("put", (*(name for name, _part in others), key))
    return MapValue(frozenset((*others, (key, value))))


def _map_values(_: object, whole: MapValue, made: Called) -> Value:
    return MapValue(frozenset((key, made(value)) for key, value in ordered(whole)))


def _range(_: object, start: Value, end: Value) -> Value:
    return RangeValue(start, end)


def _overlaps(_: object, left: RangeValue, right: RangeValue) -> Value:
    latest = right.start if before(left.start, right.start) else left.start
    return before(latest, left.end) and before(latest, right.end)


def _unwrap_or(_: object, value: Value, otherwise: Value) -> Value:
    return otherwise if value is None else value


TABLE: tuple[tuple[str, Called, bool], ...] = (
    ("length", _length, False),
    ("len", _length, False),
    ("is_empty", _is_empty, False),
    ("contains", contains, False),
    ("first", _end(0), False),
    ("last", _end(-1), False),
    ("get", _get, False),
    ("reverse", lambda _, value: value[::-1], False),
    ("concat", _concat, False),
    ("join", _join, False),
    ("to_list", _to_list, True),
    ("to_set", _to_set, True),
    ("add", _add, True),
    ("without", _without, False),
    ("map", _map, False),
    ("filter", _filter, False),
    ("flat_map", _flat_map, False),
    ("fold", _fold, False),
    ("any", _any, False),
    ("all", _all, False),
    ("find", _find, False),
    ("sort_by", _sort_by, False),
    ("and_then", _and_then, False),
    ("to_map", _to_map, True),
    ("group_by", _group_by, True),
    ("keys", _keys, False),
    ("values", _values, False),
    ("put", _put, True),
    ("map_values", _map_values, False),
    ("to", _range, False),
    ("start", lambda _, value: value.start, False),
    ("end", lambda _, value: value.end, False),
    ("overlaps", _overlaps, False),
    ("is_some", lambda _, value: value is not None, False),
    ("is_none", lambda _, value: value is None, False),
    ("unwrap_or", _unwrap_or, False),
    ("index", _index, True),
    ("slice", _slice, False),
    ("present", lambda _, value: () if value is None else (value,), False),
)
"""Name, implementation (of a context and the values), and whether it may have no result."""
