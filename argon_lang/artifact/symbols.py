"""The symbol table: every name that a module declares, and every name that its parts use (OE1210).

A use is (kind, name). Names of individuals are values and may be minted later, so they are declared but not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from argon_lang.ir import expr, rules, values
from argon_lang.ir import module as m
from argon_lang.ir import statements as s
from argon_lang.ir.module import Module
from argon_lang.ir.names import asserted, check_key, query_key
from argon_lang.ir.schema import BY_CLASS
from argon_lang.program import types

Symbol = tuple[str, str]
Uses = Iterable[Symbol]


def symbols_of(module: Module) -> tuple[Symbol, ...]:
    """The declared names, sorted: (kind, path or predicate key)."""
    by_path: dict[str, tuple[Any, ...]] = {
        "concept": module.concepts,
        "relation": module.relations,
        "struct": module.structs,
        "enum": module.enums,
        "function": module.functions,
        "query": module.queries,
        "check": module.checks,
        "mutation": module.mutations,
        "standpoint": module.standpoints,
    }
    found = {(kind, each.path) for kind, declarations in by_path.items() for each in declarations}
    found |= {("individual", name) for name, _ in module.individuals}
    found |= {("predicate", key) for key in _keys(module)}
    return tuple(sorted(found))


def _keys(module: Module) -> Iterator[str]:
    """Predicate keys: those with a shape, and those that a declaration stands for by itself."""
    yield from (shape.key for shape in module.predicates)
    yield from (rule.key for rule in module.rules)
    yield from (check_key(check.path) for check in module.checks)
    yield from (query_key(query.path) for query in module.queries)
    yield from (rule.key for query in module.queries for rule in query.rules)
    stored: tuple[m.Concept | m.Relation, ...] = (*module.concepts, *module.relations)
    for each in stored:
        yield from (each.path, asserted(each.path))
        yield from (field.key for field in each.fields)


def unresolved(module: Module, table: Iterable[Symbol]) -> str | None:
    """The first name that a part of the module uses and the table lacks; None when all are there."""
    known = set(table)
    return next((name for kind, name in _uses(module) if (kind, name) not in known), None)


def _uses(module: Module) -> Iterator[Symbol]:
    """Every use in the module, part by part; keeps its own stack, as the codec does."""
    stack: list[Any] = [module]
    while stack:
        part = stack.pop()
        if isinstance(part, (tuple, frozenset)):
            stack.extend(part)
            continue
        schema = BY_CLASS.get(type(part))
        if schema is None:
            continue
        if schema.cls in _USES:
            yield from _USES[schema.cls](part)
        stack.extend(getattr(part, name) for name in schema.names)


def _one(kind: str, field: str) -> Callable[[Any], Uses]:
    return lambda part: [(kind, getattr(part, field))]


def _fields(part: Any) -> Uses:
    """The keys of the fields that an insert or an update names."""
    return [("predicate", each[0]) for each in part.fields]


def _with_fields(kind: str, field: str) -> Callable[[Any], Uses]:
    return lambda part: [(kind, getattr(part, field)), *_fields(part)]


def _standpoints(*paths: str) -> Uses:
    """The default layer needs no declaration."""
    return [("standpoint", path) for path in paths if path != m.DEFAULT]


_USES: dict[type, Callable[[Any], Uses]] = {
    types.Named: lambda part: [(part.kind, part.path)],
    values.EnumValue: _one("enum", "path"),
    values.StructValue: _one("struct", "path"),
    values.TupleValue: _one("relation", "relation"),
    expr.CallFn: _one("function", "path"),
    expr.CallQuery: _one("query", "path"),
    expr.MakeTuple: _one("relation", "relation"),
    expr.MakeStruct: _one("struct", "path"),
    expr.MakeEnum: _one("enum", "path"),
    expr.GetField: _one("predicate", "key"),
    expr.Holds: _one("predicate", "key"),
    rules.Match: _one("predicate", "key"),
    rules.Rule: lambda part: [("predicate", part.key)] if part.origin != "aggregate" else [],
    m.Concept: lambda part: [("concept", each) for each in part.supers],
    m.Relation: lambda part: [("relation", each) for each in part.supers],
    m.Group: lambda part: [("concept", each) for each in (*part.members, *([part.whole] if part.whole else []))],
    m.Fact: _one("predicate", "key"),
    m.Claim: lambda part: _standpoints(part.standpoint),
    m.Check: lambda part: _standpoints(part.standpoint),
    m.Standpoint: lambda part: _standpoints(*part.supers),
    m.Query: lambda part: [*_standpoints(*part.across), *([("predicate", part.extent)] if part.extent else [])],
    s.InsertEntity: _with_fields("concept", "concept"),
    s.InsertMembership: _with_fields("concept", "concept"),
    s.InsertTuple: _with_fields("relation", "relation"),
    s.InsertElement: _one("predicate", "key"),
    s.Update: lambda part: [("concept", part.concept), *(("predicate", key) for key, _, _ in part.sets)],
    s.DeleteMembership: _one("concept", "concept"),
    s.DeleteTuple: _one("relation", "relation"),
    s.Refute: _one("predicate", "key"),
    s.Forget: _one("predicate", "path"),
    s.CallMutation: _one("mutation", "path"),
}
