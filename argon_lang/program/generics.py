"""Type parameters (language.md §3.2, §3.4, §3.8): which names mean them where, and what stands for them.

A parameter is a `TypeVar` of the item that declares it, so that two items' parameters of one name are two types. The
scope of an item with parameters, and of a trait or an `impl`, sees them before anything that its module sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from argon_lang.program.findings import Findings
from argon_lang.program.model import GenericSig, Lookup, Scope, Symbol
from argon_lang.program.paths import name_of
from argon_lang.program.types import UNKNOWN, Named, Type, TypeVar
from argon_lang.program.types_of import type_of
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


@dataclass(frozen=True, slots=True)
class TypeScope:
    """Implements `model.Scope`: the names of `around`, and before them those of `types`."""

    around: Scope
    types: Mapping[str, Type]

    @property
    def module(self) -> str:
        """Canonical path of the module."""
        return self.around.module

    def lookup(self, segments: tuple[str, ...]) -> Lookup:
        """Resolve a written path. Never raises."""
        if len(segments) == 1 and segments[0] in self.types:
            return Lookup(primitive=segments[0], type=self.types[segments[0]])
        return self.around.lookup(segments)

    def is_free(self, name: str) -> bool:
        """Does a name without a path mean nothing here?"""
        return name not in self.types and self.around.is_free(name)

    def names(self) -> Mapping[str, tuple[Symbol, ...]]:
        """Every name usable here without a path; types of this scope are no symbols."""
        return self.around.names()


def parameter_names(root: View) -> tuple[str, ...]:
    """The names of the type parameters that an item declares, in order."""
    if K.N_GENERICS not in root.item.node_kinds:
        return ()
    written: nodes.Generics | None = getattr(root, "generics", None)
    named = (name_of(each.name) for each in written.params) if written is not None else ()
    return tuple(name for name in named if name is not None)


def item_scope(root: View, module: str, scope: Scope) -> Scope:
    """What an item of `module`, or a member of the trait `module`, sees: its module's names and its own types."""
    if isinstance(root, nodes.ImplDecl):
        return TypeScope(scope, {"Self": target_type(root, scope)})
    if not isinstance(root, nodes.TraitDecl) and K.N_GENERICS not in root.item.node_kinds:
        return scope
    owner = f"{module}::{name_of(getattr(root, 'name', None)) or '_'}"
    if isinstance(root, nodes.TraitDecl):
        return TypeScope(scope, {"Self": TypeVar(owner, "Self")})
    names = parameter_names(root)
    return TypeScope(scope, {name: TypeVar(owner, name) for name in names}) if names else scope


def target_type(root: nodes.ImplDecl, scope: Scope) -> Type:
    """What an `impl` is for; `Unknown` where that is in error, which is reported with its signature."""
    return type_of(root.target.type if root.target is not None else None, scope, Findings())


def own_args(owner: str, generics: tuple[GenericSig, ...]) -> tuple[Type, ...]:
    """An item's type parameters as they stand for themselves within it."""
    return tuple(TypeVar(owner, each.name) for each in generics)


def values_of(ty: Named, generics: tuple[GenericSig, ...]) -> dict[TypeVar, Type]:
    """What stands for each type parameter of a declared type; `Unknown` for those that have nothing."""
    args = (*ty.args, *[UNKNOWN] * len(generics))
    return {TypeVar(ty.path, each.name): arg for each, arg in zip(generics, args, strict=False)}
