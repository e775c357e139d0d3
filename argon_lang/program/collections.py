"""Signatures of the members of optional values, lists, sets, maps and ranges; `program.intrinsics` has the others.

Positions count from 0. A slice and a range end before their second bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from argon_lang.program.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    INT,
    MONEY,
    NAT,
    REAL,
    STRING,
    Applied,
    FnOf,
    ListOf,
    OptionOf,
    SetOf,
    Type,
    TypeVar,
)


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to call an intrinsic; `params` starts with the receiver of a member. Type variables have no owner."""

    params: tuple[Type, ...]
    result: Type


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """A name with its signatures. `form`: `function`, `member`, `both`, or `operator` (what a postfix form means).

    `doc` is one line for hover.
    """

    name: str
    form: str
    signatures: tuple[Signature, ...]
    doc: str


T, U, K, V, W = (TypeVar("", name) for name in "TUKVW")
LIST, SET, OPTION, MAP, RANGE = ListOf(T), SetOf(T), OptionOf(T), Applied("Map", (K, V)), Applied("Range", (T,))
_SIZED: tuple[Type, ...] = (STRING, LIST, SET, MAP)
_COUNTED = (NAT, INT, DATE)
_BOUNDS = (NAT, INT, DECIMAL, REAL, MONEY, DATE, DATETIME)


def range_of(ty: Type) -> Type:
    """`Range<T>`."""
    return Applied("Range", (ty,))


def _forms(*forms: tuple[Iterable[Type], Type]) -> tuple[Signature, ...]:
    """Signatures from pairs of parameters and result."""
    return tuple(Signature(tuple(params), result) for params, result in forms)


def _over(result: Type, *receivers: Type) -> tuple[Signature, ...]:
    """Signatures of a receiver alone."""
    return tuple(Signature((each,), result) for each in receivers)


def _member(name: str, signatures: tuple[Signature, ...], doc: str) -> Intrinsic:
    return Intrinsic(name, "member", signatures, doc)


_TEST = FnOf((T,), BOOL)
_TEST_PAIR = FnOf((K, V), BOOL)

_SIZES = (
    _member("length", _over(NAT, *_SIZED), "Number of characters, elements or entries."),
    _member("len", _over(NAT, *_SIZED), "Number of characters, elements or entries: `length` in short."),
    _member("is_empty", _over(BOOL, *_SIZED, RANGE), "Has it no character, element or entry?"),
    _member(
        "contains",
        _forms(((STRING, STRING), BOOL), ((LIST, T), BOOL), ((SET, T), BOOL), ((MAP, K), BOOL), ((RANGE, T), BOOL)),
        "Is the second within the first? Of a map: has it that key?",
    ),
)

_ELEMENTS = (
    _member("first", _over(OPTION, LIST), "The first element, absent when there is none."),
    _member("last", _over(OPTION, LIST), "The last element, absent when there is none."),
    _member(
        "get",
        _forms(((LIST, INT), OPTION), ((MAP, K), OptionOf(V))),
        "The element at a position (from 0), or the value of a key; absent when there is none.",
    ),
    _member("reverse", _over(LIST, LIST), "The elements from the last to the first."),
    _member("concat", _forms(((LIST, LIST), LIST)), "The elements of the first, then those of the second."),
    _member("join", _forms(((ListOf(STRING), STRING), STRING)), "The texts with the second between them."),
    _member(
        "to_list",
        (*_over(LIST, SET), *(Signature((range_of(ty),), ListOf(ty)) for ty in _COUNTED)),
        "The elements in value order, or every value of the range.",
    ),
    _member("to_set", _over(SET, LIST), "The different elements."),
    _member("add", _forms(((SET, T), SET)), "The set with one more element."),
    _member(
        "without",
        _forms(((SET, T), SET), ((MAP, K), MAP)),
        "The set without an element, or the map without a key; the same when it has none.",
    ),
)

