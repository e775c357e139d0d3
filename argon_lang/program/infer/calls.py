"""`name(…)`: functions, queries, predicates, concepts, relations, enum cases; and who may call what (language §3.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from argon_lang.problems import Edit, Fix, Note, args
from argon_lang.program.findings import a_kind, kind_word, prefix_uses
from argon_lang.program.infer.closures import call_closure, table_of
from argon_lang.program.infer.compat import fits, overlaps
from argon_lang.program.infer.context import Context, Verb
from argon_lang.program.infer.data import call_variant
from argon_lang.program.infer.dispatch import Fit, check_expr, handles, infer_expr
from argon_lang.program.infer.generics import Solving
from argon_lang.program.infer.mismatch import Why, report_mismatch
from argon_lang.program.infer.names import lookup, report_miss
from argon_lang.program.infer.reflection import check_reflection, reflected
from argon_lang.program.infer.traits import check_cover, opened, result_for, trait_of
from argon_lang.program.infer.words import any_of
from argon_lang.program.intrinsics import INTRINSICS, Intrinsic, intrinsic_result
from argon_lang.program.model import CallableSig, GenericSig, Lookup, ParamSig, Symbol, ToBinding, ToIntrinsic, ToSymbol
from argon_lang.program.paths import Segment, segments
from argon_lang.program.spelling import near
from argon_lang.program.types import BOOL, UNKNOWN, FnOf, Named, RecordOf, Type, show
from argon_lang.program.unify import variables
from argon_lang.quick import quick
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_MODAL = {"box": "box", "□": "box", "diamond": "diamond", "◇": "diamond"}
PREDICATES = ("concept", "relation", "predicate")

_LADDER: dict[Verb, tuple[str, ...]] = {
    "fn": ("fn", "query"),
    "default": ("fn", "query"),
    "fact": (),
    "query": ("fn", "query", "predicate"),
    "derive": ("fn", "query", "predicate"),
    "check": ("fn", "query", "predicate"),
    "mutation": ("fn", "query", "predicate", "mutation"),
    "test": ("fn", "query", "predicate", "mutation"),
}
_OWNERS: dict[Verb, str] = {
    "fn": "function",
    "default": "the default of",
    "fact": "fact",
    "query": "query",
    "derive": "rule",
    "check": "check",
    "mutation": "mutation",
    "test": "test",
}
_CALLABLE = {"fn": "functions", "query": "queries", "predicate": "derived predicates"}


@quick
@dataclass(frozen=True, slots=True)
class Callee:
    """What a call means: the symbol and what its arguments must be; `result` is Bool for predicates.

    `member` is the signature of a trait's member; of what is `Self` in it `params` say nothing.
    """

    symbol: Symbol
    params: tuple[ParamSig, ...]
    result: Type | None
    generics: tuple[GenericSig, ...] = ()
    member: CallableSig | None = None

    @property
    def is_predicate(self) -> bool:
        """Does the call hold or not hold of its arguments?"""
        return self.symbol.kind in PREDICATES


def candidates(cx: Context, found: Lookup) -> list[Callee]:
    """Everything callable among the symbols of a name."""
    return [callee for symbol in found.symbols if (callee := _callee(cx, symbol)) is not None]


def _callee(cx: Context, symbol: Symbol) -> Callee | None:
    match symbol.kind:
        case "concept":
            return Callee(symbol, (ParamSig("x", Named("concept", symbol.path)),), BOOL)
        case "relation":
            relation = cx.declarations.relation(symbol.path)
            return None if relation is None else Callee(symbol, relation.ends, BOOL)
        case "predicate":
            sig = cx.declarations.callable("predicate", symbol.path, symbol.arity)
            if sig is not None and (trait := trait_of(symbol)) is not None:
                return Callee(symbol, opened(sig, trait), BOOL, member=sig)
            unknown = tuple(ParamSig(str(place), UNKNOWN) for place in range(symbol.arity or 0))
            return Callee(symbol, sig.params if sig is not None else unknown, BOOL)
        case "fn" | "query" | "mutation":
            sig = cx.declarations.callable(symbol.kind, symbol.path)
            if sig is not None and (trait := trait_of(symbol)) is not None:
                return Callee(symbol, opened(sig, trait), sig.result, sig.generics, sig)
            return None if sig is None else Callee(symbol, sig.params, sig.result, sig.generics)
        case _:
            return None


def choose(found: Sequence[Callee], arity: int) -> Callee | None:
    """The callee for so many arguments: a predicate by exact arity, else the only one there is."""
    fitting = [callee for callee in found if len(callee.params) == arity]
    predicates = [callee for callee in fitting if callee.symbol.kind == "predicate"]
    if predicates or fitting:
        return (predicates or fitting)[0]
    return None


# -- calls in expressions ---------------------------------------------------------------------------------------------


@handles(nodes.Call)
def _call(cx: Context, node: nodes.Call, hint: Type | None) -> Type:
    return infer_call(cx, node, atom=False, hint=hint)


def infer_call(cx: Context, node: nodes.Call, *, atom: bool, hint: Type | None = None) -> Type:
    """The type of a call. `atom`: it stands as an atom of its own, so a predicate must have its exact arity."""
    path = segments(node.path) if node.path is not None else ()
    if not path:
        return _give_up(cx, node)
    if len(path) == 1 and cx.local(path[0].name) is not None:
        return _called_local(cx, node, path[0])
    found = lookup(cx, path)
    name = reflected(cx, node)
    if name is not None:
        return check_reflection(cx, node, name)
    if found.variant is not None:
        return call_variant(cx, node, path, found, hint)
    known = candidates(cx, found)
    if not known:
        return _not_callable(cx, node, path, found)
    return _resolved(cx, node, path, known, atom, hint)


def _resolved(
    cx: Context, node: nodes.Call, path: tuple[Segment, ...], known: list[Callee], atom: bool, hint: Type | None
) -> Type:
    given = node.args.args if node.args else []
    span = (path[-1].start, path[-1].end)
    chosen = choose(known, len(given))
    if chosen is None:
        return _wrong_count(cx, node, span, known, len(given), atom)
    symbol = chosen.symbol
    if not may_call(cx, span, symbol):
        return _give_up(cx, node)
    entry = intrinsic_of(symbol)
    if entry is not None:
        return _intrinsic(cx, node, span, entry)
    mean_call(cx, node, span, symbol)
    if symbol.kind == "mutation":
        related = cx.declared_at("callee", symbol.path, name=symbol.name)
        notes = (Note("step", args(name=symbol.name)),)
        cx.report("OE0713", span, args(name=symbol.name), related=related, notes=notes)
        for each in given:
            infer_expr(cx, each)
        return UNKNOWN
    if chosen.generics:
        found = _generic(cx, span, chosen, given, hint)
        return found if chosen.member is None else _of_member(cx, node, chosen, given)
    fit = overlaps if chosen.is_predicate else fits
    check_arguments(cx, given, chosen.params, fit, chosen.is_predicate, symbol.path)
    if chosen.member is not None:
        return _of_member(cx, node, chosen, given)
    return chosen.result if chosen.result is not None else UNKNOWN


def _of_member(cx: Context, node: nodes.Call, callee: Callee, given: Sequence[View]) -> Type:
    """The result of a call of a trait's member, whose arguments are inferred."""
    found = member_result(cx, node, callee, given)
    return BOOL if callee.is_predicate else found if found is not None else UNKNOWN


