"""Expressions: one translation for every place. Reads of the state stay visible (`GetField`, `Holds`, `CallQuery`);
`argon_lang.ir.lower.flatten` turns those of rule bodies into literals.

A default that a struct literal leaves out is written as a call of `default_path(struct, field)`, a function of no
parameters that linking puts in place: the literal's item does not know the struct's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.constants import constant
from argon_lang.ir.lower.dispatch import chosen_target, given_by, member_of
from argon_lang.ir.lower.keys import field_of, field_owner
from argon_lang.ir.lower.literals import format_pieces, literal_value
from argon_lang.ir.lower.reading import NotLowered, Reading
from argon_lang.ir.names import check_key, derived_key
from argon_lang.ir.values import Entity, EnumValue
from argon_lang.program.intrinsics import ON_ABSENT
from argon_lang.program.model import (
    FieldSig,
    Resolution,
    ToBinding,
    ToEnd,
    ToField,
    ToIntrinsic,
    ToSymbol,
    ToType,
    ToVariant,
    VariantSig,
)
from argon_lang.program.paths import name_of
from argon_lang.program.types import BOOL, ListOf, Named, OptionOf, SetOf
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need


def default_path(owner: str, field: str) -> str:
    """Path of the function that yields a field's default until linking."""
    return f"{owner}.{field}="


def lower_expr(node: View | None, reading: Reading) -> ir.Expr:
    """The lowered form of an expression node. Raises NotLowered, and IncompleteTree in a broken tree."""
    found = need(node)
    handler = HANDLERS.get(type(found))
    if handler is None:
        raise NotLowered(found, found.text)
    return handler(found, reading)


def lower_all(found: Iterable[View], reading: Reading) -> tuple[ir.Expr, ...]:
    """Several expressions in order."""
    return tuple(lower_expr(each, reading) for each in found)


# -- names ------------------------------------------------------------------------------------------------------------


def _path(node: nodes.Path, reading: Reading) -> ir.Expr:
    return named_value(node, reading.meaning(node), reading)


def _wildcard(node: nodes.Wildcard, reading: Reading) -> ir.Expr:
    return named_value(node, reading.meaning(node), reading)


def named_value(node: View, meaning: Resolution | None, reading: Reading) -> ir.Expr:
    """The value of a name that stands alone: a local, an individual or an enum case."""
    match meaning:
        case ToBinding(id_):
            return ir.Local(reading.local(id_))
        case ToSymbol("individual" | "concept" | "relation" | "metatype" | "metarel" | "trait", path):
            return ir.Lit(Entity(path))
        case ToVariant(enum, variant):
            return ir.Lit(EnumValue(enum, variant))
        case ToSymbol("fn", path):
            return _function(node, path, reading)
        case _:
            raise NotLowered(node, node.text)


def _function(node: View, path: str, reading: Reading) -> ir.Closure:
    """A declared function as a function value."""
    sig, mark = need(reading.declarations.callable("fn", path)), "$" if reading.in_rule else ""
    names = tuple(f"{mark}given{node.index}_{place}" for place in range(len(sig.params)))
    return ir.Closure(names, ir.CallFn(path, tuple(map(ir.Local, names))))


def asked(node: View, member: str, reading: Reading) -> ir.Expr:
    """What a member is asked of; a field of a rule whose absence is asked for does not fail its atom."""
    meaning = reading.meaning(node)
    stored = isinstance(meaning, ToField) and meaning.kind != "struct"
    if member in ON_ABSENT and reading.in_rule and stored and isinstance(reading.type_of(node), OptionOf):
        return ABSENCE[nodes.FieldExpr](node, reading)
    return lower_expr(node, reading)


def _field(node: nodes.FieldExpr, reading: Reading) -> ir.Expr:
    match reading.meaning(node):
        case ToIntrinsic(name):
            return ir.Builtin(name, (asked(need(node.base), name, reading),), reading.type_of(node))
    base = lower_expr(node.base, reading)
    if isinstance(reading.type_of(need(node.base)), OptionOf):
        name = f"{'$' if reading.in_rule else ''}part{node.index}"
        absent, nothing = ir.Builtin("is_none", (ir.Local(name),), BOOL), ir.Lit(None)
        return ir.LetIn(name, base, ir.If(absent, nothing, _field_of(node, ir.Local(name), reading)))
    return _field_of(node, base, reading)


def _field_of(node: nodes.FieldExpr, base: ir.Expr, reading: Reading) -> ir.Expr:
    match reading.meaning(node):
        case ToField("struct", _, name):
            return ir.GetMember(base, name)
        case ToField(kind, owner, name):
            read = read_field(node, base, Named(kind, owner), name, reading)
            return _or_default(node, read, reading)
        case ToEnd(_, index):
            return ir.GetEnd(base, index)
        case _:
            raise NotLowered(node, node.text)


