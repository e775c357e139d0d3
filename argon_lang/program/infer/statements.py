"""Statements of mutations and tests (language.md §3.11, §3.12)."""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.problems import Note, args
from argon_lang.program.findings import a_kind
from argon_lang.program.infer.calls import PREDICATES, candidates, check_arguments, choose, mean_call, member_result
from argon_lang.program.infer.compat import element_of, fits, overlaps, related
from argon_lang.program.infer.conditions import check_condition
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr, infer_expr
from argon_lang.program.infer.exprs import bind_let, bind_name
from argon_lang.program.infer.mismatch import report_mismatch
from argon_lang.program.infer.names import lookup, report_miss
from argon_lang.program.infer.patterns import check_arm, check_covered
from argon_lang.program.infer.typerefs import written_type
from argon_lang.program.infer.words import any_of
from argon_lang.program.infer.writes import check_instant, infer_delete, infer_forget, infer_insert, infer_update
from argon_lang.program.model import Lookup, ToBinding, ToSymbol
from argon_lang.program.paths import Segment, segments
from argon_lang.program.patterns import Pattern
from argon_lang.program.types import BOOL, UNKNOWN, ListOf, Named, Type, Unknown
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_INSERTS = (nodes.InsertEntity, nodes.InsertTuple, nodes.InsertInto)


def infer_statements(cx: Context, statements: Sequence[nodes.Stmt], result: Type | None, scope: int) -> None:
    """Check statements in order. `result` is what `return` must give, None where nothing is returned."""
    for statement in statements:
        _statement(cx, statement, result, scope)


def _statement(cx: Context, node: nodes.Stmt, result: Type | None, scope: int) -> None:
    match node:
        case nodes.RequireStmt():
            for condition in node.conditions:
                check_condition(cx, condition)
                _narrow(cx, condition)
        case nodes.LetStmt():
            _let(cx, node, scope)
        case nodes.InsertStmt():
            infer_insert(cx, node.insert)
        case nodes.UpdateStmt():
            infer_update(cx, node)
        case nodes.DeleteStmt():
            infer_delete(cx, node)
        case nodes.ExprStmt():
            _call_statement(cx, node)
        case nodes.ReturnStmt():
            _return(cx, node, result)
        case nodes.AssertStmt() | nodes.AssertDerivable() | nodes.AssertRejects():
            if isinstance(node, nodes.AssertRejects) and scope != -1:
                values = args(construct="a statement inside another one", found="transaction of its own")
                cx.report("OE0007", node, values)
            _assertion(cx, node)
        case nodes.IfStmt():
            _if(cx, node, result)
        case nodes.ForStmt():
            _for(cx, node, result)
        case nodes.MatchStmt():
            _match(cx, node, result)
        case nodes.EmitStmt():
            infer_expr(cx, node.value)
        case nodes.RefuteStmt():
            _named_fact(cx, node)
            if node.at is not None:
                check_instant(cx, node.at.value)
        case nodes.ForgetStmt():
            infer_forget(cx, node)


def _block(cx: Context, block: nodes.StmtBlock | None, result: Type | None) -> None:
    """Statements with locals of their own."""
    if block is not None:
        with cx.frame():
            infer_statements(cx, block.statements, result, block.index)


def _if(cx: Context, node: nodes.IfStmt, result: Type | None) -> None:
    with cx.frame():
        check_condition(cx, node.condition)
        _block(cx, node.then, result)
    other = node.otherwise.body if node.otherwise is not None else None
    if isinstance(other, nodes.IfStmt):
        _if(cx, other, result)
    else:
        _block(cx, other, result)


def _for(cx: Context, node: nodes.ForStmt, result: Type | None) -> None:
    source = node.source
    items = infer_expr(cx, source.source) if source is not None else UNKNOWN
    if source is not None and source.source is not None and element_of(items) is None and items != UNKNOWN:
        report_mismatch(cx, source.source, items, ListOf(UNKNOWN))
    with cx.frame():
        if source is not None:
            element = element_of(items) or UNKNOWN
            bind_name(cx, source.name, element, node.index)
        _block(cx, node.body, result)


def _match(cx: Context, node: nodes.MatchStmt, result: Type | None) -> None:
    subject = infer_expr(cx, node.scrutinee)
    patterns: list[Pattern] = []
    for arm in node.arms:
        with cx.frame():
            patterns += check_arm(cx, arm, subject)
            if isinstance(arm.body, nodes.StmtBlock):
                _block(cx, arm.body, result)
            elif arm.body is not None:
                _statement(cx, arm.body, result, arm.index)
    check_covered(cx, node, subject, patterns)


def _narrow(cx: Context, condition: View) -> None:
    """After `require T(x)`, x is known to be a T."""
    if not isinstance(condition, nodes.Call) or condition.args is None:
        return
    given, meaning = condition.args.args, cx.names.get(condition.index)
    argument = cx.names.get(given[0].index) if len(given) == 1 else None
    if isinstance(meaning, ToSymbol) and meaning.kind == "concept" and isinstance(argument, ToBinding):
        local = cx.locals[argument.id]
        local.narrowed = (*local.narrowed, Named("concept", meaning.path))


# -- let, calls, return -----------------------------------------------------------------------------------------------


def _let(cx: Context, node: nodes.LetStmt, scope: int) -> None:
    wanted, value = written_type(cx, node.type), node.value
    why = (node.type.start, node.type.end) if node.type is not None else None
    if isinstance(value, _INSERTS):
        if isinstance(value, nodes.InsertInto):
            cx.report("OE0007", value, args(construct="`let`", found="`insert … into`"))
        found = infer_insert(cx, value)
    elif isinstance(value, nodes.Call) and _is_mutation(cx, value):
        found = _mutation_call(cx, value, True)
    else:
        found = infer_expr(cx, value) if node.type is None else check_expr(cx, value, wanted, why=why)
        value = None
    if value is not None and not fits(cx.declarations, found, wanted):
        report_mismatch(cx, value, found, wanted, why)
    bind_let(cx, node, found if isinstance(wanted, Unknown) else wanted, scope)


