"""A derived predicate called with its arity less one (language §3.10): the last column of the one row that matches."""

from __future__ import annotations

from typing import Any, cast

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.canonical import canonical_rule
from argon_lang.ir.lower.expr import HANDLERS, lower_expr
from argon_lang.ir.lower.flatten import Conjunction
from argon_lang.ir.lower.fragment import Trace
from argon_lang.ir.lower.reading import Reading
from argon_lang.ir.lower.walk import Held
from argon_lang.ir.names import derived_key
from argon_lang.ir.rules import Aggregate, Match, Term, Var
from argon_lang.program.model import ToSymbol
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need

_plain_call = HANDLERS[nodes.Call]


def _call(node: nodes.Call, reading: Reading) -> ir.Expr:
    meaning = reading.meaning(node, node.path)
    given = len(need(node.args).args)
    if not (isinstance(meaning, ToSymbol) and meaning.kind == "predicate" and meaning.arity == given + 1):
        return _plain_call(node, reading)
    return cast(ir.Expr, Held(node, _take, _fold)) if reading.in_rule else _fold(node, reading)


HANDLERS[nodes.Call] = _call


def _predicate(node: nodes.Call, reading: Reading) -> ToSymbol:
    meaning = reading.meaning(node, node.path)
    return cast(ToSymbol, meaning)


def _take(node: Any, body: Conjunction, name: str | None) -> ir.Expr:
    """The literal of a call in a rule; each argument is bound outside it, whatever else names it."""
    draft, args = body.draft, need(node.args).args
    symbol, site = _predicate(node, draft.reading), draft.site(node)
    terms: list[Term] = []
    for arg in args:
        if isinstance(arg, nodes.Wildcard):
            terms.append(body.wildcard(arg))
            continue
        terms.append(body.given(lower_expr(arg, draft.reading), arg))
    value = Var(draft.fresh(" ".join(node.text.split())))
    match = Match(derived_key(symbol.path, len(args) + 1), (*terms, value), site)
    var = name or draft.fresh(" ".join(node.text.split()))
    body.add(Aggregate(var, "one", (), value, (match,), draft.reading.type_of(node), site))
    return ir.Local(var)


def _fold(node: Any, reading: Reading) -> ir.Expr:
    """The call as an expression, over a rule whose inputs are the arguments."""
    args, symbol = need(node.args).args, _predicate(node, reading)
    terms = tuple(Var(f"a{place}") for place in range(len(args)))
    value = Var("value")
    match = Match(derived_key(symbol.path, len(args) + 1), (*terms, value))
    given = [(term.name, arg) for term, arg in zip(terms, args, strict=True) if not isinstance(arg, nodes.Wildcard)]
    rule, names = canonical_rule(f"{symbol.path}(…)", [value], [match], "aggregate", [name for name, _ in given])
    type_, shown = reading.type_of(node), _shown(terms, args)
    reading.folds.append(
        Trace(
            rule=rule.id,
            key=rule.key,
            item=reading.unit.id,
            name=symbol.path.rsplit("::", 1)[-1],
            start=node.start,
            end=node.end,
            names=tuple(sorted((new, shown.get(old, "value")) for old, new in names.given.items())),
            sites=((node.start, node.end),),
            filters=0,
            columns=(("value", type_),),
        )
    )
    return ir.Fold("one", rule, tuple(lower_expr(arg, reading) for _, arg in given), type_)


def _shown(terms: tuple[Var, ...], args: list[View] | list[nodes.Expr]) -> dict[str, str]:
    return {term.name: arg.text for term, arg in zip(terms, args, strict=True)}
