"""The entry: which body an item has, and what checks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from argon_lang.problems import Note, args
from argon_lang.program.generics import item_scope
from argon_lang.program.infer import (
    aggregates,
    blocks,
    calls,
    closures,
    conditions,
    data,
    exprs,
    literals,
    members,
    names,
    operators,
    patterns,
    postfix,
)
from argon_lang.program.infer.atoms import check_atoms
from argon_lang.program.infer.axes import infer_metaxis, infer_setting, infer_settings
from argon_lang.program.infer.clauses import Clause, open_clause, report_variables
from argon_lang.program.infer.compat import is_entity
from argon_lang.program.infer.context import Context, Local, Position, Verb
from argon_lang.program.infer.defeat import check_targets, target_arguments
from argon_lang.program.infer.depth import MAX_DEPTH, too_deep
from argon_lang.program.infer.dispatch import check_expr, infer_expr
from argon_lang.program.infer.exprs import warn_hidden
from argon_lang.program.infer.facts import head_literal, infer_fact, infer_ground
from argon_lang.program.infer.generics import check_type_arguments
from argon_lang.program.infer.impls import given_members, merged
from argon_lang.program.infer.instances import infer_instance
from argon_lang.program.infer.names import lookup
from argon_lang.program.infer.numbers import is_number
from argon_lang.program.infer.refinements import infer_refinement
from argon_lang.program.infer.returning import returns
from argon_lang.program.infer.select import infer_select
from argon_lang.program.infer.statements import infer_statements
from argon_lang.program.infer.typerefs import signature_type
from argon_lang.program.infer.words import quoted
from argon_lang.program.model import CallableSig, Declarations, Inference, ParamSig, Scope, ToBinding, ToEnd, ToSymbol
from argon_lang.program.paths import name_of, name_token, normal, segments
from argon_lang.program.truth import answer_node, answer_type
from argon_lang.program.types import DATE, DATETIME, INT, NAT, UNKNOWN, ListOf, Named, Type, Unknown, show
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item, View, need

REGISTERED = (
    aggregates,
    blocks,
    calls,
    closures,
    conditions,
    data,
    exprs,
    literals,
    members,
    names,
    operators,
    patterns,
    postfix,
)
"""The files that register what they know about expressions; imported here so that none is forgotten."""

EMPTY = Inference({}, {}, (), (), ())


def infer(item: Item, scope: Scope, declarations: Declarations) -> Inference:
    """Check the body of an item. Never raises.

    In an item with syntax errors types and names are found as far as they go, and nothing is reported.
    """
    root = item.root
    if isinstance(root, nodes.ImplDecl):
        given = given_members(root, scope, declarations)
        return merged(_checked(item, each.member, each.scope, declarations, each.asked) for each in given)
    return _checked(item, root, item_scope(root, scope.module, scope), declarations, None)


def _checked(item: Item, root: View, scope: Scope, declarations: Declarations, asked: CallableSig | None) -> Inference:
    """Check one item, or one member of an `impl` (`asked` by the trait)."""
    entry = _BODIES.get(type(root))
    if entry is None:
        return EMPTY
    verb, check = entry
    owner = name_of(getattr(root, "name", None)) or _title(root)
    cx = Context(item, scope, declarations, verb, owner, asked=asked)
    name = getattr(root, "name", None)
    if asked is not None and isinstance(name, nodes.Name):
        arity = len(asked.params) if asked.kind == "predicate" else None
        cx.mean(name, ToSymbol(asked.kind, asked.path, arity), (name.start, name.end))
    deep = too_deep(item)
    if deep is not None:
        cx.report("OE0017", deep, args(limit=MAX_DEPTH))
    else:
        check(cx, root)
        check_type_arguments(cx, root)
    if any(problem.code.startswith("OE") for problem in item.problems):
        cx.problems.clear()
    return cx.finish()


def head_types(item: Item, scope: Scope, declarations: Declarations) -> tuple[Type, ...]:
    """The types of a clause's head positions as its own body determines them; `Unknown` where it does not.

    A number in a head is as open: it takes the type that other clauses give to the column. For callers that want the
    columns of a predicate whose heads are not annotated. Never raises.
    """
    root = item.root
    if not isinstance(root, nodes.DeriveDecl) or root.head is None or too_deep(item) is not None:
        return ()
    cx = Context(item, scope, declarations, "derive", name_of(root.name) or "_")
    with cx.trial():
        _introduce(cx, root)
        return tuple(_head_type(cx, each) for each in root.head.params)


def _head_type(cx: Context, each: View) -> Type:
    meaning = cx.names.get(each.index)
    if isinstance(meaning, ToBinding) and meaning.id < len(cx.locals):
        return cx.locals[meaning.id].type
    return UNKNOWN if is_number(each) else cx.types.get(each.index, UNKNOWN)


def _title(root: View) -> str:
    if isinstance(root, nodes.TestDecl) and root.title is not None:
        return root.title.text[1:-1]
    if isinstance(root, nodes.FactDecl) and root.predicate is not None:
        return root.predicate.text
    return "_"


# -- rules ------------------------------------------------------------------------------------------------------------


def _derive(cx: Context, root: nodes.DeriveDecl) -> None:
    clause = _introduce(cx, root)
    if clause is not None and root.body is not None:
        check_atoms(cx, clause, root.body.atoms)
    check_targets(cx, root)
    if clause is not None:
        report_variables(cx, clause)


def _introduce(cx: Context, root: nodes.DeriveDecl) -> Clause | None:
    """Introduce and type the variables of a clause; None when it has no body."""
    written = root.head.params if root.head else []
    sig = cx.asked or cx.declarations.callable("predicate", f"{cx.scope.module}::{cx.owner}", len(written))
    params = sig.params if sig is not None else ()
    if root.body is None:
        infer_ground(cx, root, params)
        return None
    _head(cx, list(written), params)
    return open_clause(cx, list(root.body.atoms), target_arguments(root))


def _head(cx: Context, written: list[nodes.HeadVar | nodes.Expr], params: tuple[ParamSig, ...]) -> None:
    """Introduce the head's variables; an annotation says something about a variable and binds nothing."""
    for place, each in enumerate(written):
        if isinstance(each, nodes.HeadVar):
            _head_variable(cx, each, params[place].type if cx.asked is not None and place < len(params) else UNKNOWN)
        else:
            head_literal(cx, each, params[place] if place < len(params) else None)


