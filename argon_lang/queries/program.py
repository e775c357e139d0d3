"""The derived values of a program, from the items of a file to the inference of one item.

Each function is a query of `memo.Memory`: it is given the database and a key, asks other queries, and depends on
nothing else. What is said of std packages is asked from their own database, which never changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from argon_lang.problems import ItemId, Problem
from argon_lang.program.declare import prelude_imports
from argon_lang.program.infer import infer
from argon_lang.program.lookup import SPACES, Bound, Names, World, root_of, walk
from argon_lang.program.lookup import is_free as means_nothing
from argon_lang.program.model import GroupSig, Inference, Lookup, Signature, Symbol, ToSymbol, Use
from argon_lang.program.module_scope import visible_names
from argon_lang.program.modules import ModuleTree, Shape, module_tree
from argon_lang.program.name_problems import use_uses
from argon_lang.program.paths import written_paths
from argon_lang.program.scopes import Imported, Namespaces, namespaces
from argon_lang.program.signatures.conformance import conformance
from argon_lang.program.signatures.read import ReadSignature, read_signature
from argon_lang.program.tier_names import TIERS
from argon_lang.program.view import PackageInfo
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item

if TYPE_CHECKING:
    from argon_lang.queries.database import Database

NOTHING = Inference({}, {}, (), (), ())
AMBIENT = ("Truth4", "Truth4Of", "Severity", "Diagnostic", "Result")
"""What every module sees of `std::core`, beside the built-in types."""


def is_std(name: str) -> bool:
    """Does a path or a file belong to a std package?"""
    return name.startswith("std::")


def has_error(item: Item) -> bool:
    """Is the syntax of the item in error?"""
    return bool(item.problems) and any(problem.code[1:2] == "E" for problem in item.problems)


def file_shapes(db: Database, file: str) -> tuple[Shape, ...] | None:
    """What the items of a file declare, without their texts; None when there is no such file. (An input.)"""
    found: tuple[Shape, ...] | None = db.memory.input(("shapes", file))
    return found


def broken(db: Database, file: str) -> bool:
    """Is the syntax of some item of a file in error? (An input.)"""
    return bool(db.memory.input(("broken", file)))


def part(db: Database) -> frozenset[ItemId] | None:
    """The items that a narrowed database is asked about and what they rest on; None when all are meant. (An input.)"""
    found: frozenset[ItemId] | None = db.memory.input("part")
    return found


def shapes_in_part(db: Database, file: str) -> tuple[Shape, ...]:
    """The shapes of a file; of a narrowed database those of the part that is asked about."""
    found, wanted = file_shapes(db, file) or (), part(db)
    return found if wanted is None else tuple(shape for shape in found if shape.id in wanted)


def tree(db: Database, item: ItemId) -> Item | None:
    """One item's tree; None when there is no such item. (An input.)"""
    found: Item | None = db.memory.input(("tree", item))
    return found


def modules(db: Database, _: None) -> ModuleTree:
    """The module tree of the package and its path dependencies (of all std packages, in their database)."""
    roots: Mapping[str, str] = db.memory.input("roots")
    return module_tree(roots, lambda file: file_shapes(db, file))


def placement(db: Database, _: None) -> Mapping[ItemId, str]:
    """The module of every item that one reaches."""
    found = db.memory.get(modules, None)
    return {shape.id: path for path, module in found.modules.items() for shape in module.shapes}


def place(db: Database, item: ItemId) -> tuple[str, ...] | None:
    """The inline modules around an item in its file; None when there is no such item, or none with meaning. (Input.)"""
    found: tuple[str, ...] | None = db.memory.input(("place", item))
    return found


def module_index(db: Database, _: None) -> Mapping[tuple[str, tuple[str, ...]], str]:
    """The module that holds the items of a file inside the same inline modules."""
    found = db.memory.get(modules, None).modules
    return {(module.file, module.inner): path for path, module in found.items()}


def module_at(db: Database, key: tuple[str, tuple[str, ...]]) -> str | None:
    """The module of the items inside some inline modules of a file; None when none reaches them."""
    return db.memory.get(module_index, None).get(key)


def module_of(db: Database, item: ItemId) -> str | None:
    """The module that an item stands in; None when none reaches it."""
    inner = place(db, item)
    return None if inner is None else db.memory.get(module_at, (item.file, inner))


def home(db: Database, module: str) -> str:
    """The module that a standpoint's items see and declare individuals into; of a module itself."""
    return db.memory.get(world, None).home(module)


