"""Fields of concepts, relations and structs (language.md §3.2 to §3.4)."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.problems import Note, Problem, args
from argon_lang.program.model import FieldSig, ToType, Use
from argon_lang.program.paths import name_of, normal, segments
from argon_lang.program.signatures.context import Context
from argon_lang.program.types import Named
from argon_lang.syntax import nodes


def fields(written: Iterable[nodes.FieldDecl], owner: str, context: Context) -> tuple[FieldSig, ...]:
    """The signatures of the fields of `owner`, each name once; a second one of a name is OE0207."""
    found: dict[str, FieldSig] = {}
    listed = list(written)
    context.distinct((each.name for each in listed), "field", owner.rsplit("::", 1)[-1])
    for each in listed:
        name = name_of(each.name)
        if name is not None:
            ty = context.type(each.type)
            view = _view(each, each.view, context) if each.view is not None else None
            found.setdefault(name, FieldSig(name, owner, ty, each.mutable, each.default is not None, view))
    return tuple(found.values())


def _view(written: nodes.FieldDecl, view: nodes.ViewClause, context: Context) -> tuple[str, str]:
    """The relation and the end that a view shows. Only concepts have views; what is not stored is not set."""
    if not isinstance(written.parent, nodes.ConceptBody):
        values = args(construct="a field of a struct or relation", found="navigation view (`from`)")
        notes = (Note("admitted", args(expected="a default; a query or a rule goes from one to the other")),)
        context.out.problems.append(Problem("OE0007", view.start, view.end, values, notes=notes))
    if written.default is not None:
        _not_admitted("default", written.default.start, written.default.end, context)
    if written.mutable:
        token = next(iter(written.own_tokens))
        _not_admitted("`mut`", token.start, token.end, context)
    symbol = context.symbol(view.relation, ("relation",), "relation", "a relation")
    if symbol is None or view.relation is None or view.end_name is None:
        return "", ""
    last = segments(view.relation)[-1]
    context.out.uses.append(Use(last.start, last.end, ToType(Named("relation", symbol.path))))
    return symbol.path, normal(view.end_name.text)


def _not_admitted(found: str, start: int, end: int, context: Context) -> None:
    values = args(construct="a navigation view, which is not stored,", found=found)
    context.out.problems.append(Problem("OE0007", start, end, values))
