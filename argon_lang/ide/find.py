"""Symbols by name: canonical paths, and short names wherever their last segments are unique (language.md §2)."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.program.model import Symbol, SymbolKind
from argon_lang.queries.database import Database


def find(db: Database, name: str, kinds: Iterable[SymbolKind] | None = None) -> tuple[Symbol, ...]:
    """Every symbol that a name may mean: those of that very path, else those whose path ends in it."""
    wanted = tuple(kinds) if kinds is not None else None
    exact = _of_kinds(db.symbols_at(name), wanted)
    if exact or not name:
        return exact
    ending = f"::{name}"
    listed = db.all_symbols()
    return _of_kinds((each for path in sorted(listed) if path.endswith(ending) for each in listed[path]), wanted)


def find_one(db: Database, name: str, kinds: Iterable[SymbolKind] | None = None) -> Symbol:
    """The one symbol that a name means, clauses of other arities aside.

    Raises ArgonError: OE0102 with the candidates when several paths end in it, ARGON_RUNTIME_NOT_FOUND when none does.
    """
    found = find(db, name, kinds)
    paths = sorted({each.path for each in found})
    if not found:
        raise ArgonError("ARGON_RUNTIME_NOT_FOUND", args(kind="symbol", name=name), details={"name": name})
    if len(paths) > 1:
        listed = " or ".join(f"`{path}`" for path in paths)
        raise ArgonError("OE0102", args(name=name, candidates=listed), details={"name": name, "candidates": paths})
    return found[0]


def _of_kinds(symbols: Iterable[Symbol], kinds: tuple[SymbolKind, ...] | None) -> tuple[Symbol, ...]:
    return tuple(each for each in symbols if kinds is None or each.kind in kinds)
