"""What reading and writing wire forms needs beside value and type: a module's plain data, names of individuals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from argon_lang.ir.module import Enum, Module, Relation, Struct, Variant
from argon_lang.ir.values import Entity
from argon_lang.program.types import UNKNOWN, Type, TypeVar, substituted

Json = Any
"""What `json.loads` gives: None, bool, int, float, str, list, dict."""
SAFE = 2**53
"""Integers of at most this size survive every JSON reader."""
FLOATS = ("nan", "inf", "-inf")

Label = Callable[[Entity], str | None]
"""The shown name of an individual; None shows none."""
Resolve = Callable[[str], str]
"""The id of the individual that a caller wrote (`alice` gives `pkg::alice`); raises ArgonError when there is none."""


@dataclass(frozen=True, slots=True)
class Declared:
    """The parts of a module's structs, enums and relations, by path."""

    structs: Mapping[str, Struct] = field(default_factory=dict)
    enums: Mapping[str, Enum] = field(default_factory=dict)
    relations: Mapping[str, Relation] = field(default_factory=dict)

    def fields(self, struct: Struct, args: tuple[Type, ...]) -> list[tuple[str, Type]]:
        """The fields of a struct with what stands for its type parameters."""
        values = _values(struct, args)
        return [(name, substituted(ty, values)) for name, ty, _ in struct.fields]

    def variant(self, path: str, name: str, args: tuple[Type, ...] = ()) -> Variant | None:
        """A case of an enum with what stands for the enum's type parameters; None when either is not declared."""
        enum = self.enums.get(path)
        case = next((case for case in enum.variants if case.name == name), None) if enum else None
        if enum is None or case is None or not enum.params:
            return case
        values = _values(enum, args)
        return Variant(name, tuple((part, substituted(ty, values)) for part, ty in case.payload))


def _values(of: Struct | Enum, args: tuple[Type, ...]) -> dict[TypeVar, Type]:
    """What stands for each type parameter; nothing is said of those that have no argument."""
    given = (*args, *[UNKNOWN] * len(of.params))
    return {TypeVar(of.path, name): ty for name, ty in zip(of.params, given, strict=False)}


def declared(module: Module) -> Declared:
    """The lookups of a module."""
    return Declared(
        {struct.path: struct for struct in module.structs},
        {enum.path: enum for enum in module.enums},
        {relation.path: relation for relation in module.relations},
    )


def named(variant: Variant) -> bool:
    """Whether the payload's fields have names of their own; positional ones are called `0`, `1`, …"""
    return any(not name.isdigit() for name, _ in variant.payload)


def _same(written: str) -> str:
    return written


def _no_label(entity: Entity) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Wire:
    """A way to write and read values: the module's plain data, labels for individuals, ids for written names.

    `resolve_type` finds a concept, relation or metatype by its written name.
    """

    declared: Declared = field(default_factory=Declared)
    label: Label = _no_label
    resolve: Resolve = _same
    resolve_type: Resolve = _same


PLAIN = Wire()
"""Knows no declarations, shows no labels, takes ids as written."""
