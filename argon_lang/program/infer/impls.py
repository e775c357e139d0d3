"""The members of an `impl`: each is checked as an item of its own, then all are put together (language.md §3.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from argon_lang.problems import Problem
from argon_lang.program.generics import item_scope, target_type
from argon_lang.program.model import (
    Binding,
    CallableSig,
    Declarations,
    Inference,
    Resolution,
    Scope,
    ToBinding,
    Use,
)
from argon_lang.program.paths import names
from argon_lang.program.signatures.impls import as_given, member_named
from argon_lang.program.signatures.traits import Member
from argon_lang.program.types import Type
from argon_lang.syntax import nodes


@dataclass(frozen=True, slots=True)
class Given:
    """A member of an `impl`: what it sees, and the trait's member that it gives (None where there is none)."""

    member: Member
    scope: Scope
    asked: CallableSig | None


def trait_path(root: nodes.ImplDecl, scope: Scope) -> str:
    """The canonical path of the trait that an `impl` is of; empty where that is in error."""
    symbols = scope.lookup(names(root.trait)).symbols if root.trait is not None and names(root.trait) else ()
    return next((symbol.path for symbol in symbols if symbol.kind == "trait"), "")


def given_members(root: nodes.ImplDecl, scope: Scope, declarations: Declarations) -> list[Given]:
    """The members of an `impl` in the order of the text."""
    trait = trait_path(root, scope)
    sig, target = declarations.trait(trait), target_type(root, scope)
    around = item_scope(root, scope.module, scope)
    found = []
    for member in root.members.members if root.members else ():
        own = member_named(as_given(sig, target), member, _arity(member)) if sig is not None else None
        found.append(Given(member, item_scope(member, trait, around), own))
    return found


def _arity(member: Member) -> int | None:
    if not isinstance(member, nodes.DeriveDecl):
        return None
    return len(member.head.params) if member.head else 0


def merged(found: Iterable[Inference]) -> Inference:
    """One inference of several parts of one item, in the order of the text; the locals are numbered on."""
    types: dict[int, Type] = {}
    meanings: dict[int, Resolution] = {}
    bindings: list[Binding] = []
    uses: list[Use] = []
    problems: list[Problem] = []
    for each in found:
        first = len(bindings)
        types.update(each.types)
        meanings.update((index, _moved(meaning, first)) for index, meaning in each.names.items())
        bindings += [replace(binding, id=binding.id + first) for binding in each.bindings]
        uses += [Use(use.start, use.end, _moved(use.meaning, first)) for use in each.uses]
        problems += each.problems
    return Inference(types, meanings, tuple(bindings), tuple(uses), tuple(problems))


def _moved(meaning: Resolution, by: int) -> Resolution:
    return ToBinding(meaning.id + by) if isinstance(meaning, ToBinding) else meaning
