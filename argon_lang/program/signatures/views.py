"""Navigation views `x: T from R.end`: what a view owes to its relation (language.md §3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.problems import Edit, Fix, Note, Problem, args
from argon_lang.program.declarations import Table
from argon_lang.program.findings import related_to
from argon_lang.program.model import FieldSig, RelationSig
from argon_lang.program.paths import name_of
from argon_lang.program.spelling import near
from argon_lang.program.types import ListOf, Named, OptionOf, Type, show
from argon_lang.syntax import nodes


def wrong_views(written: list[nodes.FieldDecl], path: str, table: Table) -> Iterator[Problem]:
    """Problems of the views that the concept `path` declares."""
    own = {each.name: each for each in table.own_fields(path)}
    for each in written:
        sig = own.get(name_of(each.name) or "")
        relation = table.relation(sig.view[0]) if sig is not None and sig.view is not None else None
        if sig is not None and each.view is not None and relation is not None:
            yield from _view(each, each.view, sig, relation, path, table)
        if sig is not None:
            yield from _redeclared(each, sig, path, table)


def _view(
    written: nodes.FieldDecl, view: nodes.ViewClause, sig: FieldSig, relation: RelationSig, path: str, table: Table
) -> Iterator[Problem]:
    at, name = view.relation, _short(relation.path)
    index = next((i for i, end in enumerate(relation.ends) if sig.view is not None and end.name == sig.view[1]), None)
    if at is None or view.end_name is None:
        return
    if len(relation.ends) != 2:
        values = args(name=name, expected="two ends for a view", found=len(relation.ends))
        signature = f"{name}({', '.join(f'{end.name}: {show(end.type)}' for end in relation.ends)})"
        related = related_to("declared", table.symbols(relation.path), signature=signature)
        yield Problem("OE0209", at.start, at.end, values, related)
    elif index is None:
        yield _no_end(view, sig, relation, table)
    else:
        yield from _near_end(view, relation, 1 - index, path, table)
        yield from _far_end(written, sig, relation, index, table)


def _no_end(view: nodes.ViewClause, sig: FieldSig, relation: RelationSig, table: Table) -> Problem:
    """OE0225 with the ends that there are."""
    token, ends = view.end_name, [end.name for end in relation.ends]
    start, end, written = (token.start, token.end, token.text) if token is not None else (view.start, view.end, "")
    close = near(written, ends, 1)
    notes = (Note("fields", args(candidates=", ".join(f"`{each}`" for each in ends))),)
    fixes: tuple[Fix, ...] = ()
    if close:
        notes = (Note("suggest", args(suggestion=close[0])),)
        fixes = (Fix("replace", (Edit(start, end, close[0]),), args(suggestion=close[0])),)
    related = related_to("declared", table.symbols(relation.path), of=_short(relation.path))
    return Problem("OE0225", start, end, args(of=_short(relation.path), name=written), related, notes, fixes)


def _near_end(view: nodes.ViewClause, relation: RelationSig, near_: int, path: str, table: Table) -> Iterator[Problem]:
    """OE0202 when the concept cannot stand at the near end, OE0228 when it could stand at either."""
    own, ends = Named("concept", path), [end.type for end in relation.ends]
    start, end = view.relation.start if view.relation else view.start, view.end
    if not table.is_subtype(own, ends[near_]):
        yield Problem("OE0202", start, end, args(expected=show(ends[near_]), found=show(own)))
    elif table.is_subtype(own, ends[1 - near_]) and not _narrower(ends[near_], ends[1 - near_], table):
        values = args(of=_short(path), name=_short(relation.path))
        related = related_to("relation", table.symbols(relation.path), name=_short(relation.path))
        yield Problem("OE0228", start, end, values, related, (Note("query"),))


def _narrower(ty: Type, than: Type, table: Table) -> bool:
    return table.is_subtype(ty, than) and not table.is_subtype(than, ty)


def _far_end(
    written: nodes.FieldDecl, sig: FieldSig, relation: RelationSig, far: int, table: Table
) -> Iterator[Problem]:
    """OE0202 when the type of the view does not take what stands at the far end, or only one of many."""
    at, found = written.type, relation.ends[far].type
    if at is None:
        return
    inner = sig.type.inner if isinstance(sig.type, OptionOf) else sig.type
    many = isinstance(inner, ListOf)
    element = inner.element if isinstance(inner, ListOf) else inner
    high = relation.bounds[far][1] if relation.bounds else None
    if isinstance(inner, ListOf) and (inner.low, inner.high) != (0, None):
        notes = (Note("admitted", args(expected=f"`[{show(element)}]`; bounds stand at the end of the relation")),)
        yield Problem("OE0007", at.start, at.end, args(construct="a view", found="bounds of its own"), (), notes)
    elif not table.is_subtype(found, element):
        yield Problem("OE0202", at.start, at.end, args(expected=show(found), found=show(element)))
    elif not many and high != 1:
        yield Problem("OE0202", at.start, at.end, args(expected=f"[{show(element)}]", found=show(sig.type)))


def _redeclared(written: nodes.FieldDecl, sig: FieldSig, path: str, table: Table) -> Iterator[Problem]:
    """OE0207 for a field that is stored above and a view here, or the reverse, or a view once more."""
    for above in table.supers(path)[1:]:
        for each in table.own_fields(above):
            if each.name == sig.name and (each.view is not None or sig.view is not None) and written.name is not None:
                values = args(kind="field", name=sig.name, of=_short(path))
                related = related_to("inherited", table.symbols(above), type=_short(above))
                yield Problem("OE0207", written.name.start, written.name.end, values, related)
                return


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]
