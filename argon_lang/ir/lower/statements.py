"""Statements of mutations and tests (language §3.11, §3.12). Locals keep their written names: a later one hides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.blocks import condition
from argon_lang.ir.lower.expr import (
    field_values,
    lower_all,
    lower_call_args,
    lower_expr,
    member_path,
    named_value,
    predicate_key,
)
from argon_lang.ir.lower.fragment import Fragment
from argon_lang.ir.lower.keys import field_of
from argon_lang.ir.lower.patterns import matched, subject_name
from argon_lang.ir.lower.queries import signature_of
from argon_lang.ir.lower.reading import NotLowered, Reading, subject_of
from argon_lang.ir.lower.rules import declared_path
from argon_lang.ir.lower.values import elements
from argon_lang.ir.module import Function, Module, Mutation, Param
from argon_lang.ir.statements import (
    Assert,
    AssertDerivable,
    AssertRejects,
    Branch,
    CallMutation,
    DeleteMembership,
    DeleteTuple,
    Emit,
    Forget,
    InsertElement,
    InsertEntity,
    InsertMembership,
    InsertTuple,
    Let,
    Loop,
    Refute,
    Require,
    Return,
    Statement,
    TestCase,
    TestStep,
    Update,
)
from argon_lang.program.model import ToBinding, ToField, ToSymbol
from argon_lang.program.paths import name_of, names, normal
from argon_lang.program.types import BOOL, Named, OptionOf, Type
from argon_lang.program.view import Unit
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need


def lower_mutation(unit: Unit, root: nodes.MutateDecl, functions: Mapping[str, Function]) -> Fragment:
    """A transaction."""
    sig, reading = signature_of(unit), Reading(unit, functions=functions)
    params = tuple(Param(each.name, each.type) for each in sig.params)
    body = lower_block(need(root.body).statements, reading)
    mutation = Mutation(declared_path(unit, root.name), params, sig.result, body)
    return Fragment(unit.id, reading.with_added(Module("", "", mutations=(mutation,))), tuple(reading.folds))


def lower_test(unit: Unit, root: nodes.TestDecl, functions: Mapping[str, Function]) -> Fragment:
    """A test, with the place of each of its steps."""
    reading = Reading(unit, functions=functions)
    steps: list[TestStep] = []
    spans: list[tuple[int, int]] = []
    for node in need(root.body).statements:
        found = list(_step(node, reading))
        steps += found
        spans += [(node.start, node.end)] * len(found)
    case = TestCase(unit.module, need(root.title).text[1:-1], tuple(steps))
    return Fragment(
        unit.id, reading.with_added(Module("", "", tests=(case,))), tuple(reading.folds), spans=tuple(spans)
    )


def _step(node: View, reading: Reading) -> Iterable[TestStep]:
    match node:
        case nodes.AssertRejects():
            code = "::".join(names(node.code)) if node.code else None
            yield AssertRejects(code, lower_block(need(node.body).statements, reading), node.text)
        case _:
            yield from lower_statement(node, reading)


def _derivable(node: nodes.AssertDerivable, reading: Reading) -> AssertDerivable:
    args = need(node.args).args
    key = predicate_key(reading.declared(node.path, node), len(args))
    if key is None:
        raise NotLowered(node, node.text)
    return AssertDerivable(node.negated, key, lower_call_args(args, reading), node.text)


def lower_block(found: Iterable[View], reading: Reading) -> tuple[Statement, ...]:
    """Statements in order."""
    return tuple(each for node in found for each in lower_statement(node, reading))


_RETURNED = "%returned"
"""The local of what a mutation yields that is returned at once; no author's name is like it."""


