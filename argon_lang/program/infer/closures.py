"""Closures (language.md §3.10): bidirectional, since what a parameter is comes from the place where the closure stands.

A closure is a value of expressions: it is called, handed to a function and given back by one. It is never data.
"""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.problems import Note, args
from argon_lang.program.infer.compat import bare, fits
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr, handles, infer_expr
from argon_lang.program.infer.exprs import joined, warn_hidden
from argon_lang.program.infer.mismatch import report_mismatch
from argon_lang.program.infer.typerefs import written_type
from argon_lang.program.infer.words import counted
from argon_lang.program.intrinsics import solved
from argon_lang.program.model import ToBinding
from argon_lang.program.paths import Segment, name_token, normal
from argon_lang.program.types import (
    UNKNOWN,
    FnOf,
    ListOf,
    Named,
    OptionOf,
    RecordOf,
    Type,
    Unknown,
    holds_function,
    show,
)
from argon_lang.program.unify import variables
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

RESULT = "std::core::Result"


@handles(nodes.Lambda)
def _closure(cx: Context, node: nodes.Lambda, hint: Type | None) -> Type:
    written = [each for each in (node.params.params if node.params else ()) if isinstance(each, nodes.Param)]
    wanted = bare(hint) if hint is not None else None
    expected = wanted if isinstance(wanted, FnOf) else None
    if expected is not None and len(expected.params) != len(written):
        values = args(name="closure", expected=counted(len(expected.params), "parameter"), found=len(written) or "none")
        cx.report("OE0209", node.params or node, values)
    kept, cx.outcome, cx.ends, cx.returned = (cx.outcome, cx.ends, cx.returned), UNKNOWN, [], []
    with cx.frame():
        params = tuple(_parameter(cx, node, each, place, expected, wanted) for place, each in enumerate(written))
        result = _body(cx, node, expected)
        ends, returned = cx.ends, cx.returned
    cx.outcome, cx.ends, cx.returned = kept
    for at, ty in returned:
        result = joined(cx, at, result, ty)
    return FnOf(params, _outcome(result, ends))


def _parameter(
    cx: Context, node: nodes.Lambda, each: nodes.Param, place: int, expected: FnOf | None, wanted: Type | None
) -> Type:
    """Introduce a parameter; what the place gives it must fit what is written."""
    given = solved(expected.params[place], {}) if expected is not None and place < len(expected.params) else UNKNOWN
    ty = written_type(cx, each.type) if each.type is not None else given
    if each.type is not None and not fits(cx.declarations, given, ty):
        report_mismatch(cx, each.type, ty, given)
    token = name_token(each.name)
    if token is None or each.name is None:
        return ty
    name, span = normal(token.text), (token.start, token.end)
    if each.type is None and isinstance(ty, Unknown) and (wanted is None or isinstance(wanted, FnOf)):
        cx.report("OE0247", span, args(variable=name))
    warn_hidden(cx, name, span)
    local = cx.declare(name, "pattern", span, ty, node.index)
    local.given = True
    cx.mean(each.name, ToBinding(local.number), span)
    cx.types[each.index] = ty
    return ty


def _body(cx: Context, node: nodes.Lambda, expected: FnOf | None) -> Type:
    wanted = expected.result if expected is not None else UNKNOWN
    if isinstance(wanted, Unknown):
        return infer_expr(cx, node.body)
    if variables(wanted) and any(not each.owner for each in variables(wanted)):
        return infer_expr(cx, node.body, solved(wanted, {}))
    cx.outcome = wanted
    check_expr(cx, node.body, wanted)
    return wanted


def _outcome(result: Type, ends: Sequence[Type]) -> Type:
    """The result of a closure that a `?` may end early: optional, or a `Result` with that error."""
    for end in ends:
        if isinstance(end, OptionOf) and not isinstance(result, OptionOf):
            return OptionOf(result)
        if isinstance(end, Named) and not (isinstance(result, Named) and result.path == RESULT):
            return Named("enum", RESULT, (result, end.args[1]))
    return result


def call_closure(cx: Context, node: nodes.Call, segment: Segment, local_type: FnOf, number: int) -> Type:
    """The call of a local that is a function value."""
    if node.path is not None:
        cx.mean(node, ToBinding(number))
        cx.mean(node.path, ToBinding(number), (segment.start, segment.end))
    given = node.args.args if node.args else []
    if len(given) != len(local_type.params):
        values = args(name=segment.name, expected=counted(len(local_type.params)), found=len(given) or "none")
        cx.report("OE0209", (segment.start, segment.end), values)
    for place, each in enumerate(given):
        check_expr(cx, each, local_type.params[place] if place < len(local_type.params) else UNKNOWN)
    return local_type.result


def table_of(cx: Context, path: Sequence[Segment]) -> tuple[int, RecordOf] | None:
    """The number and the columns of what a `with` names, where a path is its name."""
    local = cx.local(path[0].name) if len(path) == 1 else None
    match local.type if local is not None else None:
        case ListOf(RecordOf() as row) if local is not None and local.kind == "let" and cx.verb == "query":
            return local.number, row
        case _:
            return None


def check_data(cx: Context, node: View | None, ty: Type) -> None:
    """OE0246 where a function value would become data: in a field, a row, a comparison or a variable of a rule."""
    if node is not None and holds_function(ty):
        cx.report("OE0246", node, args(found=show(ty)), notes=(Note("call"),))
