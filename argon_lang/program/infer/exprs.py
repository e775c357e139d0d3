"""Plain expression forms: parentheses, lists, `format!`, `let`."""

from __future__ import annotations

import re

from argon_lang.problems import Note, args
from argon_lang.program.infer.compat import bare, join
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr, handles, infer_expr
from argon_lang.program.infer.names import use_local
from argon_lang.program.infer.typerefs import written_type
from argon_lang.program.infer.words import counted
from argon_lang.program.model import ToBinding
from argon_lang.program.paths import name_token, normal
from argon_lang.program.types import STRING, UNKNOWN, ListOf, SetOf, Type, Unknown, show
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

INSERTS = (nodes.InsertEntity, nodes.InsertTuple, nodes.InsertInto)
"""What an `insert` may be."""
_HOLE = re.compile(r"\\u\{[0-9A-Fa-f]*\}|\\.|\{\{|\}\}|(\{\})", re.DOTALL)


@handles(nodes.ParenExpr)
def _paren(cx: Context, node: nodes.ParenExpr, hint: Type | None) -> Type:
    return infer_expr(cx, node.inner, hint)


@handles(nodes.Wildcard)
def _wildcard(cx: Context, node: nodes.Wildcard, hint: Type | None) -> Type:
    local = cx.local("_")
    if local is not None:
        return use_local(cx, node, local)
    cx.report("OE0007", node, args(construct="an expression", found="`_`"))
    return UNKNOWN


@handles(nodes.ListExpr)
def _list(cx: Context, node: nodes.ListExpr, hint: Type | None) -> Type:
    wanted = bare(hint) if hint is not None else None
    element = wanted.element if isinstance(wanted, ListOf | SetOf) else None
    if element is not None and not isinstance(element, Unknown):
        for each in node.elements:
            infer_expr(cx, each, element)
        return SetOf(element) if isinstance(wanted, SetOf) else ListOf(element)
    found: Type = UNKNOWN
    for each in node.elements:
        ty = infer_expr(cx, each, None if isinstance(found, Unknown) else found)
        found = joined(cx, each, found, ty)
    return SetOf(found) if isinstance(wanted, SetOf) else ListOf(found)


def joined(cx: Context, node: View, before: Type, ty: Type) -> Type:
    """The common type of arms or elements; the one that has none with those before it is reported."""
    common = join(cx.declarations, before, ty)
    if common is None:
        cx.report("OE0202", node, args(expected=show(before), found=show(ty)))
        return before
    return common


def value_let(cx: Context, node: nodes.LetStmt, scope: int) -> None:
    """`let x: T = e;`, which hides what had the name before."""
    wanted = written_type(cx, node.type) if node.type is not None else UNKNOWN
    why = (node.type.start, node.type.end) if node.type is not None else None
    found = infer_expr(cx, node.value) if node.type is None else check_expr(cx, node.value, wanted, why=why)
    bind_let(cx, node, found if isinstance(wanted, Unknown) else wanted, scope)


def bind_let(cx: Context, node: nodes.LetStmt, ty: Type, scope: int) -> None:
    """Introduce the local of a `let`."""
    bind_name(cx, node.name, ty, scope)


def bind_name(cx: Context, node: nodes.Name | None, ty: Type, scope: int) -> None:
    """Introduce a local that has its value from where it is introduced."""
    token = name_token(node)
    if token is None or node is None:
        return
    name, span = normal(token.text), (token.start, token.end)
    warn_hidden(cx, name, span)
    local = cx.declare(name, "let", span, ty, scope)
    local.given = True
    cx.mean(node, ToBinding(local.number), span)


def warn_hidden(cx: Context, name: str, span: tuple[int, int]) -> None:
    """OW0110 where a new local hides another one, or an individual."""
    values = None
    if cx.local(name) is not None:
        values = args(name=name, kind="the local")
    elif not cx.scope.is_free(name):
        symbols = cx.scope.lookup((name,)).symbols
        if any(symbol.kind == "individual" for symbol in symbols):
            values = args(name=name, kind="the individual")
    if values is not None:
        cx.report("OW0110", span, values, notes=(Note("rename"),))


@handles(nodes.FormatExpr)
def _format(cx: Context, node: nodes.FormatExpr, hint: Type | None) -> Type:
    given = node.args
    for each in given:
        infer_expr(cx, each)
    if node.template is not None:
        holes = sum(1 for found in _HOLE.finditer(node.template.text) if found[1])
        if holes != len(given):
            values = args(name="format!", expected=counted(holes), found=len(given))
            cx.report("OE0209", (node.template.start, node.template.end), values)
    return STRING
