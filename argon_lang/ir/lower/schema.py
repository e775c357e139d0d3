"""Declarations of data: concepts, relations, structs, enums, and the predicates and rules that come with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from argon_lang.ir import expr as ir
from argon_lang.ir.codec import rule_id
from argon_lang.ir.lower.expr import lower_expr
from argon_lang.ir.lower.fragment import Fragment
from argon_lang.ir.lower.instances import instance_facts
from argon_lang.ir.lower.keys import storage_key
from argon_lang.ir.lower.reading import Reading
from argon_lang.ir.lower.refinements import conditions_of, membership_rule
from argon_lang.ir.lower.views import view_of
from argon_lang.ir.module import Concept, Enum, Field, Function, Group, Module, Relation, Struct, Variant
from argon_lang.ir.names import asserted, field_key
from argon_lang.ir.rules import Match, Predicate, Rule, Var
from argon_lang.ir.values import Entity
from argon_lang.program.instances import generic_of
from argon_lang.program.model import (
    ConceptSig,
    Declarations,
    EnumSig,
    FieldSig,
    GroupSig,
    RelationSig,
    Signature,
    StructSig,
)
from argon_lang.program.paths import name_of
from argon_lang.program.types import TOP, ListOf, Named, OptionOf, Type, TypeVar, inside
from argon_lang.program.view import Unit
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import need


def lower_schema(unit: Unit, functions: Mapping[str, Function]) -> Fragment:
    """What a declaration of data adds to the module. Default values are expressions over the state of their moment."""
    reading = Reading(unit)
    defaults = _defaults(unit, reading)
    part = _together([_declared(sig, defaults, reading) for sig in unit.signatures])
    root, first = unit.item.root, next(iter(unit.signatures), None)
    if not isinstance(root, nodes.ConceptDecl) or not isinstance(first, ConceptSig):
        return Fragment(unit.id, part)
    if first.instance_of:
        itself = ((first.path, Entity(first.path)),)
        part = replace(part, individuals=itself, facts=instance_facts(root, first, reading))
    if root.refinement is None:
        return Fragment(unit.id, part)
    rules, traces = membership_rule(unit, root, first, functions)
    refined = replace(part.concepts[0], conditions=conditions_of(root, reading), derived=first.derived)
    concepts = (refined, *part.concepts[1:])
    return Fragment(unit.id, replace(part, concepts=concepts, rules=(*part.rules, *rules)), tuple(traces))


def _declared(sig: Signature, defaults: Mapping[str, ir.Expr], reading: Reading) -> Module:
    match sig:
        case ConceptSig():
            return _concept(sig, defaults, reading)
        case RelationSig():
            return _relation(sig, defaults, reading)
        case StructSig():
            fields = tuple((each.name, each.type, defaults.get(each.name)) for each in sig.fields)
            return Module("", "", structs=(Struct(sig.path, fields, tuple(each.name for each in sig.generics)),))
        case EnumSig():
            return Module("", "", enums=(_enum(sig),))
        case GroupSig():
            return Module("", "", groups=(Group(sig.members, sig.whole, sig.disjoint, sig.complete),))
        case _:
            return Module("", "")


def _together(parts: Sequence[Module]) -> Module:
    """One module with everything of several; only a concept with its subtypes has more than one."""
    if len(parts) == 1:
        return parts[0]
    return Module(
        "",
        "",
        concepts=tuple(each for part in parts for each in part.concepts),
        predicates=tuple(each for part in parts for each in part.predicates),
        rules=tuple(each for part in parts for each in part.rules),
        groups=tuple(each for part in parts for each in part.groups),
    )


def _enum(sig: EnumSig) -> Enum:
    variants = (Variant(each.name, tuple((end.name, end.type) for end in each.payload)) for each in sig.variants)
    return Enum(sig.path, tuple(variants), tuple(each.name for each in sig.generics))


def _concept(sig: ConceptSig, defaults: Mapping[str, ir.Expr], reading: Reading) -> Module:
    of_instances = tuple(each for each in sig.fields if _is_typed(each.type))
    stored = tuple(each for each in sig.fields if each.view is None and each not in of_instances)
    views = [view_of(each, sig.path, reading.declarations) for each in sig.fields if each.view is not None]
    fields = tuple(_field(each, defaults, reading) for each in stored)
    metatype = reading.declarations.metatype(sig.metatype)
    abstract = metatype is not None and metatype.abstract
    concept = Concept(sig.path, sig.metatype, sig.supers, fields, abstract, open=_is_open(sig, reading))
    columns: tuple[tuple[str, Type], ...] = (("it", Named("concept", sig.path)),)
    return Module(
        "",
        "",
        concepts=(concept,),
        predicates=(
            *_closed(sig.path, "concept", columns),
            *_fields(stored, fields, sig.path, "concept"),
            *(shape for shape, _ in views),
            *(_shape(sig.path, each) for each in of_instances),
        ),
        rules=(
            *(() if sig.derived else closure_rules(sig.path, _asserted_above(sig.supers, reading.declarations), 1)),
            *(rule for _, rule in views),
        ),
    )


def _is_open(sig: ConceptSig, reading: Reading) -> bool:
    """Is absence from the concept unknown? By its own word, else its package's; what rules decide is never open."""
    return not sig.derived and (sig.world == "open" or (not sig.world and reading.unit.open_world))