def member_result(cx: Context, node: nodes.Call, callee: Callee, given: Sequence[View]) -> Type | None:
    """What a call of a trait's member gives; who does not have the member is reported."""
    path = segments(node.path) if node.path is not None else ()
    trait = trait_of(callee.symbol)
    if callee.member is None or trait is None or not path:
        return callee.result
    check_cover(cx, node, (path[-1].start, path[-1].end), callee.symbol, callee.member, given, len(path) == 1)
    return result_for(cx, callee.member, trait, given)


def _generic(cx: Context, span: tuple[int, int], callee: Callee, given: Sequence[View], hint: Type | None) -> Type:
    """A call of a generic function: its arguments say what stands for its type parameters, closures last."""
    result = callee.result if callee.result is not None else UNKNOWN
    solving = Solving(cx, "fn", callee.symbol.path, callee.generics)
    solving.hope(result, hint)
    pairs = list(zip(given, callee.params, strict=True))
    for each, param in sorted(pairs, key=lambda pair: isinstance(pair[0], nodes.Lambda)):
        solving.infer(each, param.type)
    solving.check(fits, callee.symbol.path)
    solving.check_bounds(span)
    return solving.known(result)


def mean_call(cx: Context, node: nodes.Call, span: tuple[int, int], symbol: Symbol) -> None:
    """Record what a call means, on the call and on its path."""
    meaning = ToSymbol(symbol.kind, symbol.path, symbol.arity if symbol.kind == "predicate" else None)
    cx.mean(node, meaning)
    if node.path is not None:
        cx.uses.extend(prefix_uses(segments(node.path), symbol))
        cx.mean(node.path, meaning, span)


