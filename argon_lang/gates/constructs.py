"""What only the whole program shows of a declaration (language §6): OE0249.

A field reaches a concept or a relation from two declarations that know nothing of each other. They are two fields, and
its rows would need two keys.
"""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.gates.rules import Findings
from argon_lang.ir.lower.keys import declaring_tops
from argon_lang.problems import Note, Problem, Related, args
from argon_lang.program.findings import related_to
from argon_lang.program.model import ConceptSig, Declarations, RelationSig
from argon_lang.program.types import Named
from argon_lang.program.view import Unit
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes

_WITH_FIELDS = frozenset((K.N_CONCEPT_DECL, K.N_RELATION_DECL))


def check_constructs(units: Iterable[Unit], declarations: Declarations, findings: Findings) -> None:
    """OE0249 at the supertypes of a declaration that inherits one field twice."""
    for unit in units:
        for sig in unit.signatures if unit.item.kind in _WITH_FIELDS else ():
            if isinstance(sig, ConceptSig | RelationSig) and len(sig.supers) > 1:
                findings.add(unit.id, *_inherited_twice(unit, sig, declarations))


def _inherited_twice(unit: Unit, sig: ConceptSig | RelationSig, declarations: Declarations) -> Iterable[Problem]:
    kind = "concept" if isinstance(sig, ConceptSig) else "relation"
    for field in declarations.fields(Named(kind, sig.path)):
        tops = sorted(declaring_tops(declarations, sig.path, field.name))
        if len(tops) > 1:
            supers: nodes.Supers | None = getattr(unit.item.root, "supers", None)
            place = (supers.start, supers.end) if supers is not None else (0, 0)
            name, first, second = (path.rsplit("::", 1)[-1] for path in (sig.path, *tops[:2]))
            values = args(name=name, field=field.name, of=first, found=second)
            related = [each for top in tops[:2] for each in _declared(top, field.name, declarations)]
            notes = (Note("common", args(field=field.name)),)
            yield Problem("OE0249", *place, values, tuple(related), notes)


def _declared(owner: str, field: str, declarations: Declarations) -> Iterable[Related]:
    return related_to("declared", declarations.symbols(owner), field=field)
