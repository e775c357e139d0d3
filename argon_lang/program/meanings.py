"""What names mean in one item: its locals, the resolution of every occurrence, and what checking it yields.

A part of the contract in `argon_lang.program.model`, which hands it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal as OneOf

from argon_lang.problems import Problem
from argon_lang.program.types import Type
from argon_lang.quick import quick

SymbolKind = OneOf[
    "module",
    "metaxis",
    "metatype",
    "metarel",
    "concept",
    "relation",
    "struct",
    "enum",
    "trait",
    "fn",
    "predicate",
    "query",
    "check",
    "mutation",
    "test",
    "individual",
    "standpoint",
    "unsupported",
]


@quick
@dataclass(frozen=True, slots=True)
class Binding:
    """A local: a head parameter, rule variable, parameter, `let` or pattern variable.

    `id` counts from 0 in order of first occurrence in the item; two bindings of one name (shadowing, or locals of two
    `exists`) differ in `id`. `start`/`end`: item-relative span of the first occurrence. `scope` is the node index of
    the `exists`/`not`/aggregate/block that it is local to, or -1 for the whole item.
    """

    id: int
    name: str
    kind: OneOf["param", "variable", "let", "pattern", "wildcard"]
    type: Type
    start: int
    end: int
    scope: int = -1


@dataclass(frozen=True, slots=True)
class ToBinding:
    """The name means a local."""

    id: int


@quick
@dataclass(frozen=True, slots=True)
class ToSymbol:
    """The name means a declaration: `kind`, canonical `path`, `arity` for predicates."""

    kind: SymbolKind
    path: str
    arity: int | None = None


@dataclass(frozen=True, slots=True)
class ToVariant:
    """The name means `Enum::Variant`."""

    enum: str
    variant: str


@quick
@dataclass(frozen=True, slots=True)
class ToField:
    """The name means a stored field; `owner` is the declaring concept, relation or struct, `kind` says which."""

    kind: OneOf["concept", "relation", "struct"]
    owner: str
    name: str


@dataclass(frozen=True, slots=True)
class ToEnd:
    """The name means endpoint `index` of a relation tuple."""

    relation: str
    index: int


@dataclass(frozen=True, slots=True)
class ToIntrinsic:
    """The name means an entry of `argon_lang.program.intrinsics` (a property, method or std function)."""

    name: str


@dataclass(frozen=True, slots=True)
class ToType:
    """The name means a type in type position (`x: Lease`, `-> [Lease]`)."""

    type: Type


Resolution = ToBinding | ToSymbol | ToVariant | ToField | ToEnd | ToIntrinsic | ToType


@quick
@dataclass(frozen=True, slots=True)
class Use:
    """One resolved occurrence of a name: the item-relative span of its last segment, and what it means."""

    start: int
    end: int
    meaning: Resolution


@quick
@dataclass(frozen=True, slots=True)
class Inference:
    """What checking one item yields. Keys of `types` and `names` are node indices of the item's tree.

    `types`: the type of every expression node. `names`: the meaning of every path, name, field-access and call node.
    `bindings` in id order. `uses`: every resolved occurrence in text order (for references, hover, unused imports).
    """

    types: Mapping[int, Type]
    names: Mapping[int, Resolution]
    bindings: tuple[Binding, ...]
    uses: tuple[Use, ...]
    problems: tuple[Problem, ...]
