"""What every module of a package sees: own items, `use`, globs, re-exports, individuals (language.md §2).

Imports are resolved together, to the least fixpoint: a module's names only grow while they are found, and a glob never
brings a name that its module declares or imports by name, whether or not that import resolves. So the order of modules
and items plays no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal as OneOf

from argon_lang.problems import ItemId
from argon_lang.program.declare import Import
from argon_lang.program.lookup import SPACES, Bound, Names, World, can_see, providers, walk
from argon_lang.program.model import Lookup, Symbol, Visibility
from argon_lang.program.modules import Module, ModuleTree, Shape

_RANK: dict[Visibility, int] = {"private": 0, "package": 1, "public": 2}


@dataclass(frozen=True, slots=True)
class Clash:
    """Two declarations that one module cannot hold both, or (`hint`) two predicates that differ in arity alone.

    `item` is the later one, `first` the earlier; `leaf` is the leaf of a `use` that is the later one, else -1: `bound`
    is the name that it brings then, `module` where to.
    `arities` are those of the later and the earlier where both have one.
    """

    item: ItemId
    first: ItemId | None
    symbol: Symbol
    other: Symbol
    leaf: int = -1
    hint: bool = False
    arities: tuple[int | None, int | None] = (None, None)
    bound: str = ""
    module: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """What one leaf of a `use` found. `cycle` lists the modules of a re-export cycle; `brings` the names of a glob.

    `silent`: it found nothing because another import did not, which is reported there.
    """

    lookup: Lookup
    module: str
    cycle: tuple[str, ...] = ()
    brings: tuple[str, ...] = ()
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Namespaces:
    """Names by module path, for the package and what it depends on."""

    world: World
    imports: Mapping[tuple[ItemId, int], Imported]
    clashes: tuple[Clash, ...]


@dataclass(slots=True)
class _Build:
    """Names while they are being found. `explicit`: names that a module imports by name, resolved or not."""

    world: World
    own: dict[str, dict[str, tuple[Bound, ...]]]
    explicit: dict[str, set[str]]
    leaves: list[tuple[str, Shape, Import]]
    globs: dict[str, dict[str, tuple[Bound, ...]]] = field(default_factory=dict)
    used: dict[str, dict[str, tuple[Bound, ...]]] = field(default_factory=dict)

    def effective(self, module: str) -> dict[str, tuple[Bound, ...]]:
        """All names of a module; own and imported ones hide those of globs."""
        hidden = {**self.used.get(module, {}), **self.own[module]}
        return {**self.globs.get(module, {}), **hidden}


def namespaces(tree: ModuleTree, ambient: Mapping[str, Names], base: World | None = None) -> Namespaces:
    """The names of all modules of `tree`. `base` holds the std packages' modules, `ambient` each package's prelude."""
    clashes: list[Clash] = []
    arities = _arities(tree, base)
    own = {path: _own(module, arities, clashes) for path, module in tree.modules.items()}
    leaves = [
        (path, shape, leaf)
        for path, module in tree.modules.items()
        for shape in module.shapes
        for leaf in shape.declared.imports
    ]
    first = _fixpoint(tree, own, leaves, ambient, base)
    declared = individuals(tree, first)
    if any(declared.values()):
        for path, names in declared.items():
            own[path] = {**own[path], **names}
        first = _fixpoint(tree, own, leaves, ambient, base)
    imports = {(shape.id, leaf.leaf): _imported(first, module, leaf) for module, shape, leaf in leaves}
    clashing = _import_clashes(first, imports)
    globbed = {module: tuple(sources) for module, sources in _glob_sources(first).items() if sources}
    world = replace(_with_first(_with_failed(first, imports), clashing), globbed=globbed)
    return Namespaces(world, imports, (*clashes, *clashing))


def _own(module: Module, arities: Mapping[str, int], clashes: list[Clash]) -> dict[str, tuple[Bound, ...]]:
    """What the module's items declare. Of two that cannot both stand the first counts."""
    found: dict[str, list[Bound]] = {}
    titles: dict[str, Symbol] = {}
    for shape in module.shapes:
        for symbol in declared_symbols(module.path, shape):
            if symbol.kind == "test":
                first = titles.setdefault(symbol.name, symbol)
                if first is not symbol:
                    clashes.append(Clash(shape.id, first.items[0], symbol, first))
            else:
                _declare(found.setdefault(symbol.name, []), symbol, arities, clashes)
    return {name: tuple(bounds) for name, bounds in found.items()}


