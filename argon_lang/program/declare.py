"""What one item declares, read from its tree alone: no scope, no other item, no spans.

The result compares by value, so an edit inside a body, or of the text around an item, changes nothing that is built
upon it: module tree, scopes, and through them everything else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal as OneOf

from argon_lang.program.model import SymbolKind, Visibility
from argon_lang.program.paths import name_of, names
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item, View


@dataclass(frozen=True, slots=True)
class Import:
    """One leaf of a `use`. `segments` is the whole path; `name` what it binds, None for a glob; `leaf` its number."""

    segments: tuple[str, ...]
    name: str | None
    leaf: int


@dataclass(frozen=True, slots=True)
class Declared:
    """What an item declares.

    `label` names the item in its file (`problems.ItemId`). `kind` and `name` are None when it declares nothing by
    name. `arity` counts endpoints of relations and arguments of predicates; it is 1 for concepts. `members` are the
    variants of an enum, or the subtypes that a concept's `{ A, B }` declares beside it. `individuals` are the lone
    names among a fact's arguments: each declares an individual unless it means something else. `opens` says what a
    `mod` opens; `skipped` bodies (standpoints) hold items without meaning in this version.
    """

    label: str
    kind: SymbolKind | None = None
    name: str | None = None
    arity: int | None = None
    visibility: Visibility = "private"
    imports: tuple[Import, ...] = ()
    members: tuple[str, ...] = ()
    individuals: tuple[str, ...] = ()
    opens: OneOf["", "file", "inline", "skipped"] = ""
    closes: bool = False


_NAMED: dict[type[View], tuple[SymbolKind, str]] = {
    nodes.MetatypeDecl: ("metatype", "metatype"),
    nodes.ConceptDecl: ("concept", "concept"),
    nodes.StructDecl: ("struct", "struct"),
    nodes.EnumDecl: ("enum", "enum"),
    nodes.FnDecl: ("fn", "fn"),
    nodes.QueryDecl: ("query", "query"),
    nodes.MutateDecl: ("mutation", "mutate"),
    nodes.MetaxisDecl: ("unsupported", "metaxis"),
    nodes.TraitDecl: ("unsupported", "trait"),
    nodes.StandpointDecl: ("unsupported", "standpoint"),
    nodes.MetarelDecl: ("metarel", "metarel"),
    nodes.CheckDecl: ("check", "check"),
}

_ANONYMOUS: dict[type[View], str] = {
    nodes.ImplDecl: "impl",
    nodes.GroupDecl: "group",
    nodes.FileAttribute: "attribute",
    nodes.ErrorItem: "error",
    nodes.EndOfFile: "end",
}


def declared(item: Item) -> Declared:
    """What `item` declares. Never raises: a broken tree declares what it still names."""
    root = item.root
    match root:
        case nodes.UseDecl():
            imports = tuple(use_leaves(root))
            label = "use " + ", ".join("::".join(each.segments) for each in imports)
            return Declared(label, visibility=_visibility(root), imports=imports)
        case nodes.ModDecl():
            name = name_of(root.name)
            opens: OneOf["file", "inline"] = "inline" if root.opens else "file"
            return Declared(f"mod {name or '_'}", "module", name, None, _visibility(root), opens=opens)
        case nodes.CloseBrace():
            return Declared("}", closes=True)
        case nodes.FactDecl():
            return _fact(root)
        case nodes.TestDecl():
            title = root.title.text if root.title else '""'
            return Declared(f"test {title}", "test", title[1:-1], None, "private")
        case nodes.RelationDecl():
            ends = root.endpoints.endpoints if root.endpoints else []
            return _named(root, "relation", "relation", name_of(root.name), len(ends))
        case nodes.DeriveDecl():
            return _clause(root)
    for kind, label in _ANONYMOUS.items():
        if isinstance(root, kind):
            return Declared(label)
    return _plain(root)


def _plain(root: View) -> Declared:
    kind, word = _NAMED.get(type(root), (None, "item"))
    name = name_of(getattr(root, "name", None))
    if kind is None:
        return Declared(word)
    arity = 1 if kind == "concept" else None
    found = _named(root, kind, word, name, arity)
    if isinstance(root, nodes.StandpointDecl) and root.opens:
        return replace(found, opens="skipped")
    return replace(found, members=_members(root))


def _members(root: View) -> tuple[str, ...]:
    match root:
        case nodes.EnumDecl():
            written = [variant.name for variant in root.variants.variants] if root.variants else []
        case nodes.ConceptDecl() if root.subtypes:
            written = list(root.subtypes.names)
        case _:
            return ()
    return tuple(name for name in map(name_of, written) if name is not None)


def _named(root: View, kind: SymbolKind, word: str, name: str | None, arity: int | None) -> Declared:
    return Declared(f"{word} {name or '_'}", kind, name, arity, _visibility(root))


def _clause(root: nodes.DeriveDecl) -> Declared:
    name, arity = name_of(root.name), len(root.head.params) if root.head else 0
    return Declared(f"derive {name or '_'}/{arity}", "predicate", name, arity, _visibility(root))


def _fact(root: nodes.FactDecl) -> Declared:
    predicate = "::".join(names(root.predicate)) if root.predicate else "_"
    args = root.args.args if root.args else []
    word = "not_fact" if root.negative else "fact"
    label = f"{word} {predicate}({', '.join(arg.text for arg in args)})"
    lone = [names(arg)[0] for arg in args if isinstance(arg, nodes.Path) and _is_lone(arg)]
    individuals = () if root.negative else tuple(dict.fromkeys(lone))
    return Declared(label, individuals=individuals)


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
