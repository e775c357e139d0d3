"""Endpoints and fields of declared facts: an individual is what some fact says it is (language §3.7, OE0229)."""

from __future__ import annotations

from argon_lang.gates.declared import Declared, Facts
from argon_lang.gates.rules import Findings
from argon_lang.ir.module import Concept, Field, Module, Relation
from argon_lang.ir.names import asserted
from argon_lang.ir.values import Entity, Value
from argon_lang.problems import Edit, Fix, Note, Place, Problem, Related, args
from argon_lang.program.findings import related_to
from argon_lang.program.model import Declarations
from argon_lang.program.types import Named, show


def check_membership(module: Module, facts: Facts, declarations: Declarations, findings: Findings) -> None:
    """OE0229 at each argument and field value that no fact classifies as its place needs; OW0245 where that is open."""
    for relation in module.relations:
        for fact in facts.of(asserted(relation.path)):
            for index, (name, type_) in enumerate(relation.ends):
                value = fact.fact.row[index]
                if isinstance(type_, Named) and type_.kind == "concept":
                    _check(fact, value, type_, relation, name, fact.argument(index), facts, declarations, findings)
    owners: list[Concept | Relation] = [*module.concepts, *module.relations]
    for owner in owners:
        for field in owner.fields:
            _check_field(owner, field, facts, declarations, findings)


def _check_field(
    owner: Concept | Relation, field: Field, facts: Facts, declarations: Declarations, findings: Findings
) -> None:
    if not (isinstance(field.type, Named) and field.type.kind == "concept"):
        return
    for fact in facts.of(field.key):
        subject = fact.fact.row[0]
        if isinstance(owner, Concept) and not facts.may_be(subject, owner.path, fact, declarations):
            continue
        place = fact.init(field.name)
        _check(fact, fact.fact.row[1], field.type, owner, field.name, place, facts, declarations, findings)


def _check(
    fact: Declared,
    value: Value,
    wanted: Named,
    owner: Concept | Relation,
    endpoint: str,
    place: tuple[int, int],
    facts: Facts,
    declarations: Declarations,
    findings: Findings,
) -> None:
    if not isinstance(value, Entity) or facts.may_be(value, wanted.path, fact, declarations):
        return
    name, expected, of = value.id.rsplit("::", 1)[-1], show(wanted), owner.path.rsplit("::", 1)[-1]
    if facts.may_turn_out(value, wanted.path, fact, declarations):
        findings.add(fact.unit.id, undecided(name, of, wanted.path, place, declarations))
        return
    values = args(name=name, expected=expected, of=of, endpoint=endpoint)
    suggestion = args(name=name, expected=expected)
    end = len(fact.unit.item.text.rstrip())
    fix = Fix("classify", (Edit(end, end, f"\nfact {expected}({name});"),), suggestion, safe=False)
    related = _classified(value, name, facts)
    findings.add(fact.unit.id, Problem("OE0229", *place, values, related, (Note("classify", suggestion),), (fix,)))


def undecided(name: str, of: str, concept: str, place: tuple[int, int], declarations: Declarations) -> Problem:
    """OW0245: what an open concept leaves unknown is no error."""
    values = args(name=name, of=of, type=concept.rsplit("::", 1)[-1])
    related = related_to("open", declarations.symbols(concept))
    return Problem("OW0245", *place, values, related, (Note("decide"),))


def _classified(value: Entity, name: str, facts: Facts) -> tuple[Related, ...]:
    """Where a fact says what the individual is instead."""
    for path, declared in facts.memberships.get(value.id, ()):
        start, end = declared.argument(0)
        found = path.rsplit("::", 1)[-1]
        return (Related("classified", place=Place(declared.unit.id, start, end), args=args(name=name, found=found)),)
    return ()