def standpoint_of(db: Database, module: str) -> str | None:
    """The standpoint that a module is, or stands in."""
    found = db.memory.get(world, None)
    at: str | None = module
    while at is not None and at not in found.standpoints:
        at = found.parents.get(at)
    return at


def open_world(db: Database, module: str) -> bool:
    """Are the concepts of a module's package open unless they say otherwise?"""
    packages: Mapping[str, PackageInfo] = db.memory.input("packages")
    package = packages.get(root_of(module))
    return package is not None and package.default_world == "open"


def caps(db: Database, _: None) -> Mapping[str, tuple[str, ItemId]]:
    """The tier by which each module is capped, and the item that says so; of several the lowest, the first in the text.

    A `mod` with the attribute caps the module that it opens.
    """
    found: dict[str, tuple[str, ItemId]] = {}
    for path, module in db.memory.get(modules, None).modules.items():
        for shape in module.shapes:
            capped = f"{path}::{shape.declared.name}" if shape.declared.kind == "module" else path
            known = found.get(capped)
            if shape.declared.cap and (known is None or TIERS.index(shape.declared.cap) < TIERS.index(known[0])):
                found[capped] = (shape.declared.cap, shape.id)
    return found


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Canonical paths of what an item names: all, and those of predicates. `unsupported`: it names what is refused."""

    paths: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    unsupported: bool = False


_NOTHING_MENTIONED = Mentioned()


def mentioned(db: Database, item: ItemId) -> Mentioned:
    """What the paths of an item mean."""
    own, module = tree(db, item), db.memory.get(module_of, item)
    if own is None or module is None:
        return _NOTHING_MENTIONED
    found = [symbol for path in written_paths(own) for symbol in db.memory.get(lookup, (module, path)).symbols]
    if not found:
        return _NOTHING_MENTIONED
    return Mentioned(
        tuple(sorted({symbol.path for symbol in found})),
        tuple(sorted({symbol.path for symbol in found if symbol.kind == "predicate"})),
        any(symbol.kind == "unsupported" for symbol in found),
    )


def ambient(db: Database, _: None) -> Mapping[str, Names]:
    """What the modules of each package see without asking, by its root module."""
    packages: Mapping[str, PackageInfo] = db.memory.input("packages")
    return {root: db.memory.get(ambient_in, root) for root in packages} if db.base else {}


def ambient_in(db: Database, root: str) -> Names:
    """The prelude, the ambient names of `std::core`, and the root modules of the dependencies of one package."""
    package: PackageInfo = db.memory.input("packages")[root]
    found: dict[str, tuple[Bound, ...]] = {}
    leaves = [(leaf.segments, leaf.name) for source in package.prelude for leaf in prelude_imports(source)]
    for segments, name in [*((("std", "core", name), name) for name in AMBIENT), *leaves]:
        below, symbols = prelude_symbols(db, package, segments)
        if name is not None and symbols:
            found[name] = tuple(Bound(symbol, "public", "glob") for symbol in symbols)
        elif symbols:
            found.update((n, bs) for n, bs in below.names[symbols[0].path].items() if bs[0].visibility == "public")
    return {**found, **{root: _root_bound(root) for root in package.dependencies}}


def _root_bound(root: str) -> tuple[Bound, ...]:
    return (Bound(Symbol("module", root, root, "public", ()), "public", "glob"),)


def prelude_symbols(db: Database, package: PackageInfo, segments: tuple[str, ...]) -> tuple[World, tuple[Symbol, ...]]:
    """What a path in a package's prelude means (nothing, on a miss), and the world that it leads into."""
    outside = db.base.world() if db.base is not None else db.world()
    if segments[:1] and segments[0] in package.dependencies:
        below = db.memory.get(world_below, segments[0])
        outside = replace(below, ambient={**below.ambient, "pkg": {segments[0]: _root_bound(segments[0])}})
    return outside, walk(outside, "pkg", segments).symbols


def world_below(db: Database, root: str) -> World:
    """The names of one dependency and of what it depends on itself."""
    packages: Mapping[str, PackageInfo] = db.memory.input("packages")
    roots = [root]
    for each in roots:
        roots += [other for other in packages[each].dependencies if other not in roots]
    found = db.memory.get(modules, None)
    own = {path: module for path, module in found.modules.items() if root_of(path) in roots}
    seen = {each: db.memory.get(ambient_in, each) for each in roots}
    return namespaces(ModuleTree(own, (), ()), seen, db.base.world() if db.base is not None else None).world


