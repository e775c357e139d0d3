"""Lowered rules: a head and a conjunction of literals over predicate keys (`argon_lang.ir.names`).

Lowering has made bodies flat: `exists { }` is spliced in with its own variables renamed apart, field reads are `Match`
literals on field keys, nested membership is explicit. Variables are renamed canonically (`v0`, `v1`, … by first
occurrence, head first), so that a rule's content id does not depend on the author's names; those live in the source
map.

`site` numbers the source position of a literal within its rule (index into the source map's sites); it takes part in no
comparison and no content id.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from argon_lang.ir.expr import Expr
from argon_lang.ir.values import Value
from argon_lang.program.types import Type
from argon_lang.quick import quick


@dataclass(frozen=True, slots=True)
class Var:
    """A rule variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """A constant column."""

    value: Value


Term = Var | Const
STEPS = "steps"
"""The origin of the auxiliary rules of `a.R+(b)`."""
ATTACK = "attack"
"""The origin of the rules of `names.attack_key`."""


@quick
@dataclass(frozen=True, slots=True)
class Match:
    """There is a row of `key` with these columns. Binds its unbound variables. A `_` is a fresh variable."""

    key: str
    terms: tuple[Term, ...]
    site: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """The conjunction `body` has no solution. Its variables that occur nowhere else in the rule are local to it."""

    body: tuple[Literal, ...]
    site: int = field(default=0, compare=False)


@quick
@dataclass(frozen=True, slots=True)
class Test:
    """A Boolean expression that must be true; all its variables must be bound by others."""

    expr: Expr
    site: int = field(default=0, compare=False)

    __test__ = False


@quick
@dataclass(frozen=True, slots=True)
class Bind:
    """`var = expr`, where var is not bound by an earlier literal."""

    var: str
    expr: Expr
    site: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Each:
    """`var in expr`: var takes each element of a list or set value."""

    var: str
    expr: Expr
    site: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`var = op` over the distinct values of `(own…, value)` among the solutions of `body` (semantics S4.3).

    `op`: `sum count min max avg set one collect`. `own` are the variables that the aggregate ranges over; empty where
    equal values count once. Variables of the body that occur outside are its groups and must be bound by others. Of
    nothing `sum` is the zero of `type`, `count` 0, and the others fail; so does `one` of several values.
    """

    var: str
    op: str
    own: tuple[Term, ...]
    value: Term
    body: tuple[Literal, ...]
    type: Type
    site: int = field(default=0, compare=False)


Literal = Match | Not | Test | Bind | Each | Aggregate


@quick
@dataclass(frozen=True, slots=True)
class Rule:
    """One clause. `origin`: `clause` (an author's), `subsumption` (`A <: B`), `STEPS`, `check`, `query`, `aggregate`,
    `ATTACK` (`attacked_c(args) :- effective body of an attacker`, semantics S5.2).

    A navigation view is a `subsumption` too: its rows are the relation's tuples.
    `id` is a content id: SHA-256 (hex, 16 characters) of head and body in canonical CBOR. `inputs` are variables bound
    from outside (query parameters).
    """

    id: str
    key: str
    terms: tuple[Term, ...]
    body: tuple[Literal, ...]
    origin: str = "clause"
    inputs: tuple[str, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate key's shape: column names and types. `kind`: concept, relation, field, derived, check, query."""

    key: str
    kind: str
    columns: tuple[tuple[str, Type], ...]
