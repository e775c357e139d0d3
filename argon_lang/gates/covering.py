"""Subtypes that a `complete` or `partition` group leaves out (language §3.5, OE0242)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from argon_lang.gates.rules import Findings
from argon_lang.ir.lower.item import is_sound
from argon_lang.problems import ItemId, Note, Problem, args
from argon_lang.program.findings import related_to
from argon_lang.program.model import ConceptSig, Declarations, GroupSig
from argon_lang.program.view import Unit
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes

_KINDS = frozenset((K.N_CONCEPT_DECL, K.N_GROUP_DECL))


def check_covering(units: Iterable[Unit], declarations: Declarations, findings: Findings) -> None:
    """OE0242 at each concept that specializes the whole of a complete group and may have individuals in no member."""
    listed = [unit for unit in units if unit.item.kind in _KINDS and is_sound(unit)]
    groups = [(unit.id, sig) for unit in listed for sig in unit.signatures if isinstance(sig, GroupSig)]
    for item, group in groups:
        for unit in listed if group.complete and group.whole and not _by_rule(group, declarations) else ():
            findings.add(unit.id, *_uncovered(unit, group, item, declarations))


def _uncovered(unit: Unit, group: GroupSig, item: ItemId, declarations: Declarations) -> Iterator[Problem]:
    for sig in unit.signatures:
        if isinstance(sig, ConceptSig) and _is_left_out(sig, group, declarations):
            name, of = _short(sig.path), _short(group.whole or "")
            shown = ", ".join(f"`{_short(path)}`" for path in group.members)
            root = unit.item.root
            at = root.name if isinstance(root, nodes.ConceptDecl) and root.name is not None else root
            related = related_to("group", declarations.symbols(group.whole or ""))
            values = args(name=name, of=of, candidates=shown)
            yield Problem("OE0242", at.start, at.end, values, related, (Note("place"),))


def _by_rule(group: GroupSig, declarations: Declarations) -> bool:
    """Is a member an `iff` type? Then individuals get into it by their fields, whatever they are declared under."""
    return any(sig.derived for path in group.members if (sig := declarations.concept(path)) is not None)


def _is_left_out(sig: ConceptSig, group: GroupSig, declarations: Declarations) -> bool:
    """Is it below the whole, under no member, and no concept whose individuals all belong to something else anyway?"""
    above, metatype = declarations.supers(sig.path), declarations.metatype(sig.metatype)
    if metatype is not None and metatype.abstract:
        return False
    return sig.path != group.whole and group.whole in above and not any(each in above for each in group.members)


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]
