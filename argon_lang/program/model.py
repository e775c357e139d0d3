"""The typed program's contract: symbols, signatures, what a name means, and what checking one item yields.

Everything here is an immutable value without spans (architecture, invariant 6), so that signatures compare by value and
an edit inside a body changes no signature. Three steps produce it, each in its own files of this room:

1. declarations: one item's tree → what it declares (`Symbol`) and its signature (`*Sig`), after resolving type paths;
2. scopes: module tree, `mod`, `use`, visibility → `Scope` per module, `Declarations` for the package and std;
3. inference: one item's tree + `Scope` + `Declarations` → `Inference` (types and resolutions by node, problems).

`argon_lang.ir.lower` then turns trees and inferences into `argon_lang.ir.module.Module` without deciding anything anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import Protocol

from argon_lang.problems import ItemId
from argon_lang.program.meanings import Binding as Binding
from argon_lang.program.meanings import Inference as Inference
from argon_lang.program.meanings import Resolution as Resolution
from argon_lang.program.meanings import SymbolKind as SymbolKind
from argon_lang.program.meanings import ToBinding as ToBinding
from argon_lang.program.meanings import ToEnd as ToEnd
from argon_lang.program.meanings import ToField as ToField
from argon_lang.program.meanings import ToIntrinsic as ToIntrinsic
from argon_lang.program.meanings import ToSymbol as ToSymbol
from argon_lang.program.meanings import ToType as ToType
from argon_lang.program.meanings import ToVariant as ToVariant
from argon_lang.program.meanings import Use as Use
from argon_lang.program.types import Named, Type
from argon_lang.quick import quick

Visibility = OneOf["private", "package", "public"]


@quick
@dataclass(frozen=True, slots=True)
class Symbol:
    """A declared name. `path` is canonical (`pkg::firm::Job`, `std::time::today`); `arity` only for predicates.

    `parameters` are the names of its type parameters. `module` is the path of the declaring module, `items` every item
    that declares it (the clauses of a predicate, the facts that declare an individual; one otherwise). `unsupported`: a
    name whose declaration is in error; it resolves, so that one mistake does not become many unresolved names.
    """

    kind: SymbolKind
    path: str
    module: str
    visibility: Visibility
    items: tuple[ItemId, ...]
    arity: int | None = None
    parameters: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The last segment."""
        return self.path.rsplit("::", 1)[-1]


@quick
@dataclass(frozen=True, slots=True)
class FieldSig:
    """A field of a concept, relation or struct. `owner` declares it; `type` as written (`OptionOf`, `ListOf` kept).

    `view`: a relation (empty where it is in error) and the name of its far end; the field is what stands there.
    """

    name: str
    owner: str
    type: Type
    mutable: bool
    has_default: bool
    view: tuple[str, str] | None = None


@quick
@dataclass(frozen=True, slots=True)
class ParamSig:
    """A parameter, endpoint or head position. `type` is `Unknown` where a rule head leaves it to inference."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class GenericSig:
    """A type parameter. `bound` is the trait that it must implement: empty where that is in error, None without one."""

    name: str
    bound: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A value on an axis: `axis` is canonical, empty where it is in error; `value` as written, a name or a literal."""

    axis: str
    value: str
    literal: bool = False


@dataclass(frozen=True, slots=True)
class MetaxisSig:
    """An axis of the meta-calculus: what it is for (`metatype`, `metarel`), and its values: listed, or those of a type.

    `ordered`: the list is from the least to the greatest. Without a list and a type it has no values.
    """

    path: str
    targets: tuple[str, ...]
    values: tuple[str, ...] = ()
    ordered: bool = False
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class MetatypeSig:
    """A metatype. `abstract`: its concepts have no direct instances; `fixed`: no other one may make these choices."""

    path: str
    abstract: bool = False
    fixed: bool = False
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class ConceptSig:
    """`supers` are canonical paths of direct superconcepts; `fields` and `choices` the own ones in order.

    `forgettable`: its facts may be erased from the whole history.

    `derived`: an `iff` decides who belongs to it. `world`: `open` or `closed` where an attribute says so.
    `instance_of`: the higher-level concepts of which it is itself an individual. `typed_supers` are those of `supers`
    with types in which its own type parameters occur.
    """

    path: str
    metatype: str
    supers: tuple[str, ...]
    fields: tuple[FieldSig, ...]
    choices: tuple[Choice, ...] = ()
    derived: bool = False
    instance_of: tuple[str, ...] = ()
    generics: tuple[GenericSig, ...] = ()
    world: str = ""
    forgettable: bool = False
    typed_supers: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class RelationSig:
    """`bounds`: (low, high) per endpoint, both inclusive, high None for `*`; empty when not written.

    `forgettable`: its tuples may be erased from the whole history.
    """

    path: str
    metarel: str
    ends: tuple[ParamSig, ...]
    bounds: tuple[tuple[int, int | None], ...]
    supers: tuple[str, ...]
    fields: tuple[FieldSig, ...]
    forgettable: bool = False


