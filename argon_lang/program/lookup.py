"""Resolve a written path in a world of modules whose names are known (language.md §2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal as OneOf

from argon_lang.program.model import Lookup, Symbol, Visibility
from argon_lang.program.spelling import near
from argon_lang.program.types import PRIMITIVES
from argon_lang.quick import quick

SPACES = ("module", "standpoint")
"""The kinds of symbols whose names are reached by `::`."""
BUILT_IN_TYPES = frozenset((
    *PRIMITIVES, "Option", "Set", "Map", "Range", "TypeRef",
))  # fmt: skip
"""Type names that no package declares."""


@quick
@dataclass(frozen=True, slots=True)
class Bound:
    """One meaning of a name in a module. `visibility` is the binding's: that of the declaration, or of the `use`."""

    symbol: Symbol
    visibility: Visibility
    origin: OneOf["own", "use", "glob"]


Names = Mapping[str, tuple[Bound, ...]]


@dataclass(frozen=True, slots=True)
class World:
    """Every module's names. `ambient` ones, by root module, are seen in its whole package unless something hides them.

    `unopened` modules have no file: whatever is sought in them counts as found. `pending`: names that a module imports
    and that are not resolved yet (empty in a finished world). `members`: the variants of enums by path;
    `arities`: the number of arguments of concepts and relations. `standpoints` are those of the modules that are
    standpoints: their items see what the module around them does. `provided`: the members of traits by path;
    `providers`: the traits that have a member of a name. `globbed`: the modules that `use m::*` imports whole.
    """

    names: Mapping[str, Names]
    parents: Mapping[str, str | None]
    ambient: Mapping[str, Names]
    unopened: frozenset[str] = frozenset()
    pending: Mapping[str, frozenset[str]] = field(default_factory=dict)
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    arities: Mapping[str, int] = field(default_factory=dict)
    standpoints: frozenset[str] = frozenset()
    provided: Mapping[str, tuple[Symbol, ...]] = field(default_factory=dict)
    providers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    globbed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def home(self, module: str) -> str:
        """The module that a standpoint's items see and declare individuals into; of a module itself."""
        while module in self.standpoints:
            module = self.parents.get(module) or root_of(module)
        return module

    def around(self, module: str) -> tuple[str, ...]:
        """Whose names the items of a module see without a path: its own, a standpoint's, and those around it."""
        found = [module]
        while found[-1] in self.standpoints:
            found.append(self.parents.get(found[-1]) or root_of(module))
        return tuple(found)

    def ambient_in(self, module: str) -> Names:
        """What a module sees without declaring or importing it: its package's prelude and dependencies."""
        return self.ambient.get(root_of(module), {})


def providers(provided: Mapping[str, tuple[Symbol, ...]]) -> dict[str, tuple[str, ...]]:
    """The paths of the traits that have a member of each name."""
    found: dict[str, dict[str, None]] = {}
    for trait, members in provided.items():
        for each in members:
            found.setdefault(each.name, {})[trait] = None
    return {name: tuple(traits) for name, traits in found.items()}


def root_of(module: str) -> str:
    """The root module of the package that `module` belongs to (`pkg`, `ufo`, `std::core`)."""
    parts = module.split("::")
    return "::".join(parts[:2]) if parts[0] == "std" else parts[0]


def can_see(world: World, viewer: str, owner: str, bound: Bound) -> bool:
    """May module `viewer` use a binding of module `owner`? Private ones are for `owner` and the modules inside it."""
    owner = world.home(owner)
    if bound.visibility == "public" or viewer == owner or viewer.startswith(owner + "::"):
        return True
    return bound.visibility == "package" and root_of(viewer) == root_of(owner)


def walk(world: World, viewer: str, path: tuple[str, ...]) -> Lookup:
    """What `path`, written in module `viewer`, means. Never raises."""
    if not path:
        return Lookup(code="OE0101")
    at, index = _anchor(world, viewer, path)
    if index:
        if at is None or (at not in world.names):
            return _no_module(world, path, index - 1)
        found: Lookup = Lookup(symbols=(_module_symbol(world, at),))
    else:
        found = _first(world, viewer, path[0])
        index = 1
    while index < len(path) and found.code is None:
        found = _into(world, viewer, found, path, index)
        if found.variant is not None or (found.symbols and found.symbols[0].kind == "unsupported"):
            return found if found.variant is None or index == len(path) - 1 else _miss(path, index + 1, ())
        index += 1
    return found


def _anchor(world: World, viewer: str, path: tuple[str, ...]) -> tuple[str | None, int]:
    """The module that leading `pkg`, `self`, `super`, `std` name, and how many segments that took; 0 for a name."""
    match path[0]:
        case "pkg":
            return root_of(viewer), 1
        case "std":
            return ("::".join(path[:2]), 2) if len(path) > 1 else (None, 1)
        case "self":
            return world.home(viewer), 1
        case "super":
            at: str | None = world.home(viewer)
            index = 0
            while index < len(path) and path[index] == "super" and at is not None:
                at, index = world.parents.get(at), index + 1
            return at, index
        case _:
            return None, 0


