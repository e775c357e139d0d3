"""What one item declares, read from its tree alone: no scope, no other item, no spans.

The result compares by value, so an edit inside a body, or of the text around an item, changes nothing that is built
upon it: module tree, scopes, and through them everything else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from argon_lang.program.attributes import cap_within
from argon_lang.program.generics import parameter_names
from argon_lang.program.model import SymbolKind, Visibility
from argon_lang.program.paths import name_of, names
from argon_lang.quick import quick
from argon_lang.syntax import nodes
from argon_lang.syntax.labels import decl_label
from argon_lang.syntax.tree import Item, View


@dataclass(frozen=True, slots=True)
class Import:
    """One leaf of a `use`. `segments` is the whole path; `name` what it binds, None for a glob; `leaf` its number."""

    segments: tuple[str, ...]
    name: str | None
    leaf: int


@quick
@dataclass(frozen=True, slots=True)
class Declared:
    """What an item declares.

    `label` names the item in its file (`problems.ItemId`). `kind` and `name` are None when it declares nothing by
    name. `arity` counts endpoints of relations and arguments of predicates; it is 1 for concepts. `members` are the
    variants of an enum, or the subtypes that a concept's `{ A, B }` declares beside it. `individuals` are the lone
    names among a fact's arguments: each declares an individual unless it means something else. `opens` says what a
    `mod` opens, or that a standpoint has a body. `divides`: a group axiom. `parameters` are the names of its type
    parameters, `provides` the members of a trait; `implements`: an `impl`. `cap`: the tier above which no rule of the
    module may be.
    """

    label: str
    kind: SymbolKind | None = None
    name: str | None = None
    arity: int | None = None
    visibility: Visibility = "private"
    imports: tuple[Import, ...] = ()
    members: tuple[str, ...] = ()
    individuals: tuple[str, ...] = ()
    opens: OneOf["", "file", "inline"] = ""
    closes: bool = False
    divides: bool = False
    cap: str = ""
    parameters: tuple[str, ...] = ()
    provides: tuple[tuple[SymbolKind, str, int | None], ...] = ()
    implements: bool = False


_KINDS: dict[type[View], SymbolKind] = {
    nodes.MetatypeDecl: "metatype",
    nodes.MetarelDecl: "metarel",
    nodes.ConceptDecl: "concept",
    nodes.RelationDecl: "relation",
    nodes.StructDecl: "struct",
    nodes.EnumDecl: "enum",
    nodes.FnDecl: "fn",
    nodes.DeriveDecl: "predicate",
    nodes.QueryDecl: "query",
    nodes.CheckDecl: "check",
    nodes.MutateDecl: "mutation",
    nodes.ModDecl: "module",
    nodes.MetaxisDecl: "metaxis",
    nodes.TraitDecl: "trait",
    nodes.StandpointDecl: "standpoint",
}


def declared(item: Item) -> Declared:
    """What `item` declares. Never raises: a broken tree declares what it still names."""
    root, label = item.root, decl_label(item)
    match root:
        case nodes.UseDecl():
            return Declared(label, visibility=_visibility(root), imports=tuple(use_leaves(root)))
        case nodes.CloseBrace():
            return Declared(label, closes=True)
        case nodes.FileAttribute():
            return Declared(label, cap=cap_within(root))
        case nodes.FactDecl():
            return Declared(label, individuals=_individuals(root))
        case nodes.GroupDecl():
            return Declared(label, divides=True)
        case nodes.ImplDecl():
            return Declared(label, implements=True)
        case nodes.TestDecl():
            return Declared(label, "test", root.title.text[1:-1] if root.title else None)
    kind = _KINDS.get(type(root))
    if kind is None:
        return Declared(label)
    name = name_of(getattr(root, "name", None))
    return Declared(label, kind, name, _arity(root), _visibility(root), members=_members(root), opens=_opens(root),
                    divides=isinstance(root, nodes.ConceptDecl) and root.subtypes is not None, cap=cap_within(root),
                    parameters=parameter_names(root), provides=_provides(root))  # fmt: skip


def _arity(root: View) -> int | None:
    match root:
        case nodes.ConceptDecl():
            return 1
        case nodes.RelationDecl():
            return len(root.endpoints.endpoints) if root.endpoints else 0
        case nodes.DeriveDecl():
            return len(root.head.params) if root.head else 0
        case _:
            return None


def _opens(root: View) -> OneOf["", "file", "inline"]:
    match root:
        case nodes.ModDecl():
            return "inline" if root.opens else "file"
        case nodes.StandpointDecl() if root.opens:
            return "inline"
        case _:
            return ""


def _members(root: View) -> tuple[str, ...]:
    match root:
        case nodes.EnumDecl():
            written = [variant.name for variant in root.variants.variants] if root.variants else []
        case nodes.ConceptDecl() if root.subtypes:
            written = list(root.subtypes.names)
        case _:
            return ()
    return tuple(name for name in map(name_of, written) if name is not None)


def _provides(root: View) -> tuple[tuple[SymbolKind, str, int | None], ...]:
    """The members that a trait asks for, each once; only those of predicates are told apart by arity."""
    if not isinstance(root, nodes.TraitDecl) or root.members is None:
        return ()
    named = ((name_of(each.name), *member_kind(each)) for each in root.members.members)
    return tuple(dict.fromkeys((kind, name, arity) for name, kind, arity in named if name is not None))


def member_kind(member: View) -> tuple[SymbolKind, int | None]:
    """The kind of symbol that a member of a trait is, and the arity of a predicate."""
    return _KINDS[type(member)], _arity(member)


def _individuals(root: nodes.FactDecl) -> tuple[str, ...]:
    args = root.args.args if root.args else []
    return tuple(dict.fromkeys(names(arg)[0] for arg in args if isinstance(arg, nodes.Path) and _is_lone(arg)))


def _is_lone(path: nodes.Path) -> bool:
    found = names(path)
    return len(found) == 1 and found[0] not in ("self", "Self", "super")


def _visibility(root: View) -> Visibility:
    written: nodes.Visibility | None = getattr(root, "visibility", None)
    if written is None:
        return "private"
    return "package" if written.package_only else "public"


def use_leaves(root: nodes.UseDecl) -> list[Import]:
    """The leaves of a `use` in the order of the text; `a::{self}` binds `a`."""
    prefix = names(root.path) if root.path else ()
    if root.glob:
        return [Import(prefix, None, 0)]
    if root.leaves is None:
        return [_import(prefix, root.alias, 0)] if prefix else []
    leaves = root.leaves.leaves
    return [_import((*prefix, *_tail(leaf)), leaf.alias, number) for number, leaf in enumerate(leaves)]


def _tail(leaf: nodes.UseLeaf) -> tuple[str, ...]:
    found = names(leaf.path) if leaf.path else ()
    return () if found == ("self",) else found


def _import(path: tuple[str, ...], alias: nodes.UseAlias | None, leaf: int) -> Import:
    bound = name_of(alias.name) if alias else (path[-1] if path else None)
    return Import(path, bound or "_", leaf)


def prelude_imports(source: str) -> list[Import]:
    """The leaves of one use tree in source form (`std::core::{type, rel}`), as the manifest's prelude has them.

    Anything that is no use tree gives no import; the manifest's reader reports it.
    """
    text = "".join(source.split())
    head, brace, rest = text.partition("::{")
    if not brace:
        return [Import(tuple(head.removesuffix("::*").split("::")), _bound(head), 0)]
    prefix = tuple(head.split("::"))
    leaves = [leaf for leaf in rest.removesuffix("}").split(",") if leaf]
    return [Import((*prefix, *leaf.split("::")), leaf.split("::")[-1], number) for number, leaf in enumerate(leaves)]


def _bound(path: str) -> str | None:
    return None if path.endswith("::*") else path.split("::")[-1]
