"""Subtypes that a `complete` or `partition` group leaves out (language §3.5, OE0242)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from argon_lang.gates.rules import Findings
from argon_lang.ir.lower.item import is_sound
from argon_lang.problems import Note, Problem, args
from argon_lang.program.findings import related_to
from argon_lang.program.model import ConceptSig, Declarations, GroupSig
from argon_lang.program.view import Unit
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes

_KINDS = frozenset((K.N_CONCEPT_DECL, K.N_GROUP_DECL))


def check_covering(units: Iterable[Unit], declarations: Declarations, findings: Findings) -> None:
    """OE0242 at each concept that specializes the whole of a complete group and may have individuals in no member."""
    listed = [unit for unit in units if unit.item.kind in _KINDS and is_sound(unit)]
    signatures = [sig for unit in listed for sig in unit.signatures if isinstance(sig, GroupSig) and sig.complete]
    groups = [sig for sig in signatures if not _by_rule(sig, declarations)]
    if groups:
        by_whole: dict[str, list[GroupSig]] = {}
        for group in groups:
            by_whole.setdefault(group.whole or "", []).append(group)
        for unit in listed:
            findings.add(unit.id, *_uncovered(unit, by_whole, declarations))


def _uncovered(unit: Unit, groups: Mapping[str, list[GroupSig]], declarations: Declarations) -> Iterator[Problem]:
    concepts = (sig for sig in unit.signatures if isinstance(sig, ConceptSig))
    for sig in concepts:
        above = declarations.supers(sig.path)
        found = [group for path in above[1:] for group in groups.get(path, ())]
        for group in found if found and _has_own_instances(sig, declarations) else ():
            if any(each in above for each in group.members):
                continue
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


def _has_own_instances(sig: ConceptSig, declarations: Declarations) -> bool:
    """May an individual be put directly under the concept?"""
    metatype = declarations.metatype(sig.metatype)
    return not sig.derived and (metatype is None or not metatype.abstract)


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]
