"""Reflection (language §3.10): membership said of a concept's name, and the reflective relations."""

from __future__ import annotations

from typing import Any, cast

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.canonical import canonical_rule
from argon_lang.ir.lower.dispatch import implementors_key
from argon_lang.ir.lower.expr import HANDLERS, lower_call_args, lower_expr, predicate_key
from argon_lang.ir.lower.fragment import Trace
from argon_lang.ir.lower.reading import NotLowered, Reading, subject_of
from argon_lang.ir.lower.walk import Held
from argon_lang.ir.rules import Match, Var
from argon_lang.program.infer.compat import is_type_ref
from argon_lang.program.infer.reflection import meta_of
from argon_lang.program.model import ToIntrinsic, ToSymbol
from argon_lang.program.reflection import COLUMNS, IMPLEMENTS, META_OF_INDIVIDUAL, META_OF_TYPE, reflective_key
from argon_lang.program.types import UNKNOWN
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need

_plain_call = HANDLERS[nodes.Call]


def reflects(node: View | None, name: str, reading: Reading) -> bool:
    """Is it a call of this reflective name?"""
    return isinstance(node, nodes.Call) and reading.meaning(node) == ToIntrinsic(name)


def member_key(node: nodes.Call, reading: Reading) -> str:
    """The key of the concept that the call's last argument names. Raises NotLowered."""
    args = need(node.args).args
    key = predicate_key(reading.meaning(args[-1]), 1) if args else None
    if key is None:
        raise NotLowered(node, node.text)
    return key


def computed(node: nodes.Call, reading: Reading) -> bool:
    """Is the type or the trait of an `implements` a value, and not a name that is written out?"""
    subject, trait = need(node.args).args
    of_type = meta_of(subject) is not None or isinstance(reading.meaning(subject), ToSymbol)
    return not (of_type and isinstance(reading.meaning(trait), ToSymbol))


def implementing(node: nodes.Call, reading: Reading) -> tuple[View | None, str]:
    """The x of `implements(meta(x), T)`, None where the first argument is a concept; and the path of the trait."""
    subject, trait = need(node.args).args
    match reading.meaning(trait):
        case ToSymbol("trait", path):
            return meta_of(subject), path
        case _:
            raise NotLowered(node, node.text)


def named_member(node: View, reading: Reading) -> bool:
    """Is it `iof(x, T)` or `extent(T)` of a concept that is written out?"""
    if not isinstance(node, nodes.Call) or not (reflects(node, "iof", reading) or reflects(node, "extent", reading)):
        return False
    args = need(node.args).args
    meaning = reading.meaning(args[-1]) if args else None
    return isinstance(meaning, ToSymbol) and meaning.kind == "concept"


def relation_of(node: View | None, reading: Reading) -> str | None:
    """The key of a reflective atom; None for `iof` of a concept that is written out, and for anything else."""
    meaning = reading.meaning(node) if isinstance(node, nodes.Call) else None
    if not isinstance(meaning, ToIntrinsic) or meaning.name not in COLUMNS or named_member(need(node), reading):
        return None
    return reflective_key(meaning.name)


def _meta_key(node: nodes.Call, reading: Reading) -> str:
    ty = reading.type_of(need(node.args).args[0])
    return META_OF_TYPE if is_type_ref(ty) else META_OF_INDIVIDUAL


def _take(node: Any, body: Any, name: str | None) -> ir.Expr:
    """The literal of `meta(x)` in a rule: every metatype of x."""
    draft, arg = body.draft, need(node.args).args[0]
    term = body.term(lower_expr(arg, draft.reading), arg)
    var = name or draft.fresh(node.text)
    body.add(Match(_meta_key(node, draft.reading), (term, Var(var)), draft.site(node)))
    return ir.Local(var)


def _fold(node: Any, reading: Reading) -> ir.Expr:
    """`meta(x)` as an expression: the one metatype of x."""
    terms, type_ = (Var("a0"), Var("value")), reading.type_of(node)
    match = Match(_meta_key(node, reading), terms)
    rule, names = canonical_rule("meta(…)", [terms[1]], [match], "aggregate", ["a0"])
    reading.folds.append(
        Trace(
            rule=rule.id,
            key=rule.key,
            item=reading.unit.id,
            name="meta",
            start=node.start,
            end=node.end,
            names=tuple(sorted((new, old) for old, new in names.given.items())),
            sites=((node.start, node.end),),
            filters=0,
            columns=(("value", type_),),
        )
    )
    return ir.Fold("one", rule, (lower_expr(need(node.args).args[0], reading),), type_)


def _call(node: nodes.Call, reading: Reading) -> ir.Expr:
    if reflects(node, "meta", reading):
        return cast(ir.Expr, Held(node, _take, _fold)) if reading.in_rule else _fold(node, reading)
    key = relation_of(node, reading)
    if key is not None:
        return ir.Holds(key, lower_call_args(need(node.args).args, reading))
    if reflects(node, "iof", reading):
        return ir.Holds(member_key(node, reading), (lower_expr(need(node.args).args[0], reading),))
    if reflects(node, "implements", reading) and computed(node, reading):
        if meta_of(need(node.args).args[0]) is not None:
            raise NotLowered(node, node.text, "`implements(…)` as an atom of a rule")
        return ir.Holds(IMPLEMENTS, lower_call_args(need(node.args).args, reading))
    if reflects(node, "implements", reading):
        subject, trait = implementing(node, reading)
        if subject is None:
            target = subject_of(need(node.args).args[0], reading)
            return ir.Lit(reading.declarations.implements(target, trait))
        return ir.Holds(implementors_key(trait), (lower_expr(subject, reading),))
    if reflects(node, "extent", reading):
        return _extent(node, reading)
    return _plain_call(node, reading)


def _extent(node: nodes.Call, reading: Reading) -> ir.Expr:
    """The individuals of a type as a list, gathered as an aggregate's values are."""
    member, (written,) = Var("x"), need(node.args).args
    named = named_member(node, reading)
    body = Match(member_key(node, reading), (member,)) if named else Match(reflective_key("iof"), (member, Var("t")))
    given = () if named else (lower_expr(written, reading),)
    rule, names = canonical_rule("extent(…)", [member], [body], "aggregate", [] if named else ["t"])
    reading.folds.append(
        Trace(
            rule=rule.id,
            key=rule.key,
            item=reading.unit.id,
            name="extent",
            start=node.start,
            end=node.end,
            names=tuple(sorted((new, old) for old, new in names.given.items())),
            sites=((node.start, node.end),),
            filters=0,
            columns=(("value", UNKNOWN),),
        )
    )
    return ir.Fold("values", rule, given, reading.type_of(node))


HANDLERS[nodes.Call] = _call
