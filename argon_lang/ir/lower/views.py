"""Navigation views (language §3.2): a field whose rows are those of a relation, read from one of its ends."""

from __future__ import annotations

from argon_lang.ir.codec import rule_id
from argon_lang.ir.names import field_key
from argon_lang.ir.rules import Match, Predicate, Rule, Var
from argon_lang.program.model import Declarations, FieldSig
from argon_lang.program.types import Named
from argon_lang.syntax.tree import need


def view_of(sig: FieldSig, owner: str, declarations: Declarations) -> tuple[Predicate, Rule]:
    """The predicate of a view and its rule. Nothing is stored under its key, so a read of the field finds the tuples.

    As with `<:`, a row of the view is the tuple itself, and a proof of it is the tuple's.
    """
    path, name = need(sig.view)
    ends = need(declarations.relation(path)).ends
    far = next(index for index, end in enumerate(ends) if end.name == name)
    terms = (Var("v1"), Var("v0")) if far == 0 else (Var("v0"), Var("v1"))
    key, head, body = field_key(owner, sig.name), (Var("v0"), Var("v1")), (Match(path, terms),)
    columns = (("it", Named("concept", owner)), (sig.name, ends[far].type))
    return Predicate(key, "field", columns), Rule(rule_id(key, head, body), key, head, body, "subsumption")
