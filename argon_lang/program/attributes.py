"""Attributes as they are written: their names and what stands in their parentheses (language.md §3)."""

from __future__ import annotations

from argon_lang.program.paths import name_of, names
from argon_lang.program.tier_names import TIERS
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

Written = nodes.Attribute | nodes.FileAttribute


def attribute_name(attribute: Written) -> str:
    """The path of an attribute as one text."""
    return "::".join(names(attribute.path)) if attribute.path else ""


def values_of(attribute: Written) -> list[View]:
    """What stands in an attribute's parentheses."""
    return list(attribute.args.values) if attribute.args is not None else []


def lone_name(attribute: Written) -> str | None:
    """The one name in an attribute's parentheses; None where something else stands there."""
    found = values_of(attribute)
    path = names(found[0]) if len(found) == 1 and isinstance(found[0], nodes.Path) else ()
    return path[0] if len(path) == 1 else None


def cap_of(attribute: Written) -> str | None:
    """The tier that `dec(tier: …)` names; None where it is ill formed."""
    match values_of(attribute):
        case [nodes.NamedArg() as named] if name_of(named.name) == "tier" and isinstance(named.value, nodes.Path):
            tier = "::".join(names(named.value))
            return tier if tier in TIERS else None
        case _:
            return None


def cap_within(root: View) -> str:
    """The tier by which a `#![dec(…)]`, or the `#[dec(…)]` of a `mod`, caps a module; empty without one."""
    written: list[Written] = []
    if isinstance(root, nodes.FileAttribute):
        written = [root]
    elif isinstance(root, nodes.ModDecl):
        written = list(root.attributes)
    caps = (cap_of(each) for each in written if attribute_name(each) == "dec")
    return next((cap for cap in caps if cap is not None), "")


def forgettable(root: nodes.ConceptDecl | nodes.RelationDecl) -> bool:
    """Does `#[allow_forget]` stand on a concept or relation?"""
    return any(attribute_name(each) == "allow_forget" for each in root.attributes)


def world_of(root: nodes.ConceptDecl) -> str:
    """What a concept's `#[world(…)]` says: `open`, `closed`, or nothing."""
    written = (lone_name(each) for each in root.attributes if attribute_name(each) == "world")
    return next((each for each in written if each in ("open", "closed")), "")
