"""What one module sees, as a handle on resolved names: implements `model.Scope`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from argon_lang.program.lookup import World
from argon_lang.program.model import Lookup, Symbol


class ModuleScope:
    """Implements `model.Scope` for `module` by three functions, so that an incremental database can stand behind it."""

    __slots__ = ("_is_free", "_lookup", "_module", "_names")

    def __init__(
        self,
        module: str,
        lookup: Callable[[str, tuple[str, ...]], Lookup],
        names: Callable[[str], Mapping[str, tuple[Symbol, ...]]],
        is_free: Callable[[str, str], bool],
    ) -> None:
        self._module = module
        self._lookup = lookup
        self._names = names
        self._is_free = is_free

    @property
    def module(self) -> str:
        """Canonical path of the module."""
        return self._module

    def lookup(self, segments: tuple[str, ...]) -> Lookup:
        """Resolve a written path. Never raises; on a miss `candidates` with `::` are paths to import."""
        return self._lookup(self._module, segments)

    def is_free(self, name: str) -> bool:
        """Does a name without a path mean nothing here?"""
        return self._is_free(self._module, name)

    def names(self) -> Mapping[str, tuple[Symbol, ...]]:
        """Every name usable here without a path."""
        return self._names(self._module)


def visible_names(world: World, module: str) -> dict[str, tuple[Symbol, ...]]:
    """Every name that `module` sees without a path: ambient ones first, then its own and imported ones over them."""
    tables = (world.ambient_in(module), *(world.names.get(each, {}) for each in reversed(world.around(module))))
    return {name: tuple(bound.symbol for bound in bounds) for table in tables for name, bounds in table.items()}
