"""A concept that instantiates a higher-level one is an individual too: `kind Dog : Species { legs = 4 }` (§3.2)."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.problems import Related, args
from argon_lang.program.infer.abstract import check_asserted, check_instantiable
from argon_lang.program.infer.compat import related
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.data import report_field, report_view
from argon_lang.program.infer.dispatch import check_expr, infer_expr
from argon_lang.program.infer.members import to_field
from argon_lang.program.infer.names import lookup
from argon_lang.program.infer.numbers import is_constant
from argon_lang.program.model import FieldSig
from argon_lang.program.paths import name_of, name_token, segments
from argon_lang.program.types import Named
from argon_lang.syntax import nodes


def infer_instance(cx: Context, root: nodes.ConceptDecl, path: str) -> None:
    """What the concept instantiates may have direct instances; each value is a constant of a field of one of those."""
    sig = cx.declarations.concept(path)
    above = sig.instance_of if sig is not None else ()
    for each in root.instance_of.types if root.instance_of else ():
        if isinstance(each, nodes.NamedType) and each.path is not None:
            for symbol in lookup(cx, segments(each.path)).symbols[:1]:
                check_instantiable(cx, each.path, symbol)
                check_asserted(cx, each, each, symbol)
    first: dict[str, nodes.MemberValue] = {}
    for member in root.body.members if root.body else ():
        if isinstance(member, nodes.MemberValue):
            _value(cx, member, above, first)


def _value(cx: Context, member: nodes.MemberValue, above: Iterable[str], first: dict[str, nodes.MemberValue]) -> None:
    name, token, listed = name_of(member.name), name_token(member.name), list(above)
    if name is None or token is None or member.name is None:
        return
    earlier = first.setdefault(name, member)
    if earlier is not member:
        place = (Related("first", earlier.start, earlier.end),)
        cx.report("OE0207", member.name, args(kind="field", name=name, of=cx.owner), related=place)
    owned = [(Named("concept", each), field) for each in listed if (field := _field(cx, each, name)) is not None]
    if not listed:
        infer_expr(cx, member.value)
        cx.report("OE0007", member, args(construct="a concept that instantiates no other (`:`)", found="value"))
    elif not owned:
        infer_expr(cx, member.value)
        known = [field.name for each in listed for field in cx.declarations.fields(Named("concept", each))]
        report_field(cx, member.name, name, listed[0].rsplit("::", 1)[-1], known)
    else:
        owner, field = owned[0]
        cx.mean(member.name, to_field(owner, field), (token.start, token.end))
        report_view(cx, (token.start, token.end), field)
        if member.value is not None and not is_constant(member.value):
            cx.report("OE0007", member.value, args(construct="a concept's value", found="computed value"))
        check_expr(cx, member.value, field.type, related, field.owner)


def _field(cx: Context, concept: str, name: str) -> FieldSig | None:
    return cx.declarations.field(Named("concept", concept), name)
