"""One deterministic encoding of the lowered program and of run-time values: canonical CBOR, and back.

An instance of a registered class is an array `[number, field, …]` (`argon_lang.ir.schema`); a sequence is an array;
text, truth values, integers, binary floats and None are themselves; every other value has a number of its own, so that
no two types share an encoding and numbers stay exact. The same object gives the same bytes, on every
machine and run.

Both directions keep their own stack, so the depth of a program is bounded by `MAX_DEPTH` and not by Python's recursion
limit. Decoding trusts nothing: numbers, counts, types and depth are checked, CBOR's own tags are refused but for large
integers, and whatever is wrong is one `CodecError`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import cbor2

from argon_lang.ir.identity import NotPlain, maker
from argon_lang.ir.scalars import DECODERS, ENCODERS, PLAIN, SET, TUPLE, CodecError, decode_leaf, encode_leaf
from argon_lang.ir.schema import BY_CLASS, BY_NUMBER, VALUE_CLASSES
from argon_lang.ir.shapes import FLAG, INT, TEXT, VALUE, Leaf, Node, Opt, Seq, Shape, Tup, node
from argon_lang.ir.values import MapValue

__all__ = ["CodecError", "content_id", "dump_value", "dumps", "load_value", "loads", "rule_id"]

T = TypeVar("T")
Plain = Any
"""Data that CBOR holds without tags: None, bool, int, float, str and lists of these."""
Part = tuple[Any, Shape]

MAX_DEPTH = 1500
"""Nested arrays; the parser's 256 levels of nesting take at most five each."""
MAX_BYTES = 256 * 1024 * 1024
_DIRECT = {id(TEXT): frozenset({str}), id(INT): frozenset({int}), id(FLAG): frozenset({bool}), id(VALUE): PLAIN}
"""Parts that are their own encoding, by the identity of these shapes (there is one of each), to spare them a turn."""
_NONE: frozenset[type] = frozenset()
_CBOR_TAGS = (0, 1, 4, 5, 25, 28, 29, 30, 35, 36, 37, 100, 256, 258, 260, 261, 1004, 43000, 55799)


def dumps(obj: object) -> bytes:
    """The canonical bytes of an instance of a registered class. Raises CodecError."""
    return to_cbor(encode(obj, node(type(obj))))


def loads(data: bytes, cls: type[T]) -> T:
    """The instance of a registered class that these bytes encode. Raises CodecError."""
    decoded: T = decode(from_cbor(data), node(cls))
    return decoded


def dump_value(value: object) -> bytes:
    """The canonical bytes of a run-time value. Raises CodecError."""
    return to_cbor(encode(value, VALUE))


def load_value(data: bytes) -> Any:
    """The run-time value that these bytes encode. Raises CodecError."""
    return decode(from_cbor(data), VALUE)


def content_id(*parts: object) -> str:
    """SHA-256 (hex, 16 characters) of the parts' canonical bytes: what they mean, not where they were written.

    A part is an instance of a registered class, a value, or a tuple of such. Fields that take no part in equality
    (`site`) take none here.
    """
    return hashlib.sha256(to_cbor([_part(part) for part in parts])).hexdigest()[:16]


def _part(part: object) -> Plain:
    if isinstance(part, tuple):
        return [_part(item) for item in part]
    shape = _NODES[type(part)] if type(part) in BY_CLASS else VALUE
    try:
        return maker(shape)(part, _QUICK_DEPTH)
    except (NotPlain, RecursionError):
        return encode(part, shape, identity=True)


_QUICK_DEPTH = 60
"""Levels that are encoded by recursion; what is nested deeper is rare, and left to the stack of `encode`."""
_NODES = {cls: node(cls) for cls in BY_CLASS}


def rule_id(key: str, terms: Sequence[object], body: Sequence[object]) -> str:
    """The content id of a clause: its head and its body."""
    return content_id(key, tuple(terms), tuple(body))


def to_cbor(plain: Plain) -> bytes:
    """Canonical CBOR (RFC 8949 core) of plain data. Raises CodecError for text that is not Unicode."""
    try:
        return cbor2.dumps(plain, canonical=True)
    except (cbor2.CBOREncodeError, UnicodeEncodeError) as error:
        raise CodecError("text of Unicode scalar values", "a lone surrogate") from error


