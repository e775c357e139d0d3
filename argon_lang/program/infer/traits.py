"""Calls of trait members (language.md §3.6): whom they are for, what they give, and whether everybody has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from argon_lang.problems import Edit, Fix, Note, args
from argon_lang.program.infer.compat import join
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.names import lookup
from argon_lang.program.infer.reflection import meta_of
from argon_lang.program.infer.words import quoted, short
from argon_lang.program.model import CallableSig, ParamSig, Symbol, ToBinding, ToSymbol
from argon_lang.program.paths import names, segments
from argon_lang.program.types import ENTITY, UNKNOWN, Named, Type, TypeVar, Unknown, show, substituted
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def trait_of(symbol: Symbol) -> str | None:
    """The trait that a symbol is a member of: its path has one segment more than what a module declares."""
    owner = symbol.path.rpartition("::")[0]
    return owner if owner != symbol.module else None


def opened(sig: CallableSig, trait: str) -> tuple[ParamSig, ...]:
    """The parameters of a member for callers: nothing is said of what is `Self`, which coverage looks at."""
    nobody = {TypeVar(trait, "Self"): UNKNOWN}
    return tuple(ParamSig(each.name, substituted(each.type, nobody)) for each in sig.params)


def self_places(sig: CallableSig, trait: str) -> tuple[int, ...]:
    """The places of the parameters that are `Self`; the first decides which `impl` is meant."""
    own = TypeVar(trait, "Self")
    return tuple(place for place, param in enumerate(sig.params) if param.type == own)


def result_for(cx: Context, sig: CallableSig, trait: str, given: Sequence[View]) -> Type | None:
    """The result of a call, where `Self` is what the first argument for it is."""
    if sig.result is None:
        return None
    places = [place for place in self_places(sig, trait) if place < len(given)]
    found = cx.types.get(given[places[0]].index, UNKNOWN) if places else UNKNOWN
    return substituted(sig.result, {TypeVar(trait, "Self"): found})


def implementor(cx: Context, trait: str) -> Type:
    """What is known of somebody who implements a trait: the one target of its impls, what all have in common, else
    that it is an individual."""
    targets = [sig.target for _, sig in cx.declarations.impls(trait) if not isinstance(sig.target, Unknown)]
    found: Type | None = targets[0] if targets else None
    for each in targets[1:]:
        found = join(cx.declarations, found, each) if found is not None else None
    return found if found is not None else ENTITY


def check_cover(
    cx: Context, node: View, span: tuple[int, int], symbol: Symbol, sig: CallableSig, given: Sequence[View], bare: bool
) -> None:
    """OE1327 for each argument for `Self` that need not implement the trait. A predicate that is called by its trait
    just does not hold of those who do not."""
    trait = trait_of(symbol)
    if trait is None or (symbol.kind == "predicate" and not bare):
        return
    for place in self_places(sig, trait):
        if place < len(given) and not isinstance(given[place], nodes.Wildcard):
            _check_argument(cx, node, span, symbol, trait, given[place])


def _check_argument(cx: Context, node: View, span: tuple[int, int], symbol: Symbol, trait: str, given: View) -> None:
    known = _known(cx, given)
    if not known or any(cx.declarations.implements(ty, trait) for ty in known):
        return
    name = names(given)[0] if isinstance(given, nodes.Path) and len(names(given)) == 1 else None
    if name is not None and any(trait in cx.declarations.supertraits(each) for each in _guards(cx, node, name)):
        return
    outside = cx.declarations.uncovered(known[0], trait)
    values = args(type=show(known[0]), name=symbol.name, candidates=quoted(map(short, outside)), of=short(trait))
    notes: tuple[Note, ...] = ()
    fixes: tuple[Fix, ...] = ()
    if name is not None and cx.in_rule:
        shown = short(trait) if _sees(cx, short(trait), trait) else trait
        notes = (Note("guard", args(variable=name, of=shown)),)
        fixes = _guard_fix(node, f"implements(meta({name}), {shown}), ")
    cx.report(
        "OE1327", span, values, related=cx.declared_at("declared", trait, of=short(trait)), notes=notes, fixes=fixes
    )


def _known(cx: Context, given: View) -> list[Type]:
    """All that is known of an argument; nothing of a variable that the call itself binds, or of what is in error."""
    found = cx.types.get(given.index, UNKNOWN)
    if isinstance(found, Unknown):
        return []
    match cx.names.get(given.index):
        case ToBinding(number) if isinstance(given, nodes.Path) and number < len(cx.locals):
            local = cx.locals[number]
            if not local.given and not local.positions and not local.narrowed:
                return []
            return [found, *local.narrowed, *(position.type for position in local.positions)]
        case ToSymbol("individual", path):
            sig = cx.declarations.individual(path)
            return [found, *(Named("concept", each) for each in (sig.concepts if sig is not None else ()))]
    return [found]


def _sees(cx: Context, name: str, path: str) -> bool:
    return any(symbol.path == path for symbol in cx.scope.lookup((name,)).symbols)


# -- guards -----------------------------------------------------------------------------------------------------------


def guarded_local(node: View | None) -> tuple[nodes.Path, nodes.Path] | None:
    """The two paths of `implements(meta(x), T)`: of x and of T."""
    if not isinstance(node, nodes.Call) or node.path is None or names(node.path) != ("implements",):
        return None
    given = node.args.args if node.args else []
    if len(given) != 2 or not isinstance(given[1], nodes.Path):
        return None
    about = meta_of(given[0])
    return (about, given[1]) if isinstance(about, nodes.Path) else None


def _guards(cx: Context, node: View, name: str) -> Iterator[str]:
    """The traits that what is said around a call has a local implement."""
    below, at = node, node.parent
    while at is not None:
        for each in (part for said in _said(at, below) for part in _conjuncts(said)):
            guard = guarded_local(each)
            if guard is not None and names(guard[0]) == (name,):
                found = lookup(cx, segments(guard[1])).symbols
                yield from (symbol.path for symbol in found if symbol.kind == "trait")
        below, at = at, at.parent


def _said(at: View, below: View) -> Iterator[View | None]:
    """What holds where `below`, a part of `at`, is evaluated: atoms beside it, the condition of an `if`, what a
    `require` before it asks, the left side of `&&`."""
    match at:
        case nodes.SelectCore():
            bodies = (at.source.body if at.source else None, at.where.body if at.where else None)
            yield from (atom for body in bodies if body is not None for atom in body.atoms)
        case nodes.IfExpr() if at.then == below:
            yield at.condition.value if at.condition is not None else None
        case nodes.IfStmt() if at.then == below:
            yield at.condition
        case nodes.Binary() if at.rhs == below and at.op is not None and at.op.text == "&&":
            yield at.lhs
        case nodes.Block() | nodes.StmtBlock():
            before = (each for each in at.statements if each.start < below.start)
            yield from (asked for each in before if isinstance(each, nodes.RequireStmt) for asked in each.conditions)
        case _:
            yield from getattr(at, "atoms", ())


def _conjuncts(node: View | None) -> Iterator[View]:
    match node:
        case None:
            return
        case nodes.ParenExpr():
            yield from _conjuncts(node.inner)
        case nodes.Binary() if node.op is not None and node.op.text == "&&":
            yield from _conjuncts(node.lhs)
            yield from _conjuncts(node.rhs)
        case _:
            yield node


def _guard_fix(node: View, text: str) -> tuple[Fix, ...]:
    """Put the guard in front of the atom that a call stands in."""
    at, above = node, node.parent
    while above is not None and not isinstance(above, nodes.Body):
        at, above = above, above.parent
    return (Fix("guard", (Edit(at.start, at.start, text),)),) if above is not None else ()
