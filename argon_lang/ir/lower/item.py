"""One item, lowered: a pure function of the item, its inference and the signatures that it asks for."""

from __future__ import annotations

from collections.abc import Mapping

from argon_lang.ir.lower import absences, aggregates, lookups, patterns
from argon_lang.ir.lower.facts import lower_fact
from argon_lang.ir.lower.fragment import Fragment, summary_of
from argon_lang.ir.lower.functions import lower_function
from argon_lang.ir.lower.queries import lower_query
from argon_lang.ir.lower.reading import NotLowered
from argon_lang.ir.lower.rules import lower_check, lower_derive
from argon_lang.ir.lower.schema import lower_schema
from argon_lang.ir.lower.statements import lower_mutation, lower_test
from argon_lang.ir.lower.traits import lower_impl, lower_trait
from argon_lang.ir.module import Function, Module, Standpoint
from argon_lang.problems import Edit, Fix, Note, Problem, args
from argon_lang.program.model import StandpointSig
from argon_lang.program.view import Unit
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import IncompleteTree

REGISTERED = (absences, aggregates, lookups, patterns)
"""The files that add the lowering of node kinds of their own; imported here so that none is forgotten."""

NO_FUNCTIONS: Mapping[str, Function] = {}


def lower_item(unit: Unit) -> Fragment:
    """The item's part of the module; empty when it is not sound. Functions that read the state are left as calls."""
    return lower_with(unit, NO_FUNCTIONS)


def is_sound(unit: Unit) -> bool:
    """Is nothing of the item in error: neither its syntax nor what its names and types say?"""
    problems = unit.item.problems
    return unit.sound and not (problems and any(problem.code[1:2] == "E" for problem in problems))


def lower_with(unit: Unit, functions: Mapping[str, Function]) -> Fragment:
    """As `lower_item`, with calls of `functions` in rule bodies and facts replaced by what they compute."""
    if not is_sound(unit):
        return Fragment(unit.id)
    try:
        fragment = _lower(unit, functions)
        return fragment if fragment.needs.calls else fragment.needing(summary_of(fragment.part))
    except NotLowered as refusal:
        return Fragment(unit.id, problems=(refused(unit, refusal),))
    except IncompleteTree:
        return Fragment(unit.id)


def _lower(unit: Unit, functions: Mapping[str, Function]) -> Fragment:
    match unit.item.root:
        case nodes.ConceptDecl() | nodes.RelationDecl() | nodes.StructDecl() | nodes.EnumDecl() | nodes.GroupDecl():
            return lower_schema(unit, functions)
        case nodes.TraitDecl() as root:
            return lower_trait(unit, root, functions)
        case nodes.ImplDecl() as root:
            return lower_impl(unit, root, functions)
        case nodes.FactDecl() as root:
            return lower_fact(unit, root, functions)
        case nodes.FnDecl() as root:
            return lower_function(unit, root, functions)
        case nodes.DeriveDecl() as root:
            return lower_derive(unit, root, functions)
        case nodes.CheckDecl() as root:
            return lower_check(unit, root, functions)
        case nodes.QueryDecl() as root:
            return lower_query(unit, root, functions)
        case nodes.MutateDecl() as root:
            return lower_mutation(unit, root, functions)
        case nodes.StandpointDecl():
            return lower_standpoint(unit)
        case nodes.TestDecl() as root if unit.is_own:
            return lower_test(unit, root, functions)
        case _:
            return Fragment(unit.id)


def lower_standpoint(unit: Unit) -> Fragment:
    """What one item says of a standpoint; `link` unites those of all items."""
    nodes_ = (each for each in unit.signatures if isinstance(each, StandpointSig))
    return Fragment(unit.id, Module("", "", standpoints=tuple(Standpoint(each.path, each.supers) for each in nodes_)))


def refused(unit: Unit, refusal: NotLowered) -> Problem:
    """OE1317 at the construct, with the nearest form that can be evaluated."""
    named = [symbol.name for symbol in unit.symbols if symbol.kind != "individual"]
    name = named[0] if named else unit.id.label
    values = args(construct=f"`{_short(refusal.construct)}`", rule=name)
    notes = (Note("nearest", args(nearest=refusal.nearest)),) if refusal.nearest else ()
    fixes: tuple[Fix, ...] = ()
    if refusal.replacement:
        edit = Edit(refusal.start, refusal.end, refusal.replacement)
        fixes = (Fix("replace", (edit,), args(suggestion=refusal.replacement)),)
    return Problem("OE1317", refusal.start, refusal.end, values, (), notes, fixes)


def _short(text: str) -> str:
    """Source text in one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"
