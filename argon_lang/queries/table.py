"""The declarations as a database knows them: what many items ask of the same declaration is found out once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from argon_lang.program.declarations import Table
from argon_lang.program.model import CallableSig, SymbolKind
from argon_lang.queries.program import is_std

if TYPE_CHECKING:
    from argon_lang.queries.database import Database

K = TypeVar("K")
V = TypeVar("V")


def heads(db: Database, key: tuple[str, int | None]) -> CallableSig | None:
    """The predicate of a path and an arity, its clauses' heads joined."""
    return Table.callable(db.table(), "predicate", *key)


def supers(db: Database, path: str) -> tuple[str, ...]:
    """All superconcepts or superrelations of a path."""
    return Table.supers(db.table(), path)


class Remembered(Table):
    """A `Table` over a database; `known` are the handles that a table asks."""

    __slots__ = ("_db",)

    def __init__(self, db: Database, *known: Any) -> None:
        super().__init__(*known)
        self._db = db

    def callable(self, kind: SymbolKind, path: str, arity: int | None = None) -> CallableSig | None:
        """As `Table.callable`."""
        if kind != "predicate":
            return super().callable(kind, path, arity)
        return self._asked(heads, path, (path, arity))

    def supers(self, path: str) -> tuple[str, ...]:
        """As `Table.supers`."""
        return self._asked(supers, path, path)

    def _asked(self, query: Callable[[Database, K], V], path: str, key: K) -> V:
        """What a query says of a path, of one of std in the database of std."""
        db = self._db
        return (db.base if db.base is not None and is_std(path) else db).memory.ask(query, key)
