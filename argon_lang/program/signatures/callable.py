"""Functions, queries, checks, mutations and clauses of derived predicates (language.md §3.8): parameters and result."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.problems import Problem, args
from argon_lang.program.defeat import default_of, label_of
from argon_lang.program.findings import unresolved
from argon_lang.program.model import CallableSig, ParamSig, SymbolKind, ToSymbol, Use
from argon_lang.program.paths import Segment, name_of, segments
from argon_lang.program.signatures.context import Context, unknown_when_missing
from argon_lang.program.signatures.generics import generics
from argon_lang.program.signatures.standpoints import standpoint_path
from argon_lang.program.truth import answer_node, answer_type
from argon_lang.program.types import UNKNOWN, ListOf, Type
from argon_lang.program.types_of import no_self
from argon_lang.syntax import nodes


def fn(root: nodes.FnDecl, context: Context) -> CallableSig:
    """The signature of a function."""
    own = generics(root.generics, root.name, context)
    params = _params(root.params, root.name, context, context.value_type)
    result = context.value_type(root.result.type if root.result else None)
    return CallableSig("fn", context.path(root.name), params, result, own)


def query(root: nodes.QueryDecl, context: Context, extent: bool = True) -> CallableSig:
    """The signature of a query. One without a body lists the extent of what its result names, if `extent`."""
    for path in root.across.standpoints if root.across is not None else []:
        standpoint_path(path, context)
    if root.across is not None and not root.across.standpoints:
        values = args(construct="`across`", found="empty list")
        context.out.problems.append(Problem("OE0007", root.across.start, root.across.end, values))
    params = _params(root.params, root.name, context)
    node, tagged = answer_node(root.result, context.scope)
    written = root.body is not None or not extent
    result = answer_type(context.type(node), tagged) if written else _extent(node, context)
    return CallableSig("query", context.path(root.name), params, result)


def mutation(root: nodes.MutateDecl, context: Context) -> CallableSig:
    """The signature of a mutation; without a result type it yields nothing."""
    params = _params(root.params, root.name, context)
    result = None if root.result is None else _result(root.result, context)
    return CallableSig("mutation", context.path(root.name), params, result)


def head(kind: SymbolKind, root: nodes.DeriveDecl | nodes.CheckDecl, context: Context) -> CallableSig:
    """The signature of one clause or check: `Unknown` where the head leaves a type to inference."""
    written = root.head.params if root.head else []
    params = tuple(_head_param(each, index, context) for index, each in enumerate(written))
    named = [each.name for each in written if isinstance(each, nodes.HeadVar)]
    context.distinct((each for each in named if name_of(each) != "_"), "parameter", name_of(root.name) or "_")
    default = isinstance(root, nodes.DeriveDecl) and default_of(root) is not None
    label = label_of(root) if isinstance(root, nodes.DeriveDecl) else ""
    return CallableSig(kind, context.path(root.name), params, None, default=default, label=label)


def _head_param(written: nodes.HeadVar | nodes.Expr, index: int, context: Context) -> ParamSig:
    if isinstance(written, nodes.HeadVar):
        return ParamSig(name_of(written.name) or "_", unknown_when_missing(written.type, context))
    return ParamSig(str(index), UNKNOWN)


def _params(
    written: nodes.Params | None,
    of: nodes.Name | None,
    context: Context,
    type_of: Callable[[nodes.Type | None], Type] | None = None,
) -> tuple[ParamSig, ...]:
    """The parameters of a callable; only those of functions may be functions themselves."""
    read = type_of or context.type
    found: list[ParamSig] = []
    listed = written.params if written else []
    for each in listed:
        if isinstance(each, nodes.SelfParam):
            found.append(ParamSig("self", _self_type(each, context)))
        else:
            found.append(ParamSig(name_of(each.name) or "_", read(each.type)))
    named = (each.name for each in listed if isinstance(each, nodes.Param))
    context.distinct(named, "parameter", name_of(of) or "_")
    return tuple(found)


def _self_type(written: nodes.SelfParam, context: Context) -> Type:
    """What `self` is: the `Self` of a trait or an impl; OE0675 elsewhere."""
    ty = context.scope.lookup(("Self",)).type
    if ty is None:
        context.out.problems.append(no_self(Segment("self", written.start, written.end)))
    return ty if ty is not None else UNKNOWN


def _result(written: nodes.ReturnType | None, context: Context) -> Type:
    return context.type(written.type if written else None)


def _extent(node: nodes.Type | None, context: Context) -> Type:
    """`-> C` without a body: every C, tuple of C, or row of the predicate C."""
    if isinstance(node, nodes.NamedType) and node.path is not None and node.args is None:
        path = segments(node.path)
        found = context.look(path)
        if found.code is not None:
            declared = context.declarations.symbols(found.candidates[0]) if found.code == "OE0104" else ()
            context.out.problems.append(unresolved(found, path, "concept, relation or predicate", declared))
            return UNKNOWN
        if found.symbols and all(symbol.kind == "predicate" for symbol in found.symbols):
            meaning = ToSymbol("predicate", found.symbols[0].path, found.symbols[0].arity)
            context.out.uses.append(Use(path[-1].start, path[-1].end, meaning))
            return ListOf(UNKNOWN)
    ty = context.type(node)
    return ty if isinstance(ty, ListOf) else ListOf(ty)
