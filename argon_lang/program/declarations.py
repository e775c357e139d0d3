"""All signatures of a program with the subtype order over them: implements `model.Declarations`.

The table asks two functions, so that an incremental database can stand behind it and note what was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from argon_lang.problems import ItemId
from argon_lang.program.generics import values_of
from argon_lang.program.instances import arguments_of, generic_of, is_instance
from argon_lang.program.model import (
    CallableSig,
    ConceptSig,
    EnumSig,
    FieldSig,
    GenericSig,
    ImplSig,
    IndividualSig,
    MetarelSig,
    MetatypeSig,
    MetaxisSig,
    ParamSig,
    RelationSig,
    Signature,
    StandpointSig,
    StructSig,
    Symbol,
    SymbolKind,
    TraitSig,
    VariantSig,
)
from argon_lang.program.types import (
    DECIMAL,
    ENTITY,
    INT,
    NAT,
    REAL,
    TOP,
    UNKNOWN,
    ListOf,
    Named,
    OptionOf,
    Primitive,
    SetOf,
    Type,
    Unknown,
    inside,
    show,
    substituted,
)
from argon_lang.program.types import TypeVar as Variable

S = TypeVar("S", bound=Signature)
_TYPE_KINDS = ("concept", "relation", "struct", "enum")
LOST = ""
"""Stands among the superconcepts of a signature for one that is in error: its fields and kin are not known."""

_GENERIC = (ConceptSig, StructSig, EnumSig, CallableSig)
_ABOVE: dict[Type, tuple[Type, ...]] = {NAT: (INT, REAL), INT: (REAL,), DECIMAL: (REAL,)}


class Table:
    """Implements `model.Declarations`.

    `signatures_at(path)` gives every signature declared under a path (one per clause of a predicate, one per fact of an
    individual), `symbols_at(path)` the symbols; both empty for a path that nothing declares. `columns_at(path, arity)`
    gives the inferred column types of a predicate whose heads leave some open, else None. `disjoint_groups()` gives the
    members of each group axiom whose members exclude each other, `complete_groups(whole)` those of each that leaves
    nothing of `whole` over; `impls_of(trait)` gives every `impl` of a trait with its item.
    """

    __slots__ = (
        "_columns_at", "_complete_groups", "_declared_at", "_disjoint_groups", "_impls_of", "_symbols_at",
    )  # fmt: skip

    def __init__(
        self,
        signatures_at: Callable[[str], tuple[Signature, ...]],
        symbols_at: Callable[[str], tuple[Symbol, ...]],
        columns_at: Callable[[str, int], tuple[Type, ...] | None],
        disjoint_groups: Callable[[], tuple[tuple[str, ...], ...]] = tuple,
        impls_of: Callable[[str], tuple[tuple[ItemId, ImplSig], ...]] = lambda trait: (),
        complete_groups: Callable[[str], tuple[tuple[str, ...], ...]] = lambda whole: (),
    ) -> None:
        self._impls_of = impls_of
        self._complete_groups = complete_groups
        self._columns_at = columns_at
        self._disjoint_groups = disjoint_groups
        self._declared_at = signatures_at
        self._symbols_at = symbols_at

    def _signatures_at(self, path: str) -> tuple[Signature, ...]:
        """Every signature under a path; of an instance of a generic concept what follows from that one's."""
        if not is_instance(path):
            return self._declared_at(path)
        generic = generic_of(path)
        found = (each for each in self._declared_at(generic) if isinstance(each, ConceptSig))
        return tuple(self._instance(path, each) for each in found)

    def _instance(self, path: str, generic: ConceptSig) -> ConceptSig:
        """The concept that stands below a generic one, with the fields that it narrows."""
        names = (Variable(generic.path, each.name) for each in generic.generics)
        values = dict(zip(names, self.arguments(path), strict=False))
        typed = ((each, substituted(each.type, values)) for each in generic.fields)
        fields = tuple(replace(each, owner=path, type=ty) for each, ty in typed if ty != each.type)
        above = (substituted(each, values) for each in generic.typed_supers)
        supers = (generic.path, *(each.path for each in above if isinstance(each, Named)))
        return ConceptSig(path, generic.metatype, supers, fields, derived=generic.derived, world=generic.world)

    def arguments(self, path: str) -> tuple[Type, ...]:
        """What stands for the type parameters in the path of a generic concept's instance."""
        return arguments_of(path, self._kind)

    def _kind(self, path: str) -> str | None:
        return next((each.kind for each in self._symbols_at(path) if each.kind in _TYPE_KINDS), None)

    def _first(self, path: str, kind: type[S]) -> S | None:
        for each in self._signatures_at(path):
            if isinstance(each, kind):
                return each
        return None

    def _first_of(self, path: str, kinds: tuple[type[S], ...]) -> S | None:
        """The first declaration under `path` of the first of `kinds` that it has any of."""
        listed = self._signatures_at(path)
        if len(listed) == 1:
            lone = listed[0]
            return lone if isinstance(lone, kinds) else None
        for kind in kinds:
            for each in listed:
                if isinstance(each, kind):
                    return each
        return None

    def concept(self, path: str) -> ConceptSig | None:
        """The concept declared under `path`."""
        return self._first(path, ConceptSig)

    def relation(self, path: str) -> RelationSig | None:
        """The relation declared under `path`."""
        return self._first(path, RelationSig)

    def struct(self, path: str) -> StructSig | None:
        """The struct declared under `path`."""
        return self._first(path, StructSig)

    def enum(self, path: str) -> EnumSig | None:
        """The enum declared under `path`."""
        return self._first(path, EnumSig)

    def metaxis(self, path: str) -> MetaxisSig | None:
        """The axis declared under `path`."""
        return self._first(path, MetaxisSig)

    def metatype(self, path: str) -> MetatypeSig | None:
        """The metatype declared under `path`."""
        return self._first(path, MetatypeSig)

    def metarel(self, path: str) -> MetarelSig | None:
        """The metarel declared under `path`."""
        return self._first(path, MetarelSig)

    def generics(self, path: str) -> tuple[GenericSig, ...]:
        """The type parameters of the concept, struct, enum or function declared under `path`."""
        found = (each for each in self._signatures_at(path) if isinstance(each, _GENERIC))
        return next((each.generics for each in found), ())

    def trait(self, path: str) -> TraitSig | None:
        """The trait declared under `path`."""
        return self._first(path, TraitSig)

    def impls(self, trait: str) -> tuple[tuple[ItemId, ImplSig], ...]:
        """Every `impl` of a trait in the order of the program, with the item that it is."""
        return self._impls_of(trait)

    def supertraits(self, trait: str) -> tuple[str, ...]:
        """All traits that a trait builds upon, itself first; cycles are cut."""
        found = {trait: None}
        todo = [trait]
        for path in todo:
            sig = self.trait(path)
            fresh = [each for each in (sig.supers if sig is not None else ()) if each not in found]
            found.update(dict.fromkeys(fresh))
            todo += fresh
        return tuple(found)

    def implements(self, ty: Type, trait: str) -> bool:
        """Does every value of a type implement a trait? What is in error agrees with everything."""
        return not self.uncovered(ty, trait)

    def uncovered(self, ty: Type, trait: str) -> tuple[str, ...]:
        """What of a type does not implement a trait: nothing when every value of it does. Paths, or the type shown.

        While an `impl` is in error, nobody can say whom it is for.
        """
        impls = self.impls(trait)
        if self.impls(LOST) or any(isinstance(each.target, Unknown) for _, each in impls):
            return ()
        match ty:
            case Unknown():
                return ()
            case Variable(owner, name):
                own = (each.bound for each in self.generics(owner) if each.name == name)
                bounds = (owner,) if name == "Self" else tuple(own)
                known = (bound for bound in bounds if bound is not None)
                return () if any(b == LOST or trait in self.supertraits(b) for b in known) else (show(ty),)
            case Named("concept", path):
                targets = {each.target.path for _, each in impls if isinstance(each.target, Named)}
                return tuple(dict.fromkeys(self._outside(path, targets, (path,))))
            case _:
                return (show(ty),)

    def _outside(self, path: str, targets: set[str], seen: tuple[str, ...]) -> list[str]:
        """The parts of a concept that are under none of `targets`, as far as groups divide it."""
        if not targets.isdisjoint(self.supers(path)) or self.has_lost_super(path):
            return []
        parts: list[list[str]] = []
        for members in self._complete_groups(path):
            fresh = [each for each in members if each not in seen]
            if len(fresh) == len(members):
                parts.append([part for each in fresh for part in self._outside(each, targets, (*seen, each))])
        return min(parts, key=len, default=[path])

    def variant(self, enum: Type, name: str) -> VariantSig | None:
        """A case of an enum, its payload with what stands for the enum's type parameters; None where there is none."""
        sig = self.enum(enum.path) if isinstance(enum, Named) else None
        found = next((each for each in sig.variants if each.name == name), None) if sig is not None else None
        if found is None or not isinstance(enum, Named) or not enum.args:
            return found
        values = values_of(enum, self.generics(enum.path))
        return replace(found, payload=tuple(replace(p, type=substituted(p.type, values)) for p in found.payload))

    def callable(self, kind: SymbolKind, path: str, arity: int | None = None) -> CallableSig | None:
        """The fn, query, check or mutation `path`; with `arity`, the predicate, its clauses' heads joined."""
        found = [each for each in self._signatures_at(path) if isinstance(each, CallableSig) and each.kind == kind]
        if kind == "predicate":
            found = [each for each in found if arity is None or len(each.params) == arity]
        if not found:
            return None
        return self._united(found) if kind == "predicate" else found[0]

    def clauses(self, path: str, arity: int) -> tuple[CallableSig, ...]:
        """The signature of each clause of a derived predicate; of a trait's, those that impls give too."""
        own = [each for each in self._signatures_at(path) if isinstance(each, CallableSig)]
        given = (each for _, impl in self.impls(path.rpartition("::")[0]) for each in impl.members if each.path == path)
        found = (*own, *given)
        return tuple(each for each in found if each.kind == "predicate" and len(each.params) == arity)

    def _united(self, clauses: list[CallableSig]) -> CallableSig:
        """One signature for all clauses: a column has the type that they share, an open one what inference finds."""
        first = clauses[0]
        columns = [tuple(param.type for param in column) for column in zip(*(c.params for c in clauses), strict=True)]
        types: tuple[Type, ...] = tuple(self.join(column) for column in columns)
        if any(isinstance(each, Unknown) for column in columns for each in column):
            types = self._columns_at(first.path, len(first.params)) or types
        params = tuple(ParamSig(param.name, ty) for param, ty in zip(first.params, types, strict=True))
        return CallableSig(first.kind, first.path, params, first.result)

    def join(self, types: Iterable[Type]) -> Type:
        """The least type that all of `types` specialize, among themselves, the exact numbers and the entities.

        `Unknown` when there is none, or one of them is unknown.
        """
        listed = tuple(dict.fromkeys(types))
        if len(listed) == 1:
            return listed[0]
        if not listed or any(isinstance(each, Unknown) for each in listed):
            return UNKNOWN
        tops = (*listed, REAL, ENTITY)
        return next((top for top in tops if all(self.is_subtype(each, top) for each in listed)), UNKNOWN)

    def individual(self, path: str) -> IndividualSig | None:
        """The individual and every concept that some fact classifies it under."""
        found = [each for each in self._signatures_at(path) if isinstance(each, IndividualSig)]
        if not found:
            return None
        concepts = dict.fromkeys(concept for each in found for concept in each.concepts)
        return IndividualSig(path, tuple(sorted(concepts)))

    def standpoint(self, path: str) -> StandpointSig | None:
        """The standpoint with what all of its items say."""
        found = [each for each in self._signatures_at(path) if isinstance(each, StandpointSig)]
        if not found:
            return None
        return StandpointSig(path, tuple(sorted({above for each in found for above in each.supers if above})))

    def above(self, path: str) -> tuple[str, ...]:
        """The standpoints directly above one."""
        sig = self.standpoint(path)
        return sig.supers if sig is not None else ()

    def symbols(self, path: str) -> tuple[Symbol, ...]:
        """Everything declared under one canonical path."""
        return self._symbols_at(generic_of(path) if is_instance(path) else path)

    def supers(self, path: str) -> tuple[str, ...]:
        """All superconcepts or superrelations of `path`, itself first, nearest first; cycles are cut."""
        found: dict[str, None] = {path: None}
        pending = [path]
        for each in pending:
            for parent in self.direct_supers(each):
                if parent not in found and parent != LOST:
                    found[parent] = None
                    pending.append(parent)
        return tuple(found)

    def has_lost_super(self, path: str) -> bool:
        """Is a superconcept of `path`, near or far, in error? Then anything may be inherited."""
        return any(LOST in self.direct_supers(each) for each in self.supers(path))

    def direct_supers(self, path: str) -> tuple[str, ...]:
        """What `path` names behind its `<:`."""
        listed: tuple[type[ConceptSig | RelationSig | TraitSig], ...] = (ConceptSig, RelationSig, TraitSig)
        sig = self._first_of(path, listed)
        return sig.supers if sig is not None else ()

    def own_fields(self, path: str) -> tuple[FieldSig, ...]:
        """The fields that the concept, relation or struct `path` itself declares."""
        listed: tuple[type[ConceptSig | RelationSig | StructSig], ...] = (ConceptSig, RelationSig, StructSig)
        sig = self._first_of(path, listed)
        return sig.fields if sig is not None else ()

    def field(self, owner: Type, name: str) -> FieldSig | None:
        """The field `name` of a concept (inherited ones too, the nearest subtype's wins), relation or struct."""
        if not isinstance(owner, Named):
            return None
        for path in self.supers(owner.path):
            for each in self.own_fields(path):
                if each.name == name:
                    return self._typed(owner, each)
        lost = self.has_lost_super(owner.path)
        return FieldSig(name, owner.path, UNKNOWN, mutable=True, has_default=True) if lost else None

    def fields(self, owner: Type) -> tuple[FieldSig, ...]:
        """All fields, inherited first, each name once (the nearest subtype's)."""
        if not isinstance(owner, Named):
            return ()
        found: dict[str, FieldSig] = {}
        for path in reversed(self.supers(owner.path)):
            found.update((each.name, each) for each in self.own_fields(path))
        return tuple(self._typed(owner, each) for each in found.values())

    def _typed(self, owner: Named, field: FieldSig) -> FieldSig:
        """A field with what stands for the type parameters of its owner; of a generic concept alone, anything."""
        if owner.args:
            return self._filled(owner, field) if field.owner == owner.path else field
        if isinstance(field.type, Primitive) or owner.kind != "concept":
            return field
        if not any(isinstance(part, Variable) for part in inside(field.type)):
            return field
        anything = {Variable(field.owner, each.name): TOP for each in self.generics(field.owner)}
        return replace(field, type=substituted(field.type, anything))

    def _filled(self, owner: Named, field: FieldSig) -> FieldSig:
        values = values_of(owner, self.generics(owner.path))
        return replace(field, type=substituted(field.type, values))

    def is_subtype(self, sub: Type, sup: Type) -> bool:
        """May a value of type `sub` stand where `sup` is wanted? `Unknown` agrees with everything."""
        if sub is sup or sub == sup or sup == TOP or isinstance(sub, Unknown) or isinstance(sup, Unknown):
            return True
        match sub, sup:
            case _, OptionOf(inner):
                return self.is_subtype(sub.inner if isinstance(sub, OptionOf) else sub, inner)
            case Named(kind, path, args), Named(other, above, wanted):
                kin = kind == other and (above in self.supers(path) or self.has_lost_super(path))
                return kin and (path != above or all(map(self.is_subtype, args, wanted)))
            case Named(kind, _), _:
                return sup == ENTITY and kind in ("concept", "relation")
            case (ListOf(a), ListOf(b)) | (SetOf(a), SetOf(b)):
                return self.is_subtype(a, b)
            case _:
                return sup in _ABOVE.get(sub, ())

    def are_disjoint(self, left: str, right: str) -> bool:
        """Does a group axiom say that no individual belongs to both concepts?"""
        groups = self._disjoint_groups()
        above = (set(self.supers(left)), set(self.supers(right))) if groups else (set[str](), set[str]())
        for members in groups:
            first, second = above[0].intersection(members), above[1].intersection(members)
            if any(one != other for one in first for other in second):
                return True
        return False

    def meet(self, left: Type, right: Type) -> Type | None:
        """The greatest common subtype; None when the two are certainly disjoint.

        Two concepts of which neither specializes the other may share individuals unless a group axiom says that they do
        not, so `left` stands for what they have in common. Relations, data and primitives that do not specialize each
        other are disjoint.
        """
        if isinstance(left, Unknown):
            return right
        if self.is_subtype(left, right):
            return left
        if self.is_subtype(right, left):
            return right
        match left, right:
            case Named("concept", path), Named("concept", other):
                return None if self.are_disjoint(path, other) else left
            case _, OptionOf(inner):
                return self.meet(left, inner)
            case OptionOf(inner), _:
                return self.meet(inner, right)
            case ListOf(a), ListOf(b):
                part = self.meet(a, b)
                return None if part is None else ListOf(part)
            case SetOf(a), SetOf(b):
                part = self.meet(a, b)
                return None if part is None else SetOf(part)
            case _:
                return None