def _or_default(node: nodes.FieldExpr, read: ir.GetField, reading: Reading) -> ir.Expr:
    """A field of a derived type that has a default: nobody joins the type, so what is not given is read as it."""
    owner, name = field_owner(read.key), read.key.rpartition(".")[2]
    sig = reading.declarations.concept(owner)
    field = next((each for each in sig.fields if each.name == name), None) if sig is not None and sig.derived else None
    if field is None or not field.has_default:
        return read
    default = ir.CallFn(default_path(owner, name), ())
    if read.many:
        local = f"{'$' if reading.in_rule else ''}many{node.index}"
        empty = ir.Builtin("is_empty", (ir.Local(local),), BOOL)
        return ir.LetIn(local, read, ir.If(empty, default, ir.Local(local)))
    given = ABSENCE[nodes.FieldExpr](node, reading) if reading.in_rule else replace(read, optional=True)
    return ir.Builtin("unwrap_or", (given, default), reading.type_of(node))


def read_field(node: View, base: ir.Expr, owner: Named, name: str, reading: Reading) -> ir.GetField:
    """A read of a stored field."""
    found = field_of(reading.declarations, owner, name)
    if found is None:
        raise NotLowered(node, node.text)
    sig, key = found
    return ir.GetField(base, key, isinstance(sig.type, OptionOf), isinstance(sig.type, ListOf))


# -- calls ------------------------------------------------------------------------------------------------------------


def _method(node: nodes.MethodCall, reading: Reading) -> ir.Expr:
    match reading.meaning(node):
        case ToIntrinsic(name):
            args = (asked(need(node.receiver), name, reading), *lower_all(need(node.args).args, reading))
            return ir.Builtin(name, args, reading.type_of(node))
        case _:
            raise NotLowered(node, node.text)


def _call(node: nodes.Call, reading: Reading) -> ir.Expr:
    args = need(node.args).args
    match reading.meaning(node, node.path):
        case ToIntrinsic(name):
            return ir.Builtin(name, lower_all(args, reading), reading.type_of(node))
        case ToSymbol("fn", path):
            return ir.CallFn(member_path("fn", path, args, reading), lower_all(args, reading))
        case ToSymbol("query", path):
            found = member_path("query", path, args, reading)
            asked = member_of(reading.declarations, "query", path) is not None and found == path
            return (ir.CallFn if asked else ir.CallQuery)(found, lower_all(args, reading))
        case ToVariant(enum, variant):
            return _variant(enum, variant, lower_all(args, reading))
        case ToBinding(id_):
            return ir.Apply(ir.Local(reading.local(id_)), lower_all(args, reading))
        case found if (key := predicate_key(found, len(args))) is not None:
            return ir.Holds(key, lower_call_args(args, reading))
        case _:
            raise NotLowered(node, node.text)


def member_path(kind: str, path: str, args: Sequence[View], reading: Reading) -> str:
    """The path of what a call means: of a trait's member the one of an `impl`, where the argument's type says which."""
    found = member_of(reading.declarations, kind, path)
    if found is None:
        return path
    trait, sig = found
    target = chosen_target(reading.declarations, trait, sig, [reading.type_of(arg) for arg in args])
    return path if target is None else path + given_by(target)


def predicate_key(meaning: Resolution | None, given: int) -> str | None:
    """The key of what is called as a predicate with `given` arguments; None when it is no predicate of that arity."""
    match meaning:
        case ToSymbol("concept" | "relation", path) | ToType(Named("concept" | "relation", path)):
            return path
        case ToSymbol("predicate", path, arity) if arity in (None, given):
            return derived_key(path, given)
        case ToSymbol("check", path):
            return check_key(path)
        case _:
            return None


def lower_call_args(args: Iterable[View], reading: Reading) -> tuple[ir.Expr | None, ...]:
    """Arguments of a predicate; None for `_`."""
    return tuple(None if isinstance(arg, nodes.Wildcard) else lower_expr(arg, reading) for arg in args)


# -- literals and operators -------------------------------------------------------------------------------------------


MOST_DIGITS = 4_000
"""Longer numbers are refused: Python neither reads nor prints them without being asked to."""


def _literal(node: nodes.Literal, reading: Reading) -> ir.Expr:
    token = need(node.token)
    if token.kind in (K.INT, K.DECIMAL) and len(token.text) > MOST_DIGITS:
        raise NotLowered(node, node.text, f"a number of at most {MOST_DIGITS} digits")
    return ir.Lit(literal_value(token, reading.type_of(node)))


def _unary(node: nodes.Unary, reading: Reading) -> ir.Expr:
    return ir.Unary(need(node.op).text, lower_expr(node.operand, reading), reading.type_of(node))


def conjunction(node: nodes.Binary, reading: Reading) -> ir.Expr:
    """`a && b` with names that the patterns of `a` introduce; `blocks` says how."""
    return HANDLERS[nodes.Condition](node, reading)


_ASCII = {"≠": "!=", "≤": "<=", "≥": ">="}


def _binary(node: nodes.Binary, reading: Reading) -> ir.Expr:
    op = need(node.op).text
    if op == "&&" and any(isinstance(each, nodes.IsExpr) for each in node.descendants()):
        return conjunction(node, reading)
    left, right = lower_expr(node.lhs, reading), lower_expr(node.rhs, reading)
    return ir.Binary(_ASCII.get(op, op), left, right, reading.type_of(node))


