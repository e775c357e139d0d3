"""Hypothesis strategies of values and of lowered programs, derived from the registry itself."""

from __future__ import annotations

from datetime import UTC
from decimal import Decimal
from functools import cache
from typing import Any

from hypothesis import strategies as st

from argon_lang.ir.schema import BY_CLASS
from argon_lang.ir.shapes import Leaf, Node, Opt, Seq, Shape, Tup, node
from argon_lang.ir.values import Entity, EnumValue, MapValue, Money, RangeValue, StructValue, TupleValue

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
decimals = st.one_of(
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30, places=2),
    st.sampled_from([Decimal("0"), Decimal("-0"), Decimal("1E+20"), Decimal("12.50"), Decimal("1E-40")]),
)
instants = st.datetimes(timezones=st.just(UTC))
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    texts,
    st.floats(allow_nan=False),
    st.fractions(),
    decimals,
    decimals.map(Money),
    st.dates(),
    instants,
    st.timedeltas(),
    texts.map(Entity),
)


def _maps(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[MapValue]:
    return st.dictionaries(texts, parts, max_size=3).map(lambda found: MapValue(frozenset(found.items())))


def _wholes(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    rows = st.lists(parts, max_size=3).map(tuple)
    named = st.lists(st.tuples(texts, parts), max_size=3).map(tuple)
    return st.one_of(
        rows,
        st.frozensets(parts, max_size=3),
        st.builds(EnumValue, texts, texts, rows),
        st.builds(StructValue, texts, named),
        st.builds(TupleValue, texts, rows),
        _maps(parts),
        st.builds(RangeValue, parts, parts),
    )


values = st.recursive(scalars, _wholes, max_leaves=6)
rows = st.lists(values, max_size=3).map(tuple)
_LEAVES: dict[str, st.SearchStrategy[Any]] = {
    "text": texts,
    "int": st.integers(-5, 2**70),
    "flag": st.booleans(),
    "instant": instants,
}


@cache
def heights() -> dict[type, int]:
    """The least nesting of an instance of each registered class: 0 when none of its parts needs another class."""
    found: dict[type, int] = {}
    while len(found) < len(BY_CLASS):
        for cls, schema in BY_CLASS.items():
            least = [_height(shape, found) for shape in schema.shapes]
            if cls not in found and all(height is not None for height in least):
                found[cls] = 1 + max((height for height in least if height is not None), default=-1)
    return found


def _height(shape: Shape, found: dict[type, int]) -> int | None:
    match shape:
        case Node(classes):
            return min((found[cls] for cls in classes if cls in found), default=None)
        case Tup(items):
            inner = [_height(item, found) for item in items]
            return None if None in inner else max((height for height in inner if height is not None), default=0)
        case _:
            return 0


@cache
def of(shape: Shape, depth: int) -> st.SearchStrategy[Any]:
    """Objects of a shape with at most `depth` levels of registered classes below it."""
    match shape:
        case Leaf(kind):
            return _LEAVES[kind]
        case Opt(inner):
            fits = (_height(inner, heights()) or 0) <= depth
            return st.one_of(st.none(), of(inner, depth)) if fits else st.none()
        case Seq(inner):
            fits = (_height(inner, heights()) or 0) <= depth
            return st.lists(of(inner, depth), max_size=2).map(tuple) if fits else st.just(())
        case Tup(items):
            return st.tuples(*(of(item, depth) for item in items))
        case Node(classes):
            few = sorted((cls for cls in classes if heights()[cls] <= depth), key=lambda cls: BY_CLASS[cls].number)
            return st.one_of(*(_instance(cls, depth) for cls in few))
        case _:
            return scalars if depth < 2 else values


def _instance(cls: type, depth: int) -> st.SearchStrategy[Any]:
    if cls is MapValue:
        return _maps(scalars)
    return st.builds(cls, *(of(shape, depth - 1) for shape in BY_CLASS[cls].shapes))


def instances(cls: type, depth: int) -> st.SearchStrategy[Any]:
    """Instances of a registered class, with at most `depth` levels of registered classes."""
    return of(node(cls), depth)