def declared_symbols(module: str, shape: Shape) -> list[Symbol]:
    """The symbols of one item, each as if no other item declared it too (individuals left out)."""
    declared = shape.declared
    if declared.kind is None or declared.name is None:
        return []
    arity = declared.arity if declared.kind == "predicate" else None
    path = f"{module}::{declared.name}"
    main = Symbol(declared.kind, path, module, declared.visibility, (shape.id,), arity, declared.parameters)
    if declared.kind != "concept":
        return [main]
    covered = (f"{module}::{name}" for name in dict.fromkeys(declared.members))
    return [main, *(Symbol("concept", path, module, declared.visibility, (shape.id,)) for path in covered)]


def _declare(bounds: list[Bound], symbol: Symbol, arities: Mapping[str, int], clashes: list[Clash]) -> None:
    for index, bound in enumerate(bounds):
        other = bound.symbol
        if symbol.kind == other.kind and symbol.arity == other.arity and symbol.kind in ("predicate", "standpoint"):
            bounds[index] = _own_bound(_unite(other, symbol))
            return
        if not compatible(symbol, other, arities):
            clashes.append(Clash(symbol.items[0], other.items[0], symbol, other))
            return
    if bounds:
        other = bounds[0].symbol
        both = (arity_of(symbol, arities), arity_of(other, arities))
        clashes.append(Clash(symbol.items[0], other.items[0], symbol, other, hint=True, arities=both))
    bounds.append(_own_bound(symbol))


def _arities(tree: ModuleTree, base: World | None) -> dict[str, int]:
    """The number of arguments that a concept or relation takes in a rule, by path."""
    found = dict(base.arities) if base else {}
    for module in tree.modules.values():
        for shape in module.shapes:
            if shape.declared.kind in ("concept", "relation") and shape.declared.arity is not None:
                covered = shape.declared.members if shape.declared.kind == "concept" else ()
                for name in (shape.declared.name, *covered):
                    found.setdefault(f"{module.path}::{name}", shape.declared.arity)
    return found


def arity_of(symbol: Symbol, arities: Mapping[str, int]) -> int | None:
    """How many arguments a call of the symbol takes, as far as a rule can tell it by them."""
    return symbol.arity if symbol.kind == "predicate" else arities.get(symbol.path)


def compatible(symbol: Symbol, other: Symbol, arities: Mapping[str, int]) -> bool:
    """May one module hold both under one name? Only where a call's number of arguments tells them apart."""
    kinds = {symbol.kind, other.kind}
    called = "predicate" in kinds and kinds <= {"predicate", "concept", "relation"}
    return called and arity_of(symbol, arities) != arity_of(other, arities)


def _unite(first: Symbol, clause: Symbol) -> Symbol:
    visibility = max(first.visibility, clause.visibility, key=_RANK.__getitem__)
    return Symbol(first.kind, first.path, first.module, visibility, (*first.items, *clause.items), first.arity)


def _own_bound(symbol: Symbol) -> Bound:
    return Bound(symbol, symbol.visibility, "own")


def _fixpoint(
    tree: ModuleTree, own: dict[str, dict[str, tuple[Bound, ...]]], leaves: list[tuple[str, Shape, Import]],
    ambient: Mapping[str, Names], base: World | None,
) -> _Build:  # fmt: skip
    parents = {path: module.parent for path, module in tree.modules.items()}
    unopened = frozenset(path for path, module in tree.modules.items() if not module.file)
    names: dict[str, Names] = {**(base.names if base else {}), **own}
    if base is not None:
        parents = {**base.parents, **parents}
    explicit: dict[str, set[str]] = {path: set() for path in tree.modules}
    for module, _, leaf in leaves:
        if leaf.name is not None:
            explicit[module].add(leaf.name)
    pending = {path: frozenset(found) for path, found in explicit.items()}
    members = {**(base.members if base else {}), **_members(tree)}
    provided = {**(base.provided if base else {}), **_provided(tree)}
    build = _Build(
        World(
            names, parents, ambient, unopened, pending, members, _arities(tree, base), _standpoints(tree, base),
            provided, providers(provided),
        ),
        own, explicit, leaves,
    )  # fmt: skip
    grown, turn = True, leaves
    while grown:
        grown = sum(_step(build, names, *leaf) for leaf in turn) > 0
        turn = turn[::-1]  # so that a chain of re-exports is followed in two rounds, whichever way it is written
    return build


def _standpoints(tree: ModuleTree, base: World | None) -> frozenset[str]:
    own = (path for path, module in tree.modules.items() if module.standpoint)
    return frozenset((*(base.standpoints if base else ()), *own))


def _members(tree: ModuleTree) -> dict[str, tuple[str, ...]]:
    """The variants of every enum."""
    return {
        f"{module.path}::{shape.declared.name}": shape.declared.members
        for module in tree.modules.values()
        for shape in module.shapes
        if shape.declared.kind == "enum"
    }


