"""Traits and impls, lowered (language §3.6): clauses of the trait's predicates, and members that are called.

A trait's predicate has the clauses of all its impls, each for the individuals of its target. Functions, queries and
mutations of an `impl` stand under paths of their own (`dispatch.given_by`); the trait has one function or mutation
for each that goes through the targets, and the predicate of all who implement it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from argon_lang.ir import expr as ir
from argon_lang.ir.codec import rule_id
from argon_lang.ir.lower.atoms import add_membership
from argon_lang.ir.lower.canonical import canonical_rule
from argon_lang.ir.lower.columns import join
from argon_lang.ir.lower.dispatch import given_by, implementors_key, impls_by_target, value_key
from argon_lang.ir.lower.expr import lower_expr
from argon_lang.ir.lower.flatten import Conjunction, Draft
from argon_lang.ir.lower.fragment import Fragment
from argon_lang.ir.lower.functions import lower_function
from argon_lang.ir.lower.queries import lower_query
from argon_lang.ir.lower.reading import NotLowered, Reading
from argon_lang.ir.lower.rules import Column, declared_path, lower_check, lower_derive, trace_of
from argon_lang.ir.lower.statements import lower_mutation
from argon_lang.ir.module import Function, Module, Mutation, Param
from argon_lang.ir.names import AGGREGATE, derived_key
from argon_lang.ir.rules import Bind, Match, Predicate, Rule, Var
from argon_lang.ir.statements import Branch, CallMutation, Require, Return, Statement
from argon_lang.problems import Problem, args
from argon_lang.program.infer.traits import self_places
from argon_lang.program.model import CallableSig, ImplSig, ToBinding, TraitSig
from argon_lang.program.paths import name_of
from argon_lang.program.signatures.impls import as_given, key_of
from argon_lang.program.types import ENTITY, UNKNOWN, Named, Type, TypeVar, show, substituted
from argon_lang.program.view import Unit
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need

Functions = Mapping[str, Function]


# -- impls ------------------------------------------------------------------------------------------------------------


def lower_impl(unit: Unit, root: nodes.ImplDecl, functions: Functions) -> Fragment:
    """The members of an `impl`, each lowered as an item of its own."""
    own = next((each for each in unit.signatures if isinstance(each, ImplSig)), None)
    trait = unit.declarations.trait(own.trait) if own is not None else None
    if own is None or trait is None or not isinstance(own.target, Named):
        return Fragment(unit.id)
    asked = {key_of(each): each for each in as_given(trait, own.target)}
    found: list[Fragment] = []
    for part, member, sig in _members(unit, root, own, own.target.path):
        found.append(_member(part, member, functions, asked[key_of(sig)]))
        if (
            isinstance(member, nodes.FnDecl)
            and len(sig.params) == 1
            and len(impls_by_target(unit.declarations, own.trait)) > 1
        ):
            found.append(_value(part, member, functions, own))
    return _joined(unit, found)


def _members(unit: Unit, root: nodes.ImplDecl, own: ImplSig, target: str) -> Iterator[tuple[Unit, View, CallableSig]]:
    """The members of an `impl`, each with the unit that it would be as an item of its own, and its signature."""
    suffix = given_by(target)
    for member, sig in zip(need(root.members).members, own.members, strict=True):
        predicate = isinstance(member, nodes.DeriveDecl)
        yield replace(unit, module=own.trait, signatures=(sig,), suffix="" if predicate else suffix), member, sig


def written(unit: Unit) -> Iterator[tuple[str, tuple[Unit, nodes.QueryDecl]]]:
    """The queries that an item has, by path: its own, or those of an `impl`."""
    root = unit.item.root
    own = next((each for each in unit.signatures if isinstance(each, ImplSig)), None)
    if isinstance(root, nodes.QueryDecl):
        yield declared_path(unit, root.name), (unit, root)
    elif isinstance(root, nodes.ImplDecl) and own is not None and isinstance(own.target, Named):
        for part, member, _ in _members(unit, root, own, own.target.path):
            if isinstance(member, nodes.QueryDecl):
                yield declared_path(part, member.name), (part, member)


def _member(unit: Unit, member: object, functions: Functions, asked: CallableSig) -> Fragment:
    heads = tuple(param.type for param in asked.params)
    match member:
        case nodes.DeriveDecl():
            return lower_derive(unit, member, functions, heads)
        case nodes.CheckDecl():
            return lower_check(unit, member, functions, heads)
        case nodes.FnDecl():
            return lower_function(unit, member, functions)
        case nodes.QueryDecl():
            return lower_query(unit, member, functions)
        case nodes.MutateDecl():
            return lower_mutation(unit, member, functions)
        case _:
            return Fragment(unit.id)


def _value(unit: Unit, member: nodes.FnDecl, functions: Functions, own: ImplSig) -> Fragment:
    """The rows of a function of one individual, for rules; why there are none, where its body has no such form."""
    key, target = value_key(f"{own.trait}::{name_of(member.name)}"), own.target
    try:
        draft = Draft(Reading(unit, in_rule=True, functions=functions), functions)
        parameter = need(member.params).params[0]
        meaning = draft.reading.meaning(parameter)
        if not isinstance(meaning, ToBinding):
            raise NotLowered(parameter, parameter.text)
        subject, value = Var(draft.local(meaning.id)), Var(draft.fresh("value"))
        body = Conjunction(draft, member)
        add_membership(parameter, subject, target, body)
        written = member.value.value if member.value else member.body
        flat = body.flat(lower_expr(written, draft.reading), need(written))
        body.add(Bind(value.name, flat, draft.site(need(written))))
        result = need(unit.signatures[0]).result if isinstance(unit.signatures[0], CallableSig) else None
        columns = [Column(subject, "self", target), Column(value, "value", result or UNKNOWN)]
        rule, names = canonical_rule(key, [subject, value], body.literals, "clause")
    except NotLowered as refusal:
        name = f"{name_of(member.name)} for {show(target)}"
        values = args(construct=f"`{' '.join(refusal.construct.split())[:60]}`", rule=name)
        return Fragment(unit.id, held=((key, Problem("OE1317", refusal.start, refusal.end, values)),))
    part = draft.reading.with_added(Module("", "", rules=(rule,)))
    traces = (trace_of(rule, names, draft, member, columns), *draft.reading.folds)
    return Fragment(unit.id, part, traces, on_demand=(key,))


def _joined(unit: Unit, found: Iterable[Fragment]) -> Fragment:
    """One fragment of the parts of one item."""
    parts = list(found)
    lists: dict[str, Any] = {}
    for field in fields(Module):
        values = [getattr(each.part, field.name) for each in parts]
        if field.name not in ("package", "version", "source") and values:
            lists[field.name] = tuple(entry for value in values for entry in value)
    traces = tuple(trace for each in parts for trace in each.traces)
    held = tuple(each for part in parts for each in part.held)
    on_demand = tuple(each for part in parts for each in part.on_demand)
    defeasible = tuple(each for part in parts for each in part.defeasible)
    part = Module("", "", **lists)
    return Fragment(unit.id, part, traces, held=held, on_demand=on_demand, defeasible=defeasible)


# -- traits -----------------------------------------------------------------------------------------------------------


def lower_trait(unit: Unit, root: nodes.TraitDecl, functions: Functions) -> Fragment:
    """Who implements a trait, its predicates where no `impl` has a clause, the members that go through the impls."""
    sig = next((each for each in unit.signatures if isinstance(each, TraitSig)), None)
    if sig is None:
        return Fragment(unit.id)
    impls = impls_by_target(unit.declarations, sig.path)
    individual = _individual([target for target, _ in impls], unit)
    key = implementors_key(sig.path)
    shapes = [Predicate(key, "derived", (("it", individual),))]
    if not impls:
        shapes += [_shape(each, sig.path, individual) for each in sig.members if each.kind == "predicate"]
    rules = tuple(_implementor(key, target) for target, _ in impls)
    part = Module("", "", predicates=tuple(shapes), rules=rules)
    called = [each for each in sig.members if each.kind in ("fn", "query", "mutation") and impls]
    functions_ = tuple(_function(each, sig.path, individual, impls) for each in called if each.kind != "mutation")
    mutations = tuple(_mutation(each, sig.path, individual, impls) for each in called if each.kind == "mutation")
    return Fragment(unit.id, replace(part, functions=functions_, mutations=mutations))


def _individual(targets: Iterable[str], unit: Unit) -> Type:
    """What all who implement a trait have in common."""
    found: Type | None = None
    for target in targets:
        one = Named("concept", target)
        found = one if found is None else join(found, one, unit.declarations)
    return found or ENTITY


def _shape(sig: CallableSig, trait: str, individual: Type) -> Predicate:
    values: dict[TypeVar, Type] = {TypeVar(trait, "Self"): individual}
    columns = tuple((each.name, substituted(each.type, values)) for each in sig.params)
    return Predicate(derived_key(sig.path, len(columns)), "derived", columns)


def _implementor(key: str, target: str) -> Rule:
    head = (Var("v0"),)
    body = (Match(target, head),)
    return Rule(rule_id(key, head, body), key, head, body, "subsumption")


Impls = list[tuple[str, ImplSig]]


def _params(sig: CallableSig, trait: str, individual: Type) -> tuple[tuple[Param, ...], Type | None]:
    values: dict[TypeVar, Type] = {TypeVar(trait, "Self"): individual}
    params = tuple(Param(each.name, substituted(each.type, values)) for each in sig.params)
    return params, None if sig.result is None else substituted(sig.result, values)


def _subject(sig: CallableSig, trait: str) -> ir.Local:
    return ir.Local(sig.params[self_places(sig, trait)[0]].name)


def _function(sig: CallableSig, trait: str, individual: Type, impls: Impls) -> Function:
    """A function that goes through the impls. Who implements none has no value, which is a domain error."""
    params, result = _params(sig, trait, individual)
    subject, given = _subject(sig, trait), tuple(ir.Local(each.name) for each in params)
    key, terms = implementors_key(trait), (Var("v0"),)
    body_ = (Match(key, terms),)
    nobody = Rule(rule_id(AGGREGATE, terms, body_), AGGREGATE, terms, body_, "aggregate", ("v0",))
    body: ir.Expr = ir.Fold("one", nobody, (subject,), result or UNKNOWN)
    for target, _ in reversed(impls):
        path = sig.path + given_by(target)
        call: ir.Expr = ir.CallFn(path, given) if sig.kind == "fn" else ir.CallQuery(path, given)
        body = ir.If(ir.Holds(target, (subject,)), call, body)
    return Function(sig.path, params, result or UNKNOWN, body, True)


def _mutation(sig: CallableSig, trait: str, individual: Type, impls: Impls) -> Mutation:
    """A mutation that goes through the impls, and refuses who implements none."""
    params, result = _params(sig, trait, individual)
    subject, given = _subject(sig, trait), tuple(ir.Local(each.name) for each in params)
    text = f"implements(meta({subject.name}), {trait.rpartition('::')[2]})"
    rest: tuple[Statement, ...] = (Require(ir.Holds(implementors_key(trait), (subject,)), text),)
    for target, _ in reversed(impls):
        path = sig.path + given_by(target)
        call: tuple[Statement, ...] = (CallMutation(path, given, None),)
        if result is not None:
            call = (CallMutation(path, given, "result"), Return(ir.Local("result")))
        rest = (Branch(ir.Holds(target, (subject,)), call, rest),)
    return Mutation(sig.path, params, result, rest)
