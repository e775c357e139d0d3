"""Fields of concepts, relations and structs (language.md §3.2 to §3.4)."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.program.model import FieldSig
from argon_lang.program.paths import name_of
from argon_lang.program.signatures.context import Context
from argon_lang.syntax import nodes


def fields(written: Iterable[nodes.FieldDecl], owner: str, context: Context) -> tuple[FieldSig, ...]:
    """The signatures of the fields of `owner`, each name once; a second one of a name is OE0207."""
    found: dict[str, FieldSig] = {}
    listed = list(written)
    context.distinct((each.name for each in listed), "field", owner.rsplit("::", 1)[-1])
    for each in listed:
        if each.view is not None:
            context.out.refuse("a navigation view (`from`)", each.view.start, each.view.end, "a query or a rule")
        name = name_of(each.name)
        if name is not None:
            ty = context.type(each.type)
            found.setdefault(name, FieldSig(name, owner, ty, each.mutable, each.default is not None))
    return tuple(found.values())
