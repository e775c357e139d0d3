"""Unary and binary operators, `in`, and the Money rule (language.md §3.10)."""

from __future__ import annotations

from argon_lang.problems import Edit, Fix, Note, Related, args
from argon_lang.program.infer.closures import check_data
from argon_lang.program.infer.compat import EXACT, bare, element_of, overlaps
from argon_lang.program.infer.conditions import check_condition
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr, handles, infer_expr
from argon_lang.program.infer.mismatch import accepts, report_mismatch
from argon_lang.program.infer.names import lookup
from argon_lang.program.infer.numbers import ARITHMETIC, is_number
from argon_lang.program.intrinsics import arithmetic_result, is_ordered, negation_result
from argon_lang.program.paths import segments
from argon_lang.program.types import (
    BOOL,
    DURATION,
    ENTITY,
    FLOAT,
    INT,
    MONEY,
    NAT,
    STRING,
    TOP,
    UNKNOWN,
    Applied,
    OptionOf,
    Type,
    Unknown,
    holds_function,
    show,
)
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_NUMERIC = (*EXACT, MONEY, FLOAT)
_SCALING = frozenset((K.STAR, K.SLASH))


@handles(nodes.Unary)
def _unary(cx: Context, node: nodes.Unary, hint: Type | None) -> Type:
    if node.op is None or node.op.kind == K.BANG:
        check_expr(cx, node.operand, BOOL)
        return BOOL
    operand = infer_expr(cx, node.operand, INT if hint == NAT else hint)
    if isinstance(operand, Unknown) or node.operand is None:
        return UNKNOWN
    found = negation_result(operand)
    if found is None:
        _undefined(cx, node.operand, "-", INT, operand, show(operand))
        return UNKNOWN
    return found


@handles(nodes.Binary)
def _binary(cx: Context, node: nodes.Binary, hint: Type | None) -> Type:
    op = node.op
    if op is None:
        return UNKNOWN
    if op.kind == K.AND_AND:
        with cx.frame():
            check_condition(cx, node)
        return BOOL
    if op.kind == K.OR_OR and hint == STRING and _joins(cx, node):
        return STRING
    if op.kind == K.OR_OR:
        check_expr(cx, node.lhs, BOOL)
        check_expr(cx, node.rhs, BOOL)
        return BOOL
    if op.kind in ARITHMETIC:
        left, right = _operands(cx, node, hint)
        return _arithmetic(cx, node, left, right)
    left, right = _operands(cx, node, None)
    _compare(cx, node, left, right, op.kind in (K.EQ_EQ, K.NOT_EQ))
    return BOOL


def _joins(cx: Context, node: nodes.Binary) -> bool:
    """Tell of `||` between strings, which other languages join by it; False when it is none of these."""
    with cx.trial():
        types = infer_expr(cx, node.lhs), infer_expr(cx, node.rhs)
    if STRING not in types or node.op is None:
        return False
    infer_expr(cx, node.lhs)
    infer_expr(cx, node.rhs)
    span = node.op.start, node.op.end
    fix = Fix("replace", (Edit(*span, "+"),), args(suggestion="+"), safe=False)
    cx.report("OE0202", span, args(expected=show(BOOL), found=show(STRING)), notes=(Note("joins"),), fixes=(fix,))
    return True


def _operands(cx: Context, node: nodes.Binary, hint: Type | None) -> tuple[Type, Type]:
    """Both operand types; a literal takes the type of what stands beside it, except as a factor of Money or time."""
    kind = node.op.kind if node.op else 0
    if is_number(node.lhs) and not is_number(node.rhs):
        right = infer_expr(cx, node.rhs, hint)
        return infer_expr(cx, node.lhs, _beside(kind, right)), right
    if _names_type(cx, node.lhs):
        right = infer_expr(cx, node.rhs)
        return infer_expr(cx, node.lhs, right), right
    left = infer_expr(cx, node.lhs, hint)
    if is_number(node.lhs):
        return left, infer_expr(cx, node.rhs, hint if kind not in _SCALING else _beside(kind, left))
    return left, infer_expr(cx, node.rhs, _beside(kind, left))


def _names_type(cx: Context, node: View | None) -> bool:
    """May it be the name of a type, which says nothing of itself?"""
    path = segments(node) if isinstance(node, nodes.Path) else ()
    if not path or (len(path) == 1 and cx.local(path[0].name) is not None):
        return False
    return any(each.kind in ("concept", "relation", "metatype", "metarel") for each in lookup(cx, path).symbols)


def _beside(kind: int, other: Type) -> Type | None:
    """What a literal beside an operand of type `other` is read as."""
    other = bare(other)
    if kind in _SCALING and other in (MONEY, DURATION):
        return None
    return other