def _head_variable(cx: Context, each: nodes.HeadVar, asked: Type) -> None:
    """A variable of a head; of an `impl`, one without an annotation is what the trait asks for."""
    local = _parameter(cx, each, each.name, each.type, given=False)
    if local is not None and each.type is None:
        local.type = asked
    if local is not None and not isinstance(local.type, Unknown):
        local.positions.append(Position(local.type, local.start, local.end))


def _parameter(
    cx: Context, node: View, name: nodes.Name | None, written: nodes.Type | None, *, given: bool
) -> Local | None:
    token = name_token(name)
    if token is None or name is None:
        return None
    text, span = normal(token.text), (token.start, token.end)
    if cx.local(text) is None:
        warn_hidden(cx, text, span)
    ty = signature_type(cx, written)
    local = cx.declare(text, "param", span, ty)
    local.given = given
    local.poisoned = written is not None and isinstance(ty, Unknown)
    local.occurrences.append(span)
    cx.mean(node, ToBinding(local.number))
    cx.mean(name, ToBinding(local.number), span)
    return local


def _check(cx: Context, root: nodes.CheckDecl) -> None:
    _head(cx, list(root.head.params) if root.head else [], cx.asked.params if cx.asked is not None else ())
    atoms = list(root.body.atoms) if root.body else []
    report = root.report.value if root.report else None
    clause = open_clause(cx, atoms, (report,) if report is not None else ())
    check_atoms(cx, clause, atoms)
    check_expr(cx, report, Named("struct", "std::core::Diagnostic"))
    report_variables(cx, clause)


# -- functions and queries --------------------------------------------------------------------------------------------


def _params(cx: Context, params: nodes.Params | None) -> None:
    for each in params.params if params else ():
        if isinstance(each, nodes.Param):
            local = _parameter(cx, each, each.name, each.type, given=True)
            if local is not None and not isinstance(local.type, Unknown):
                local.positions.append(Position(local.type, local.start, local.end))
        elif isinstance(each, nodes.SelfParam):
            _self(cx, each)


def _self(cx: Context, node: nodes.SelfParam) -> None:
    """The `self` of a member: an individual of the target of the `impl`."""
    span, ty = (node.start, node.end), cx.scope.lookup(("Self",)).type
    local = cx.declare("self", "param", span, ty if ty is not None else UNKNOWN)
    local.given = True
    local.poisoned = isinstance(local.type, Unknown)
    local.occurrences.append(span)
    cx.mean(node, ToBinding(local.number), span)


def _promised(cx: Context, result: nodes.ReturnType | None) -> Type:
    """The declared result, whose place is remembered."""
    written = result.type if result is not None else None
    if written is not None:
        cx.promise = (written.start, written.end)
    return signature_type(cx, written)


def _fn(cx: Context, root: nodes.FnDecl) -> None:
    _params(cx, root.params)
    result = cx.outcome = _promised(cx, root.result)
    body = root.value.value if root.value is not None else root.body
    check_expr(cx, body, result, why=cx.promise)


def _query(cx: Context, root: nodes.QueryDecl) -> None:
    _params(cx, root.params)
    written, tagged = answer_node(root.result, cx.scope)
    for clause in root.as_of:
        _read_point(cx, clause)
    if root.body is None:
        _extent(cx, written)
        return
    if written is not None:
        cx.promise = (written.start, written.end)
    infer_select(cx, root.body, answer_type(signature_type(cx, written), tagged))


def _read_point(cx: Context, clause: nodes.AsOfClause) -> None:
    """`as_of`: a transaction by its number, or a date or date-time."""
    found = infer_expr(cx, clause.value)
    if clause.value is not None and found not in (NAT, INT, DATE, DATETIME) and not isinstance(found, Unknown):
        note = Note("operator", args(construct="as_of", found=show(found)))
        cx.report("OE0202", clause.value, args(expected="_", found=show(found)), notes=(note,))