def lost_preludes(db: Database, _: None) -> tuple[tuple[int, str], ...]:
    """The entries of the package's prelude that lead to nothing, by number, each with the path that fails."""
    package: PackageInfo = db.memory.input("package")
    leaves = [(index, leaf) for index, each in enumerate(package.prelude) for leaf in prelude_imports(each)]
    failed = ((index, leaf) for index, leaf in leaves if not prelude_symbols(db, package, leaf.segments)[1])
    return tuple((index, "::".join(leaf.segments)) for index, leaf in failed)


def names(db: Database, _: None) -> Namespaces:
    """What every module sees."""
    base = db.base.world() if db.base is not None else None
    return namespaces(db.memory.get(modules, None), db.memory.get(ambient, None), base)


def world(db: Database, _: None) -> World:
    """The names of all modules, those of dependencies and std packages included."""
    return db.memory.get(names, None).world


def lookup(db: Database, key: tuple[str, tuple[str, ...]]) -> Lookup:
    """A path written in a module. A lone name that means nothing there gets the paths that would import it."""
    module, path = key
    found = db.memory.get(world, None)
    result = walk(found, module, path)
    if result.code != "OE0101" or len(path) != 1:
        return result
    imports = importable(found, db.memory.get(name_index, None).get(path[0], ()), module)
    return replace(result, candidates=(*imports, *result.candidates))


def is_free(db: Database, key: tuple[str, str]) -> bool:
    """Does a name without a path mean nothing in a module?"""
    return means_nothing(db.memory.get(world, None), *key)


def importable(found: World, paths: tuple[str, ...], module: str) -> tuple[str, ...]:
    """Those of `paths` that a `use` in `module` could name."""
    return tuple(path for path in paths if walk(found, module, tuple(path.split("::"))).symbols)


def name_index(db: Database, _: None) -> Mapping[str, tuple[str, ...]]:
    """Where each name is declared, in the package and in std packages."""
    found: dict[str, dict[str, None]] = {}
    for table in db.memory.get(world, None).names.values():
        for name, bounds in table.items():
            for bound in bounds:
                if bound.origin == "own" and bound.symbol.kind not in (*SPACES, "unsupported"):
                    found.setdefault(name, {})[bound.symbol.path] = None
    return {name: tuple(sorted(paths)) for name, paths in found.items()}


def module_names(db: Database, module: str) -> Mapping[str, tuple[Symbol, ...]]:
    """Every name that a module sees without a path."""
    return visible_names(db.memory.get(world, None), module)


def symbol_index(db: Database, _: None) -> Mapping[str, tuple[Symbol, ...]]:
    """Everything that the package and its path dependencies declare, by canonical path."""
    found: dict[str, tuple[Symbol, ...]] = {}
    owned = db.memory.get(modules, None).modules
    for module, table in db.memory.get(world, None).names.items():
        for bounds in table.values() if module in owned else ():
            for bound in bounds:
                if bound.origin == "own":
                    found[bound.symbol.path] = (*found.get(bound.symbol.path, ()), bound.symbol)
    for trait, members in db.memory.get(world, None).provided.items():
        for each in members if trait.rpartition("::")[0] in owned else ():
            found[each.path] = (*found.get(each.path, ()), each)
    return found


def symbols_at(db: Database, path: str) -> tuple[Symbol, ...]:
    """Everything declared under one canonical path."""
    if db.base is not None and is_std(path):
        return db.base.ask(symbols_at, path)
    return db.memory.get(symbol_index, None).get(path, ())


def read(db: Database, item: ItemId) -> ReadSignature:
    """The signature of an item with what was found while reading it."""
    found, module = tree(db, item), db.memory.get(module_of, item)
    if found is None or module is None:
        return ReadSignature((), (), ())
    return read_signature(found, module, db.scope(module), db.declarations)


def signature(db: Database, item: ItemId) -> tuple[Signature, ...]:
    """What an item promises, without spans: what its users rest on."""
    return db.memory.get(read, item).signatures


def signatures_at(db: Database, path: str) -> tuple[Signature, ...]:
    """Every signature declared under one canonical path."""
    if db.base is not None and is_std(path):
        return db.base.ask(signatures_at, path)
    items = dict.fromkeys(item for symbol in db.memory.get(symbols_at, path) for item in symbol.items)
    return tuple(each for item in items for each in db.memory.get(signature, item) if each.path == path)