def _in(node: nodes.InExpr, reading: Reading) -> ir.Expr:
    left, right = lower_expr(node.element, reading), lower_expr(node.collection, reading)
    return ir.Binary("not_in" if node.negated else "in", left, right, BOOL)


def _paren(node: nodes.ParenExpr, reading: Reading) -> ir.Expr:
    return lower_expr(node.inner, reading)


def _list(node: nodes.ListExpr, reading: Reading) -> ir.Expr:
    elements, found = ir.MakeList(lower_all(node.elements, reading)), reading.type_of(node)
    if not isinstance(found, SetOf):
        return elements
    known = constant(elements)
    kinds = {type(each) for each in known.value} if known is not None and isinstance(known.value, tuple) else set()
    if known is None or not isinstance(known.value, tuple) or (len(kinds) > 1 and kinds & {bool, float}):
        return ir.Builtin("to_set", (elements,), found)
    return ir.Lit(frozenset(known.value))


def _format(node: nodes.FormatExpr, reading: Reading) -> ir.Expr:
    pieces = format_pieces(need(node.template).text[1:-1])
    args = lower_all(node.args, reading)
    if len(pieces) != len(args) + 1:
        raise NotLowered(node, node.text)
    return ir.Format(pieces, args)


# -- data -------------------------------------------------------------------------------------------------------------


def _struct(node: nodes.StructExpr, reading: Reading) -> ir.Expr:
    given = field_values(node.fields, reading)
    match reading.meaning(node, node.path):
        case ToSymbol("struct", path):
            return make_struct(need(node.fields), path, given, reading)
        case ToVariant(enum, variant):
            return _named_variant(node, enum, variant, given, reading)
        case _:
            raise NotLowered(node, node.text)


def field_values(inits: nodes.FieldInits | None, reading: Reading) -> dict[str, ir.Expr]:
    """The values of `{ name: value, other }` by name, in the order of the text."""
    return {need(name_of(init.name)): _init_value(init, reading) for init in (inits.inits if inits else ())}


def _init_value(init: nodes.FieldInit, reading: Reading) -> ir.Expr:
    if init.value is not None:
        return lower_expr(init.value, reading)
    return named_value(init, reading.shorthand(init), reading)


def make_struct(inits: nodes.FieldInits, path: str, given: dict[str, ir.Expr], reading: Reading) -> ir.Expr:
    """A struct value of the given fields; the others from `..base`, or their defaults."""
    sig = need(reading.declarations.struct(path))
    if inits.base is None:
        return ir.MakeStruct(path, tuple((each.name, given.get(each.name) or _absent(each)) for each in sig.fields))
    name = f"{'$' if reading.in_rule else ''}base{inits.index}"
    kept = ((each.name, given.get(each.name) or ir.GetMember(ir.Local(name), each.name)) for each in sig.fields)
    return ir.LetIn(name, lower_expr(inits.base.value, reading), ir.MakeStruct(path, tuple(kept)))


def _absent(field: FieldSig) -> ir.Expr:
    if field.has_default:
        return ir.CallFn(default_path(field.owner, field.name), ())
    return ir.Lit(() if isinstance(field.type, ListOf) else None)


def _variant(enum: str, variant: str, payload: tuple[ir.Expr, ...]) -> ir.Expr:
    return ir.MakeEnum(enum, variant, payload) if payload else ir.Lit(EnumValue(enum, variant))


def _named_variant(
    node: nodes.StructExpr, enum: str, variant: str, given: dict[str, ir.Expr], reading: Reading
) -> ir.Expr:
    sig = find_variant(reading, enum, variant)
    if sig is None or set(given) != {each.name for each in sig.payload}:
        raise NotLowered(node, node.text)
    pairs = tuple(ir.MakeList((ir.Lit(each.name), given[each.name])) for each in sig.payload)
    return _variant(enum, variant, pairs)


def find_variant(reading: Reading, enum: str, variant: str) -> VariantSig | None:
    """The signature of an enum case."""
    sig = reading.declarations.enum(enum)
    return next((each for each in sig.variants if each.name == variant), None) if sig else None


ABSENCE: dict[type[View], Callable[[Any, Reading], ir.Expr]] = {}
"""The lowering of a field of a rule that may be absent; `absences` adds it."""
HANDLERS: dict[type[View], Callable[[Any, Reading], ir.Expr]] = {
    nodes.Path: _path,
    nodes.FieldExpr: _field,
    nodes.MethodCall: _method,
    nodes.Call: _call,
    nodes.Literal: _literal,
    nodes.Wildcard: _wildcard,
    nodes.Unary: _unary,
    nodes.Binary: _binary,
    nodes.InExpr: _in,
    nodes.ParenExpr: _paren,
    nodes.ListExpr: _list,
    nodes.FormatExpr: _format,
    nodes.StructExpr: _struct,
}
"""The lowering of each kind of expression node; `aggregates` adds its own."""
