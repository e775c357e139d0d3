"""Constructs that only the whole program shows to be beyond this version (language §6).

What one item shows is refused where its names and types are checked. Left for here: a field that reaches a concept or a
relation from two declarations that know nothing of each other. Its rows would need two keys.
"""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.gates.rules import Findings
from argon_lang.ir.lower.keys import declaring_tops
from argon_lang.problems import Note, Problem, args
from argon_lang.program.model import ConceptSig, Declarations, RelationSig
from argon_lang.program.types import Named
from argon_lang.program.view import Unit
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes

_WITH_FIELDS = frozenset((K.N_CONCEPT_DECL, K.N_RELATION_DECL))


def check_constructs(units: Iterable[Unit], declarations: Declarations, findings: Findings) -> None:
    """OE0703 at the supertypes of a declaration that inherits one field twice."""
    for unit in units:
        for sig in unit.signatures if unit.item.kind in _WITH_FIELDS else ():
            if isinstance(sig, ConceptSig | RelationSig) and len(sig.supers) > 1:
                findings.add(unit.id, *_inherited_twice(unit, sig, declarations))


def _inherited_twice(unit: Unit, sig: ConceptSig | RelationSig, declarations: Declarations) -> Iterable[Problem]:
    kind = "concept" if isinstance(sig, ConceptSig) else "relation"
    for field in declarations.fields(Named(kind, sig.path)):
        owners = [path.rsplit("::", 1)[-1] for path in sorted(declaring_tops(declarations, sig.path, field.name))]
        if len(owners) > 1:
            supers: nodes.Supers | None = getattr(unit.item.root, "supers", None)
            place = (supers.start, supers.end) if supers is not None else (0, 0)
            construct = f"the field `{field.name}` inherited from both `{owners[0]}` and `{owners[1]}`"
            notes = (Note("nearest", args(nearest=f"`{field.name}` in a common supertype of the two")),)
            yield Problem("OE0703", *place, args(construct=construct), (), notes)
