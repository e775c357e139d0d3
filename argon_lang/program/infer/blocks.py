"""`if` and `{ … }` as values (language §3.10): statements that decide what the value is, and no others.

A block may say `let`, and in a function `return`, under an `if`, `match` or `for` too. Writes belong to mutations.
"""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.problems import Note, args
from argon_lang.program.infer.compat import element_of, join
from argon_lang.program.infer.conditions import check_condition
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr, handles, infer_expr
from argon_lang.program.infer.exprs import INSERTS, bind_name, joined, value_let
from argon_lang.program.infer.mismatch import report_mismatch
from argon_lang.program.infer.patterns import check_arm, check_covered
from argon_lang.program.infer.returning import returns
from argon_lang.program.patterns import Pattern
from argon_lang.program.types import UNKNOWN, ListOf, Type, Unknown, show
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_WRITES: dict[type[View], str] = {
    nodes.InsertStmt: "insert",
    nodes.UpdateStmt: "update",
    nodes.DeleteStmt: "delete",
    nodes.RefuteStmt: "refute",
    nodes.ForgetStmt: "forget",
    nodes.EmitStmt: "emit",
    nodes.RequireStmt: "require",
}


@handles(nodes.IfExpr)
def _if(cx: Context, node: nodes.IfExpr, hint: Type | None) -> Type:
    with cx.frame():
        check_condition(cx, node.condition.value if node.condition else None)
        then = infer_expr(cx, node.then, hint)
    if node.otherwise is None:
        expected = show(hint) if hint is not None and not isinstance(hint, Unknown) else show(then)
        cx.report("OE0202", node, args(expected=expected, found="nothing"), notes=(Note("else"),))
        return then
    other = node.otherwise.body
    beside = hint if hint is not None and not isinstance(hint, Unknown) else then
    otherwise = infer_expr(cx, other, beside)
    if other is None or (hint is not None and not isinstance(hint, Unknown)):
        return join(cx.declarations, then, otherwise) or then
    return joined(cx, other, then, otherwise)


@handles(nodes.Block)
def _block(cx: Context, node: nodes.Block, hint: Type | None) -> Type:
    with cx.frame():
        _statements(cx, node.statements, node.index)
        if node.tail is not None:
            return infer_expr(cx, node.tail, hint)
        if not returns(node.statements):
            _no_value(cx, node, hint)
        return hint if hint is not None else UNKNOWN


def _no_value(cx: Context, node: nodes.Block, hint: Type | None) -> None:
    """OE0227, unless the last statement is one that a value cannot have anyway."""
    last = node.statements[-1] if node.statements else None
    if last is None or type(last) not in _WRITES:
        expected = show(hint) if hint is not None else "_"
        whole = cx.promise is not None and node.parent == cx.item.root
        span = cx.promise if cx.promise is not None and whole else (node.end - 1, node.end)
        cx.report("OE0227", span, args(name=cx.owner, expected=expected))


def _statements(cx: Context, statements: Sequence[nodes.Stmt], scope: int) -> None:
    for each in statements:
        _statement(cx, each, scope)


def _statement(cx: Context, node: nodes.Stmt, scope: int) -> None:
    match node:
        case nodes.LetStmt() if not isinstance(node.value, INSERTS):
            value_let(cx, node, scope)
        case nodes.ReturnStmt():
            _return(cx, node)
        case nodes.IfStmt():
            _branch(cx, node)
        case nodes.MatchStmt():
            _arms(cx, node)
        case nodes.ForStmt():
            _for(cx, node)
        case nodes.ExprStmt():
            _for_effect(cx, node.expr)
        case _:
            name = _WRITES.get(type(node), "insert")
            values = args(kind="function", of=cx.owner, found="statement", name=name)
            cx.report("OE0710", node, values, notes=(Note("mutate"),))


def _for_effect(cx: Context, node: View | None) -> None:
    """An `if`, `match` or block as a statement: it is there for the `return` in it, and gives no value."""
    match node:
        case nodes.IfExpr():
            with cx.frame():
                check_condition(cx, node.condition.value if node.condition else None)
                _for_effect(cx, node.then)
            _for_effect(cx, node.otherwise.body if node.otherwise is not None else None)
        case nodes.MatchExpr():
            _arms(cx, node)
        case nodes.Block():
            with cx.frame():
                _statements(cx, node.statements, node.index)
                _for_effect(cx, node.tail)
        case None:
            return
        case _:
            before = len(cx.problems)
            infer_expr(cx, node)
            if len(cx.problems) == before:
                values = args(construct="a body of statements", found="value that nothing uses")
                cx.report("OE0007", node, values)


def _arms(cx: Context, node: nodes.MatchExpr | nodes.MatchStmt) -> None:
    subject = infer_expr(cx, node.scrutinee)
    patterns: list[Pattern] = []
    for arm in node.arms:
        with cx.frame():
            patterns += check_arm(cx, arm, subject)
            if isinstance(arm, nodes.MatchArm):
                _for_effect(cx, arm.value)
            elif isinstance(arm.body, nodes.StmtBlock):
                _inside(cx, arm.body)
            elif arm.body is not None:
                _statement(cx, arm.body, arm.index)
    check_covered(cx, node, subject, patterns)


def _return(cx: Context, node: nodes.ReturnStmt) -> None:
    """`return e;` ends the function or closure around it."""
    if cx.outcome is None:
        infer_expr(cx, node.value)
        cx.report("OE0007", node, args(construct="a block that is no function's", found="`return`"))
    elif isinstance(cx.outcome, Unknown):
        cx.returned.append((node.value or node, infer_expr(cx, node.value)))
    else:
        check_expr(cx, node.value, cx.outcome, why=cx.promise)


def _inside(cx: Context, body: nodes.StmtBlock | None) -> None:
    if body is not None:
        with cx.frame():
            _statements(cx, body.statements, body.index)


def _branch(cx: Context, node: nodes.IfStmt) -> None:
    with cx.frame():
        check_condition(cx, node.condition)
        _inside(cx, node.then)
    other = node.otherwise.body if node.otherwise is not None else None
    if isinstance(other, nodes.IfStmt):
        _branch(cx, other)
    else:
        _inside(cx, other)


def _for(cx: Context, node: nodes.ForStmt) -> None:
    source = node.source
    items = infer_expr(cx, source.source) if source is not None else UNKNOWN
    if source is not None and source.source is not None and element_of(items) is None and items != UNKNOWN:
        report_mismatch(cx, source.source, items, ListOf(UNKNOWN))
    with cx.frame():
        if source is not None:
            bind_name(cx, source.name, element_of(items) or UNKNOWN, node.index)
        _inside(cx, node.body)
