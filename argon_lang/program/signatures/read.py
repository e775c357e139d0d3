"""Read the signature of any item: the one entry to this package."""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.problems import Problem
from argon_lang.program.generics import item_scope
from argon_lang.program.model import Declarations, Scope, Signature, Use
from argon_lang.program.signatures.attributes import check_attributes
from argon_lang.program.signatures.callable import fn, head, mutation, query
from argon_lang.program.signatures.concept import concepts
from argon_lang.program.signatures.context import Context
from argon_lang.program.signatures.data import enum, struct
from argon_lang.program.signatures.facts import fact
from argon_lang.program.signatures.groups import group
from argon_lang.program.signatures.meta import metarel, metatype, metaxis
from argon_lang.program.signatures.relation import relation
from argon_lang.program.signatures.standpoints import standpoint
from argon_lang.program.signatures.traits import impl, trait
from argon_lang.quick import quick
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item, View


@quick
@dataclass(frozen=True, slots=True)
class ReadSignature:
    """What an item promises (`signatures`, without spans), and what was found while reading it."""

    signatures: tuple[Signature, ...]
    uses: tuple[Use, ...]
    problems: tuple[Problem, ...]


def read_signature(item: Item, module: str, scope: Scope, declarations: Declarations) -> ReadSignature:
    """The signature of `item`, which stands in `module`. `declarations` serve secondary spans only. Never raises."""
    root = item.root
    context = Context(module, item_scope(root, module, scope), declarations)
    check_attributes(root, context)
    signatures = _signatures(root, context)
    uses = tuple(sorted(context.out.uses, key=lambda use: (use.start, use.end)))
    return ReadSignature(signatures, uses, tuple(context.out.problems))


def _signatures(root: View, context: Context) -> tuple[Signature, ...]:
    match root:
        case nodes.FactDecl():
            return fact(root, context)
        case nodes.GroupDecl():
            return (group(root, context),)
        case nodes.StandpointDecl():
            return (standpoint(root, context),)
        case nodes.ConceptDecl():
            return concepts(root, context)
        case nodes.TraitDecl():
            return trait(root, context)
        case nodes.ImplDecl():
            return impl(root, context)
        case _:
            found = _one(root, context)
            return () if found is None else (found,)


def _one(root: View, context: Context) -> Signature | None:
    """The signature of an item that declares exactly one thing; None of any other item."""
    match root:
        case nodes.RelationDecl():
            return relation(root, context)
        case nodes.StructDecl():
            return struct(root, context)
        case nodes.EnumDecl():
            return enum(root, context)
        case nodes.MetaxisDecl():
            return metaxis(root, context)
        case nodes.MetatypeDecl():
            return metatype(root, context)
        case nodes.MetarelDecl():
            return metarel(root, context)
        case _:
            return _callable(root, context)


def _callable(root: View, context: Context) -> Signature | None:
    match root:
        case nodes.FnDecl():
            return fn(root, context)
        case nodes.QueryDecl():
            return query(root, context)
        case nodes.MutateDecl():
            return mutation(root, context)
        case nodes.DeriveDecl():
            return head("predicate", root, context)
        case nodes.CheckDecl():
            return head("check", root, context)
        case _:
            return None