def check_arguments(
    cx: Context, given: Sequence[View], params: Sequence[ParamSig], fit: Fit, wildcards: bool, why: Why = None
) -> None:
    """Check arguments against parameters of the same number; `_` stands for any value where `wildcards`."""
    for each, param in zip(given, params, strict=False):
        if isinstance(each, nodes.Wildcard) and wildcards:
            wildcard(cx, each, param.type)
        else:
            check_expr(cx, each, param.type, fit, why)


def wildcard(cx: Context, node: nodes.Wildcard, ty: Type) -> None:
    """A `_` argument: a variable of its own, unless the rule's scopes have introduced it already."""
    meaning = cx.names.get(node.index)
    if isinstance(meaning, ToBinding) and meaning.id < len(cx.locals):
        cx.locals[meaning.id].type = ty
    else:
        local = cx.declare("_", "wildcard", (node.start, node.end), ty)
        cx.mean(node, ToBinding(local.number))
    cx.types[node.index] = ty


# -- the ladder -------------------------------------------------------------------------------------------------------


def may_call(cx: Context, span: tuple[int, int], symbol: Symbol) -> bool:
    """OE0710 when this kind of body may not call that kind of thing."""
    if symbol.kind in ("concept", "relation") or symbol.kind in _LADDER[cx.verb]:
        return True
    allowed = [_CALLABLE[kind] for kind in _LADDER[cx.verb] if kind in _CALLABLE]
    notes = [Note("ladder", args(kind=f"a {_OWNERS[cx.verb]}", expected=" and ".join(_listed(allowed))))]
    if cx.verb in ("fn", "default", "fact"):
        notes = notes if allowed else []
    if symbol.kind == "mutation":
        notes.append(Note("mutate"))
    values = args(kind=_OWNERS[cx.verb], of=cx.owner, found=kind_word(symbol), name=symbol.name)
    callee = cx.declared_at("callee", symbol.path, name=symbol.name)
    cx.report("OE0710", span, values, related=callee, notes=tuple(notes))
    return False


def _listed(words: list[str]) -> list[str]:
    """All but the last joined by commas, and the last."""
    return words if len(words) < 3 else [", ".join(words[:-1]), words[-1]]


# -- intrinsics -------------------------------------------------------------------------------------------------------


def intrinsic_of(symbol: Symbol) -> Intrinsic | None:
    """The intrinsic that a function of std stands for."""
    entry = INTRINSICS.get(symbol.name)
    if symbol.kind != "fn" or not symbol.path.startswith("std::") or entry is None:
        return None
    return entry if entry.form in ("function", "both") else None


def _intrinsic(cx: Context, node: nodes.Call, span: tuple[int, int], entry: Intrinsic) -> Type:
    given = node.args.args if node.args else []
    cx.mean(node, ToIntrinsic(entry.name))
    if node.path is not None:
        cx.mean(node.path, ToIntrinsic(entry.name), span)
    types = tuple(infer_expr(cx, each) for each in given)
    found = intrinsic_result(entry.name, types, lambda a, b: fits(cx.declarations, a, b))
    if found is None:
        wanted = next(sig.params for sig in entry.signatures if len(sig.params) == len(given))
        for each, ty, param in zip(given, types, wanted, strict=True):
            if not variables(param) and not fits(cx.declarations, ty, param):
                report_mismatch(cx, each, ty, param)
    return found if found is not None else UNKNOWN


# -- misses -----------------------------------------------------------------------------------------------------------


def _give_up(cx: Context, node: nodes.Call) -> Type:
    """Infer the arguments all the same, so that their names have meanings."""
    for each in node.args.args if node.args else ():
        if not isinstance(each, nodes.Wildcard):
            infer_expr(cx, each)
    return UNKNOWN


def _called_local(cx: Context, node: nodes.Call, segment: Segment) -> Type:
    local = cx.local(segment.name)
    table = table_of(cx, (segment,)) if cx.in_rule else None
    if table is not None:
        return _called_table(cx, node, segment, *table)
    if local is not None and isinstance(local.type, FnOf):
        return call_closure(cx, node, segment, local.type, local.number)
    if local is not None and node.path is not None:
        cx.mean(node.path, ToBinding(local.number), (segment.start, segment.end))
    values = args(name=segment.name, found="a variable", expected="something that can be called")
    cx.report("OE0201", (segment.start, segment.end), values)
    return _give_up(cx, node)


def _called_table(cx: Context, node: nodes.Call, segment: Segment, number: int, row: RecordOf) -> Type:
    """`t(a, b)` of what a `with` names: is there such a row?"""
    span, given = (segment.start, segment.end), node.args.args if node.args else []
    cx.mean(node, ToBinding(number))
    if node.path is not None:
        cx.mean(node.path, ToBinding(number), span)
    if len(given) != len(row.fields):
        values = args(name=segment.name, expected=any_of((len(row.fields),)), found=len(given) or "none")
        cx.report("OE0209", span, values)
    params = [ParamSig(name, ty) for name, ty in row.fields]
    check_arguments(cx, given, params, overlaps, wildcards=True)
    return BOOL


