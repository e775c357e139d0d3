"""Lowered statements: what mutations and tests do, one value per form of language.md §3.11 and §3.12."""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.ir.expr import Expr


@dataclass(frozen=True, slots=True)
class Require:
    """Refuses the transaction (OE0731) unless the expression is true. `text` is the source of the condition."""

    condition: Expr
    text: str


@dataclass(frozen=True, slots=True)
class Let:
    """Binds a local to a value."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class InsertEntity:
    """Mints an individual of `concept`; `fields` are (predicate key, value). Binds `bind` when given."""

    concept: str
    fields: tuple[tuple[str, Expr], ...]
    bind: str | None


@dataclass(frozen=True, slots=True)
class InsertMembership:
    """`insert iof(x, T) {…}`."""

    entity: Expr
    concept: str
    fields: tuple[tuple[str, Expr], ...]
    at: Expr | None
    until: Expr | None
    bind: str | None


@dataclass(frozen=True, slots=True)
class InsertTuple:
    """`insert R(…) {…} at … until …`."""

    relation: str
    ends: tuple[Expr, ...]
    fields: tuple[tuple[str, Expr], ...]
    at: Expr | None
    until: Expr | None
    bind: str | None


@dataclass(frozen=True, slots=True)
class InsertElement:
    """`insert e into x.f`: one more element of a many field."""

    element: Expr
    entity: Expr
    key: str


@dataclass(frozen=True, slots=True)
class Update:
    """`update b set {…} where …`. `target` None: every instance of `concept`, each bound to `name` in turn.

    `sets` are (predicate key, operator `=`, `+=` or `-=`, value); the key's field is mutable.
    """

    name: str
    target: Expr | None
    concept: str
    sets: tuple[tuple[str, str, Expr], ...]
    where: Expr | None
    at: Expr | None


@dataclass(frozen=True, slots=True)
class DeleteMembership:
    """`delete iof(x, T)` or `delete T(x)`; None is `_`."""

    entity: Expr | None
    concept: str
    at: Expr | None


@dataclass(frozen=True, slots=True)
class DeleteTuple:
    """`delete R(…)`; a None argument is `_` and matches all."""

    relation: str
    ends: tuple[Expr | None, ...]
    at: Expr | None


@dataclass(frozen=True, slots=True)
class Refute:
    """`refute P(…)`: a strong negative of a closed or derived key in the call's standpoint; a None argument is `_`.

    With a `_` every row that holds and matches is refuted.
    """

    key: str
    args: tuple[Expr | None, ...]
    at: Expr | None


@dataclass(frozen=True, slots=True)
class Forget:
    """`forget P(…)`: erases what was ever logged of facts of a concept or relation; a None argument is `_`."""

    path: str
    args: tuple[Expr | None, ...]


@dataclass(frozen=True, slots=True)
class CallMutation:
    """A mutation called from a mutation or a test, in the same transaction. Binds its result when `bind` is given."""

    path: str
    args: tuple[Expr, ...]
    bind: str | None


@dataclass(frozen=True, slots=True)
class Return:
    """Ends the mutation with a value."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Branch:
    """`if`: one of two blocks, whose locals are its own."""

    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """`for name in source`: the block once per element of a list, or of a set in value order."""

    name: str
    source: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Emit:
    """Adds a value under a name to what the receipt tells."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Assert:
    """`assert expr`. When `expr` is a comparison the runtime shows both sides on failure. `text` is its source."""

    expr: Expr
    text: str


@dataclass(frozen=True, slots=True)
class AssertDerivable:
    """`assert (not)? derivable P(args)`."""

    negated: bool
    key: str
    args: tuple[Expr | None, ...]
    text: str


Statement = (
    Require
    | Let
    | InsertEntity
    | InsertMembership
    | InsertTuple
    | InsertElement
    | Update
    | DeleteMembership
    | DeleteTuple
    | CallMutation
    | Return
    | Branch
    | Loop
    | Emit
    | Refute
    | Forget
    | Assert
    | AssertDerivable
)
"""Only tests assert."""


@dataclass(frozen=True, slots=True)
class AssertRejects:
    """`assert rejects(Code) { … }`: one transaction that must be refused; `code` None: any refusal."""

    code: str | None
    body: tuple[Statement, ...]
    text: str


TestStep = Statement | AssertRejects


@dataclass(frozen=True, slots=True)
class TestCase:
    """A test: `name` is its string, `module` the path of its module. `sites` are (start, end) per step, in its item."""

    module: str
    name: str
    steps: tuple[TestStep, ...]

    __test__ = False
