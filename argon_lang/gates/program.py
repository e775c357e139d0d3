"""All gates in the order of language §6, over one revision of the program.

Catalog-level checks, those whose variables all range over types, need reflection; this version refuses reflection where
it is written, so there are none to decide here and every check is decided over facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from argon_lang.engine.exprs import Functions
from argon_lang.engine.program import program_rules
from argon_lang.engine.strata import dependencies
from argon_lang.gates.axioms import check_axioms
from argon_lang.gates.caps import Caps
from argon_lang.gates.constructs import check_constructs
from argon_lang.gates.covering import check_covering
from argon_lang.gates.declared import Facts, declared_facts
from argon_lang.gates.defeat import check_defeat
from argon_lang.gates.evaluability import check_evaluability
from argon_lang.gates.instances import check_instances
from argon_lang.gates.recursion import recursion
from argon_lang.gates.rules import Findings, Traced, shapes_of, traced_rules
from argon_lang.gates.strata import check_strata
from argon_lang.gates.tiers import check_tiers
from argon_lang.gates.views import in_view, standpoints_to_check
from argon_lang.gates.violations import check_violations
from argon_lang.gates.vocabulary import check_vocabulary
from argon_lang.ir.expr import Lit
from argon_lang.ir.lattice import layers_of
from argon_lang.ir.lower.dispatch import member_paths
from argon_lang.ir.lower.item import is_sound
from argon_lang.ir.lower.link import Linked, link
from argon_lang.ir.lower.remember import Last
from argon_lang.ir.module import DEFAULT, Function
from argon_lang.problems import ItemId, Problem
from argon_lang.program.types import UNKNOWN
from argon_lang.program.view import ProgramView, Unit
from argon_lang.syntax import kinds as K


def check_program(view: ProgramView) -> Mapping[ItemId, tuple[Problem, ...]]:
    """What the gates after names and types find, by item. Items in error are left out; so is what rests on them."""
    linked = link(view)
    findings = Findings()
    for item, found in linked.problems.items():
        findings.add(item, *found)
    check_constructs(linked.units.values(), view.declarations, findings)
    check_vocabulary(view, linked.module.functions, findings)
    check_covering(view.units(), view.declarations, findings)
    rules, caps = traced_rules(linked), Caps(view.package.max_tier, view.caps())
    known = program_rules(linked.module)
    strata = recursion(known)
    circling = check_defeat(linked, findings)
    if strata.negative:
        others = [each for each in rules if each.trace.item not in circling]
        check_strata(others, strata, dependencies(known), caps, findings)
    check_tiers(rules, strata, caps, findings)
    unsound = [unit for unit in view.units() if not is_sound(unit)]
    functions = Functions([*linked.module.functions, *_unknown_functions(unsound)])
    check_evaluability(rules, shapes_of(linked), functions, strata, findings)
    base = in_view(linked, DEFAULT)
    facts, problems = _instances(view, base)
    for item, found in problems.items():
        findings.add(item, *found)
    views = {name: in_view(linked, name) for name in standpoints_to_check(linked)}
    said = {name: _facts_of(view, each, name, findings) for name, each in views.items()}
    if not unsound and not findings.has_error():
        check_violations(base, rules, facts, findings, lambda check: check.standpoint == DEFAULT)
        for name, each in views.items():
            _violations_in(name, each, rules, said[name], findings)
    return findings.result()


def _facts_of(view: ProgramView, linked: Linked, name: str, findings: Findings) -> Facts:
    """The facts that one standpoint's view has, and what is wrong with its own among them."""
    facts, found = declared_facts(view, linked), Findings()
    check_instances(linked.module, facts, view.declarations, found)
    check_axioms(linked, facts, found)
    _keep(found, linked, name, findings)
    return facts


def _keep(found: Findings, linked: Linked, name: str, findings: Findings) -> None:
    """Tell what is wrong with the items of one standpoint; the others are judged in their own view."""
    for item, problems in found.result().items():
        if linked.units[item].standpoint == name:
            findings.add(item, *problems)


def _violations_in(name: str, linked: Linked, rules: Sequence[Traced], facts: Facts, findings: Findings) -> None:
    """A standpoint's own checks in its view; and those that it shares, as far as its own facts break them."""
    layers, shared = layers_of(linked.module.standpoints, name), Findings()
    check_violations(linked, rules, facts, findings, lambda check: check.standpoint == name)
    check_violations(linked, rules, facts, shared, lambda check: check.standpoint in set(layers) - {name})
    _keep(shared, linked, name, findings)


_DECLARING = frozenset((
    K.N_CONCEPT_DECL, K.N_RELATION_DECL, K.N_STRUCT_DECL, K.N_ENUM_DECL, K.N_FACT_DECL, K.N_GROUP_DECL, K.N_FN_DECL,
))  # fmt: skip
"""The items that the gate over declared facts rests on."""
Instances = tuple[Facts, Mapping[ItemId, tuple[Problem, ...]]]
_INSTANCES: Last[Instances] = Last()


def _instances(view: ProgramView, linked: Linked) -> Instances:
    """The declared facts with what is wrong with them; the same as before while only rules were edited."""

    def check() -> Instances:
        facts, findings = declared_facts(view, linked), Findings()
        check_instances(linked.module, facts, view.declarations, findings)
        check_axioms(linked, facts, findings)
        return facts, findings.result()

    return _INSTANCES.get([unit for unit in view.units() if unit.item.kind in _DECLARING], check)


def _unknown_functions(unsound: Iterable[Unit]) -> Iterator[Function]:
    """Stand-ins for the functions that are in error themselves, so that their callers are not blamed."""
    for unit in unsound:
        for symbol in unit.symbols:
            if symbol.kind == "fn":
                yield Function(symbol.path, (), UNKNOWN, Lit(None), False)
        for sig in unit.signatures:
            yield from (Function(path, (), UNKNOWN, Lit(None), False) for path in member_paths(sig))