def _not_callable(cx: Context, node: nodes.Call, path: tuple[Segment, ...], found: Lookup) -> Type:
    """A name that is unknown, or that means something which takes no arguments."""
    name, span = path[-1].name, (path[-1].start, path[-1].end)
    if found.code is not None:
        if len(path) == 1 and (_special(cx, node, name) or _like_aggregate(cx, node, path[0])):
            return UNKNOWN
        report_miss(cx, path, found, "predicate" if cx.in_rule else "function")
        return _give_up(cx, node)
    symbol = found.symbols[0] if found.symbols else None
    if symbol is None:
        cx.report("OE0201", span, args(name=name, found="a built-in type", expected="something that can be called"))
    elif len(path) == 1 and symbol.kind in ("metatype", "metarel") and _special(cx, node, name):
        return UNKNOWN
    elif symbol.kind != "unsupported":
        braces = symbol.kind == "struct"
        notes = (Note("call", args(found=a_kind(symbol), suggestion=f"{name} {{ … }}")),) if braces else ()
        values = args(name=name, found=a_kind(symbol), expected="something that can be called")
        cx.report("OE0201", span, values, related=cx.declared_at("declared", symbol.path, name=name), notes=notes)
    return _give_up(cx, node)


_AGGREGATES = ("sum", "count", "min", "max", "avg", "set", "one", "collect")
_OTHER_WORDS = {"average": "avg", "mean": "avg", "total": "sum", "minimum": "min", "maximum": "max", "number": "count"}


def _like_aggregate(cx: Context, node: nodes.Call, segment: Segment) -> bool:
    """OE1312 for an unknown name that is called as an aggregate is: with atoms behind a value."""
    given = node.args.args if node.args else []
    if not any(_is_atom(cx, each) for each in given[1:]):
        return False
    word = _OTHER_WORDS.get(segment.name.split("_")[0]) or next(iter(near(segment.name, _AGGREGATES, 1)), None)
    span = (segment.start, segment.end)
    notes, fixes = [Note("known")], list[Fix]()
    if word is not None:
        notes = [Note("suggest", args(suggestion=word))]
        fixes = [Fix("replace", (Edit(*span, word),), args(suggestion=word), safe=False)]
    cx.report("OE1312", span, args(name=segment.name), notes=tuple(notes), fixes=tuple(fixes))
    _give_up(cx, node)
    return True


def _is_atom(cx: Context, node: View) -> bool:
    """Is it a call of a concept, relation or derived predicate?"""
    path = segments(node.path) if isinstance(node, nodes.Call) and node.path is not None else ()
    return bool(path) and any(each.kind in PREDICATES for each in lookup(cx, path).symbols)


def _special(cx: Context, node: nodes.Call, name: str) -> bool:
    """Reflection and the modal operators: of the language, and not evaluated."""
    if name in _MODAL:
        construct = f"`{_MODAL[name]}`"
        cx.unsupported = True
        cx.report("OE0712", node.path or node, args(construct=construct, tier="modal"))
        return True
    return False


def _wrong_count(
    cx: Context, node: nodes.Call, span: tuple[int, int], known: list[Callee], given: int, atom: bool
) -> Type:
    """The value of the last column of a predicate called with its arity less one, `balance(cash)`; else OE0209."""
    function_like = next((c for c in known if c.symbol.kind == "predicate" and len(c.params) == given + 1), None)
    if function_like is not None and not atom:
        if not may_call(cx, span, function_like.symbol):
            return _give_up(cx, node)
        mean_call(cx, node, span, function_like.symbol)
        check_arguments(cx, node.args.args if node.args else (), function_like.params, overlaps, wildcards=True)
        return function_like.params[-1].type
    symbol = known[0].symbol
    mean_call(cx, node, span, symbol)
    signature = f"{symbol.name}({', '.join(_shown(param) for param in known[0].params)})"
    values = args(name=symbol.name, expected=any_of(len(c.params) for c in known), found=given or "none")
    related = cx.declared_at("declared", symbol.path, signature=signature)
    notes = (Note("signature", args(signature=signature)),)
    cx.report("OE0209", span, values, related=related, notes=notes)
    _give_up(cx, node)
    return known[0].result if len(known) == 1 and known[0].result is not None else UNKNOWN


def _shown(param: ParamSig) -> str:
    return param.name if param.type == UNKNOWN else f"{param.name}: {show(param.type)}"
