"""While the arguments of a call are written: what is called, and which argument it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from argon_lang.ide.completion.spot import Spot, spot_at
from argon_lang.ide.docs import docs_of
from argon_lang.ide.signature import param
from argon_lang.program.model import ParamSig, Symbol, SymbolKind
from argon_lang.program.paths import names
from argon_lang.program.types import show
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


@dataclass(frozen=True, slots=True)
class SignatureShown:
    """One way to call: `label` holds each of `parameters` as a part; `docs` is Markdown."""

    label: str
    parameters: tuple[str, ...]
    docs: str


@dataclass(frozen=True, slots=True)
class SignatureHelp:
    """The signatures that the call may mean, and the number of the argument that is being written."""

    signatures: tuple[SignatureShown, ...]
    active: int


def signature_help(db: Database, file: str, offset: int) -> SignatureHelp | None:
    """Help for the innermost call around an offset; None outside of brackets."""
    spot = spot_at(db, file, offset)
    found = _call(spot) if spot is not None else None
    if spot is None or found is None:
        return None
    holder, arguments = found
    path = next((each for each in holder.children if isinstance(each, nodes.Path)), None)
    symbols = db.scope(spot.module).lookup(names(path)).symbols if path is not None else ()
    shown = tuple(each for symbol in symbols if (each := _shown(db, symbol)) is not None)
    return SignatureHelp(shown, _number(spot, arguments)) if shown else None


def _call(spot: Spot) -> tuple[View, nodes.ArgList] | None:
    for each in spot.around():
        if isinstance(each, nodes.ArgList) and each.start < spot.at <= each.end and each.parent is not None:
            return each.parent, each
        if isinstance(each, nodes.Body | nodes.StmtBlock):
            return None
    return None


def _number(spot: Spot, arguments: nodes.ArgList) -> int:
    return sum(1 for each in arguments.args if each.end <= spot.at and each.start != spot.at)


def _shown(db: Database, symbol: Symbol) -> SignatureShown | None:
    docs = docs_of(db, symbol)
    match symbol.kind:
        case "concept":
            parameter = f"x: {symbol.name}"
            return SignatureShown(f"{symbol.name}({parameter})", (parameter,), docs)
        case "relation":
            relation = db.declarations.relation(symbol.path)
            return _called(symbol.name, relation.ends, "", docs) if relation is not None else None
        case "fn" | "query" | "predicate" | "mutation" | "check":
            kind: SymbolKind = symbol.kind
            signature = db.declarations.callable(kind, symbol.path, symbol.arity)
            if signature is None:
                return None
            result = f" -> {show(signature.result)}" if signature.result is not None else ""
            return _called(symbol.name, signature.params, result, docs)
        case _:
            return None


def _called(name: str, params: Iterable[ParamSig], result: str, docs: str) -> SignatureShown:
    parameters = tuple(param(each) for each in params)
    return SignatureShown(f"{name}({', '.join(parameters)}){result}", parameters, docs)
