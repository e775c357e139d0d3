"""What a written name means in a body, and how a miss is told (language.md §2)."""

from __future__ import annotations

from dataclasses import replace

from argon_lang.problems import Edit, Fix, Note, Problem, args
from argon_lang.program.findings import a_kind, as_variant, unresolved
from argon_lang.program.foreign import known_elsewhere
from argon_lang.program.infer.compat import bare, fits, is_reflective
from argon_lang.program.infer.context import Context, Local
from argon_lang.program.infer.dispatch import handles
from argon_lang.program.infer.words import counted
from argon_lang.program.model import Lookup, Symbol, SymbolKind, ToBinding, ToSymbol, ToType, ToVariant, VariantSig
from argon_lang.program.paths import Segment, segments
from argon_lang.program.spelling import near
from argon_lang.program.types import ENTITY, METATYPE, TRAIT_REF, UNKNOWN, Applied, FnOf, Named, Type
from argon_lang.program.types_of import no_self
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def lone_name(node: View | None) -> str | None:
    """The name, when the node is a path of one segment that could be a local."""
    if not isinstance(node, nodes.Path):
        return None
    found = segments(node)
    return found[0].name if len(found) == 1 and found[0].name not in ("self", "Self", "super", "pkg", "std") else None


def lookup(cx: Context, path: tuple[Segment, ...]) -> Lookup:
    """What the module sees under a written path."""
    return cx.scope.lookup(tuple(segment.name for segment in path))


# -- values ------------------------------------------------------------------------------------------------------------


@handles(nodes.Path)
def _path(cx: Context, node: nodes.Path, hint: Type | None) -> Type:
    found = segments(node)
    if not found:
        return UNKNOWN
    local = cx.local(found[0].name) if len(found) == 1 else None
    if local is not None:
        return use_local(cx, node, local)
    if len(found) == 1 and found[0].name in ("self", "Self"):
        problem = no_self(found[0], cx.scope.lookup(("Self",)).type is not None)
        if not any((each.code, each.args) == (problem.code, problem.args) for each in cx.problems):
            cx.problems.append(problem)
        return UNKNOWN
    return _declared_value(cx, node, found, lookup(cx, found), hint)


def use_local(cx: Context, node: View, local: Local) -> Type:
    """Record that a node means a local; the local's type."""
    cx.mean(node, ToBinding(local.number), (node.start, node.end))
    return local.type


def name_value(cx: Context, node: View, segment: Segment) -> Type:
    """The value of a lone name that is no path node (`{ rent }`, `update b`); the meaning is recorded on `node`."""
    local = cx.local(segment.name)
    if local is not None:
        cx.mean(node, ToBinding(local.number), (segment.start, segment.end))
        return local.type
    return _declared_value(cx, node, (segment,), lookup(cx, (segment,)))


def _declared_value(
    cx: Context, node: View, path: tuple[Segment, ...], found: Lookup, hint: Type | None = None
) -> Type:
    last = path[-1]
    span = (last.start, last.end)
    if found.code is not None:
        report_miss(cx, path, found, "variable" if len(path) == 1 else _member_kind(cx, path))
        return UNKNOWN
    if found.variant is not None:
        return _lone_variant(cx, node, path, found, hint)
    if found.primitive is not None:
        cx.report("OE0201", span, args(name=last.name, found="a type", expected="a value"))
        return UNKNOWN
    individual = next((symbol for symbol in found.symbols if symbol.kind == "individual"), None)
    if individual is not None:
        cx.mean(node, ToSymbol("individual", individual.path), span)
        return individual_type(cx, individual.path)
    if any(symbol.kind == "unsupported" for symbol in found.symbols) or not found.symbols:
        return UNKNOWN
    if found.symbols[0].kind == "concept" and cx.declarations.individual(found.symbols[0].path) is not None:
        return _concept_value(cx, node, span, found.symbols[0].path)
    symbol, wanted = found.symbols[0], bare(hint) if hint is not None else UNKNOWN
    if is_reflective(wanted) and symbol.kind in ("concept", "relation", "metatype", "metarel", "trait"):
        return type_name(cx, node, path, symbol, wanted)
    sig = cx.declarations.callable("fn", symbol.path) if symbol.kind == "fn" and isinstance(wanted, FnOf) else None
    if sig is not None and not sig.generics:
        cx.mean(node, ToSymbol("fn", symbol.path), span)
        return FnOf(tuple(each.type for each in sig.params), sig.result or UNKNOWN)
    report_kind(cx, span, symbol, "a value")
    return UNKNOWN


def type_name(cx: Context, node: View, path: tuple[Segment, ...], symbol: Symbol, wanted: Type) -> Type:
    """The name of a type as a value: recorded, and of the kind that is wanted."""
    span = (path[-1].start, path[-1].end)
    cx.mean(node, ToSymbol(symbol.kind, symbol.path), span)
    found: Type = METATYPE
    if symbol.kind in ("concept", "relation"):
        kind = "concept" if symbol.kind == "concept" else "relation"
        found = Applied("TypeRef", (Named(kind, symbol.path),))
    elif symbol.kind == "trait":
        found = TRAIT_REF
    expected = "a metatype" if wanted == METATYPE else "a trait" if wanted == TRAIT_REF else "a type"
    if found != wanted and (wanted in (METATYPE, TRAIT_REF) or found == TRAIT_REF):
        report_kind(cx, span, symbol, expected)
        found = UNKNOWN
    cx.types[node.index] = found
    return found


def _concept_value(cx: Context, node: View, span: tuple[int, int], path: str) -> Type:
    """A concept as the individual of a higher-level concept that it instantiates."""
    cx.mean(node, ToSymbol("individual", path))
    cx.use(span, ToType(Named("concept", path)))
    return individual_type(cx, path)


