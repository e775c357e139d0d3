"""Predicate keys: how declarations become the names of the engine's relations.

Every fact, stored or derived, is a row of one predicate key:

| what | key | columns |
|---|---|---|
| concept membership, closed under `<:`; of an `iff` type what its rule says | `pkg::Lease` | individual |
| membership as asserted (facts, inserts) | `pkg::Lease^` | individual |
| field value | `pkg::Lease.rent` (path of the declaring concept) | individual, value |
| navigation view, derived from a relation's tuples | `pkg::Flat.tenants` | individual, value at the far end |
| relation tuple, closed under relation `<:` | `pkg::pays` | endpoints |
| tuple as asserted | `pkg::pays^` | endpoints |
| relation field | `pkg::pays.since` | `TupleValue`, value |
| derived predicate | `pkg::owes/2` | arguments |
| check violation | `pkg::no_overlap!` | head arguments, then the report's other variables |
| repeated steps | `pkg::pays+`, `pkg::pays*`, `pkg::pays{2,3}` | from, to |
| query body | `pkg::tenants?` | parameters are bound from outside; columns are the row variables |
| strong negatives of a key | `pkg::owes/2-` | those of the key |
| attacks on default clauses | `pkg::owes/2~`, `pkg::owes/2~usual[0]` | those of the key; the ones listed |

A many field (`[T]`) has one row per element value: `(individual, element)`.
"""

from __future__ import annotations

AGGREGATE = "aggregate"
"""The head of the rule that an aggregate in an expression ranges over; no relation has it."""


def asserted(path: str) -> str:
    """Key of the stored rows of a concept or relation, before closure."""
    return path + "^"


def field_key(owner: str, field: str) -> str:
    """Key of a field's rows; `owner` is the concept or relation that declares the field."""
    return f"{owner}.{field}"


def derived_key(path: str, arity: int) -> str:
    """Key of a derived predicate; the same name with another arity is another predicate."""
    return f"{path}/{arity}"


def check_key(path: str) -> str:
    """Key of a check's violations."""
    return path + "!"


def query_key(path: str) -> str:
    """Key of a query's body rows."""
    return path + "?"


def negative_key(key: str) -> str:
    """Key of the rows of `key` that are strongly negated; base rows, never closed under `<:`."""
    return key + "-"


def attack_key(key: str, label: str, columns: tuple[int, ...], arity: int) -> str:
    """Key of the attacks on the default clauses of `key` (on those called `label`, unless it is empty).

    An attack names these columns of the head; the others are any value.
    """
    some = "" if len(columns) == arity else f"[{','.join(map(str, columns))}]"
    return f"{key}~{label}{some}"


def attacked_key(key: str) -> str:
    """The key of the predicate that an attack key is about."""
    return key.partition("~")[0]


def attacked_columns(key: str, arity: int) -> tuple[int, ...]:
    """The columns of the head that an attack key names."""
    listed = key.rpartition("[")[2].removesuffix("]") if key.endswith("]") else None
    if listed is None:
        return tuple(range(arity))
    return tuple(map(int, listed.split(","))) if listed else ()


def attacked_label(key: str) -> str:
    """The label that an attack key names; empty without one."""
    return key.partition("~")[2].partition("[")[0]