def _module_symbol(world: World, path: str) -> Symbol:
    parent = world.parents.get(path)
    for bound in world.names.get(parent or "", {}).get(path.rsplit("::", 1)[-1], ()):
        if bound.symbol.path == path and bound.symbol.kind in SPACES:
            return bound.symbol
    return Symbol("module", path, parent or path, "public", ())


def _no_module(world: World, path: tuple[str, ...], failed: int) -> Lookup:
    known = [name.split("::")[1] for name in world.names if name.startswith("std::")] if path[0] == "std" else []
    return _miss(path, failed, known)


def _miss(path: tuple[str, ...], failed: int, known: Iterable[str]) -> Lookup:
    failed = min(failed, len(path) - 1)
    return Lookup(code="OE0101", failed=failed, candidates=near(path[failed], known))


def is_free(world: World, viewer: str, name: str) -> bool:
    """Does a name without a path mean nothing in a module? Sooner told than what else may have been meant."""
    return _meaning(world, viewer, name) is None


def _first(world: World, viewer: str, name: str) -> Lookup:
    """A name without a path; on a miss with the names that it may be a slip of."""
    found = _meaning(world, viewer, name)
    if found is not None:
        return found
    around = world.around(viewer)
    known = (each for module in around for each in world.names.get(module, {}))
    missed = _miss((name,), 0, [*known, *world.ambient_in(viewer), *BUILT_IN_TYPES])
    hidden = _hidden(world, around, name)
    return missed if hidden is None else replace(missed, hidden=hidden)


def _meaning(world: World, viewer: str, name: str) -> Lookup | None:
    """A name without a path: the module's own names, then the ambient ones, then the built-in types; else None."""
    bounds: tuple[Bound, ...] = ()
    for each in world.around(viewer):
        bounds = world.names.get(each, {}).get(name, ())
        if bounds:
            break
        if name in world.pending.get(each, ()):
            return _miss((name,), 0, ())
    bounds = bounds or world.ambient_in(viewer).get(name, ())
    if bounds:
        return _chosen(bounds)
    if viewer in world.unopened:
        return _unopened(viewer, name)
    if name in world.providers:
        members = _by_trait(world, viewer, name)
        if members.symbols or members.code is not None:
            return members
    return Lookup(primitive=name) if name in BUILT_IN_TYPES else None


def _hidden(world: World, around: Iterable[str], name: str) -> Symbol | None:
    """What a module that one of these imports whole keeps to itself under a name."""
    sources = (source for module in around for source in world.globbed.get(module, ()))
    bounds = (bound for source in sources for bound in world.names.get(source, {}).get(name, ()))
    return next((bound.symbol for bound in bounds), None)


def _by_trait(world: World, viewer: str, name: str) -> Lookup:
    """A member that is called by its name alone: of the one trait in scope that has it."""
    tables = (*(world.names.get(module, {}) for module in world.around(viewer)), world.ambient_in(viewer))
    seen = {bound.symbol.path for table in tables
            for bounds in table.values() for bound in bounds if bound.symbol.kind == "trait"}  # fmt: skip
    traits = [trait for trait in world.providers[name] if trait in seen]
    if len(traits) > 1:
        return Lookup(code="OE0102", candidates=tuple(sorted(f"{trait}::{name}" for trait in traits)))
    members = world.provided[traits[0]] if traits else ()
    return Lookup(symbols=tuple(each for each in members if each.name == name))


def _chosen(bounds: tuple[Bound, ...], index: int = 0) -> Lookup:
    paths = tuple(dict.fromkeys(bound.symbol.path for bound in bounds))
    if len(paths) > 1:
        return Lookup(code="OE0102", failed=index, candidates=tuple(sorted(paths)))
    return Lookup(symbols=tuple(bound.symbol for bound in bounds))


def _unopened(module: str, name: str) -> Lookup:
    return Lookup(symbols=(Symbol("unsupported", f"{module}::{name}", module, "public", ()),))


def _into(world: World, viewer: str, found: Lookup, path: tuple[str, ...], index: int) -> Lookup:
    """One segment further than `found`."""
    name = path[index]
    holder = next((s for s in found.symbols if s.kind in (*SPACES, "enum", "trait", "unsupported")), None)
    if holder is None:
        return _miss(path, index, ())
    if holder.kind == "unsupported":
        return Lookup(symbols=(holder,))
    if holder.kind == "trait":
        known = world.provided.get(holder.path, ())
        members = tuple(each for each in known if each.name == name)
        return Lookup(symbols=members) if members else _miss(path, index, [each.name for each in known])
    if holder.kind == "enum":
        variants = world.members.get(holder.path, ())
        return Lookup(symbols=(holder,), variant=name) if name in variants else _miss(path, index, variants)
    return _member(world, viewer, holder.path, path, index)


def _member(world: World, viewer: str, module: str, path: tuple[str, ...], index: int) -> Lookup:
    if module in world.unopened:
        return _unopened(module, path[index])
    names = world.names.get(module, {})
    bounds = names.get(path[index], ())
    seen = tuple(bound for bound in bounds if can_see(world, viewer, module, bound))
    if bounds and not seen:
        return Lookup(code="OE0104", failed=index, candidates=(bounds[0].symbol.path,))
    if not bounds:
        visible = (n for n, bs in names.items() if any(can_see(world, viewer, module, b) for b in bs))
        return _miss(path, index, visible)
    return _chosen(seen, index)
