"""The standpoint lattice of a module: which layers a view reads (semantics S2.1)."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.ir.module import DEFAULT, Standpoint


def layers_of(standpoints: Iterable[Standpoint], view: str) -> tuple[str, ...]:
    """The default layer, then a standpoint's own and those of its ancestors, nearest first."""
    above = {each.path: each.supers for each in standpoints}
    found = [] if view == DEFAULT else [view]
    for name in found:
        found += [each for each in above.get(name, ()) if each not in found]
    return (DEFAULT, *found)


def united(standpoints: Iterable[Standpoint]) -> tuple[Standpoint, ...]:
    """Each standpoint once, with what all of its items say, sorted by path."""
    found: dict[str, set[str]] = {}
    for each in standpoints:
        found.setdefault(each.path, set()).update(each.supers)
    return tuple(Standpoint(path, tuple(sorted(found[path]))) for path in sorted(found))
