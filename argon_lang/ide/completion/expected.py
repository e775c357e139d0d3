"""The type that a place wants, and the type that a candidate has: what fits comes first."""

from __future__ import annotations

from argon_lang.ide.completion.model import Candidate
from argon_lang.ide.completion.spot import Spot
from argon_lang.program.model import SymbolKind
from argon_lang.program.paths import names
from argon_lang.program.types import Named, Type, Unknown
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def expected_type(spot: Spot) -> Type | None:
    """The type of the argument, field or operand that is being written; None where any may stand."""
    child: View = spot.node
    for holder in spot.around():
        match holder:
            case nodes.ArgList():
                place = next((n for n, each in enumerate(holder.args) if each.index == child.index), None)
                return _parameter(spot, holder.parent, place) if place is not None else None
            case nodes.FieldInit():
                return _field(spot, holder)
            case nodes.Binary(lhs=left, rhs=right) if left is not None and right is not None:
                return _known(spot, left if right.index == child.index else right)
            case nodes.Body() | nodes.StmtBlock() | nodes.Block():
                return None
        child = holder
    return None


def _known(spot: Spot, node: View) -> Type | None:
    found = spot.inference.types.get(node.index)
    return None if isinstance(found, Unknown) else found


def _parameter(spot: Spot, call: View | None, place: int) -> Type | None:
    path = next((each for each in call.children if isinstance(each, nodes.Path)), None) if call is not None else None
    if path is None:
        return None
    table = spot.db.declarations
    for symbol in spot.db.scope(spot.module).lookup(names(path)).symbols:
        if symbol.kind == "concept":
            return Named("concept", symbol.path)
        if symbol.kind == "relation":
            relation = table.relation(symbol.path)
            types = [end.type for end in relation.ends] if relation is not None else []
        else:
            kind: SymbolKind = symbol.kind
            signature = table.callable(kind, symbol.path, symbol.arity)
            types = [each.type for each in signature.params] if signature is not None else []
        if place < len(types):
            return None if isinstance(types[place], Unknown) else types[place]
    return None


def _field(spot: Spot, init: nodes.FieldInit) -> Type | None:
    name = init.name.text if init.name is not None else ""
    holder = init.parent.parent if init.parent is not None else None
    path = (
        next((each for each in holder.children if isinstance(each, nodes.Path)), None) if holder is not None else None
    )
    if path is None:
        return None
    for symbol in spot.db.scope(spot.module).lookup(names(path)).symbols:
        found = spot.db.declarations.field(Named(symbol.kind, symbol.path), name)
        if found is not None:
            return found.type
    return None


def type_of(spot: Spot, candidate: Candidate) -> Type | None:
    """The type of what a candidate would put there."""
    if candidate.kind == "local":
        found = [each for each in spot.inference.bindings if each.name == candidate.label]
        return next((each.type for each in reversed(found) if not isinstance(each.type, Unknown)), None)
    symbol = candidate.symbol
    if symbol is None:
        return None
    if symbol.kind == "individual":
        individual = spot.db.declarations.individual(symbol.path)
        return Named("concept", individual.concepts[0]) if individual is not None and individual.concepts else None
    if symbol.kind == "enum":
        return Named("enum", symbol.path)
    if symbol.kind in ("fn", "query"):
        kind: SymbolKind = symbol.kind
        signature = spot.db.declarations.callable(kind, symbol.path)
        return signature.result if signature is not None else None
    return None