_CALLING = (
    _member(
        "map",
        _forms(
            ((LIST, FnOf((T,), U)), ListOf(U)),
            ((SET, FnOf((T,), U)), ListOf(U)),
            ((OPTION, FnOf((T,), U)), OptionOf(U)),
        ),
        "What the function makes of each element (a set's in value order), or of the optional value.",
    ),
    _member(
        "filter",
        _forms(((LIST, _TEST), LIST), ((SET, _TEST), SET), ((OPTION, _TEST), OPTION), ((MAP, _TEST_PAIR), MAP)),
        "The elements, or the entries, of which the function holds.",
    ),
    _member(
        "flat_map", _forms(((LIST, FnOf((T,), ListOf(U))), ListOf(U))), "The lists of all elements, one after another."
    ),
    _member(
        "fold",
        _forms(
            ((LIST, U, FnOf((U, T), U)), U),
            ((SET, U, FnOf((U, T), U)), U),
            ((MAP, U, FnOf((U, K, V), U)), U),
        ),
        "The value that the function makes of the second and of each element in turn.",
    ),
    _member(
        "any",
        _forms(((LIST, _TEST), BOOL), ((SET, _TEST), BOOL), ((MAP, _TEST_PAIR), BOOL)),
        "Does the function hold of some element?",
    ),
    _member(
        "all",
        _forms(((LIST, _TEST), BOOL), ((SET, _TEST), BOOL), ((MAP, _TEST_PAIR), BOOL)),
        "Does the function hold of every element?",
    ),
    _member("find", _forms(((LIST, _TEST), OPTION)), "The first element of which the function holds."),
    _member(
        "sort_by",
        _forms(((LIST, FnOf((T,), U)), LIST)),
        "The elements by what the function makes of them; equals keep their order.",
    ),
    _member(
        "and_then",
        _forms(((OPTION, FnOf((T,), OptionOf(U))), OptionOf(U))),
        "What the function makes of the value, if there is one.",
    ),
)

_MAPS = (
    _member(
        "to_map",
        _forms(((LIST, FnOf((T,), K), FnOf((T,), V)), MAP)),
        "A map with a key and a value for each element; an error where two elements have one key.",
    ),
    _member(
        "group_by",
        _forms(((LIST, FnOf((T,), K)), Applied("Map", (K, LIST)))),
        "The elements of each key, in their order.",
    ),
    _member("keys", _over(ListOf(K), MAP), "The keys in value order."),
    _member("values", _over(ListOf(V), MAP), "The values in the order of their keys."),
    _member("put", _forms(((MAP, K, V), MAP)), "The map with this value under this key."),
    _member(
        "map_values",
        _forms(((MAP, FnOf((V,), W)), Applied("Map", (K, W)))),
        "What the function makes of each value, under its key.",
    ),
)

_RANGES = (
    _member(
        "to",
        tuple(Signature((ty, ty), range_of(ty)) for ty in _BOUNDS),
        "The range from the first up to the second, which is not in it.",
    ),
    _member("start", _over(T, RANGE), "Where the range begins."),
    _member("end", _over(T, RANGE), "Where the range ends: the first value that is not in it."),
    _member("overlaps", _forms(((RANGE, RANGE), BOOL)), "Is some value in both?"),
)

_OPTIONS = (
    _member("is_some", _over(BOOL, OPTION), "Is there a value?"),
    _member("is_none", _over(BOOL, OPTION), "Is there no value?"),
    _member("unwrap_or", _forms(((OPTION, T), T)), "The value, or the second when absent."),
)

_POSTFIX = (
    Intrinsic(
        "index",
        "operator",
        _forms(((LIST, INT), T), ((STRING, INT), STRING), ((MAP, K), V)),
        "The element at a position (from 0) or the value of a key; an error when there is none.",
    ),
    Intrinsic(
        "slice",
        "operator",
        _forms(((LIST, INT, INT), LIST), ((STRING, INT, INT), STRING)),
        "The elements from one position up to another, as far as there are any.",
    ),
    Intrinsic("present", "operator", _over(LIST, OPTION), "The value as a list of at most one."),
)

TABLE = (*_SIZES, *_ELEMENTS, *_CALLING, *_MAPS, *_RANGES, *_OPTIONS, *_POSTFIX)
