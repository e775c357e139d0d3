"""What is wrong with the names of one item, as queries: clashes, `mod` without a file, imports that fail or idle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from argon_lang.problems import ItemId, Note, Problem, args
from argon_lang.program.declare import use_leaves
from argon_lang.program.model import Symbol
from argon_lang.program.modules import ModuleFault
from argon_lang.program.name_problems import clash_problem, module_problem, unused_imports, use_problems
from argon_lang.program.paths import normal, written_paths
from argon_lang.program.scopes import Clash
from argon_lang.program.signatures.context import opening
from argon_lang.queries import program
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item

if TYPE_CHECKING:
    from argon_lang.queries.database import Database


def clash_index(db: Database, _: None) -> Mapping[ItemId, tuple[Clash, ...]]:
    """Clashes by the later item."""
    found: dict[ItemId, tuple[Clash, ...]] = {}
    for clash in db.memory.get(program.names, None).clashes:
        found[clash.item] = (*found.get(clash.item, ()), clash)
    return found


def fault_of(db: Database, item: ItemId) -> ModuleFault | None:
    """Why a `mod` opens nothing."""
    return next((each for each in db.memory.get(program.modules, None).faults if each.item == item), None)


_IMPORTING = frozenset((K.N_USE_DECL, K.N_MOD_DECL))


def name_problems(db: Database, item: ItemId) -> tuple[Problem, ...]:
    """What is wrong with the name that an item declares, the names that it imports, the module that it opens."""
    found, clashing = program.tree(db, item), db.memory.get(clash_index, None).get(item, ())
    if found is None or not (clashing or found.kind in _IMPORTING or found.kind in _OUTSIDE):
        return ()
    if db.memory.get(program.module_of, item) is None:
        return ()
    clashes = tuple(clash_problem(found, clash) for clash in clashing)
    clashes += tuple(misplaced(db, item)) if found.kind in _OUTSIDE else ()
    return clashes + db.memory.get(import_problems, item) if found.kind in _IMPORTING else clashes


_OUTSIDE = frozenset((K.N_IMPL_DECL, K.N_STANDPOINT_DECL))


def misplaced(db: Database, item: ItemId) -> Iterator[Problem]:
    """OE0680 of an `impl`, OE0681 of a standpoint, inside a standpoint."""
    found, module = program.tree(db, item), db.memory.get(program.module_of, item)
    around = db.memory.get(program.standpoint_of, module) if module is not None else None
    if found is None or around is None:
        return
    root, of = found.root, around.rsplit("::", 1)[-1]
    if isinstance(root, nodes.ImplDecl):
        yield Problem("OE0680", *opening(root), args(of=of), (), (Note("move"),))
    elif isinstance(root, nodes.StandpointDecl) and root.name is not None:
        values = args(name=normal(root.name.text), of=of)
        yield Problem("OE0681", root.name.start, root.name.end, values, (), (Note("specialize", values),))


def import_problems(db: Database, item: ItemId) -> tuple[Problem, ...]:
    """What is wrong with the names that a `use` imports, or the module that a `mod` opens."""
    found = program.tree(db, item)
    if found is None:
        return ()
    problems: list[Problem] = []
    if isinstance(found.root, nodes.ModDecl):
        fault = db.memory.get(fault_of, item)
        problems += [module_problem(found, fault, db.files())] if fault is not None else []
    if isinstance(found.root, nodes.UseDecl) and not program.has_error(found):
        imports = db.memory.get(program.imports_of, item)
        problems += use_problems(found, imports, db.memory.get(private_targets, item))
        problems += unused_imports(found, db.memory.get(unused_leaves, item))
    return tuple(problems)


def private_targets(db: Database, item: ItemId) -> Mapping[str, tuple[Symbol, ...]]:
    """The symbols of private items that the leaves of a `use` name."""
    found = db.memory.get(program.imports_of, item).values()
    paths = [each.lookup.candidates[0] for each in found if each.lookup.code == "OE0104" and each.lookup.candidates]
    return {path: db.memory.get(program.symbols_at, path) for path in paths}


def unused_leaves(db: Database, item: ItemId) -> tuple[int, ...]:
    """The leaves of a private `use` whose names nothing in the module, or reaching into it from below, mentions.

    One whose name is taken is in error already.
    """
    found, module = program.tree(db, item), db.memory.get(program.module_of, item)
    if found is None or module is None or getattr(found.root, "visibility", None) is not None:
        return ()
    shape = next(s for s in db.memory.get(program.modules, None).modules[module].shapes if s.id == item)
    imports = db.memory.get(program.imports_of, item)

    def used(names: Iterable[str]) -> bool:
        return any(db.memory.get(mentioned_in, (module, name)) for name in names)

    taken = {clash.leaf for clash in db.memory.get(clash_index, None).get(item, ())}
    unused = []
    for leaf in shape.declared.imports:
        result = imports.get(leaf.leaf)
        bound = result.brings if result is not None and leaf.name is None else (leaf.name or "_",)
        if result is None or not result.lookup.symbols or leaf.leaf in taken or used(bound):
            continue
        if not used(sorted(db.memory.get(provided_names, (result.lookup.symbols[0].path, result.brings)))):
            unused.append(leaf.leaf)
    return tuple(unused)


def provided_names(db: Database, key: tuple[str, tuple[str, ...]]) -> frozenset[str]:
    """The names of the members of a trait, which an import of it brings too; of those that a glob brings by `names`."""
    path, names = key
    found = db.memory.get(program.world, None)
    brought = (bound.symbol.path for name in names for bound in found.names.get(path, {}).get(name, ()))
    return frozenset(each.name for trait in (path, *brought) for each in found.provided.get(trait, ()))


def mentioned_in(db: Database, key: tuple[str, str]) -> bool:
    """Does an item of a module use a name without a path, or does a module inside it reach for it by `super`?

    Asked name by name: most imports are used by one of the first items, and then the others are not looked at.
    """
    module, name = key
    for path, each in db.memory.get(program.modules, None).modules.items():
        if path == module or path.startswith(module + "::"):
            place = 0 if db.memory.get(program.home, path) == module else 1
            if any(name in db.memory.get(mentions, shape.id)[place] for shape in each.shapes):
                return True
    return False


_ANCHORS = frozenset(("pkg", "self", "super"))


def mentions(db: Database, item: ItemId) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names that an item may use of its own module, and names that it may reach for in modules around it.

    Both are generous: a name that is only spelled like an import keeps the import.
    """
    found = program.tree(db, item)
    if found is None:
        return (), ()
    if isinstance(found.root, nodes.UseDecl):
        return _use_mentions(found.root)
    own, reached = set(_shorthands(found)), set[str]()
    for path in written_paths(found):
        if path and path[0] in _ANCHORS:
            reached.update(path)
        own.update(path[:1])
    return tuple(sorted(own | reached)), tuple(sorted(reached))


def _use_mentions(root: nodes.UseDecl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of a `use` all leaves reach outwards; of its own module it uses what its paths begin with."""
    paths = [leaf.segments for leaf in use_leaves(root)]
    reached = {name for path in paths if path[:1] and path[0] in _ANCHORS for name in path}
    first = {path[1] if path[0] == "self" else path[0] for path in paths if len(path) > 1}
    return tuple(sorted(first)), tuple(sorted(reached))


def _shorthands(item: Item) -> list[str]:
    """Names of `{ rent }`, which stands for `{ rent: rent }`."""
    places = (index for index, kind in enumerate(item.node_kinds) if kind == K.N_FIELD_INIT)
    inits = (nodes.FieldInit(item, index) for index in places)
    return [normal(each.name.text) for each in inits if not each.has_colon and each.name is not None]
