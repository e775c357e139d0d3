"""Values as small integers and back: one interner per model.

Equal values (`argon_lang.engine.identity`) share a number whatever type they were written in, so that a row of numbers
identifies a tuple. The table keeps a canonical value for each; `Decoders` give a column its declared type back.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

from argon_lang.engine import exact
from argon_lang.engine.identity import identity
from argon_lang.ir.lower.remember import Last
from argon_lang.ir.module import Module
from argon_lang.ir.values import Entity, EnumValue, MapValue, Money, RangeValue, StructValue, TupleValue, Value
from argon_lang.program.types import DECIMAL, MONEY, REAL, Applied, ListOf, Named, OptionOf, SetOf, Type

_PLAIN = frozenset({int, str, date, datetime, timedelta, Money, Fraction, Decimal, type(None)})
_SIMPLE = frozenset({int, str, bool, float, date, datetime, timedelta, Entity, type(None)})
_entity_id = operator.attrgetter("id")


class Interner:
    """`values[i]` is the value numbered i. Numbers never change; adding is safe from several threads."""

    __slots__ = ("_entities", "_lock", "_others", "beside", "values")

    def __init__(self) -> None:
        """Start empty."""
        self.values: list[Value] = []
        self.beside: object = None
        """What the executor of columns keeps of the values."""
        self._entities: dict[str, int] = {}
        self._others: dict[Hashable, int] = {}
        self._lock = threading.Lock()

    def intern(self, value: Value) -> int:
        """The number of `value`, new or known."""
        if isinstance(value, Entity):
            known = self._entities.get(value.id)
            return known if known is not None else self._add(self._entities, value.id, value)
        key = value if type(value) in _PLAIN else identity(value)
        known = self._others.get(key)
        return known if known is not None else self._add(self._others, key, value)

    def many(self, values: Sequence[Value]) -> list[int]:
        """The numbers of values, in their order."""
        kinds = set(map(type, values))
        found: list[int | None] = []
        if kinds == {Entity}:
            found = list(map(self._entities.get, map(_entity_id, values)))
        elif kinds <= _PLAIN:
            found = list(map(self._others.get, values))
        else:
            found = [None] * len(values)
        if None in found:
            return [self.intern(v) if n is None else n for n, v in zip(found, values, strict=True)]
        return cast(list[int], found)

    def find(self, value: Value) -> int | None:
        """The number of `value` if some row or rule has it; None otherwise."""
        if isinstance(value, Entity):
            return self._entities.get(value.id)
        return self._others.get(identity(value))

    def _add(self, table: dict[Any, int], key: Hashable, value: Value) -> int:
        with self._lock:
            known = table.get(key)
            if known is None:
                known = len(self.values)
                self.values.append(canonical(value))
                table[key] = known
            return known


def canonical(value: Value) -> Value:
    """The same value in its one form: whole numbers as `int`, decimals without idle zeros, Money with two at least."""
    if type(value) in _SIMPLE:
        return value
    match value:
        case Decimal() | Fraction():
            return _number(value)
        case Money(amount):
            return Money(_places(amount, 2))
        case tuple():
            return tuple(map(canonical, value))
        case frozenset():
            return frozenset(map(canonical, value))
        case EnumValue(path, variant, payload):
            return EnumValue(path, variant, tuple(map(canonical, payload)))
        case StructValue(path, fields):
            return StructValue(path, tuple((name, canonical(part)) for name, part in fields))
        case TupleValue(relation, ends):
            return TupleValue(relation, tuple(map(canonical, ends)))
        case MapValue(entries):
            return MapValue(frozenset((canonical(key), canonical(part)) for key, part in entries))
        case RangeValue(start, end):
            return RangeValue(canonical(start), canonical(end))
        case _:
            return value


def _number(value: Decimal | Fraction) -> Value:
    ratio = exact.fraction(value)
    if ratio.denominator == 1:
        return ratio.numerator
    return value if isinstance(value, Fraction) else _places(value, 0)


def _places(value: Decimal, least: int) -> Decimal:
    """Without idle zeros, but with at least `least` decimals."""
    plain = exact.finite_decimal(exact.fraction(value)) or Decimal(0)
    exponent = plain.as_tuple().exponent
    missing = least + exponent if isinstance(exponent, int) else 0
    return exact.widen(plain, missing) if missing > 0 else plain


Decoder = Callable[[Value], Value]
_Data = Mapping[tuple[str, str], tuple[tuple[str, Type], ...]]
_DATA: Last[_Data] = Last()
"""The checks of a program are decided one by one, each over a module of its own with the data of them all."""


def _data(module: Module) -> _Data:
    """The fields of structs, of the variants of enums, and of relation tuples."""
    return {
        **{(s.path, ""): tuple((name, ty) for name, ty, _ in s.fields) for s in module.structs},
        **{(n.path, v.name): v.payload for n in module.enums for v in n.variants},
        **{(r.path, "rel"): r.ends for r in module.relations},
    }


class Decoders:
    """How a canonical value becomes one of a declared type: `5` in a Real column is `Fraction(5)`."""

    def __init__(self, module: Module) -> None:
        """Know the module's structs, enums and relations."""
        declaring = (module.structs, module.enums, module.relations)
        self._data = _DATA.get(declaring, lambda: _data(module))
        self._made: dict[Type, Decoder | None] = {}

    def of(self, ty: Type) -> Decoder | None:
        """The decoder of a type; None where canonical values are already right."""
        if ty not in self._made:
            self._made[ty] = None
            self._made[ty] = self._make(ty)
        return self._made[ty]

    def _make(self, ty: Type) -> Decoder | None:
        if ty == REAL:
            return _as_real
        if ty == DECIMAL:
            return _as_decimal
        if ty == MONEY:
            return _as_money
        match ty:
            case OptionOf(inner):
                return self._optional(inner)
            case ListOf(element) | SetOf(element):
                return self._many(element)
            case Named("struct" | "enum" | "relation", _):
                return self._named
            case Applied("Map", (key, part)):
                return self._map(key, part)
            case Applied("Range", (bound,)):
                return self._range(bound)
            case _:
                return None

    def _optional(self, inner: Type) -> Decoder | None:
        decode = self.of(inner)
        return None if decode is None else lambda value: value if value is None else decode(value)

    def _many(self, element: Type) -> Decoder | None:
        decode = self.of(element)
        if decode is None:
            return None

        def each(value: Any) -> Value:
            elements = map(decode, value)
            return frozenset(elements) if isinstance(value, frozenset) else tuple(elements)

        return each

    def _map(self, key: Type, part: Type) -> Decoder | None:
        if self.of(key) is None and self.of(part) is None:
            return None

        def each(value: Any) -> Value:
            return MapValue(frozenset((self._apply(key, a), self._apply(part, b)) for a, b in value.entries))

        return each

    def _range(self, bound: Type) -> Decoder | None:
        decode = self.of(bound)

        def both(value: Any) -> Value:
            return value if decode is None else RangeValue(decode(value.start), decode(value.end))

        return None if decode is None else both

    def _named(self, value: Value) -> Value:
        match value:
            case StructValue(path, fields):
                types = dict(self._data.get((path, ""), ()))
                return StructValue(path, tuple((n, self._apply(types.get(n), part)) for n, part in fields))
            case EnumValue(path, variant, payload) if payload:
                kinds = [ty for _, ty in self._data.get((path, variant), ())]
                return EnumValue(path, variant, self._all(kinds, payload))
            case TupleValue(relation, ends):
                kinds = [ty for _, ty in self._data.get((relation, "rel"), ())]
                return TupleValue(relation, self._all(kinds, ends))
            case _:
                return value

    def _all(self, kinds: list[Type], values: Iterable[Value]) -> tuple[Value, ...]:
        listed = tuple(values)
        padded: list[Type | None] = [*kinds, *([None] * len(listed))]
        return tuple(self._apply(ty, value) for ty, value in zip(padded, listed, strict=False))

    def _apply(self, ty: Type | None, value: Value) -> Value:
        decode = self.of(ty) if ty is not None else None
        return value if decode is None else decode(value)


def _as_real(value: Value) -> Value:
    return exact.fraction(value) if exact.is_number(value) else value


def _as_decimal(value: Value) -> Value:
    plain = exact.finite_decimal(exact.fraction(value)) if exact.is_number(value) else None
    return value if plain is None else plain


def _as_money(value: Value) -> Value:
    return canonical(Money(Decimal(value))) if isinstance(value, int) and not isinstance(value, bool) else value
