"""Types of derived predicates' columns where a head does not write them: what the clauses' bodies determine.

A predicate that (indirectly) reads itself takes part in its own types: such predicates are typed together, from
`Unknown` upwards until nothing changes, so that no order of asking plays a part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from argon_lang.engine.strata import ordered
from argon_lang.ir.names import derived_key
from argon_lang.problems import ItemId
from argon_lang.program.declarations import Table
from argon_lang.program.infer import head_types
from argon_lang.program.model import CallableSig, ParamSig, Signature, SymbolKind
from argon_lang.program.types import UNKNOWN, Type, Unknown
from argon_lang.queries import program

if TYPE_CHECKING:
    from argon_lang.queries.database import Database

Key = tuple[str, int]
"""A derived predicate: path and arity."""

MOST_ROUNDS = 8
"""Types grow from `Unknown`, and few chains of superconcepts are longer; a column that still moves stays untyped."""


class Assuming(Table):
    """Declarations in which some predicates' columns are taken to have the given types."""

    __slots__ = ("_types",)

    def __init__(self, db: Database, types: Mapping[Key, tuple[Type, ...]]) -> None:
        handles = (db.disjoint_groups, db.impls_of, db.complete_groups)
        super().__init__(db.signatures_at, db.symbols_at, db.known_columns_at, *handles)
        self._types = types

    def callable(self, kind: SymbolKind, path: str, arity: int | None = None) -> CallableSig | None:
        """As `Table.callable`, with the assumed columns."""
        types = self._types.get((path, arity)) if kind == "predicate" and arity is not None else None
        if types is None:
            return super().callable(kind, path, arity)
        return CallableSig("predicate", path, tuple(ParamSig(str(i), ty) for i, ty in enumerate(types)), None)


def clauses(db: Database, key: Key) -> tuple[ItemId, ...]:
    """The clauses of a predicate whose syntax is sound."""
    path, arity = key
    symbols = [s for s in db.memory.get(program.symbols_at, path) if s.kind == "predicate" and s.arity == arity]
    items = [item for symbol in symbols for item in symbol.items]
    found = ((item, program.tree(db, item)) for item in items)
    return tuple(item for item, tree in found if tree is not None and not program.has_error(tree))


def _is_open(signatures: Iterable[Signature]) -> bool:
    """Does some head leave a column's type to inference?"""
    heads = (each for each in signatures if isinstance(each, CallableSig))
    return any(isinstance(param.type, Unknown) for head in heads for param in head.params)


def open_predicates(db: Database, _: None) -> Mapping[str, tuple[Key, frozenset[str]]]:
    """The predicates with a column that no head types: by key, with the paths that their clauses read."""
    found: dict[str, tuple[Key, frozenset[str]]] = {}
    for path, symbols in db.memory.get(program.symbol_index, None).items():
        for symbol in symbols:
            if symbol.kind == "predicate" and symbol.arity is not None:
                own = db.memory.get(clauses, (path, symbol.arity))
                if any(_is_open(db.memory.get(program.signature, item)) for item in own):
                    read = frozenset[str]().union(*(db.memory.get(program.mentioned, item).predicates for item in own))
                    found[derived_key(path, symbol.arity)] = ((path, symbol.arity), read)
    return found


def groups(db: Database, _: None) -> Mapping[Key, tuple[Key, ...]]:
    """Each open predicate with those that it is typed together with, what they read before them."""
    opened = db.memory.get(open_predicates, None)
    by_path: dict[str, set[str]] = {}
    for name, ((path, _arity), _read) in opened.items():
        by_path.setdefault(path, set()).add(name)
    graph = {
        name: frozenset(other for path in read for other in by_path.get(path, ())) for name, (_, read) in opened.items()
    }
    found: dict[Key, tuple[Key, ...]] = {}
    for part in ordered(graph):
        members = tuple(sorted(opened[name][0] for name in part))
        found.update(dict.fromkeys(members, members))
    return found


def settled(db: Database, _: None) -> None:
    """Type all open predicates, each after those that it reads, so that a long chain of rules nests no questions."""
    for group in dict.fromkeys(db.memory.get(groups, None).values()):
        db.memory.get(group_types, group)


def group_of(db: Database, key: Key) -> tuple[Key, ...]:
    """The predicates that `key` is typed together with; none when its heads say all."""
    return db.memory.get(groups, None).get(key, ())


def group_types(db: Database, group: tuple[Key, ...]) -> Mapping[Key, tuple[Type, ...]]:
    """The columns' types of predicates that are typed together."""
    types: dict[Key, tuple[Type, ...]] = {key: (UNKNOWN,) * key[1] for key in group}
    for _ in range(MOST_ROUNDS):
        following = {key: _columns(db, key, Assuming(db, types)) for key in group}
        if following == types:
            return types
        types = following
    return {key: tuple(UNKNOWN for _ in columns) for key, columns in types.items()}


def _columns(db: Database, key: Key, declarations: Assuming) -> tuple[Type, ...]:
    rows = []
    for item in db.memory.get(clauses, key):
        tree, module = program.tree(db, item), db.memory.get(program.module_of, item)
        if tree is not None and module is not None:
            rows.append(head_types(tree, db.scope(module), declarations))
    columns = zip(*(row for row in rows if len(row) == key[1]), strict=True)
    joined = tuple(declarations.join(each for each in column if not isinstance(each, Unknown)) for column in columns)
    return joined or (UNKNOWN,) * key[1]


def column_types(db: Database, key: Key) -> tuple[Type, ...] | None:
    """The columns' types of a predicate that leaves some to inference; None when its heads say all."""
    if db.base is not None and program.is_std(key[0]):
        return db.base.ask(column_types, key)
    group = db.memory.get(group_of, key)
    return db.memory.get(group_types, group)[key] if group else None