def _arithmetic(cx: Context, node: nodes.Binary, left: Type, right: Type) -> Type:
    op = node.op.text if node.op else ""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return _known_side(op, left, right)
    found = arithmetic_result(op, left, right)
    if found is not None:
        return found
    if {left, right} & {MONEY} and {left, right} & set(EXACT) and op in "+-%":
        _mixed_money(cx, node, op, left, right)
        return MONEY
    _undefined_binary(cx, node, op, left, right)
    return UNKNOWN


def _known_side(op: str, left: Type, right: Type) -> Type:
    """A sum with one unknown operand is what the other one is, where only equal types add."""
    known = right if isinstance(left, Unknown) else left
    return known if op in "+-" and known in (MONEY, FLOAT) else UNKNOWN


def _undefined_binary(cx: Context, node: nodes.Binary, op: str, left: Type, right: Type) -> None:
    both = f"{show(left)} {op} {show(right)}"
    for operand, found, other in ((node.lhs, left, right), (node.rhs, right, left)):
        if operand is not None and isinstance(found, OptionOf) and arithmetic_result(op, found.inner, bare(other)):
            report_mismatch(cx, operand, found, found.inner)
            return
    blamed, found, expected = (node.rhs, right, left) if left in _NUMERIC else (node.lhs, left, right)
    if left in _NUMERIC and right in _NUMERIC:
        blamed, found, expected = node.rhs, right, left
    if blamed is not None:
        _undefined(cx, blamed, op, expected if expected in _NUMERIC else INT, found, both)


def _undefined(cx: Context, at: View, op: str, expected: Type, found: Type, both: str) -> None:
    note = Note("operator", args(construct=op, found=both))
    cx.report("OE0202", at, args(expected=show(expected), found=show(found)), notes=(note,))


def _mixed_money(cx: Context, node: nodes.Binary, op: str, left: Type, right: Type) -> None:
    lhs, rhs = node.lhs, node.rhs
    if lhs is None or rhs is None:
        return
    money, number = (lhs, rhs) if left == MONEY else (rhs, lhs)
    plain = right if left == MONEY else left
    related = (
        Related("money", money.start, money.end),
        Related("number", number.start, number.end, args=args(found=show(plain))),
    )
    values = args(construct=op, expected=show(left), found=show(right))
    cx.report("OE0226", node, values, related=related, notes=(Note("give_type"),))


def _compare(cx: Context, node: nodes.Binary, left: Type, right: Type, equality: bool) -> None:
    lhs, rhs, op = node.lhs, node.rhs, node.op
    if lhs is None or rhs is None or op is None or isinstance(left, Unknown) or isinstance(right, Unknown):
        return
    for each, ty in ((lhs, left), (rhs, right)):
        if holds_function(ty):
            check_data(cx, each, ty)
            return
    if _comparable(cx, lhs, rhs, left, right) if equality else is_ordered(left, right):
        return
    if {bare(left), bare(right)} & {MONEY} and {bare(left), bare(right)} & set(EXACT):
        _mixed_money(cx, node, op.text, left, right)
        return
    for operand, found in ((lhs, left), (rhs, right)):
        if isinstance(found, OptionOf) and not equality:
            report_mismatch(cx, operand, found, found.inner)
            return
    if equality or not is_ordered(left, left):
        _report_incomparable(cx, op.text, lhs if not equality else rhs, left, right, equality)
    else:
        report_mismatch(cx, rhs, right, left)


def _report_incomparable(cx: Context, op: str, at: View, left: Type, right: Type, equality: bool) -> None:
    if equality:
        report_mismatch(cx, at, right, left)
    else:
        _undefined(cx, at, op, INT, left, show(left))


def _comparable(cx: Context, lhs: View, rhs: View, left: Type, right: Type) -> bool:
    return accepts(cx, lhs, left, bare(right), overlaps) or accepts(cx, rhs, right, bare(left), overlaps)


@handles(nodes.InExpr)
def _in(cx: Context, node: nodes.InExpr, hint: Type | None) -> Type:
    collection = infer_expr(cx, node.collection)
    if isinstance(collection, Applied) and collection.name in ("Map", "Range"):
        check_expr(cx, node.element, collection.args[0], overlaps)
        return BOOL
    collection = _collection(cx, node.collection, collection)
    check_expr(cx, node.element, element_of(collection) or UNKNOWN, overlaps)
    return BOOL


def bare_collection(cx: Context, node: View | None) -> Type:
    """The type of what is gone through, or of the right side of `in`; reports what has no elements."""
    return _collection(cx, node, infer_expr(cx, node))


def _collection(cx: Context, node: View | None, found: Type) -> Type:
    if node is None or element_of(found) is not None or isinstance(found, Unknown) or found in (TOP, ENTITY):
        return found
    if isinstance(found, OptionOf) and element_of(found.inner) is not None:
        report_mismatch(cx, node, found, found.inner)
        return found.inner
    cx.report("OE0202", node, args(expected="[_]", found=show(found)))
    return UNKNOWN