def lower_statement(node: View, reading: Reading) -> Iterable[Statement]:
    """The lowered statements of one; several for a `require { … }`. Raises NotLowered."""
    match node:
        case nodes.RequireStmt():
            for each in node.conditions:
                test = condition(each, reading)
                yield Require(test.value(), each.text)
                yield from (Let(name, value) for name, value in test.lets)
        case nodes.LetStmt():
            yield _let(node, reading)
        case nodes.InsertStmt():
            yield _insert(need(node.insert), None, reading)
        case nodes.UpdateStmt():
            yield _update(node, reading)
        case nodes.DeleteStmt():
            yield _delete(node, reading)
        case nodes.IfStmt():
            yield _if(node, reading)
        case nodes.ForStmt(source=source) if source is not None:
            items, name = elements(source.source, reading), need(name_of(source.name))
            yield Loop(name, items, lower_block(need(node.body).statements, reading))
        case nodes.MatchStmt():
            yield from _match(node, reading)
        case nodes.EmitStmt():
            yield Emit(need(name_of(node.name)), lower_expr(node.value, reading))
        case nodes.RefuteStmt():
            yield _refute(node, reading)
        case nodes.ForgetStmt():
            owner = subject_of(need(node.path), reading)
            yield Forget(owner.path, lower_call_args(need(node.args).args, reading))
        case nodes.AssertStmt(condition=asserted):
            yield Assert(lower_expr(asserted, reading), need(asserted).text)
        case nodes.AssertDerivable():
            yield _derivable(node, reading)
        case nodes.ReturnStmt(value=nodes.Call() as call) if (path := _mutation(call, reading)) is not None:
            yield CallMutation(path, lower_all(need(call.args).args, reading), _RETURNED)
            yield Return(ir.Local(_RETURNED))
        case nodes.ReturnStmt():
            yield Return(lower_expr(node.value, reading))
        case nodes.ExprStmt(expr=nodes.Call() as call) if (path := _mutation(call, reading)) is not None:
            yield CallMutation(path, lower_all(need(call.args).args, reading), None)
        case nodes.ExprStmt(expr=expr):
            yield Let("_", lower_expr(expr, reading))
        case _:
            raise NotLowered(node, node.text)


def _if(node: nodes.IfStmt, reading: Reading) -> Branch:
    other = node.otherwise.body if node.otherwise is not None else None
    otherwise: tuple[Statement, ...] = ()
    if isinstance(other, nodes.IfStmt):
        otherwise = (_if(other, reading),)
    elif other is not None:
        otherwise = lower_block(other.statements, reading)
    test = condition(node.condition, reading)
    lets = tuple(Let(name, value) for name, value in test.lets)
    return Branch(test.value(), (*lets, *lower_block(need(node.then).statements, reading)), otherwise)


def _match(node: nodes.MatchStmt, reading: Reading) -> Iterable[Statement]:
    """The arms as branches, the last one innermost; what is matched is evaluated once."""
    name = subject_name(node, reading)
    rest: tuple[Statement, ...] = ()
    for arm in reversed(node.arms):
        way = matched(arm.pattern, ir.Local(name), reading)
        lets = tuple(Let(local, value) for local, value in way.names.values())
        body = arm.body.statements if isinstance(arm.body, nodes.StmtBlock) else [need(arm.body)]
        condition = way.condition()
        if arm.guard is not None:
            guard = way.around(lower_expr(arm.guard.condition, reading), reading)
            condition = ir.Binary("&&", condition, guard, BOOL)
        rest = (Branch(condition, (*lets, *lower_block(body, reading)), rest),)
    yield Let(name, lower_expr(node.scrutinee, reading))
    yield from rest


def _mutation(call: nodes.Call, reading: Reading) -> str | None:
    match reading.meaning(call, call.path):
        case ToSymbol("mutation", path):
            return member_path("mutation", path, need(call.args).args, reading)
        case _:
            return None


def _let(node: nodes.LetStmt, reading: Reading) -> Statement:
    name = normal(need(need(node.name).token).text)
    match node.value:
        case nodes.InsertEntity() | nodes.InsertTuple() | nodes.InsertInto() as insert:
            return _insert(insert, name, reading)
        case nodes.Call() as call if (path := _mutation(call, reading)) is not None:
            return CallMutation(path, lower_all(need(call.args).args, reading), name)
        case value:
            return Let(name, lower_expr(value, reading))


# -- insert -----------------------------------------------------------------------------------------------------------


def _insert(node: View, bind: str | None, reading: Reading) -> Statement:
    match node:
        case nodes.InsertEntity():
            owner = subject_of(need(node.path), reading)
            return InsertEntity(owner.path, _fields(node, owner, node.fields, reading), bind)
        case nodes.InsertTuple():
            return _insert_tuple(node, bind, reading)
        case nodes.InsertInto():
            return _insert_into(node, reading)
        case _:
            raise NotLowered(node, node.text)


