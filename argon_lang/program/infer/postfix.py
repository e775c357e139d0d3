"""Postfix forms (language.md §3.10): `e[i]`, `e[a..b]`, and `e?`, which ends a function where there is no value.

Positions count from 0, and a slice ends before its second bound. `e?` is what is in an optional value or a
`Result::Ok`; where that is absent, the function or closure around it ends with an absent value (the same error), and an
atom of a rule fails.
"""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.problems import Note, args
from argon_lang.program.infer.closures import RESULT
from argon_lang.program.infer.compat import fits
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import handles, infer_expr
from argon_lang.program.infer.members import reads_optional
from argon_lang.program.infer.mismatch import report_mismatch
from argon_lang.program.intrinsics import INTRINSICS, intrinsic_result, solved
from argon_lang.program.model import ToIntrinsic
from argon_lang.program.types import INT, UNKNOWN, Applied, Named, OptionOf, Type, Unknown, show
from argon_lang.program.unify import unify
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


@handles(nodes.IndexExpr)
def _index(cx: Context, node: nodes.IndexExpr, hint: Type | None) -> Type:
    base = infer_expr(cx, node.base)
    wanted = base.args[0] if isinstance(base, Applied) and base.name == "Map" else INT
    return _applied(cx, node, "index", base, ((node.subscript, wanted),))


@handles(nodes.SliceExpr)
def _slice(cx: Context, node: nodes.SliceExpr, hint: Type | None) -> Type:
    base = infer_expr(cx, node.base)
    return _applied(cx, node, "slice", base, ((node.low, INT), (node.high, INT)))


def _applied(
    cx: Context,
    node: nodes.IndexExpr | nodes.SliceExpr,
    name: str,
    base: Type,
    given: Sequence[tuple[View | None, Type]],
) -> Type:
    """The result of an operator of `program.collections`, whose receiver decides what the others must be."""
    cx.mean(node, ToIntrinsic(name))
    types = tuple(infer_expr(cx, each, wanted) for each, wanted in given)
    found = intrinsic_result(name, (base, *types), lambda a, b: fits(cx.declarations, a, b))
    if found is not None or node.base is None:
        return found if found is not None else UNKNOWN
    receivers = [signature.params[0] for signature in INTRINSICS[name].signatures]
    if any(unify(each, base, {}, lambda a, b: fits(cx.declarations, a, b)) for each in receivers):
        for (each, wanted), ty in zip(given, types, strict=True):
            if each is not None and not fits(cx.declarations, ty, wanted):
                report_mismatch(cx, each, ty, wanted)
        return UNKNOWN
    if isinstance(base, OptionOf):
        report_mismatch(cx, node.base, base, base.inner)
        return UNKNOWN
    note = Note("operator", args(construct="[…]", found=show(base)))
    expected = " or ".join(show(solved(each, {})) for each in receivers)
    cx.report("OE0202", node.base, args(expected=expected, found=show(base)), notes=(note,))
    return UNKNOWN


# -- `?` --------------------------------------------------------------------------------------------------------------


@handles(nodes.TryExpr)
def _try(cx: Context, node: nodes.TryExpr, hint: Type | None) -> Type:
    found, operand = infer_expr(cx, node.operand, _wrapped(hint)), node.operand
    if operand is None or isinstance(found, Unknown):
        return UNKNOWN
    if cx.in_rule and reads_optional(cx, operand):
        return found
    inner = _inside(found)
    if inner is None:
        cx.report("OE0202", operand, args(expected=f"{show(found)}?", found=show(found)), notes=(Note("try"),))
        return found
    _ending(cx, node, found)
    return inner


def _wrapped(hint: Type | None) -> Type | None:
    return None if hint is None or isinstance(hint, Unknown) else OptionOf(hint)


def _inside(ty: Type) -> Type | None:
    match ty:
        case OptionOf(inner):
            return inner
        case Named("enum", path, (value, _)) if path == RESULT:
            return value
        case Applied("Result", (value, _)):
            return value
    return None


def _ending(cx: Context, node: nodes.TryExpr, found: Type) -> None:
    """What the `?` ends, and whether that may end so; in a rule it is the atom."""
    if cx.in_rule and cx.outcome is None:
        return
    if cx.outcome is None:
        notes = (Note("instead", args(name=node.text[:-1])),)
        cx.report("OE0248", node, args(found=show(found), of=cx.owner), notes=notes)
        return
    cx.ends.append(found)
    outcome = cx.outcome
    if isinstance(outcome, Unknown):
        return
    optional = isinstance(found, OptionOf) and isinstance(outcome, OptionOf)
    failing = isinstance(found, Named) and isinstance(outcome, Named) and outcome.path == found.path
    if optional or (failing and fits(cx.declarations, found.args[1], outcome.args[1])):  # type: ignore[union-attr]
        return
    expected = f"{show(outcome)}?" if isinstance(found, OptionOf) else f"Result<{show(outcome)}, _>"
    where = (Note("ends", args(expected=expected)),)
    cx.report("OE0202", cx.promise or node, args(expected=expected, found=show(outcome)), notes=where)
