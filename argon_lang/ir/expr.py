"""Lowered expressions: one small set for rule bodies, functions, projections, statements and tests.

Inside a rule body an expression is pure: field reads and predicate reads were lowered to literals
(`argon_lang.ir.rules`). In *state contexts* (function bodies called from statements, projections, statements, tests)
`GetField`, `Holds` and `CallQuery` read the state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from argon_lang.ir.values import Value
from argon_lang.program.types import Type
from argon_lang.quick import quick

if TYPE_CHECKING:
    from argon_lang.ir.rules import Rule


@dataclass(frozen=True, slots=True)
class Lit:
    """A constant, an individual or a nullary enum variant."""

    value: Value


@dataclass(frozen=True, slots=True)
class Local:
    """A rule variable, parameter, `let` or pattern binding."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    """`op`: `-` or `!`."""

    op: str
    operand: Expr
    type: Type


@quick
@dataclass(frozen=True, slots=True)
class Binary:
    """`op`: `+ - * / % == != < <= > >= && || in not_in`. `type` is the result's (decides Real, Money rounding, …)."""

    op: str
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class If:
    """A conditional value; both arms are present."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class LetIn:
    """A block's `let name = value;` and the rest of the block."""

    name: str
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class CallFn:
    """Call of a declared function by path."""

    path: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Builtin:
    """Call of an intrinsic (engine.builtins): `today`, `now`, `days`, `abs`, `round`, `min`, `year`, `length`, …

    A method `a.m(b)` and a property `d.year` are `Builtin(m, (a, b))`. `type` is the result's.
    """

    name: str
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class GetMember:
    """Field of a struct value."""

    base: Expr
    field: str


@dataclass(frozen=True, slots=True)
class GetEnd:
    """Endpoint `index` of a relation tuple value."""

    base: Expr
    index: int


@dataclass(frozen=True, slots=True)
class MakeTuple:
    """The tuple entity of `relation` with these endpoint values."""

    relation: str
    ends: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MakeStruct:
    """A struct value; `fields` in declaration order, defaults already filled in."""

    path: str
    fields: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class MakeEnum:
    """An enum value with payload."""

    path: str
    variant: str
    payload: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MakeList:
    """A list value."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Format:
    """`format!`: literal text pieces between arguments (`len(pieces) == len(args) + 1`)."""

    pieces: tuple[str, ...]
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class IsCase:
    """Is an enum value this variant? False of an absent value."""

    base: Expr
    variant: str


@dataclass(frozen=True, slots=True)
class GetPayload:
    """Part `index` of the payload of an enum value; None when it is another variant. `named` payloads are pairs."""

    base: Expr
    variant: str
    index: int
    named: bool


@dataclass(frozen=True, slots=True)
class Comprehend:
    """The list of `element` for each `name` of a list (a set in value order) of which `condition` holds."""

    name: str
    source: Expr
    condition: Expr | None
    element: Expr


@dataclass(frozen=True, slots=True)
class Closure:
    """A function value: `body` over `params` and the locals around it. It is called or handed on, and never data."""

    params: tuple[str, ...]
    body: Expr


@dataclass(frozen=True, slots=True)
class Apply:
    """Call of a function value."""

    callee: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Try:
    """`base?`: what is in an optional value or a `Result::Ok`. Else the function or closure around it ends with it.

    `of`: `option` or `result`; `return` ends it with `base` in any case.
    """

    base: Expr
    of: str


@quick
@dataclass(frozen=True, slots=True)
class GetField:
    """State context: field of an individual or relation tuple, by predicate key.

    Absent: None when `optional`, else a domain error.

    `many`: the value is the tuple of elements in value order.
    """

    base: Expr
    key: str
    optional: bool
    many: bool


@dataclass(frozen=True, slots=True)
class Holds:
    """State context: is there a row of `key` that matches `args`? None stands for `_`."""

    key: str
    args: tuple[Expr | None, ...]


@dataclass(frozen=True, slots=True)
class CallQuery:
    """State context: the answer of a declared query (tuple of rows, one row or None, by its result type)."""

    path: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """State context: an aggregate over the last column of the rows of `rule` (semantics S4.3).

    `args` are the values of the rule's inputs, in their order; its other columns are what the aggregate ranges over.
    Of nothing `sum` is the zero of `type`, `count` 0, and the others are a domain error.
    """

    op: str
    rule: Rule
    args: tuple[Expr, ...]
    type: Type


Expr = (
    Lit
    | Local
    | Unary
    | Binary
    | If
    | LetIn
    | CallFn
    | Builtin
    | GetMember
    | GetEnd
    | MakeTuple
    | MakeStruct
    | MakeEnum
    | MakeList
    | Format
    | GetField
    | Holds
    | CallQuery
    | Fold
    | IsCase
    | GetPayload
    | Comprehend
    | Closure
    | Apply
    | Try
)
