"""How types relate: may one stand for another, may their values meet, what is common to both (language.md §4)."""

from __future__ import annotations

from argon_lang.program.model import Declarations
from argon_lang.program.types import (
    DATE,
    DECIMAL,
    ENTITY,
    INT,
    METATYPE,
    NAT,
    REAL,
    TOP,
    TRAIT_REF,
    Applied,
    FnOf,
    ListOf,
    Named,
    OptionOf,
    SetOf,
    Type,
    Unknown,
)

EXACT: tuple[Type, ...] = (NAT, INT, DECIMAL, REAL)
"""The exact plain numbers, the narrowest first; values of different ones compare (language §3.10)."""

COUNTED: tuple[Type, ...] = (NAT, INT, DATE)
"""What a range has one after another."""

_ABOVE: dict[Type, tuple[Type, ...]] = {NAT: (INT, REAL), INT: (REAL,), DECIMAL: (REAL,)}


def is_entity(ty: Type) -> bool:
    """Are the values individuals or relation tuples?"""
    return ty == ENTITY or (isinstance(ty, Named) and ty.kind in ("concept", "relation"))


def is_type_ref(ty: Type) -> bool:
    """`TypeRef`, `TypeRef<C>`?"""
    return isinstance(ty, Applied) and ty.name == "TypeRef"


def is_reflective(ty: Type) -> bool:
    """Are the values types or metatypes?"""
    return is_type_ref(ty) or ty in (METATYPE, TRAIT_REF)


def fits(declarations: Declarations, actual: Type, expected: Type) -> bool:
    """Assignability: may a value of `actual` stand where `expected` is wanted?"""
    if actual == expected or isinstance(actual, Unknown) or isinstance(expected, Unknown) or expected == TOP:
        return True
    match actual, expected:
        case OptionOf(inner), OptionOf(wanted):
            return fits(declarations, inner, wanted)
        case OptionOf(), _:
            return False
        case _, OptionOf(wanted):
            return fits(declarations, actual, wanted)
        case (ListOf(part), ListOf(wanted)) | (SetOf(part), SetOf(wanted)):
            return fits(declarations, part, wanted)
        case Applied(name, parts), Applied(other, wanted) if name == other:
            return all(fits(declarations, a, b) for a, b in zip(parts, wanted, strict=False))
        case FnOf(params, result), FnOf(taken, made) if len(params) == len(taken):
            pairs = zip(taken, params, strict=True)
            return all(fits(declarations, a, b) for a, b in pairs) and fits(declarations, result, made)
        case Named(_, path, args), Named(_, above, wanted):
            kin = actual.kind == expected.kind and above in declarations.supers(path)
            return kin and (path != above or all(fits(declarations, a, b) for a, b in zip(args, wanted, strict=False)))
    if is_entity(actual) and is_entity(expected):
        return ENTITY in (actual, expected)
    return expected in _ABOVE.get(actual, ())


def related(declarations: Declarations, actual: Type, expected: Type) -> bool:
    """Assignability where the run time decides membership: an individual of a superconcept passes too."""
    if fits(declarations, actual, expected):
        return True
    bare = expected.inner if isinstance(expected, OptionOf) else expected
    return is_entity(actual) and is_entity(bare) and fits(declarations, bare, actual)


def overlaps(declarations: Declarations, left: Type, right: Type) -> bool:
    """May a value of one equal a value of the other? An individual may belong to any two concepts that are not
    declared disjoint."""
    if fits(declarations, left, right) or fits(declarations, right, left):
        return True
    match left, right:
        case (OptionOf(inner), other) | (other, OptionOf(inner)):
            return overlaps(declarations, inner, other)
        case (ListOf(a), ListOf(b)) | (SetOf(a), SetOf(b)):
            return overlaps(declarations, a, b)
        case Applied(name, parts), Applied(other, others) if name == other:
            return all(overlaps(declarations, a, b) for a, b in zip(parts, others, strict=False))
        case Named("concept"), Named("concept"):
            return declarations.meet(left, right) is not None
        case Named(_, path, args), Named(_, other, others) if path == other:
            return all(overlaps(declarations, a, b) for a, b in zip(args, others, strict=False))
    return left in EXACT and right in EXACT


def narrower(declarations: Declarations, left: Type, right: Type) -> Type:
    """The one of two overlapping types that says more; `left` when neither does."""
    if isinstance(left, Unknown) or left in (TOP, ENTITY):
        return right if not isinstance(right, Unknown) else left
    if left in EXACT and right in EXACT:
        return min(left, right, key=EXACT.index)
    return right if fits(declarations, right, left) and not isinstance(right, Unknown) else left


def join(declarations: Declarations, left: Type, right: Type) -> Type | None:
    """A type that both fit; None when there is none among the two, their numbers and their superconcepts."""
    if fits(declarations, left, right):
        return right if not isinstance(right, Unknown) else left
    if fits(declarations, right, left):
        return left
    if left in EXACT and right in EXACT:
        return DECIMAL if {left, right} <= {NAT, INT, DECIMAL} else REAL
    if isinstance(left, OptionOf) or isinstance(right, OptionOf):
        inner = join(declarations, bare(left), bare(right))
        return None if inner is None else OptionOf(inner)
    if isinstance(left, Named) and isinstance(right, Named) and left.kind == right.kind:
        others = declarations.supers(right.path)
        common = next((path for path in declarations.supers(left.path) if path in others), None)
        return None if common is None else Named(left.kind, common)
    return None


def element_of(ty: Type) -> Type | None:
    """What a value of the type is made of one after another: the elements of a list or set, the values of a range of
    whole numbers or dates. None where it cannot be gone through."""
    match ty:
        case ListOf(element) | SetOf(element):
            return element
        case Applied("Range", (element,)) if element in COUNTED:
            return element
        case _:
            return None


def bare(ty: Type) -> Type:
    """`T` of `T?`; any other type itself."""
    return ty.inner if isinstance(ty, OptionOf) else ty
