"""The whole program as the gates and the lowering read it: every item with what was found out about it.

`argon_lang.queries` implements `ProgramView`; the gates and `argon_lang.ir.lower` only read it. A view belongs to one
revision of the sources: it is asked while that revision is current and then thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from argon_lang.problems import ItemId, Location
from argon_lang.program.model import Declarations, Inference, Scope, Signature, Symbol
from argon_lang.quick import quick
from argon_lang.syntax.tree import Item

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PackageInfo:
    """What the manifest says about a package, as the checker needs it.

    `entry` is the package-relative POSIX path of the root module's file; `prelude` holds use trees in source form
    (`std::core::{type, rel}`); `max_tier` is None where nothing is capped; `lints` are (code, level) pairs with level
    `off`, `warn` or `error`. `dependencies` are the root modules of the packages that it depends on directly. A
    nameless package has the name `""`.
    """

    name: str
    version: str = "0.0.0"
    entry: str = "root.ar"
    prelude: tuple[str, ...] = ()
    default_world: str = "closed"
    max_tier: str | None = None
    lints: tuple[tuple[str, str], ...] = ()
    dependencies: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """Its root module as the packages that depend on it name it; it calls that `pkg` itself."""
        return self.name.replace("-", "_")


@quick
@dataclass(frozen=True, slots=True)
class Unit:
    """One item with everything that its meaning rests on.

    `module` is the path of the module that it stands in. `sound` is False when the syntax, a name, a signature or a
    type of the item is in error: then `inference` may be partial and nothing is to be lowered from it. `standpoint` is
    the one that it stands in, by path, or `default`; `open_world`: its package's concepts are open unless they say
    otherwise. `scope` and `declarations` are handles on the current revision: they compare by identity. `suffix` stands
    behind its path in the lowered form: of a member of an `impl`, whose.
    """

    id: ItemId
    module: str
    item: Item = field(repr=False)
    symbols: tuple[Symbol, ...]
    signatures: tuple[Signature, ...] = field(repr=False)
    inference: Inference = field(repr=False)
    scope: Scope = field(repr=False, compare=False)
    declarations: Declarations = field(repr=False, compare=False)
    sound: bool = True
    standpoint: str = "default"
    open_world: bool = False
    suffix: str = ""

    @property
    def is_std(self) -> bool:
        """Does the item belong to a std package?"""
        return self.module.startswith("std::")

    @property
    def is_own(self) -> bool:
        """Does the item belong to the package under check, and not to one that it depends on?"""
        return self.module == "pkg" or self.module.startswith("pkg::")


class ProgramView(Protocol):
    """The package and what it depends on at one revision."""

    @property
    def package(self) -> PackageInfo:
        """The package's options."""
        ...

    @property
    def declarations(self) -> Declarations:
        """Every signature."""
        ...

    def units(self) -> tuple[Unit, ...]:
        """Every item that a module reaches: std packages by path, then files by name, items in the order of the text.

        Dependencies come after the package itself, or before it, as their names have it.

        Items without meaning of their own (`use`, `mod`, the end of a file) are left out.
        """
        ...

    def unit(self, item: ItemId) -> Unit | None:
        """One of `units()`; None when there is no such item."""
        ...

    def caps(self) -> Mapping[str, tuple[str, ItemId]]:
        """The tier by which each module's `dec` caps it and what is inside it, and the item that says so."""
        ...

    def derive(self, function: Callable[[Unit], T], item: ItemId) -> T:
        """`function(unit(item))`, remembered until the item or something that `function` asked for changes.

        `function` is a module-level function that depends on nothing but its argument. Raises KeyError when there is
        no such item.
        """
        ...

    def locate(self, item: ItemId, start: int, end: int) -> Location:
        """An item-relative span as an absolute one. Raises KeyError when there is no such item."""
        ...

    def source(self, file: str) -> str:
        """The text of a file, for line and column numbers. Raises KeyError when there is no such file."""
        ...
