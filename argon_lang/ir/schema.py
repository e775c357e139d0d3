"""The registry: every class of the lowered program with its number and the shape of each field.

Numbers and field orders are the format of artifact and store (`core_ir` version axis): a number is never given to
another class, a new field goes at the end and raises the axis. A test compares this table with the dataclasses.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from argon_lang.ir import expr, module, rules, statements, values
from argon_lang.ir.shapes import FLAG, INSTANT, INT, ROW, TEXT, TEXTS, VALUE, Opt, Seq, Shape, node, tup
from argon_lang.program import types

TYPE = node(
    types.Primitive,
    types.Named,
    types.TypeVar,
    types.OptionOf,
    types.ListOf,
    types.SetOf,
    types.Applied,
    types.FnOf,
    types.RecordOf,
    types.Unknown,
)
EXPR = node(
    expr.Lit,
    expr.Local,
    expr.Unary,
    expr.Binary,
    expr.If,
    expr.LetIn,
    expr.CallFn,
    expr.Builtin,
    expr.GetMember,
    expr.GetEnd,
    expr.MakeTuple,
    expr.MakeStruct,
    expr.MakeEnum,
    expr.MakeList,
    expr.Format,
    expr.GetField,
    expr.Holds,
    expr.CallQuery,
    expr.Fold,
    expr.IsCase,
    expr.GetPayload,
    expr.Comprehend,
    expr.Closure,
    expr.Apply,
    expr.Try,
)
TERM = node(rules.Var, rules.Const)
LITERAL = node(rules.Match, rules.Not, rules.Test, rules.Bind, rules.Each, rules.Aggregate)
STATEMENT = node(
    statements.Require,
    statements.Let,
    statements.InsertEntity,
    statements.InsertMembership,
    statements.InsertTuple,
    statements.InsertElement,
    statements.Update,
    statements.DeleteMembership,
    statements.DeleteTuple,
    statements.CallMutation,
    statements.Return,
    statements.Branch,
    statements.Loop,
    statements.Emit,
    statements.Refute,
    statements.Forget,
    statements.Assert,
    statements.AssertDerivable,
)
STEP = node(*STATEMENT.classes, statements.AssertRejects)

_EXPRS = Seq(EXPR)
_NAMED_EXPRS = Seq(tup(TEXT, EXPR))
_NAMED_TYPES = Seq(tup(TEXT, TYPE))
_FIELDS = Seq(node(module.Field))
_PARAMS = Seq(node(module.Param))
_SPAN = node(module.Span)
_MAYBE = Opt(EXPR)
_HOLES = Seq(_MAYBE)

_TABLE: dict[int, tuple[type, tuple[Shape, ...]]] = {
    # values
    1: (values.Entity, (TEXT,)),
    3: (values.EnumValue, (TEXT, TEXT, ROW)),
    4: (values.StructValue, (TEXT, Seq(tup(TEXT, VALUE)))),
    5: (values.TupleValue, (TEXT, ROW)),
    13: (values.MapValue, (VALUE,)),
    14: (values.RangeValue, (VALUE, VALUE)),
    # types
    20: (types.Primitive, (TEXT,)),
    21: (types.Named, (TEXT, TEXT, Seq(TYPE))),
    22: (types.OptionOf, (TYPE,)),
    23: (types.ListOf, (TYPE, INT, Opt(INT))),
    24: (types.SetOf, (TYPE,)),
    25: (types.RecordOf, (_NAMED_TYPES,)),
    26: (types.Unknown, ()),
    27: (types.TypeVar, (TEXT, TEXT)),
    28: (types.Applied, (TEXT, Seq(TYPE))),
    29: (types.FnOf, (Seq(TYPE), TYPE)),
    # expressions
    40: (expr.Lit, (VALUE,)),
    41: (expr.Local, (TEXT,)),
    42: (expr.Unary, (TEXT, EXPR, TYPE)),
    43: (expr.Binary, (TEXT, EXPR, EXPR, TYPE)),
    44: (expr.If, (EXPR, EXPR, EXPR)),
    45: (expr.LetIn, (TEXT, EXPR, EXPR)),
    46: (expr.CallFn, (TEXT, _EXPRS)),
    47: (expr.Builtin, (TEXT, _EXPRS, TYPE)),
    48: (expr.GetMember, (EXPR, TEXT)),
    49: (expr.GetEnd, (EXPR, INT)),
    50: (expr.MakeTuple, (TEXT, _EXPRS)),
    51: (expr.MakeStruct, (TEXT, _NAMED_EXPRS)),
    52: (expr.MakeEnum, (TEXT, TEXT, _EXPRS)),
    53: (expr.MakeList, (_EXPRS,)),
    54: (expr.Format, (TEXTS, _EXPRS)),
    55: (expr.GetField, (EXPR, TEXT, FLAG, FLAG)),
    56: (expr.Holds, (TEXT, _HOLES)),
    57: (expr.CallQuery, (TEXT, _EXPRS)),
    58: (expr.Fold, (TEXT, node(rules.Rule), _EXPRS, TYPE)),
    59: (expr.IsCase, (EXPR, TEXT)),
    60: (expr.GetPayload, (EXPR, TEXT, INT, FLAG)),
    61: (expr.Comprehend, (TEXT, EXPR, _MAYBE, EXPR)),
    62: (expr.Closure, (TEXTS, EXPR)),
    63: (expr.Apply, (EXPR, _EXPRS)),
    64: (expr.Try, (EXPR, TEXT)),
    # rules
    80: (rules.Var, (TEXT,)),
    81: (rules.Const, (VALUE,)),
    82: (rules.Match, (TEXT, Seq(TERM), INT)),
    83: (rules.Not, (Seq(LITERAL), INT)),
    84: (rules.Test, (EXPR, INT)),
    85: (rules.Bind, (TEXT, EXPR, INT)),
    86: (rules.Each, (TEXT, EXPR, INT)),
    87: (rules.Rule, (TEXT, TEXT, Seq(TERM), Seq(LITERAL), TEXT, TEXTS)),
    88: (rules.Predicate, (TEXT, TEXT, _NAMED_TYPES)),
    89: (rules.Aggregate, (TEXT, TEXT, Seq(TERM), TERM, Seq(LITERAL), TYPE, INT)),
    # declarations
    100: (module.Field, (TEXT, TEXT, TYPE, FLAG, FLAG, FLAG, INT, Opt(INT), _MAYBE)),
    101: (module.Concept, (TEXT, TEXT, TEXTS, _FIELDS, FLAG, Seq(tup(EXPR, TEXT)), FLAG, FLAG)),
    102: (module.Relation, (TEXT, TEXT, _NAMED_TYPES, Seq(tup(INT, Opt(INT))), TEXTS, _FIELDS, FLAG)),
    103: (module.Struct, (TEXT, Seq(tup(TEXT, TYPE, _MAYBE)), TEXTS)),
    104: (module.Variant, (TEXT, _NAMED_TYPES)),
    105: (module.Enum, (TEXT, Seq(node(module.Variant)), TEXTS)),
    106: (module.Param, (TEXT, TYPE)),
    107: (module.Function, (TEXT, _PARAMS, TYPE, EXPR, FLAG)),
    108: (module.Fact, (TEXT, ROW, Opt(INSTANT), Opt(INSTANT))),
    109: (module.Order, (EXPR, FLAG)),
    110: (
        module.Query,
        (
            TEXT,
            _PARAMS,
            TYPE,
            TEXT,
            Opt(TEXT),
            Opt(node(rules.Rule)),
            Seq(tup(TEXT, TYPE, EXPR)),
            FLAG,
            FLAG,
            Seq(node(module.Order)),
            _MAYBE,
            _MAYBE,
            Opt(node(module.Grouping)),
            Seq(node(module.Operand)),
            _EXPRS,
            Seq(node(module.OptionalRows)),
            TEXTS,
            FLAG,
            Seq(node(module.Table)),
        ),
    ),
    111: (module.Check, (TEXT, INT, node(rules.Rule), EXPR, TEXT)),
    112: (module.Mutation, (TEXT, _PARAMS, Opt(TYPE), Seq(STATEMENT))),
    113: (module.Group, (TEXTS, Opt(TEXT), FLAG, FLAG)),
    114: (module.GroupFold, (TEXT, TEXT, EXPR, TYPE)),
    115: (module.Grouping, (_EXPRS, Seq(node(module.GroupFold)), _MAYBE)),
    116: (
        module.Operand,
        (
            TEXT,
            node(rules.Rule),
            Seq(tup(TEXT, TYPE, EXPR)),
            FLAG,
            Opt(node(module.Grouping)),
            Seq(node(module.OptionalRows)),
        ),
    ),
    117: (module.OptionalRows, (node(rules.Rule), _EXPRS, Seq(node(expr.Local)))),
    118: (module.Standpoint, (TEXT, TEXTS)),
    119: (module.Claim, (node(module.Fact), TEXT, FLAG)),
    120: (module.Default, (TEXT, TEXT, INT)),
    121: (module.Table, (TEXT, node(module.Query))),
    # statements
    130: (statements.Require, (EXPR, TEXT)),
    131: (statements.Let, (TEXT, EXPR)),
    132: (statements.InsertEntity, (TEXT, _NAMED_EXPRS, Opt(TEXT))),
    133: (statements.InsertMembership, (EXPR, TEXT, _NAMED_EXPRS, _MAYBE, _MAYBE, Opt(TEXT))),
    134: (statements.InsertTuple, (TEXT, _EXPRS, _NAMED_EXPRS, _MAYBE, _MAYBE, Opt(TEXT))),
    135: (statements.InsertElement, (EXPR, EXPR, TEXT)),
    136: (statements.Update, (TEXT, _MAYBE, TEXT, Seq(tup(TEXT, TEXT, EXPR)), _MAYBE, _MAYBE)),
    137: (statements.DeleteMembership, (_MAYBE, TEXT, _MAYBE)),
    138: (statements.DeleteTuple, (TEXT, _HOLES, _MAYBE)),
    139: (statements.CallMutation, (TEXT, _EXPRS, Opt(TEXT))),
    140: (statements.Return, (EXPR,)),
    141: (statements.Branch, (EXPR, Seq(STATEMENT), Seq(STATEMENT))),
    142: (statements.Loop, (TEXT, EXPR, Seq(STATEMENT))),
    143: (statements.Emit, (TEXT, EXPR)),
    144: (statements.Refute, (TEXT, _HOLES, _MAYBE)),
    145: (statements.Forget, (TEXT, _HOLES)),
    # tests and sources
    160: (statements.Assert, (EXPR, TEXT)),
    161: (statements.AssertDerivable, (FLAG, TEXT, _HOLES, TEXT)),
    162: (statements.AssertRejects, (Opt(TEXT), Seq(STATEMENT), TEXT)),
    163: (statements.TestCase, (TEXT, TEXT, Seq(STEP))),
    164: (module.Span, (TEXT, INT, INT, INT, INT)),
    165: (module.RuleSource, (TEXT, _SPAN, Seq(tup(TEXT, TEXT)), Seq(tup(_SPAN, TEXT)))),
    166: (
        module.SourceMap,
        (
            Seq(tup(TEXT, _SPAN)),
            Seq(node(module.RuleSource)),
            Seq(tup(TEXT, TEXT, _SPAN, Seq(_SPAN))),
            Seq(tup(TEXT, TEXT)),
        ),
    ),
    167: (
        module.Module,
        (
            TEXT,
            TEXT,
            Seq(node(module.Concept)),
            Seq(node(module.Relation)),
            Seq(node(module.Struct)),
            Seq(node(module.Enum)),
            Seq(node(rules.Predicate)),
            Seq(node(rules.Rule)),
            Seq(tup(TEXT, VALUE)),
            Seq(node(module.Fact)),
            Seq(node(module.Function)),
            Seq(node(module.Query)),
            Seq(node(module.Check)),
            Seq(node(module.Mutation)),
            Seq(node(statements.TestCase)),
            Seq(tup(TEXT, TEXT)),
            node(module.SourceMap),
            Seq(node(module.Group)),
            Seq(node(module.Standpoint)),
            Seq(node(module.Claim)),
            Seq(node(module.Default)),
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Schema:
    """One registered class. `identity` numbers the fields that take part in equality, and so in content ids."""

    number: int
    cls: type
    names: tuple[str, ...]
    shapes: tuple[Shape, ...]
    identity: tuple[int, ...]


def _schema(number: int, cls: type, shapes: tuple[Shape, ...]) -> Schema:
    fields = dataclasses.fields(cls)
    identity = tuple(index for index, field in enumerate(fields) if field.compare)
    return Schema(number, cls, tuple(field.name for field in fields), shapes, identity)


BY_NUMBER: dict[int, Schema] = {number: _schema(number, *row) for number, row in _TABLE.items()}
BY_CLASS: dict[type, Schema] = {schema.cls: schema for schema in BY_NUMBER.values()}
VALUE_CLASSES = (
    values.Entity,
    values.EnumValue,
    values.StructValue,
    values.TupleValue,
    values.MapValue,
    values.RangeValue,
)