def _provided(tree: ModuleTree) -> dict[str, tuple[Symbol, ...]]:
    """The members of every trait, by its path."""
    found: dict[str, tuple[Symbol, ...]] = {}
    for module in tree.modules.values():
        for shape in module.shapes:
            if shape.declared.kind == "trait":
                trait = f"{module.path}::{shape.declared.name}"
                found.setdefault(trait, tuple(_member_symbols(trait, module.path, shape)))
    return found


def _member_symbols(trait: str, module: str, shape: Shape) -> Iterable[Symbol]:
    for kind, name, arity in shape.declared.provides:
        yield Symbol(
            kind, f"{trait}::{name}", module, shape.declared.visibility, (shape.id,),
            arity if kind == "predicate" else None,
        )  # fmt: skip


def _step(build: _Build, names: dict[str, Names], module: str, shape: Shape, leaf: Import) -> bool:
    """Bring what the leaf finds by now into its module; True when that is more than before."""
    found = walk(build.world, module, leaf.segments)
    if not found.symbols or found.variant is not None:
        return False
    visibility = shape.declared.visibility
    if leaf.name is not None:
        table = build.used.setdefault(module, {})
        new = {leaf.name: tuple(Bound(symbol, visibility, "use") for symbol in found.symbols)}
    elif found.symbols[0].kind in SPACES:
        table = build.globs.setdefault(module, {})
        new = _glob(build, module, found.symbols[0].path, visibility)
    else:
        return False
    grown = False
    for name, bounds in new.items():
        before = table.get(name, ())
        more = [bound for bound in bounds if bound.symbol not in {b.symbol for b in before}]
        if more:
            table[name] = (*before, *more)
            grown = True
    if grown:
        names[module] = build.effective(module)
    return grown


def _glob(build: _Build, module: str, source: str, visibility: Visibility) -> dict[str, tuple[Bound, ...]]:
    """What `use source::*` brings: everything visible that the module neither declares nor imports by name."""
    taken = build.explicit[module] | build.own[module].keys()
    if source == module:
        return {}
    seen = {
        name: tuple(Bound(b.symbol, visibility, "glob") for b in bounds if can_see(build.world, module, source, b))
        for name, bounds in build.world.names.get(source, {}).items()
        if name not in taken
    }
    return {name: bounds for name, bounds in seen.items() if bounds}


def individuals(tree: ModuleTree, build: _Build) -> dict[str, dict[str, tuple[Bound, ...]]]:
    """The individuals that each module's facts declare: lone argument names that mean nothing else there.

    A name that a glob brings from another module's facts means that individual; where two modules' globs bring each
    other's names, the one that comes first by path declares.
    """
    found: dict[str, dict[str, tuple[Bound, ...]]] = {path: {} for path in tree.modules}
    sources = _glob_sources(build)
    for path in _sources_first(sources, tree.modules):
        reach = _reachable(path, sources)
        for name, items in _arguments_within(path, tree, build).items():
            ambient = build.world.ambient_in(path)
            known = name in build.world.names[path] or name in build.explicit[path] or name in ambient
            if not known and not any(name in found.get(other, {}) for other in reach):
                symbol = Symbol("individual", f"{path}::{name}", path, "public", items)
                found[path][name] = (_own_bound(symbol),)
    return found


def _arguments_within(path: str, tree: ModuleTree, build: _Build) -> dict[str, tuple[ItemId, ...]]:
    """The argument names of a module's facts, and those of its standpoints' that mean nothing there."""
    if path in build.world.standpoints:
        return {}
    found = _argument_names(tree.modules[path])
    for inner in sorted(build.world.standpoints):
        if inner in tree.modules and build.world.home(inner) == path:
            between = build.world.around(inner)[:-1]
            known = {name for each in between for name in (*build.world.names[each], *build.explicit[each])}
            for name, items in _argument_names(tree.modules[inner]).items():
                if name not in known:
                    found[name] = (*found.get(name, ()), *items)
    return found


def _argument_names(module: Module) -> dict[str, tuple[ItemId, ...]]:
    names: dict[str, tuple[ItemId, ...]] = {}
    for shape in module.shapes:
        for name in shape.declared.individuals:
            names[name] = (*names.get(name, ()), shape.id)
    return names


def _glob_sources(build: _Build) -> dict[str, list[str]]:
    sources: dict[str, list[str]] = {}
    for module, _, leaf in build.leaves:
        found = walk(build.world, module, leaf.segments).symbols if leaf.name is None else ()
        sources.setdefault(module, []).extend(s.path for s in found if s.kind in SPACES and s.path != module)
    return sources


def _reachable(path: str, edges: Mapping[str, list[str]]) -> list[str]:
    """Everything that globs bring to `path`, over any number of steps, `path` itself left out."""
    seen, todo = {path}, [path]
    while todo:
        new = [other for other in edges.get(todo.pop(), ()) if other not in seen]
        seen.update(new)
        todo.extend(new)
    return sorted(seen - {path})


