"""Individuals: what declared facts say of them (language.md §3.7)."""

from __future__ import annotations

from argon_lang.program.model import IndividualSig, Scope
from argon_lang.program.paths import names
from argon_lang.program.signatures.context import Context
from argon_lang.syntax import nodes


def fact(root: nodes.FactDecl, context: Context) -> tuple[IndividualSig, ...]:
    """One entry per individual among the arguments; with the concept when the fact says that it belongs to one.

    Problems of the fact itself are found where its arguments are checked, so none are recorded here.
    """
    predicate = names(root.predicate) if root.predicate else ()
    found = context.scope.lookup(predicate)
    concepts = tuple(symbol.path for symbol in found.symbols if symbol.kind == "concept" and not root.negative)
    args = root.args.args if root.args else []
    paths = [path for arg in args if (path := _individual(arg, context.scope)) is not None]
    return tuple(IndividualSig(path, concepts if len(args) == 1 else ()) for path in dict.fromkeys(paths))


def _individual(arg: nodes.Expr, scope: Scope) -> str | None:
    if not isinstance(arg, nodes.Path):
        return None
    symbols = scope.lookup(names(arg)).symbols
    return next((symbol.path for symbol in symbols if symbol.kind == "individual"), None)