def from_cbor(data: bytes) -> Plain:
    """Plain data from bytes that nobody vouches for. Raises CodecError."""
    if len(data) > MAX_BYTES:
        raise CodecError(f"at most {MAX_BYTES} bytes", f"{len(data)} bytes")
    try:
        plain = cbor2.loads(
            data,
            max_depth=MAX_DEPTH,
            allow_indefinite=False,
            allow_duplicate_keys=False,
            semantic_decoders=dict.fromkeys(_CBOR_TAGS, _refuse_tag),
        )
    except (cbor2.CBORError, CodecError, ValueError, TypeError, OverflowError) as error:
        raise CodecError("well-formed CBOR", type(error).__name__) from error
    if to_cbor(plain) != data:
        raise CodecError("canonical CBOR", "another encoding, or bytes after the end")
    return plain


def _refuse_tag(decoder: object, immutable: bool) -> object:
    raise CodecError("plain data", "a CBOR tag")


# -- encoding ---------------------------------------------------------------------------------------------------------


def encode(obj: object, shape: Shape, *, identity: bool = False) -> Plain:
    """Plain data of an object. `identity` leaves out the fields that take no part in equality. Raises CodecError."""
    holder: list[Plain] = [None]
    stack: list[tuple[Any, Shape, list[Plain], int, int]] = [(obj, shape, holder, 0, 0)]
    while stack:
        item, expected, into, at, depth = stack.pop()
        head, parts = _open(item, expected, identity)
        if parts is None:
            into[at] = head
            continue
        if depth > MAX_DEPTH - 2:
            raise CodecError(f"at most {MAX_DEPTH} nested levels", "deeper nesting")
        array: list[Plain] = [*head]
        into[at] = array
        for part, sub in parts:
            if type(part) not in _DIRECT.get(id(sub), _NONE):
                stack.append((part, sub, array, len(array), depth + 1))
            array.append(part)
    return holder[0]


def _open(item: Any, shape: Shape, identity: bool) -> tuple[Plain, Sequence[Part] | None]:
    """Either (plain data, None), or the first elements of an array and the parts that follow them."""
    while isinstance(shape, Opt):
        if item is None:
            return None, None
        shape = shape.inner
    match shape:
        case Leaf(kind):
            return encode_leaf(kind, item), None
        case Node(classes):
            return _open_node(item, classes, identity)
        case Seq(inner):
            return (), [(part, inner) for part in _tuple(item)]
        case Tup(shapes):
            return (), _zip(_tuple(item), shapes)
        case _:
            return _open_value(item, identity)


def _open_node(item: object, classes: Iterable[type], identity: bool) -> tuple[Plain, Sequence[Part]]:
    cls = type(item)
    if cls not in classes or cls not in BY_CLASS:
        raise CodecError(_names(classes), cls.__name__)
    schema = BY_CLASS[cls]
    indexes = schema.identity if identity else range(len(schema.names))
    return (schema.number,), [(getattr(item, schema.names[i]), schema.shapes[i]) for i in indexes]


def _open_value(item: Any, identity: bool) -> tuple[Plain, Sequence[Part] | None]:
    cls = type(item)
    if cls in PLAIN:
        return item, None
    if cls in ENCODERS:
        return ENCODERS[cls](item), None
    if cls is tuple:
        return (TUPLE,), [(part, VALUE) for part in item]
    if cls is frozenset:
        return _open_set(item, identity), None
    return _open_node(item, VALUE_CLASSES, identity)


def _open_set(items: frozenset[Any], identity: bool) -> Plain:
    """Elements in the order of their bytes, because a set has none of its own."""
    try:
        return [SET, *sorted((encode(part, VALUE, identity=identity) for part in items), key=to_cbor)]
    except RecursionError as error:
        raise CodecError("a set of values", "sets nested too deeply") from error


def _tuple(item: object) -> tuple[Any, ...]:
    if not isinstance(item, tuple):
        raise CodecError("a tuple", type(item).__name__)
    return item


# -- decoding ---------------------------------------------------------------------------------------------------------

Build = Callable[[list[Any]], Any]


