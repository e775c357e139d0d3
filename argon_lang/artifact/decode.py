"""From bytes that nobody vouches for to a module: everything is checked before anything is used.

Sections that no answer needs (tests, sources, doc comments) are hashed with the rest and parsed on first use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import Any

from argon_lang.artifact.layout import MANDATORY, Container, damaged, unpack
from argon_lang.artifact.sections import DEFAULT_ROW, Lattice, mandatory_module, read_section, source_map
from argon_lang.artifact.symbols import symbols_of, unresolved
from argon_lang.errors import ArgonError
from argon_lang.ir.codec import CodecError
from argon_lang.ir.lower.tiers import TIERS, tier_table
from argon_lang.ir.module import DEFAULT, Module, SourceMap
from argon_lang.ir.statements import TestCase
from argon_lang.problems import args

SUPPORTED = frozenset({"structural", "closure", "expressive", "recursive", "metaorder"})
"""The tiers that this runtime evaluates (language §5)."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an artifact says about itself: hex digests of its inputs and of its module."""

    inputs_digest: str
    module_hash: str


@dataclass(frozen=True)
class LoadedArtifact:
    """A checked artifact. `module` has neither tests nor sources; `whole` has both."""

    container: Container
    module: Module
    lattice: Lattice

    @property
    def module_hash(self) -> str:
        """SHA-256 (64 hex characters) over the axes and the mandatory sections."""
        return self.container.module_hash

    @property
    def inputs_digest(self) -> str:
        """The digest of the inputs that it was compiled from."""
        return self.container.inputs_digest

    @cached_property
    def tests(self) -> tuple[TestCase, ...]:
        """The tests, parsed on first use. Raises OE1216."""
        return self._optional("tests") or ()

    @cached_property
    def source(self) -> SourceMap:
        """Spans and doc comments, parsed on first use. Raises OE1216."""
        return source_map(self._optional("source-map"), self._optional("doc-blocks"))

    @cached_property
    def whole(self) -> Module:
        """The module as it was encoded. Raises OE1216."""
        return replace(self.module, tests=self.tests, source=self.source)

    def _optional(self, name: str) -> Any:
        data = self.container.sections.get(name)
        return None if data is None else _read(self.container, name, data)


def decode(data: bytes, path: str = "artifact") -> LoadedArtifact:
    """Check and read an artifact. `path` is what errors call it.

    Raises OE1202, OE1203, OE1204, OE1210, OE1211, OE1213, OE1214 or OE1216, and nothing else.
    """
    container = unpack(data, path)
    contents = {name: _read(container, name, container.sections[name]) for name in MANDATORY}
    module = mandatory_module(contents)
    _check_lattice(path, contents["standpoint-lattice"])
    _check_symbols(path, module, contents)
    try:
        _check_tiers(path, module)
    except RecursionError as error:
        raise damaged(path, "a rule nested too deeply") from error
    return LoadedArtifact(container, module, contents["standpoint-lattice"])


def stamp(data: bytes, path: str = "artifact") -> Stamp:
    """What the artifact says about itself. Every byte is checked against its hash, no section is parsed.

    Raises OE1202, OE1203, OE1213, OE1216.
    """
    container = unpack(data, path)
    return Stamp(container.inputs_digest, container.module_hash)


def highest_tier(data: bytes, path: str = "artifact") -> str:
    """The highest tier of its rules; the lowest one where it has none. Only the tier table is parsed.

    Raises as `stamp` does.
    """
    container = unpack(data, path)
    table: Mapping[str, str] = dict(_read(container, "tier-table", container.sections["tier-table"]))
    return max((each for each in table.values() if each in TIERS), key=TIERS.index, default=TIERS[0])


def module_hash(data: bytes, path: str = "artifact") -> str:
    """The module hash of an artifact, checked. Raises as `stamp` does."""
    return stamp(data, path).module_hash


def _read(container: Container, name: str, data: memoryview) -> Any:
    try:
        return read_section(name, data)
    except CodecError as error:
        found = f"section {name} has {error.found} where {error.expected} belongs"
        raise damaged(container.path, found) from error


def _check_symbols(path: str, module: Module, contents: Mapping[str, Any]) -> None:
    """The table must be that of the declarations, row by row, and hold every name in use."""
    table, declared = contents["symbol-table"], symbols_of(module)
    different = sorted(set(declared).symmetric_difference(table)) or _misplaced(table, declared)
    name = different[0][1] if different else unresolved(module, table)
    if name is not None:
        raise ArgonError("OE1210", args(path=path, name=name))


def _misplaced(table: Sequence[tuple[str, str]], declared: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The rows of the table that are not where they belong, or stand there again."""
    return [row for row, wanted in zip_longest(table, declared) if row is not None and row != wanted]


def _check_lattice(path: str, lattice: Lattice) -> None:
    """The default layer comes first and alone; each other node stands once, in order, below known ones, in no cycle."""
    above = {name: set(supers) for name, supers in lattice[1:]}
    names = list(above)
    known = all(supers <= above.keys() for supers in above.values())
    sound = lattice[:1] == (DEFAULT_ROW,) and DEFAULT not in above and known and names == sorted(names)
    if not sound or len(above) != len(lattice) - 1:
        found = ", ".join(name for name, _ in lattice) or "nothing"
        raise damaged(path, f"section standpoint-lattice has {found} where default and an order below it belong")
    if cycle := _cycle(above):
        raise ArgonError("OE1211", args(name=cycle[0], cycle=" <: ".join([*cycle, cycle[0]])), details={"path": path})


def _cycle(above: Mapping[str, set[str]]) -> list[str]:
    """A way from a node back to itself; empty when there is none."""
    left = dict(above)
    while free := [name for name, supers in left.items() if supers.isdisjoint(left)]:
        for name in free:
            del left[name]
    way: list[str] = []
    node = min(left, default=None)
    while node is not None and node not in way:
        way.append(node)
        node = min(left[node] & left.keys())
    return way[way.index(node) :] if node is not None else []


def _check_tiers(path: str, module: Module) -> None:
    """The tiers on record must be those of the rules, and ones that this runtime evaluates."""
    recorded = dict(module.tiers)
    for tier in recorded.values():
        if tier in TIERS and tier not in SUPPORTED:
            highest = max(SUPPORTED.intersection(TIERS[: TIERS.index(tier)]), key=TIERS.index)
            raise ArgonError("OE1204", args(path=path, found=tier, expected=highest))
    actual = dict(tier_table(module))
    for name in sorted(recorded.keys() | actual.keys()):
        found, expected = recorded.get(name, "nothing"), actual.get(name, "nothing")
        if found != expected:
            raise ArgonError("OE1214", args(path=path, name=name, found=found, expected=expected))
