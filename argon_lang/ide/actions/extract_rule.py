"""Extract rule: the selected atoms of a clause become a derived predicate of their own, which the clause then reads."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.ide.actions.bound import binders, bound_by
from argon_lang.ide.actions.spot import Spot, fresh_name, locals_in
from argon_lang.problems import Replacement
from argon_lang.program.meanings import Binding
from argon_lang.program.types import Named
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

TITLE = "Extract a rule"
KIND = "refactor.extract"

_NAME = "extracted"


def offered(spot: Spot) -> bool:
    """Whether whole atoms of a clause are selected that can stand alone."""
    return _parts(spot) is not None


def edits(spot: Spot) -> tuple[Replacement, ...]:
    """The new predicate in front of the clause, and its call in place of the atoms."""
    found = _parts(spot)
    if found is None:
        return ()
    atoms, columns, guards = found
    name = fresh_name(_NAME, _taken(spot))
    head = f"{name}({', '.join(each.name for each in columns)})"
    start, end = atoms[0].start, atoms[-1].end
    body = ", ".join([*guards, spot.tree.text[start:end]])
    return spot.beside(f"derive {head} :- {body};\n", before=True), spot.replace(start, end, head)


def _parts(spot: Spot) -> tuple[list[View], list[Binding], list[str]] | None:
    """The selected atoms, the columns of the new predicate, and the atoms that bind what the selected ones do not."""
    atoms = selected(spot)
    if not atoms:
        return None
    start, end = atoms[0].start, atoms[-1].end
    outside = {*locals_in(spot, 0, start), *locals_in(spot, end, len(spot.tree.text))}
    shared = [each for each in locals_in(spot, start, end) if each in outside]
    columns = [spot.bindings[each] for each in shared if each in spot.bindings]
    if not columns or len(columns) != len(shared):
        return None
    guards = _guards(spot, atoms, columns)
    return (atoms, columns, guards) if guards is not None else None


def _guards(spot: Spot, atoms: list[View], columns: list[Binding]) -> list[str] | None:
    """Atoms that bind what the selected ones do not, by its type; None where that cannot be said."""
    targets = {each.id for each in columns} & binders(spot, filter(_takes_a_fresh_name, spot.clause_atoms))
    loose = [each for each in columns if each.id not in bound_by(spot, atoms) and each.id not in targets]
    guards = [_guard(spot, each) for each in loose]
    bound = bound_by(spot, atoms, (each.id for each in loose))
    if None in guards or any(each.id not in bound for each in columns):
        return None
    rest = (each for each in spot.clause_atoms if each.start >= atoms[-1].end and _takes_a_fresh_name(each))
    return [each for each in guards if each is not None] if not binders(spot, rest) & targets else None


def _takes_a_fresh_name(atom: View) -> bool:
    """Whether an atom binds a name that nothing before it may bind."""
    return isinstance(atom, nodes.BindAtom | nodes.InExpr)


def selected(spot: Spot) -> list[View]:
    """The atoms that the selection covers, blanks and commas at its ends left out; none if it cuts one."""
    if spot.start == spot.end:
        return []
    start, end = spot.start, spot.end
    found = [each for each in spot.clause_atoms if each.start < end and start < each.end]
    whole = all(start <= each.start and each.end <= end for each in found)
    rest = spot.tree.text[start : found[0].start] + spot.tree.text[found[-1].end : end] if found and whole else "cut"
    return list(found) if not rest.strip(" \t\r\n,") else []


def _guard(spot: Spot, column: Binding) -> str | None:
    """The atom that says what a column is, where its type is a concept that has a name here."""
    if not isinstance(column.type, Named) or column.type.kind != "concept" or spot.module is None:
        return None
    seen = spot.db.scope(spot.module).names()
    name = next((name for name, found in seen.items() if any(each.path == column.type.path for each in found)), None)
    return f"{column.name}: {name}" if name is not None else None


def _taken(spot: Spot) -> Iterator[str]:
    yield from (each.name for each in spot.bindings.values())
    if spot.module is not None:
        yield from spot.db.scope(spot.module).names()