def decode(plain: Plain, shape: Shape) -> Any:
    """The object of this shape that plain data encodes. Raises CodecError.

    Arrays are opened from the root down and built in the reverse order, so that parts exist before their wholes.
    """
    holder: list[Any] = [None]
    stack: list[tuple[Plain, Shape, list[Any], int]] = [(plain, shape, holder, 0)]
    opened: list[tuple[Build, list[Any], list[Any], int]] = []
    while stack:
        item, expected, into, at = stack.pop()
        build, parts = _unpack(item, expected)
        if build is None:
            into[at] = parts
            continue
        slots: list[Any] = []
        opened.append((build, slots, into, at))
        for part, sub in parts:
            if type(part) not in _DIRECT.get(id(sub), _NONE):
                stack.append((part, sub, slots, len(slots)))
            slots.append(part)
    try:
        for build, slots, into, at in reversed(opened):
            into[at] = build(slots)
    except RecursionError as error:
        raise CodecError("a set of values", "one nested too deeply to be hashed") from error
    return holder[0]


def _unpack(item: Plain, shape: Shape) -> tuple[Build | None, Any]:
    """Either (None, the object), or what builds it and the parts to build it from."""
    while isinstance(shape, Opt):
        if item is None:
            return None, None
        shape = shape.inner
    match shape:
        case Leaf(kind):
            return None, decode_leaf(kind, item)
        case Node(classes):
            return _unpack_node(_array(item), classes)
        case Seq(inner):
            return tuple, [(part, inner) for part in _array(item)]
        case Tup(shapes):
            return tuple, _zip(_array(item), shapes)
        case _:
            return _unpack_value(item)


def _unpack_node(array: list[Plain], classes: Iterable[type]) -> tuple[Build, Any]:
    schema = BY_NUMBER.get(array[0]) if array and type(array[0]) is int else None
    if schema is None or schema.cls not in classes:
        raise CodecError(_names(classes), _describe(array))
    cls = schema.cls
    if cls is MapValue:
        return _map, _zip(array[1:], schema.shapes)
    return (lambda slots: cls(*slots)), _zip(array[1:], schema.shapes)


def _map(slots: list[Any]) -> MapValue:
    """A map of the pairs in a set, each key once."""
    (entries,) = slots
    pairs = isinstance(entries, frozenset) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in entries)
    if not pairs or len({pair[0] for pair in entries}) < len(entries):
        raise CodecError("a map of different keys", "something else")
    return MapValue(entries)


def _unpack_value(item: Plain) -> tuple[Build | None, Any]:
    if type(item) in PLAIN:
        return None, item
    array = _array(item)
    number = array[0] if array and type(array[0]) is int else None
    if number in DECODERS:
        return None, DECODERS[number](array)
    if number == TUPLE:
        return tuple, [(part, VALUE) for part in array[1:]]
    if number == SET:
        return _set(array[1:]), [(part, VALUE) for part in array[1:]]
    return _unpack_node(array, VALUE_CLASSES)


def _set(items: list[Plain]) -> Build:
    """What builds a set of these elements, which stand once each and in the order of their bytes."""
    keys = [to_cbor(item) for item in items]
    if keys != sorted(set(keys)):
        raise CodecError("the elements of a set in order", "another order, or one of them twice")

    def build(slots: list[Any]) -> frozenset[Any]:
        found = frozenset(slots)
        if len(found) < len(slots):
            raise CodecError("a set of different values", "equal ones")
        return found

    return build


def _array(item: Plain) -> list[Plain]:
    if type(item) is not list:
        raise CodecError("an array", type(item).__name__)
    return item


def _zip(parts: Sequence[Any], shapes: tuple[Shape, ...]) -> list[Part]:
    if len(parts) != len(shapes):
        raise CodecError(f"{len(shapes)} parts", f"{len(parts)}")
    return list(zip(parts, shapes, strict=True))


def _names(classes: Iterable[type]) -> str:
    return " | ".join(sorted(cls.__name__ for cls in classes))


def _describe(array: list[Plain]) -> str:
    if not array or type(array[0]) is not int:
        return "an array without a number"
    schema = BY_NUMBER.get(array[0])
    return schema.cls.__name__ if schema else f"unknown number {array[0]}"