def _insert_tuple(node: nodes.InsertTuple, bind: str | None, reading: Reading) -> Statement:
    args = need(node.args).args
    at, until = _time(node.at, reading), _time(node.until, reading)
    if is_iof(node.path):
        owner = _iof_concept(node, args, reading)
        fields = _fields(node, owner, node.fields, reading)
        return InsertMembership(lower_expr(args[0], reading), owner.path, fields, at, until, bind)
    owner = subject_of(need(node.path), reading)
    fields = _fields(node, owner, node.fields, reading)
    return InsertTuple(owner.path, lower_all(args, reading), fields, at, until, bind)


def is_iof(path: nodes.Path | None) -> bool:
    """Is this the `iof` of `insert iof(x, T)` and `delete iof(x, T)`?"""
    return path is not None and names(path) == ("iof",)


def _iof_concept(node: View, args: list[nodes.Expr], reading: Reading) -> Named:
    if len(args) != 2:
        raise NotLowered(node, node.text)
    return subject_of(args[1], reading)


def _insert_into(node: nodes.InsertInto, reading: Reading) -> Statement:
    target = lower_expr(need(node.target).field, reading)
    if not isinstance(target, ir.GetField):
        raise NotLowered(node, node.text)
    return InsertElement(lower_expr(node.value, reading), target.base, target.key)


def _fields(
    node: View, owner: Named, inits: nodes.FieldInits | None, reading: Reading
) -> tuple[tuple[str, ir.Expr], ...]:
    found = []
    for name, value in field_values(inits, reading).items():
        field = field_of(reading.declarations, owner, name)
        if field is None:
            raise NotLowered(node, name)
        found.append((field[1], value))
    return tuple(sorted(found, key=lambda each: each[0]))


def _time(clause: nodes.AtClause | nodes.UntilClause | None, reading: Reading) -> ir.Expr | None:
    return lower_expr(clause.value, reading) if clause else None


# -- update and delete ------------------------------------------------------------------------------------------------


def _update(node: nodes.UpdateStmt, reading: Reading) -> Update:
    name = need(node.name)
    target, type_ = _target(node, reading)
    owner = type_.inner if isinstance(type_, OptionOf) else type_
    if not isinstance(owner, Named):
        raise NotLowered(node, node.text)
    sets = []
    for each in need(node.assignments).assignments:
        field = field_of(reading.declarations, _declaring(each, owner, reading), need(name_of(each.name)))
        if field is None:
            raise NotLowered(each, each.text)
        sets.append((field[1], need(each.op).text, lower_expr(each.value, reading)))
    where = lower_expr(node.where.condition, reading) if node.where else None
    return Update(need(name_of(name)), target, owner.path, tuple(sets), where, _time(node.at, reading))


def _declaring(each: nodes.Assignment, owner: Named, reading: Reading) -> Named:
    """What declares an assigned field: membership granted before may say more than the type of the updated name."""
    match reading.meaning(each.name):
        case ToField(kind, path, _):
            return Named(kind, path)
        case _:
            return owner


def _target(node: nodes.UpdateStmt, reading: Reading) -> tuple[ir.Expr | None, Type | None]:
    """What is updated, and its type; no target when the name stands for every instance of the type."""
    name = need(node.name)
    written = reading.written_type(node.type) if node.type else None
    meaning = reading.meaning(name, node)
    binding = reading.binding_at(name, node)
    if binding is not None and (meaning is None or isinstance(meaning, ToBinding)):
        if binding.start == name.start:
            return None, written or binding.type
        return ir.Local(reading.local(binding.id)), written or binding.type
    return named_value(name, meaning, reading), written or reading.type_of(name)


def _delete(node: nodes.DeleteStmt, reading: Reading) -> Statement:
    args, at = need(node.args).args, _time(node.at, reading)
    if is_iof(node.path):
        owner = _iof_concept(node, args, reading)
        return DeleteMembership(lower_call_args(args[:1], reading)[0], owner.path, at)
    owner = subject_of(need(node.path), reading)
    ends = lower_call_args(args, reading)
    if owner.kind == "concept":
        return DeleteMembership(ends[0], owner.path, at)
    return DeleteTuple(owner.path, ends, at)


def _refute(node: nodes.RefuteStmt, reading: Reading) -> Refute:
    args = need(node.args).args
    key = predicate_key(reading.declared(node.path, node), len(args))
    if key is None:
        raise NotLowered(node, node.text)
    return Refute(key, lower_call_args(args, reading), _time(node.at, reading))