def _asserted_above(supers: Iterable[str], declarations: Declarations) -> Iterable[str]:
    """What an asserted membership brings about: the superconcepts, in the place of an `iff` type those above it.

    Who belongs to an `iff` type follows from its rule alone, which asks for everything above it.
    """
    found: dict[str, None] = {}
    todo = list(supers)
    for path in todo:
        sig = declarations.concept(path)
        if sig is None or not sig.derived:
            found[path] = None
        else:
            todo += [each for each in sig.supers if each not in todo]
    return found


def _relation(sig: RelationSig, defaults: Mapping[str, ir.Expr], reading: Reading) -> Module:
    fields = tuple(_field(each, defaults, reading) for each in sig.fields)
    columns = tuple((end.name, end.type) for end in sig.ends)
    metarel = reading.declarations.metarel(sig.metarel)
    abstract = metarel is not None and metarel.abstract
    relation = Relation(sig.path, sig.metarel, columns, sig.bounds, sig.supers, fields, abstract)
    return Module(
        "",
        "",
        relations=(relation,),
        predicates=(*_closed(sig.path, "relation", columns), *_fields(sig.fields, fields, sig.path, "relation")),
        rules=closure_rules(sig.path, sig.supers, len(columns)),
    )


def _closed(path: str, kind: str, columns: tuple[tuple[str, Type], ...]) -> Iterable[Predicate]:
    return Predicate(path, kind, columns), Predicate(asserted(path), kind, columns)


def _fields(sigs: Iterable[FieldSig], fields: Iterable[Field], path: str, kind: str) -> Iterable[Predicate]:
    """Predicates of the fields that are stored under this declaration's own key."""
    for sig, field in zip(sigs, fields, strict=True):
        if field.key == f"{path}.{sig.name}":
            yield Predicate(field.key, "field", (("it", Named(kind, path)), (sig.name, field.type)))


def closure_rules(path: str, supers: Iterable[str], arity: int) -> tuple[Rule, ...]:
    """What is asserted holds; what holds of a subtype holds of its supertypes."""
    head = tuple(Var(f"v{index}") for index in range(arity))

    def rule(key: str, source: str) -> Rule:
        body = (Match(source, head),)
        return Rule(rule_id(key, head, body), key, head, body, "subsumption")

    return (rule(path, asserted(path)), *(rule(above, path) for above in supers))


def _field(sig: FieldSig, defaults: Mapping[str, ir.Expr], reading: Reading) -> Field:
    optional, inner = isinstance(sig.type, OptionOf), sig.type
    if isinstance(inner, OptionOf):
        inner = inner.inner
    many = isinstance(inner, ListOf)
    low, high = (inner.low, inner.high) if isinstance(inner, ListOf) else (0, None)
    element = inner.element if isinstance(inner, ListOf) else inner
    key = storage_key(reading.declarations, sig.owner, sig.name)
    return Field(sig.name, key, element, sig.mutable, optional, many, low, high, defaults.get(sig.name))


def _is_typed(ty: Type) -> bool:
    """Does a type parameter of the concept occur in it? Then the instances store the field."""
    return any(isinstance(part, TypeVar) for part in inside(ty))


def _shape(path: str, field: FieldSig) -> Predicate:
    """A field that the instances store: of the generic concept the values are of any type."""
    return Predicate(field_key(path, field.name), "field", (("it", Named("concept", path)), (field.name, TOP)))


def lower_instance(path: str, unit: Unit) -> Module:
    """A generic concept with types for its parameters: a concept of its own that narrows fields of the generic one.

    `unit` is the item that declares the generic concept.
    """
    sig, reading = unit.declarations.concept(path), Reading(unit)
    if sig is None:
        return Module("", "")
    made = _concept(sig, _defaults(unit, reading), reading)
    views = (_rule((field_key(generic_of(path), each.name), field_key(path, each.name))) for each in sig.fields)
    return replace(made, rules=(*made.rules, *views))


def _rule(keys: tuple[str, str]) -> Rule:
    """What an instance stores in a field is a value of the generic concept's."""
    (key, below), head = keys, (Var("v0"), Var("v1"))
    body = (Match(below, head),)
    return Rule(rule_id(key, head, body), key, head, body, "subsumption")


def _defaults(unit: Unit, reading: Reading) -> dict[str, ir.Expr]:
    """The default values of the item's fields, by name."""
    root = unit.item.root
    members: Iterable[object] = ()
    match root:
        case nodes.ConceptDecl(body=body) if body is not None:
            members = body.members
        case nodes.RelationDecl(body=fields) if fields is not None:
            members = fields.fields
        case nodes.StructDecl(fields=fields) if fields is not None:
            members = fields.fields
    found = (each for each in members if isinstance(each, nodes.FieldDecl) and each.default is not None)
    return {need(name_of(each.name)): lower_expr(need(each.default).value, reading) for each in found}