def dividing(db: Database, _: None) -> tuple[ItemId, ...]:
    """The items that declare a group axiom."""
    found = db.memory.get(modules, None).modules.values()
    return tuple(shape.id for module in found for shape in module.shapes if shape.declared.divides)


def disjoint_groups(db: Database, _: None) -> tuple[tuple[str, ...], ...]:
    """The members of every group whose members exclude each other."""
    signatures = (each for item in db.memory.get(dividing, None) for each in db.memory.get(signature, item))
    return tuple(each.members for each in signatures if isinstance(each, GroupSig) and each.disjoint)


def conforms(db: Database, item: ItemId) -> tuple[Problem, ...]:
    """Problems of a signature with those of its supertypes."""
    found, own, module = tree(db, item), db.memory.get(signature, item), db.memory.get(module_of, item)
    if found is None or module is None or not own:
        return ()
    if isinstance(found.root, nodes.ImplDecl) and db.memory.get(standpoint_of, module) is not None:
        return ()
    return conformance(found, own[0], db.table(), module, item)


_CONFORMING = frozenset((
    K.N_CONCEPT_DECL, K.N_RELATION_DECL, K.N_GROUP_DECL, K.N_METATYPE_DECL, K.N_METAREL_DECL, K.N_STANDPOINT_DECL,
    K.N_TRAIT_DECL, K.N_IMPL_DECL,
))  # fmt: skip
"""The items whose signatures owe anything to others'."""


def conformance_of(db: Database, item: ItemId) -> tuple[Problem, ...]:
    """As `conforms`, which is asked where it can say anything."""
    found = tree(db, item)
    return db.memory.get(conforms, item) if found is not None and found.kind in _CONFORMING else ()


_INFERRED = (
    nodes.FactDecl, nodes.FnDecl, nodes.DeriveDecl, nodes.QueryDecl, nodes.CheckDecl, nodes.MutateDecl, nodes.TestDecl,
    nodes.ConceptDecl, nodes.RelationDecl, nodes.StructDecl, nodes.EnumDecl, nodes.ImplDecl,
    nodes.MetaxisDecl, nodes.MetatypeDecl, nodes.MetarelDecl,
)  # fmt: skip


def inference(db: Database, item: ItemId) -> Inference:
    """What checking an item's body yields; nothing for an item that has none or whose syntax is in error."""
    found, module = tree(db, item), db.memory.get(module_of, item)
    if found is None or module is None or has_error(found):
        return NOTHING
    root = found.root
    if not isinstance(root, _INFERRED):
        return NOTHING
    return infer(found, db.scope(module), db.declarations)


def imports_index(db: Database, _: None) -> Mapping[ItemId, Mapping[int, Imported]]:
    """What each leaf of each `use` found, by item and leaf."""
    found: dict[ItemId, dict[int, Imported]] = {}
    for (item, leaf), result in db.memory.get(names, None).imports.items():
        found.setdefault(item, {})[leaf] = result
    return found


def imports_of(db: Database, item: ItemId) -> Mapping[int, Imported]:
    """What each leaf of one `use` found."""
    return db.memory.get(imports_index, None).get(item, {})


def uses(db: Database, item: ItemId) -> tuple[Use, ...]:
    """Every resolved occurrence of a name in an item in the order of the text; `{ rent }` means a field and a value."""
    found = tree(db, item)
    if found is None:
        return ()
    listed = [*db.memory.get(read, item).uses, *db.memory.get(inference, item).uses]
    if isinstance(found.root, nodes.UseDecl):
        listed += use_uses(found, db.memory.get(imports_of, item))
    standpoints = db.memory.get(world, None).standpoints
    named = (_standpoint(use) if _is_space(use, standpoints) else use for use in listed)
    return tuple(sorted(dict.fromkeys(named), key=lambda use: (use.start, use.end)))


def _is_space(use: Use, standpoints: frozenset[str]) -> bool:
    return isinstance(use.meaning, ToSymbol) and use.meaning.kind == "module" and use.meaning.path in standpoints


def _standpoint(use: Use) -> Use:
    """A path's prefix is told as a module wherever it is resolved without the modules at hand."""
    return replace(use, meaning=ToSymbol("standpoint", use.meaning.path)) if isinstance(use.meaning, ToSymbol) else use