def _is_mutation(cx: Context, node: nodes.Call) -> bool:
    path = segments(node.path) if node.path is not None else ()
    if not path or (len(path) == 1 and cx.local(path[0].name) is not None):
        return False
    return any(symbol.kind == "mutation" for symbol in lookup(cx, path).symbols)


def _mutation_call(cx: Context, node: nodes.Call, wants_value: bool) -> Type:
    """A mutation called in the same transaction: as a statement, or as the value of a `let` or `return`."""
    path = segments(node.path) if node.path is not None else ()
    given = node.args.args if node.args else []
    callee = next(each for each in candidates(cx, lookup(cx, path)) if each.symbol.kind == "mutation")
    span = (path[-1].start, path[-1].end)
    mean_call(cx, node, span, callee.symbol)
    if len(given) != len(callee.params):
        values = args(name=callee.symbol.name, expected=any_of((len(callee.params),)), found=len(given) or "none")
        cx.report("OE0209", span, values)
    check_arguments(cx, given, callee.params, related, wildcards=False, why=callee.symbol.path)
    for each in given[len(callee.params) :]:
        infer_expr(cx, each)
    if wants_value and callee.result is None:
        cx.report("OE0202", node, args(expected="_", found="nothing"))
    result = member_result(cx, node, callee, given)
    found = result if result is not None else UNKNOWN
    cx.types[node.index] = found
    return found


def _call_statement(cx: Context, node: nodes.ExprStmt) -> None:
    if isinstance(node.expr, nodes.Call) and _is_mutation(cx, node.expr):
        _mutation_call(cx, node.expr, False)
        return
    before = len(cx.problems)
    found_type = infer_expr(cx, node.expr)
    if node.expr is None or len(cx.problems) > before or isinstance(found_type, Unknown):
        return
    meaning = cx.names.get(node.expr.index)
    if isinstance(node.expr, nodes.Call) and isinstance(meaning, ToSymbol):
        symbols = cx.declarations.symbols(meaning.path)
        found = a_kind(next(each for each in symbols if each.kind == meaning.kind)) if symbols else "a value"
        name = meaning.path.rsplit("::", 1)[-1]
        cx.report("OE0201", node.expr.path or node.expr, args(name=name, found=found, expected="a mutation"))
    else:
        cx.report("OE0007", node.expr, args(construct="a body of statements", found="value that nothing uses"))


def _return(cx: Context, node: nodes.ReturnStmt, result: Type | None) -> None:
    if result is None:
        infer_expr(cx, node.value)
        construct = "a test" if cx.verb == "test" else f"`{cx.owner}`, which declares no result,"
        cx.report("OE0007", node, args(construct=construct, found="`return`"))
        return
    if isinstance(node.value, nodes.Call) and _is_mutation(cx, node.value):
        found = _mutation_call(cx, node.value, True)
        if not fits(cx.declarations, found, result):
            report_mismatch(cx, node.value, found, result, cx.promise)
        return
    check_expr(cx, node.value, result, why=cx.promise)


# -- assertions -------------------------------------------------------------------------------------------------------


def _assertion(cx: Context, node: nodes.AssertStmt | nodes.AssertDerivable | nodes.AssertRejects) -> None:
    if isinstance(node, nodes.AssertStmt):
        check_expr(cx, node.condition, BOOL)
    elif isinstance(node, nodes.AssertDerivable):
        _named_fact(cx, node)
    else:
        kept, cx.in_rejects = cx.in_rejects, True
        with cx.frame():
            infer_statements(cx, node.body.statements if node.body else (), None, node.index)
        cx.in_rejects = kept


def _named_fact(cx: Context, node: nodes.AssertDerivable | nodes.RefuteStmt) -> None:
    """`derivable P(a, _)`, `refute P(a, _)`: a concept, relation or derived predicate at its exact arity."""
    path = segments(node.path) if node.path is not None else ()
    given = node.args.args if node.args else []
    if not path or node.path is None:
        return
    found = lookup(cx, path)
    known = [callee for callee in candidates(cx, found) if callee.symbol.kind in PREDICATES]
    chosen = choose(known, len(given))
    if chosen is None:
        _no_fact(cx, node, path, found, [len(callee.params) for callee in known])
        check_arguments(cx, given, (), overlaps, wildcards=True)
        return
    symbol = chosen.symbol
    meaning = ToSymbol(symbol.kind, symbol.path, symbol.arity if symbol.kind == "predicate" else None)
    cx.mean(node, meaning)
    cx.mean(node.path, meaning, (path[-1].start, path[-1].end))
    check_arguments(cx, given, chosen.params, overlaps, wildcards=True, why=symbol.path)


def _no_fact(
    cx: Context,
    node: nodes.AssertDerivable | nodes.RefuteStmt,
    path: tuple[Segment, ...],
    found: Lookup,
    arities: list[int],
) -> None:
    name, span = path[-1].name, (path[-1].start, path[-1].end)
    given = len(node.args.args) if node.args else 0
    if found.code is not None:
        report_miss(cx, path, found, "predicate")
    elif arities:
        cx.report("OE0209", span, args(name=name, expected=any_of(arities), found=given or "none"))
    elif found.symbols and found.symbols[0].kind != "unsupported":
        values = args(name=name, found=a_kind(found.symbols[0]), expected="a predicate, concept or relation")
        cx.report("OE0201", span, values, notes=(Note("membership", args(name="T")),))
