"""Which locals the atoms of a body bind by themselves, as the rule compiler would find them.

Told by the form of an atom and by what its names mean, and never more than is so: whoever asks wants to take atoms out
of their clause, where nothing else would bind what they do not.
"""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.ide.actions.spot import Spot, local_of, locals_in
from argon_lang.program.meanings import ToSymbol, ToType
from argon_lang.program.types import Named
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_STORED = ("concept", "relation", "predicate")


def binders(spot: Spot, atoms: Iterable[View]) -> set[int]:
    """The locals that stand where these atoms bind, whatever else that may need."""
    everything = set(spot.bindings)
    return {found for each in atoms for found in _binds(spot, each, everything)}


def bound_by(spot: Spot, atoms: Iterable[View], given: Iterable[int] = ()) -> set[int]:
    """The locals that these atoms bind without any other, where those `given` are bound; with them."""
    listed, bound, before = list(atoms), set(given), -1
    while len(bound) > before:
        before = len(bound)
        for each in listed:
            bound |= _binds(spot, each, bound)
    return bound


def _binds(spot: Spot, atom: View, bound: set[int]) -> set[int]:
    match atom:
        case nodes.Call(path=nodes.Path() as path, args=nodes.ArgList() as given) if is_stored(spot, path):
            return _locals(spot, given.args)
        case nodes.TypeAtom(value=value, type=nodes.NamedType(path=nodes.Path() as path)) if is_stored(spot, path):
            return _locals(spot, [value])
        case nodes.BindAtom(target=target, value=View() as value) if bound.issuperset(_inside(spot, value)):
            return _locals(spot, [target])
        case nodes.InExpr(element=element, collection=View() as listed, negated=False):
            return _locals(spot, [element]) if bound.issuperset(_inside(spot, listed)) else set()
        case nodes.StepAtom(source=source, args=nodes.ArgList() as given):
            ends = _locals(spot, [source, *given.args])
            return ends if ends & bound or len(ends) < 2 else set()
        case _:
            return set()


def _inside(spot: Spot, view: View) -> list[int]:
    return locals_in(spot, view.start, view.end)


def _locals(spot: Spot, views: Iterable[View | None]) -> set[int]:
    return {found for each in views if (found := local_of(spot, each)) is not None}


def is_stored(spot: Spot, path: nodes.Path) -> bool:
    """Whether a path means what has rows: a concept, a relation, a derived predicate."""
    return any(
        each.end == path.end
        and (
            (isinstance(each.meaning, ToSymbol) and each.meaning.kind in _STORED)
            or (isinstance(each.meaning, ToType) and isinstance(each.meaning.type, Named))
        )
        for each in spot.occurrences
        if path.start <= each.start and each.end <= path.end
    )