def _extent(cx: Context, written: nodes.Type | None) -> None:
    """`-> C` without a body: the meaning of C, a concept, relation or derived predicate, on the type node."""
    if isinstance(written, nodes.NamedType) and written.path is not None and written.args is None:
        symbols = lookup(cx, segments(written.path)).symbols
        predicates = [symbol for symbol in symbols if symbol.kind == "predicate"]
        if predicates and len(predicates) == len(symbols):
            _predicate_extent(cx, written, [symbol.arity or 0 for symbol in predicates], predicates[0].path)
            return
    ty = signature_type(cx, written)
    row = ty.element if isinstance(ty, ListOf) else ty
    if written is not None and not is_entity(row) and not isinstance(row, Unknown):
        kinds = {"enum": "an enum", "struct": "a struct"}
        found = kinds.get(row.kind, row.kind) if isinstance(row, Named) else "a built-in type"
        values = args(name=show(row), found=found, expected="a concept, relation or predicate")
        cx.report("OE0201", written, values)


def _predicate_extent(cx: Context, written: nodes.NamedType, arities: list[int], path: str) -> None:
    if len(arities) > 1:
        name = path.rsplit("::", 1)[-1]
        candidates = quoted(f"{name}/{arity}" for arity in sorted(arities))
        note = Note("qualify", args(candidates=candidates))
        cx.report("OE0102", written, args(name=name, candidates=candidates), notes=(note,))
        return
    meaning = ToSymbol("predicate", path, arities[0])
    cx.mean(written, meaning)
    if written.path is not None:
        cx.mean(written.path, meaning)


# -- mutations and tests ----------------------------------------------------------------------------------------------


def _mutate(cx: Context, root: nodes.MutateDecl) -> None:
    _params(cx, root.params)
    result = _promised(cx, root.result) if root.result is not None else None
    statements = root.body.statements if root.body else []
    infer_statements(cx, statements, result, -1)
    if root.body is not None and not returns(statements) and result is not None and cx.promise is not None:
        expected = show(result)
        notes = (Note("add"), Note("drop", args(expected=expected)))
        cx.report("OE0227", cx.promise, args(name=cx.owner, expected=expected), notes=notes)


def _test(cx: Context, root: nodes.TestDecl) -> None:
    infer_statements(cx, root.body.statements if root.body else (), None, -1)


# -- data -------------------------------------------------------------------------------------------------------------


def _concept(cx: Context, root: nodes.ConceptDecl) -> None:
    infer_refinement(cx, root, f"{cx.scope.module}::{cx.owner}")
    for member in root.body.members if root.body else ():
        if isinstance(member, nodes.FieldDecl):
            _default(cx, member)
            _view_end(cx, member)
        elif isinstance(member, nodes.AxisSetting):
            infer_setting(cx, member)
    infer_instance(cx, root, f"{cx.scope.module}::{cx.owner}")


def _view_end(cx: Context, member: nodes.FieldDecl) -> None:
    """The end that a navigation view names."""
    sig = cx.declarations.field(Named("concept", f"{cx.scope.module}::{cx.owner}"), name_of(member.name) or "")
    token = member.view.end_name if member.view is not None else None
    relation = cx.declarations.relation(sig.view[0]) if sig is not None and sig.view is not None else None
    for index, end in enumerate(relation.ends) if relation is not None and token is not None else ():
        if end.name == normal(need(token).text):
            cx.use((need(token).start, need(token).end), ToEnd(need(relation).path, index))


def _relation(cx: Context, root: nodes.RelationDecl) -> None:
    for member in root.body.fields if root.body else ():
        _default(cx, member)


def _struct(cx: Context, root: nodes.StructDecl) -> None:
    for member in root.fields.fields if root.fields else ():
        _default(cx, member)


def _default(cx: Context, member: nodes.FieldDecl) -> None:
    if member.default is not None:
        written = member.type
        why = (written.start, written.end) if written is not None else None
        check_expr(cx, member.default.value, signature_type(cx, written), why=why)


_BODIES: dict[type[View], tuple[Verb, Callable[[Context, Any], None]]] = {
    nodes.DeriveDecl: ("derive", _derive),
    nodes.CheckDecl: ("check", _check),
    nodes.FnDecl: ("fn", _fn),
    nodes.QueryDecl: ("query", _query),
    nodes.MutateDecl: ("mutation", _mutate),
    nodes.TestDecl: ("test", _test),
    nodes.FactDecl: ("fact", infer_fact),
    nodes.MetaxisDecl: ("default", infer_metaxis),
    nodes.MetatypeDecl: ("default", infer_settings),
    nodes.MetarelDecl: ("default", infer_settings),
    nodes.ConceptDecl: ("default", _concept),
    nodes.RelationDecl: ("default", _relation),
    nodes.StructDecl: ("default", _struct),
    nodes.EnumDecl: ("default", lambda cx, root: None),
}