def _member_kind(cx: Context, path: tuple[Segment, ...]) -> str:
    """What the last segment of a longer path was meant to be."""
    owner = lookup(cx, path[:-1]).symbols
    return "variant" if owner and owner[0].kind == "enum" else "name"


def individual_type(cx: Context, path: str) -> Type:
    """The most specific concept that the facts give an individual; `Entity` when they give none."""
    found = cx.declarations.individual(path)
    best: Type = ENTITY
    for concept in found.concepts if found else ():
        candidate = Named("concept", concept)
        if best == ENTITY or fits(cx.declarations, candidate, best):
            best = candidate
    return best


def _lone_variant(cx: Context, node: View, path: tuple[Segment, ...], found: Lookup, hint: Type | None) -> Type:
    enum, variant = found.symbols[0], found.variant or ""
    use_variant(cx, node, path, enum, variant)
    sig = variant_of(cx, enum.path, variant)
    if sig is not None and sig.payload:
        expected = counted(len(sig.payload), "argument" if sig.positional else "field")
        cx.report(
            "OE0209",
            (path[-1].start, path[-1].end),
            args(name=f"{enum.name}::{variant}", expected=expected, found="none"),
        )
    return _enum_type(cx, enum, hint)


def _enum_type(cx: Context, enum: Symbol, hint: Type | None) -> Type:
    """The type of a case that is written alone: with type parameters, whatever its place expects stands for them."""
    if not enum.parameters:
        return Named("enum", enum.path)
    wanted = bare(hint) if hint is not None else UNKNOWN
    if isinstance(wanted, Named) and wanted.path == enum.path:
        return wanted
    return Named("enum", enum.path, (UNKNOWN,) * len(enum.parameters))


def use_variant(cx: Context, node: View, path: tuple[Segment, ...], enum: Symbol, variant: str) -> None:
    """Record `Enum::Variant` on a node, and its enum segment as a use of the enum."""
    cx.mean(node, ToVariant(enum.path, variant), (path[-1].start, path[-1].end))
    if len(path) > 1:
        cx.use((path[-2].start, path[-2].end), ToSymbol("enum", enum.path))


def variant_of(cx: Context, enum: str | Named, variant: str) -> VariantSig | None:
    """The signature of an enum case; of an enum type, with what stands for its type parameters."""
    return cx.declarations.variant(Named("enum", enum) if isinstance(enum, str) else enum, variant)


# -- named things of a certain kind -----------------------------------------------------------------------------------


def resolve_kind(cx: Context, path: nodes.Path | None, kinds: tuple[SymbolKind, ...], expected: str) -> Symbol | None:
    """The symbol of one of `kinds` that a path names, recorded on the path; reports a miss, and another kind."""
    found = segments(path) if path is not None else ()
    if path is None or not found:
        return None
    outcome = lookup(cx, found)
    span = (found[-1].start, found[-1].end)
    if outcome.code is not None:
        report_miss(cx, found, outcome, expected.split(" ", 1)[-1])
        return None
    for symbol in outcome.symbols if outcome.variant is None else ():
        if symbol.kind in kinds:
            arity = symbol.arity if symbol.kind == "predicate" else None
            cx.mean(path, ToSymbol(symbol.kind, symbol.path, arity), span)
            return symbol
    if not any(symbol.kind == "unsupported" for symbol in outcome.symbols):
        _report_other(cx, span, found[-1].name, outcome, expected)
    return None


def _report_other(cx: Context, span: tuple[int, int], name: str, outcome: Lookup, expected: str) -> None:
    if outcome.variant is None and outcome.symbols:
        report_kind(cx, span, outcome.symbols[0], expected)
        return
    found = "an enum variant" if outcome.variant is not None else "a type"
    cx.report("OE0201", span, args(name=name, found=found, expected=expected))


def report_kind(
    cx: Context, span: tuple[int, int], symbol: Symbol, expected: str, notes: tuple[Note, ...] = ()
) -> None:
    """OE0201: the name is of another kind than its place needs."""
    values = args(name=symbol.name, found=a_kind(symbol), expected=expected)
    related = cx.declared_at("declared", symbol.path, name=symbol.name)
    cx.report("OE0201", span, values, related=related, notes=notes)


# -- misses ------------------------------------------------------------------------------------------------------------


def report_miss(cx: Context, path: tuple[Segment, ...], found: Lookup, kind: str) -> None:
    """OE0101, OE0102 or OE0104 at the segment that fails, with what may have been meant."""
    declared = cx.declarations.symbols(found.candidates[0]) if found.code == "OE0104" and found.candidates else ()
    problem = unresolved(found, path, kind, declared)
    if problem.code == "OE0101" and len(path) == 1:
        problem = _with_guess(cx, problem, path[0], kind)
    cx.problems.append(problem)


def _with_guess(cx: Context, problem: Problem, segment: Segment, kind: str) -> Problem:
    """The problem with what only a body knows: a local of nearly that name, an enum case written without its enum."""
    variant = as_variant(segment.name, cx.scope, cx.declarations)
    local = near(segment.name, cx.visible(), 1) if kind == "variable" else ()
    if variant is None and (not local or known_elsewhere(kind, segment.name) is not None):
        return problem
    suggestion = variant or local[0]
    note = Note("variant" if variant else "suggest", args(suggestion=suggestion))
    edit = Edit(segment.start, segment.end, suggestion)
    fix = Fix("replace", (edit,), args(suggestion=suggestion), safe=variant is not None)
    return replace(problem, notes=(note,), fixes=(fix,))
