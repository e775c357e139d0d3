"""The container: header, directory, sections, and the hashes over them. Knows no Argon, only bytes.

```
"ARGOXBIN"  4 × u32 version axes  32 bytes module hash  32 bytes checksum  u32 length of the directory
directory: canonical CBOR [inputs digest, [[name, mandatory, length, SHA-256], …]]
sections, in the order of the directory, one after the other to the end of the file
```
Integers are big-endian. An axis is major × 65536 + minor. The checksum (SHA-256) covers everything before the sections
but the module hash and itself, so every byte of a file is vouched for. The module hash covers the axes and the
mandatory rows alone: a moved line or another test changes the file, not the hash of the module.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from argon_lang.errors import ArgonError
from argon_lang.ir.codec import CodecError, from_cbor, to_cbor
from argon_lang.problems import args

MAGIC = b"ARGOXBIN"
AXES = {"format": (1, 0), "core_ir": (3, 2), "tier_ladder": (1, 0), "runtime_contract": (1, 0)}
"""The version axes in their order, with the (major, minor) that this argon writes and reads."""

MANDATORY = ("global-control", "symbol-table", "events", "standpoint-lattice", "tier-table")
OPTIONAL = ("source-map", "doc-blocks", "tests", "projection-cache")
MAX_FILE = 256 * 1024 * 1024
MAX_DIRECTORY = 64 * 1024
_HEAD = struct.Struct(">8s4I32s32sI")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the directory."""

    name: str
    mandatory: bool
    length: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Container:
    """An artifact whose bytes are all vouched for; nothing in its sections has been read."""

    path: str
    inputs_digest: str
    module_hash: str
    rows: tuple[Row, ...]
    sections: Mapping[str, memoryview]


def damaged(path: str, found: str, **details: object) -> ArgonError:
    """The refusal of a file that is no whole artifact. `details` are plain data for machines."""
    return ArgonError("OE1216", args(path=path, found=found), details=details)


# -- writing ----------------------------------------------------------------------------------------------------------


def pack(sections: Mapping[str, bytes], inputs_digest: str) -> bytes:
    """The file of these sections, mandatory ones first, each in the order of this module's tables."""
    names = [name for name in (*MANDATORY, *OPTIONAL) if name in sections]
    rows = [Row(name, name in MANDATORY, len(sections[name]), _sha(sections[name])) for name in names]
    directory = to_cbor([inputs_digest, [[row.name, row.mandatory, row.length, row.digest] for row in rows]])
    axes = [major << 16 | minor for major, minor in AXES.values()]
    checksum = _checksum(axes, directory)
    head = _HEAD.pack(MAGIC, *axes, _module_digest(axes, rows), checksum, len(directory))
    return b"".join([head, directory, *(sections[name] for name in names)])


def _sha(data: bytes | memoryview) -> bytes:
    return hashlib.sha256(data).digest()


def _checksum(axes: list[int], directory: bytes) -> bytes:
    return _sha(MAGIC + struct.pack(">4I", *axes) + directory)


def _module_digest(axes: list[int], rows: list[Row]) -> bytes:
    mandatory = [[row.name, row.length, row.digest] for row in rows if row.mandatory]
    return _sha(MAGIC + struct.pack(">4I", *axes) + to_cbor(mandatory))


# -- reading ----------------------------------------------------------------------------------------------------------


def unpack(data: bytes, path: str) -> Container:
    """The container in these bytes. `path` is what errors call it. Raises OE1202, OE1203, OE1213, OE1216.

    Nothing is allocated that the file's own size does not bound.
    """
    if len(data) > MAX_FILE:
        raise damaged(path, f"{len(data)} bytes, more than {MAX_FILE}")
    if data[: len(MAGIC)] != MAGIC[: len(data)] or not data:
        raise damaged(path, "no Argon artifact")
    if len(data) < _HEAD.size:
        _truncated(path, data, _HEAD.size)
    _, *numbers, module_digest, checksum, length = _HEAD.unpack_from(data)
    _check_axes(path, numbers)
    if length > MAX_DIRECTORY:
        raise damaged(path, f"a directory of {length} bytes")
    begin = _HEAD.size + length
    if len(data) < begin:
        _truncated(path, data, begin)
    directory = data[_HEAD.size : begin]
    if _checksum(numbers, directory) != checksum:
        raise damaged(path, "its directory differs from its checksum")
    inputs_digest, rows = _directory(path, directory)
    sections = _sections(path, data, begin, rows)
    found = _module_digest(numbers, rows)
    if found != module_digest:
        raise ArgonError("OE1213", args(path=path, found=found.hex()[:16], expected=module_digest.hex()[:16]))
    return Container(path, inputs_digest, found.hex(), tuple(rows), sections)


def _truncated(path: str, data: bytes, expected: int) -> NoReturn:
    found = f"it ends after {len(data)} of {expected} bytes"
    raise damaged(path, found, count=len(data), expected=expected)


def _check_axes(path: str, numbers: list[int]) -> None:
    """A newer minor is read, because it only adds; another major is not."""
    for (name, (major, minor)), number in zip(AXES.items(), numbers, strict=True):
        if number >> 16 != major:
            told = args(path=path, name=name, found=f"{number >> 16}.{number & 0xFFFF}", expected=f"{major}.{minor}")
            raise ArgonError("OE1202", told)


def _directory(path: str, directory: bytes) -> tuple[str, list[Row]]:
    try:
        inputs_digest, listed = from_cbor(directory)
        rows = [Row(name, mandatory, length, digest) for name, mandatory, length, digest in listed]
    except (CodecError, ValueError, TypeError) as error:
        raise damaged(path, "its directory is none") from error
    cells = [type(cell) for row in rows for cell in (row.name, row.mandatory, row.length, row.digest)]
    names = [row.name for row in rows]
    if type(inputs_digest) is not str or cells != [str, bool, int, bytes] * len(rows) or len(set(names)) < len(rows):
        raise damaged(path, "its directory is none")
    _check_names(path, rows)
    return inputs_digest, rows


def _check_names(path: str, rows: list[Row]) -> None:
    """Every mandatory section must be there and known; an unknown optional one is left alone."""
    there = {row.name for row in rows if row.mandatory}
    for name in MANDATORY:
        if name not in there:
            raise ArgonError("OE1203", args(path=path, name=name, found="missing"))
    for name in sorted(there.difference(MANDATORY)):
        raise ArgonError("OE1203", args(path=path, name=name, found="unknown"))


def _sections(path: str, data: bytes, begin: int, rows: list[Row]) -> dict[str, memoryview]:
    end = begin + sum(row.length for row in rows)
    if any(row.length < 0 for row in rows) or len(data) > end:
        raise damaged(path, f"{len(data) - end} bytes after its end")
    if len(data) < end:
        _truncated(path, data, end)
    found: dict[str, memoryview] = {}
    view = memoryview(data)
    for row in rows:
        found[row.name] = view[begin : begin + row.length]
        begin += row.length
        if _sha(found[row.name]) != row.digest:
            raise damaged(path, f"section {row.name} differs from its hash")
    return found
