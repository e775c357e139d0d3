"""Behind a dot, and in braces: the fields, views, ends and built-in members of a value."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.ide.completion.model import Candidate
from argon_lang.ide.completion.spot import Spot
from argon_lang.ide.signature import field as shown_field
from argon_lang.program.intrinsics import INTRINSICS, Intrinsic
from argon_lang.program.model import ParamSig
from argon_lang.program.paths import names
from argon_lang.program.types import Named, OptionOf, RecordOf, Type, Unknown, show
from argon_lang.program.unify import unify
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def members(spot: Spot, base: View) -> Iterator[Candidate]:
    """The members of the value of an expression, as far as its type is known."""
    ty = spot.inference.types.get(base.index)
    if ty is None or isinstance(ty, Unknown):
        return
    plain = ty.inner if isinstance(ty, OptionOf) else ty
    yield from _parts(spot, plain)
    for entry in INTRINSICS.values():
        if entry.form in ("member", "both") and (signature := _first_taking(spot, entry, ty)) is not None:
            detail = f"({', '.join(show(each) for each in signature[0][1:])}) -> {show(signature[1])}"
            called = f"{entry.name}($0)" if len(signature[0]) > 1 else entry.name
            yield Candidate(entry.name, "member", detail, called, "$" in called, 3, docs=entry.doc)


def _parts(spot: Spot, ty: Type) -> Iterator[Candidate]:
    if isinstance(ty, RecordOf):
        yield from (Candidate(name, "field", f": {show(each)}", rank=0) for name, each in ty.fields)
    if not isinstance(ty, Named):
        return
    if ty.kind == "relation":
        yield from (_end(each) for each in ends_of(spot, ty))
    for each in spot.db.declarations.fields(ty):
        yield Candidate(each.name, "field", shown_field(each), rank=0)


def ends_of(spot: Spot, ty: Named) -> tuple[ParamSig, ...]:
    """The endpoints of a relation."""
    relation = spot.db.declarations.relation(ty.path)
    return relation.ends if relation is not None else ()


def _end(end: ParamSig) -> Candidate:
    return Candidate(end.name, "field", f"{end.name}: {show(end.type)}", rank=0)


def _first_taking(spot: Spot, entry: Intrinsic, ty: Type) -> tuple[tuple[Type, ...], Type] | None:
    """The first signature that takes a value of a type before the dot."""
    fits = spot.db.declarations.is_subtype
    for each in entry.signatures:
        if each.params and unify(each.params[0], ty, {}, fits):
            return each.params, each.result
    return None


def fields_in_braces(spot: Spot, braces: nodes.FieldInits) -> Iterator[Candidate]:
    """The fields that are not given yet: of a struct, of a concept that is minted, of a fact or tuple."""
    holder = braces.parent
    subject = _subject(spot, holder) if holder is not None else None
    given = {each.name.text for each in braces.inits if each.name is not None and each.name.start != spot.at}
    for each in spot.db.declarations.fields(subject) if subject is not None else ():
        if each.name not in given and each.view is None:
            yield Candidate(each.name, "field", shown_field(each), f"{each.name}: $0", True, int(each.has_default))


def _subject(spot: Spot, holder: View) -> Named | None:
    """What the fields in braces belong to."""
    path = next((each for each in holder.children if isinstance(each, nodes.Path)), None)
    if path is None:
        return None
    kinds = ("struct", "concept", "relation")
    found = spot.db.scope(spot.module).lookup(names(path)).symbols
    symbol = next((each for each in found if each.kind in kinds), None)
    return Named(symbol.kind, symbol.path) if symbol is not None else None