def _sources_first(edges: Mapping[str, list[str]], modules: Iterable[str]) -> list[str]:
    """Modules in an order in which the sources of globs come before their readers, cycles cut at the first by path."""
    done: dict[str, None] = {}
    for start in sorted(modules):
        stack = [(start, False)]
        entered: set[str] = set()
        while stack:
            path, leave = stack.pop()
            if leave:
                done[path] = None
            elif path not in done and path not in entered:
                entered.add(path)
                stack.append((path, True))
                stack.extend((other, False) for other in sorted(edges.get(path, ()), reverse=True))
    return [path for path in done if path in set(modules)]


def _imported(build: _Build, module: str, leaf: Import) -> Imported:
    found = walk(build.world, module, leaf.segments)
    if found.symbols and leaf.name is None:
        source = found.symbols[0]
        brings = _glob(build, module, source.path, "private") if source.kind in SPACES else {}
        return Imported(found, module, brings=tuple(sorted(brings)))
    if found.symbols or found.primitive or found.code != "OE0101":
        return Imported(found, module)
    chain = _pending_chain(build, module, leaf)
    return Imported(found, module, cycle=_cycle(chain), silent=len(chain) > 1)


def _pending_chain(build: _Build, module: str, leaf: Import) -> list[tuple[str, str]]:
    """(module, name) of this import, then of the unresolved imports that it leads to, until one occurs again."""
    name = leaf.name or "*"
    chain, step = [(module, name)], (module, leaf)
    targets = {(m, each.name): each for m, _, each in build.leaves if each.name is not None}
    while True:
        at, current = step
        if len(current.segments) > 1:
            prefix = walk(build.world, at, current.segments[:-1]).symbols
            if not prefix or prefix[0].kind not in SPACES:
                return chain
            at = prefix[0].path
        key = (at, current.segments[-1] if current.segments else "_")
        following = targets.get(key)
        if following is None or (following is leaf and len(chain) == 1) or key[1] in build.used.get(at, {}):
            return chain
        chain.append(key)
        if key in chain[:-1]:
            return chain
        step = (at, following)


def _cycle(chain: list[tuple[str, str]]) -> tuple[str, ...]:
    """The modules of the cycle when the chain ends where it began."""
    closed = len(chain) > 1 and chain[0] == chain[-1]
    return tuple(module for module, _ in chain) if closed else ()


def _import_clashes(build: _Build, imports: Mapping[tuple[ItemId, int], Imported]) -> list[Clash]:
    """Imports by name that collide with an own declaration or with another import of another thing."""
    clashes: list[Clash] = []
    arities = build.world.arities
    seen: dict[tuple[str, str], tuple[ItemId, Symbol]] = {}
    for module, shape, leaf in build.leaves:
        found = imports[(shape.id, leaf.leaf)].lookup.symbols
        if leaf.name is None or not found:
            continue
        own = build.own[module].get(leaf.name, ())
        first, other = seen.setdefault((module, leaf.name), (shape.id, found[0]))
        if own and own[0].symbol != found[0] and not compatible(own[0].symbol, found[0], arities):
            earlier: tuple[ItemId | None, Symbol] = own[0].symbol.items[0], own[0].symbol
        elif other.path != found[0].path and not compatible(other, found[0], arities):
            earlier = first, other
        else:
            continue
        clashes.append(Clash(shape.id, earlier[0], found[0], earlier[1], leaf.leaf, bound=leaf.name, module=module))
    return clashes


def _with_first(world: World, clashes: Iterable[Clash]) -> World:
    """The world in which a name that was taken is what it was: that it is not the later import too is told once."""
    names = dict(world.names)
    for clash in clashes:
        bounds = names[clash.module].get(clash.bound, ())
        kept = tuple(bound for bound in bounds if bound.symbol.path != clash.symbol.path)
        names[clash.module] = {**names[clash.module], clash.bound: kept or bounds}
    return replace(world, names=names)


def _with_failed(build: _Build, imports: Mapping[tuple[ItemId, int], Imported]) -> World:
    """The finished world, in which a failed import binds its name to something that agrees with everything."""
    names = dict(build.world.names)
    origin: OneOf["use"] = "use"
    for module, shape, leaf in build.leaves:
        result = imports[(shape.id, leaf.leaf)].lookup
        if leaf.name is None or result.symbols or result.primitive or leaf.name in names[module]:
            continue
        failed = Symbol("unsupported", f"{module}::{leaf.name}", module, shape.declared.visibility, (shape.id,))
        names[module] = {**names[module], leaf.name: (Bound(failed, failed.visibility, origin),)}
    return replace(build.world, names=names, pending={})
