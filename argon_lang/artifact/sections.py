"""The module as sections: which field of `Module` goes where, and the shape of each section."""

from __future__ import annotations

from typing import Any

from argon_lang.artifact.symbols import symbols_of
from argon_lang.ir.codec import decode, encode, from_cbor, to_cbor
from argon_lang.ir.module import DEFAULT, Module, SourceMap, Standpoint
from argon_lang.ir.schema import BY_CLASS
from argon_lang.ir.shapes import TEXT, TEXTS, Seq, Shape, tup

Lattice = tuple[tuple[str, tuple[str, ...]], ...]
"""Standpoints by name, each with its parents; the default layer first."""

DEFAULT_ROW = (DEFAULT, ())
_MODULE = dict(zip(BY_CLASS[Module].names, BY_CLASS[Module].shapes, strict=True))
_SOURCE = dict(zip(BY_CLASS[SourceMap].names, BY_CLASS[SourceMap].shapes, strict=True))
EVENTS = (
    "concepts",
    "relations",
    "structs",
    "enums",
    "predicates",
    "rules",
    "individuals",
    "facts",
    "functions",
    "queries",
    "checks",
    "mutations",
    "groups",
    "claims",
    "defaults",
)
"""Fields of `Module` in section `events`."""
_SPANS = ("declarations", "rules", "tests")

SHAPES: dict[str, Shape] = {
    "global-control": tup(TEXT, TEXT),
    "symbol-table": Seq(tup(TEXT, TEXT)),
    "events": tup(*(_MODULE[name] for name in EVENTS)),
    "standpoint-lattice": Seq(tup(TEXT, TEXTS)),
    "tier-table": _MODULE["tiers"],
    "source-map": tup(*(_SOURCE[name] for name in _SPANS)),
    "doc-blocks": _SOURCE["docs"],
    "tests": _MODULE["tests"],
}


def sections_of(module: Module) -> dict[str, bytes]:
    """The sections of a module; an optional one that would be empty is left out. Raises CodecError."""
    spans = tuple(getattr(module.source, name) for name in _SPANS)
    contents: dict[str, Any] = {
        "global-control": (module.package, module.version),
        "symbol-table": symbols_of(module),
        "events": tuple(getattr(module, name) for name in EVENTS),
        "standpoint-lattice": (DEFAULT_ROW, *((each.path, each.supers) for each in module.standpoints)),
        "tier-table": module.tiers,
        "source-map": spans if any(spans) else None,
        "doc-blocks": module.source.docs or None,
        "tests": module.tests or None,
    }
    return {name: to_cbor(encode(part, SHAPES[name])) for name, part in contents.items() if part is not None}


def read_section(name: str, data: memoryview) -> Any:
    """The content of a section. Raises CodecError."""
    return decode(from_cbor(bytes(data)), SHAPES[name])


def mandatory_module(contents: dict[str, Any]) -> Module:
    """The module without its tests and sources, from the contents of the mandatory sections."""
    package, version = contents["global-control"]
    parts = dict(zip(EVENTS, contents["events"], strict=True))
    standpoints = tuple(Standpoint(*row) for row in contents["standpoint-lattice"][1:])
    return Module(package, version, **parts, tiers=contents["tier-table"], standpoints=standpoints)


def source_map(spans: tuple[Any, Any, Any] | None, docs: Any) -> SourceMap:
    """The source map from the contents of its two sections; None for one that is not there."""
    declarations, rules, tests = spans or ((), (), ())
    return SourceMap(declarations, rules, tests, docs or ())