@dataclass(frozen=True, slots=True)
class StructSig:
    """Plain data."""

    path: str
    fields: tuple[FieldSig, ...]
    generics: tuple[GenericSig, ...] = ()


@dataclass(frozen=True, slots=True)
class VariantSig:
    """An enum case; positional payload has names `0`, `1`, …"""

    name: str
    payload: tuple[ParamSig, ...]
    positional: bool


@dataclass(frozen=True, slots=True)
class EnumSig:
    """Plain data with cases, in declaration order."""

    path: str
    variants: tuple[VariantSig, ...]
    generics: tuple[GenericSig, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class CallableSig:
    """A fn, query, check, mutation or derived predicate. `result` is None for predicates, checks, silent mutations.

    Of a clause of a predicate, `default` says whether it holds unless attacked, and `label` what it is called.
    """

    kind: SymbolKind
    path: str
    params: tuple[ParamSig, ...]
    result: Type | None
    generics: tuple[GenericSig, ...] = ()
    default: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class TraitSig:
    """A trait. `members` are what an `impl` must provide, in order: their paths are `pkg::Trait::member`, and `Self` in
    them is the type variable `Self` of the trait. `supers` are canonical paths of the traits that it builds upon.
    """

    path: str
    supers: tuple[str, ...]
    members: tuple[CallableSig, ...]


@dataclass(frozen=True, slots=True)
class ImplSig:
    """An `impl`: `trait` is canonical (empty where it is in error), `target` the concept, `Unknown` in error.

    `members` are under the names of the trait's, with the target where `Self` stands. It declares no name.
    """

    trait: str
    target: Type
    members: tuple[CallableSig, ...]

    @property
    def path(self) -> str:
        """Nothing is declared under a name."""
        return ""


@dataclass(frozen=True, slots=True)
class MetarelSig:
    """A metarel's endpoints (metatype paths); None: any arity. `abstract`: its relations have no direct tuples."""

    path: str
    ends: tuple[str, ...] | None
    abstract: bool = False
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class IndividualSig:
    """A declared individual and the concepts that declared facts, or a concept's `:`, classify it under."""

    path: str
    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupSig:
    """A group axiom: its members exclude each other (`disjoint`), leave nothing of `whole` over (`complete`), or both.

    `whole` is None for `disjoint` alone. What is in error has the empty path. A group has no name, so `path` is empty.
    """

    disjoint: bool
    complete: bool
    whole: str | None
    members: tuple[str, ...]

    @property
    def path(self) -> str:
        """Nothing is declared under a name."""
        return ""


@dataclass(frozen=True, slots=True)
class StandpointSig:
    """A standpoint, as one of its items declares it; `supers` are those that it stands below, empty ones in error."""

    path: str
    supers: tuple[str, ...]


Signature = (
    ConceptSig
    | RelationSig
    | StructSig
    | EnumSig
    | TraitSig
    | ImplSig
    | CallableSig
    | MetaxisSig
    | MetatypeSig
    | MetarelSig
    | IndividualSig
    | GroupSig
    | StandpointSig
)


class Declarations(Protocol):
    """Every signature of the package and its std dependencies, with the subtype order. Absent: None, never a raise."""

    def concept(self, path: str) -> ConceptSig | None:
        """The concept declared under `path`."""
        ...

    def arguments(self, path: str) -> tuple[Type, ...]:
        """What stands for the type parameters in the path of a generic concept's instance."""
        ...

    def relation(self, path: str) -> RelationSig | None:
        """The relation declared under `path`."""
        ...

    def struct(self, path: str) -> StructSig | None:
        """The struct declared under `path`."""
        ...

    def enum(self, path: str) -> EnumSig | None:
        """The enum declared under `path`."""
        ...

    def metaxis(self, path: str) -> MetaxisSig | None:
        """The axis declared under `path`."""
        ...

    def metatype(self, path: str) -> MetatypeSig | None:
        """The metatype declared under `path`."""
        ...

    def metarel(self, path: str) -> MetarelSig | None:
        """The metarel declared under `path`."""
        ...

    def trait(self, path: str) -> TraitSig | None:
        """The trait declared under `path`."""
        ...

    def impls(self, trait: str) -> tuple[tuple[ItemId, ImplSig], ...]:
        """Every `impl` of a trait in the order of the program, with the item that it is."""
        ...

    def supertraits(self, trait: str) -> tuple[str, ...]:
        """All traits that a trait builds upon, itself first; cycles are cut."""
        ...

    def uncovered(self, ty: Type, trait: str) -> tuple[str, ...]:
        """What of a type does not implement a trait: nothing when every value of it does. Paths, or the type shown."""
        ...

    def generics(self, path: str) -> tuple[GenericSig, ...]:
        """The type parameters of the concept, struct, enum or function declared under `path`."""
        ...

    def implements(self, ty: Type, trait: str) -> bool:
        """Does every value of a type implement a trait? What is in error agrees with everything."""
        ...

    def variant(self, enum: Type, name: str) -> VariantSig | None:
        """A case of an enum, its payload with what stands for the enum's type parameters; None where there is none."""
        ...

    def callable(self, kind: SymbolKind, path: str, arity: int | None = None) -> CallableSig | None:
        """The signature of a fn, query, check, mutation; of a predicate when `arity` is given."""
        ...

    def clauses(self, path: str, arity: int) -> tuple[CallableSig, ...]:
        """The signature of each clause of a derived predicate."""
        ...

    def standpoint(self, path: str) -> StandpointSig | None:
        """The standpoint with what all of its items say."""
        ...

    def individual(self, path: str) -> IndividualSig | None:
        """The individual and every concept that declared facts classify it under."""
        ...

    def symbols(self, path: str) -> tuple[Symbol, ...]:
        """Everything declared under one canonical path (a concept and a predicate of another arity may share it)."""
        ...

    def supers(self, path: str) -> tuple[str, ...]:
        """All superconcepts or superrelations of `path`, itself first, nearest first; cycles are cut."""
        ...

    def field(self, owner: Type, name: str) -> FieldSig | None:
        """The field `name` of a concept (inherited ones too, the nearest subtype's wins), relation or struct."""
        ...

    def fields(self, owner: Type) -> tuple[FieldSig, ...]:
        """All fields, inherited first, each name once (the nearest subtype's)."""
        ...

    def is_subtype(self, sub: Type, sup: Type) -> bool:
        """Assignability: concepts and relations by `<:`, `Nat <: Int <: Real`, `Decimal <: Real`, `T <: T?`."""
        ...

    def meet(self, left: Type, right: Type) -> Type | None:
        """The greatest common subtype; None when the two are certainly disjoint."""
        ...


class Scope(Protocol):
    """What one module sees."""

    @property
    def module(self) -> str:
        """Canonical path of the module (`pkg`, `pkg::firm`)."""
        ...

    def lookup(self, segments: tuple[str, ...]) -> Lookup:
        """Resolve a written path. Never raises; a miss carries its problem code and suggestions."""
        ...

    def is_free(self, name: str) -> bool:
        """Does a name without a path mean nothing here?"""
        ...

    def names(self) -> Mapping[str, tuple[Symbol, ...]]:
        """Every name usable here without a path (own, imported, ambient), for suggestions and completion."""
        ...


@quick
@dataclass(frozen=True, slots=True)
class Lookup:
    """The outcome of resolving a path.

    `symbols` are the declared meanings (several when names are overloaded by kind or arity); empty on a miss, with
    `code` one of OE0101, OE0102, OE0104, the index of the `failed` segment, and `candidates` (near names, or the
    ambiguous paths). `variant` is set when the path names `Enum::Variant` (then `symbols` holds the enum).
    `primitive` is set for the primitive types; with `type` too it is a type parameter, or `Self`.
    `hidden` is on a miss what a module that is imported whole has under that name, and keeps private.
    """

    symbols: tuple[Symbol, ...] = ()
    variant: str | None = None
    primitive: str | None = None
    type: Type | None = None
    code: str | None = None
    failed: int = 0
    candidates: tuple[str, ...] = ()
    hidden: Symbol | None = None
