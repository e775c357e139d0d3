"""`where` and `iff` of a concept (language §3.2): conditions to keep, and the rule that decides membership."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from argon_lang.ir.expr import Expr
from argon_lang.ir.lower.atoms import add_atoms, open_body
from argon_lang.ir.lower.canonical import canonical_rule
from argon_lang.ir.lower.expr import lower_expr
from argon_lang.ir.lower.flatten import Draft
from argon_lang.ir.lower.fragment import Trace
from argon_lang.ir.lower.reading import Reading
from argon_lang.ir.lower.rules import Column, trace_of
from argon_lang.ir.module import Function
from argon_lang.ir.rules import Match, Rule, Var
from argon_lang.program.model import ConceptSig
from argon_lang.program.types import Named
from argon_lang.program.view import Unit
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import need


def conditions_of(root: nodes.ConceptDecl, reading: Reading) -> tuple[tuple[Expr, str], ...]:
    """The conditions of a `where` or `iff`, each with its source text in one line."""
    if root.refinement is None:
        return ()
    return tuple((lower_expr(each, reading), " ".join(each.text.split())) for each in root.refinement.conditions)


def membership_rule(
    unit: Unit, root: nodes.ConceptDecl, sig: ConceptSig, functions: Mapping[str, Function]
) -> tuple[Sequence[Rule], Sequence[Trace]]:
    """The rule of an `iff`: who belongs to all superconcepts and meets the conditions belongs to the concept."""
    if root.refinement is None or not root.refinement.derived:
        return (), ()
    draft = Draft(Reading(unit, in_rule=True), functions)
    conditions = root.refinement.conditions
    body = open_body(draft, root, conditions)
    own = need(next((each for each in unit.inference.bindings if each.name == "self"), None))
    subject = Var(draft.local(own.id))
    for each in sig.supers:
        body.add(Match(each, (subject,), draft.site(need(root.supers))))
    add_atoms(conditions, body)
    columns = [Column(subject, "self", Named("concept", sig.path))]
    rule, names = canonical_rule(sig.path, [subject], body.literals, "clause")
    return (rule,), (trace_of(rule, names, draft, root, columns),)
