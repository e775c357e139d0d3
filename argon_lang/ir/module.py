"""The lowered module: everything the runtime needs to answer, check and write; nothing about text.

All sequences are sorted by path (or by content for facts), so that equal programs are equal values whatever the order
of their files. Spans, authors' variable names and doc comments are in `SourceMap`, outside the module hash.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from argon_lang.ir.expr import Expr, Local
from argon_lang.ir.rules import Predicate, Rule
from argon_lang.ir.statements import Statement, TestCase
from argon_lang.ir.values import Row, Value
from argon_lang.program.types import Type
from argon_lang.quick import quick

DEFAULT = "default"
"""The layer of what no standpoint says, and the view of that layer alone."""


@quick
@dataclass(frozen=True, slots=True)
class Field:
    """A stored field. `key` is its predicate key; `required` when neither optional, many nor defaulted.

    `optional` is `T?`, `many` is `[T]` (then `type` is the element type and `low..high` bounds the count).
    """

    name: str
    key: str
    type: Type
    mutable: bool
    optional: bool
    many: bool
    low: int
    high: int | None
    default: Expr | None

    @property
    def required(self) -> bool:
        """Must be given at construction."""
        return not (self.optional or self.many or self.default is not None)


@dataclass(frozen=True, slots=True)
class Concept:
    """`supers` are the direct ones; `fields` the own ones (inherited ones are found along `supers`).

    `abstract`: no individual is put directly under it. `conditions` are what its `where` or `iff` asks of the local
    `self`, each with its source text. `derived`: it is an `iff`, so a rule decides membership and nothing is asserted;
    an individual that is asserted under a subtype must meet the conditions, as with `where`. `open`: absence is
    unknown, not false (semantics S3).
    """

    path: str
    metatype: str
    supers: tuple[str, ...]
    fields: tuple[Field, ...]
    abstract: bool = False
    conditions: tuple[tuple[Expr, str], ...] = ()
    derived: bool = False
    open: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A group axiom: `disjoint` members exclude each other, `complete` ones leave nothing of `whole` over.

    `whole` is None for a group that only excludes.
    """

    members: tuple[str, ...]
    whole: str | None
    disjoint: bool
    complete: bool

    @property
    def path(self) -> str:
        """What the group is sorted by: all that it says."""
        return f"{self.whole or ''} {self.disjoint} {self.complete} {' '.join(self.members)}"


@dataclass(frozen=True, slots=True)
class Relation:
    """`ends` are (name, type); `bounds[i]` limits endpoint i's distinct values per combination of the others.

    Both bounds are inclusive; `bounds` is empty when none are declared. `abstract`: no tuple is put directly into it.
    """

    path: str
    metarel: str
    ends: tuple[tuple[str, Type], ...]
    bounds: tuple[tuple[int, int | None], ...]
    supers: tuple[str, ...]
    fields: tuple[Field, ...]
    abstract: bool = False


@dataclass(frozen=True, slots=True)
class Struct:
    """Plain data; `fields` are (name, type, default). `params` are the names of its type parameters."""

    path: str
    fields: tuple[tuple[str, Type, Expr | None], ...]
    params: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """One case of an enum; payload positional (names `0`, `1`, …) or named."""

    name: str
    payload: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, slots=True)
class Enum:
    """Plain data with cases, in declaration order. `params` are the names of its type parameters."""

    path: str
    variants: tuple[Variant, ...]
    params: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of a function, query or mutation."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Function:
    """`fn` with an expression body. `reads_state`: its body reaches a field, predicate or query."""

    path: str
    params: tuple[Param, ...]
    result: Type
    body: Expr
    reads_state: bool


@quick
@dataclass(frozen=True, slots=True)
class Fact:
    """A declared base fact: a row of an asserted or field key, valid in `[start, end)` (None: unbounded)."""

    key: str
    row: Row
    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Standpoint:
    """A node of the standpoint lattice; `supers` are the nodes directly above it, default apart."""

    path: str
    supers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """What a declared fact says beyond the default layer's support for a row.

    `standpoint` is the layer that says it. `against`: it is a strong negative (`not_fact`), and then the key is the
    closed one (`pkg::Lease`, `pkg::pays`), a field's or a derived predicate's.
    """

    fact: Fact
    standpoint: str = DEFAULT
    against: bool = False


@dataclass(frozen=True, slots=True)
class Default:
    """A clause that holds unless attacked (semantics S5). `rule` is the content id of its compiled form.

    The last `guards` literals of that rule's body are what may defeat it: `Not` over each key of attacks on it
    (`names.attack_key`), and one over the strong negatives of its head (`names.negative_key`). `label` is empty
    without one.
    """

    rule: str
    label: str
    guards: int

    @property
    def path(self) -> str:
        """What defaults are sorted by."""
        return f"{self.rule} {self.label}"


@dataclass(frozen=True, slots=True)
class Order:
    """One `order by` key over the row variables."""

    expr: Expr
    descending: bool


