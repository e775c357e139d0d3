"""OW0108: an individual that no concept fact classifies, and that is one letter from one that is (language §3.7)."""

from __future__ import annotations

from argon_lang.gates.declared import Declared, Facts
from argon_lang.gates.rules import Findings
from argon_lang.ir.module import Module
from argon_lang.ir.names import asserted
from argon_lang.ir.values import Entity
from argon_lang.problems import Edit, Fix, Note, Place, Problem, Related, args
from argon_lang.syntax import nodes
from shared_catalog.lookup import distance

LEAST_LETTERS = 4


def check_misspelt(module: Module, facts: Facts, findings: Findings) -> None:
    """Warn once per fact and name."""
    known = {name.rsplit("::", 1)[-1]: name for name in sorted(facts.memberships)}
    for relation in module.relations:
        for fact in facts.of(asserted(relation.path)):
            for index, value in enumerate(fact.fact.row):
                if isinstance(value, Entity) and not (value.id in facts.memberships or value.id in facts.doubtful):
                    _check(fact, index, value, known, facts, findings)


def _check(fact: Declared, index: int, value: Entity, known: dict[str, str], facts: Facts, findings: Findings) -> None:
    name = value.id.rsplit("::", 1)[-1]
    near = [other for other in known if len(name) >= LEAST_LETTERS and distance(name, other) == 1]
    if not near:
        return
    path, declared = facts.memberships[known[near[0]]][0]
    start, end = fact.argument(index)
    classified = declared.argument(0)
    suggestion = args(suggestion=near[0])
    related = Related("known", place=Place(declared.unit.id, *classified), args=suggestion)
    notes = (Note("suggest", suggestion), Note("classify", args(name=name, type=path.rsplit("::", 1)[-1])))
    fix = Fix("replace", tuple(Edit(*span, near[0]) for span in _places(fact, name)), suggestion, safe=False)
    findings.add(
        fact.unit.id, Problem("OW0108", start, end, args(name=name, suggestion=near[0]), (related,), notes, (fix,))
    )


def _places(fact: Declared, name: str) -> list[tuple[int, int]]:
    """Every place where the fact writes the name."""
    paths = (each for each in fact.unit.item.root.descendants() if isinstance(each, nodes.Path))
    return [(each.start, each.end) for each in paths if each.text == name]