@dataclass(frozen=True, slots=True)
class GroupFold:
    """An aggregate over the rows of one group: `op` of the values of `value`, bound to the local `name`."""

    name: str
    op: str
    value: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Grouping:
    """`group by keys having condition`: one row per distinct keys, without keys one row for all of them.

    `folds` are the aggregates over a group's rows.
    """

    keys: tuple[Expr, ...]
    folds: tuple[GroupFold, ...]
    having: Expr | None


@dataclass(frozen=True, slots=True)
class OptionalRows:
    """`optional from`: the rows of `rule` for each row before, or one in which `names` are absent.

    `args` are the values of the rule's inputs; its columns are bound to the locals `names`.
    """

    rule: Rule
    args: tuple[Expr, ...]
    names: tuple[Local, ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """A further select, joined to the rows before it by `op`: `union`, `union all`, `intersect` or `except`."""

    op: str
    rule: Rule
    columns: tuple[tuple[str, Type, Expr], ...]
    distinct: bool
    grouping: Grouping | None = None
    optionals: tuple[OptionalRows, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Table:
    """`with name = (select …)`: its rows are the value of one more input of every rule after it."""

    name: str
    query: Query


@quick
@dataclass(frozen=True, slots=True)
class Query:
    """A typed question.

    `rule` has the head `query_key(path)` over the row variables (one row per distinct substitution); None for an extent
    query, which reads `extent` (a predicate key). `columns` are the projection over row variables (state expressions).
    `single`: the projection is one expression and not a record. `result`: `many`, `one` or `optional`. With `operands`
    a `Local` in `order` is a column of the answer. `as_of` are read points over the parameters: a transaction's number,
    a date or a date-time. `across` are the standpoints in whose views it is asked, to be joined. `truth4`: its answer
    has the rows that are not Is too. The inputs of its rules are the parameters, then its `tables` in order.
    """

    path: str
    params: tuple[Param, ...]
    type: Type
    result: str
    extent: str | None
    rule: Rule | None
    columns: tuple[tuple[str, Type, Expr], ...]
    single: bool
    distinct: bool
    order: tuple[Order, ...]
    limit: Expr | None
    offset: Expr | None
    grouping: Grouping | None = None
    operands: tuple[Operand, ...] = ()
    as_of: tuple[Expr, ...] = ()
    optionals: tuple[OptionalRows, ...] = ()
    across: tuple[str, ...] = ()
    truth4: bool = False
    tables: tuple[Table, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of all its selects."""
        first = () if self.rule is None else (self.rule,)
        optionals = (*self.optionals, *(each for operand in self.operands for each in operand.optionals))
        joined = (*(each.rule for each in optionals), *(operand.rule for operand in self.operands))
        return (*first, *joined, *(rule for table in self.tables for rule in table.query.rules))


@dataclass(frozen=True, slots=True)
class Check:
    """A denial. `rule` derives `check_key(path)`; the first `arity` columns are the violation's key.

    `report` is an expression over the rule's head variables that yields a `std::core::Diagnostic` struct. `standpoint`
    is the view in which it is asked.
    """

    path: str
    arity: int
    rule: Rule
    report: Expr
    standpoint: str = DEFAULT


@dataclass(frozen=True, slots=True)
class Mutation:
    """A transaction."""

    path: str
    params: tuple[Param, ...]
    result: Type | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a source file, its path relative to the package's root (`std::time/root.ar` for one of std).

    Zero-based lines, UTF-16 columns (wire form S8.3).
    """

    file: str
    line: int
    character: int
    end_line: int
    end_character: int


@dataclass(frozen=True, slots=True)
class RuleSource:
    """Where a rule came from: its clause, the author's variable names (canonical → written), literal texts by site."""

    rule: str
    span: Span
    names: tuple[tuple[str, str], ...]
    sites: tuple[tuple[Span, str], ...]


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Optional section: spans of declarations by path, of rules by content id, of tests by (module, name)."""

    declarations: tuple[tuple[str, Span], ...] = ()
    rules: tuple[RuleSource, ...] = ()
    tests: tuple[tuple[str, str, Span, tuple[Span, ...]], ...] = ()
    docs: tuple[tuple[str, str], ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Module:
    """A whole package with its std dependencies, lowered."""

    package: str
    version: str
    concepts: tuple[Concept, ...] = ()
    relations: tuple[Relation, ...] = ()
    structs: tuple[Struct, ...] = ()
    enums: tuple[Enum, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    rules: tuple[Rule, ...] = ()
    individuals: tuple[tuple[str, Value], ...] = ()
    facts: tuple[Fact, ...] = ()
    functions: tuple[Function, ...] = ()
    queries: tuple[Query, ...] = ()
    checks: tuple[Check, ...] = ()
    mutations: tuple[Mutation, ...] = ()
    tests: tuple[TestCase, ...] = ()
    tiers: tuple[tuple[str, str], ...] = ()
    source: SourceMap = SourceMap()
    groups: tuple[Group, ...] = ()
    standpoints: tuple[Standpoint, ...] = ()
    claims: tuple[Claim, ...] = ()
    defaults: tuple[Default, ...] = ()
