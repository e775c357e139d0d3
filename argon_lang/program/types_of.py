"""Type expressions as `Type` values (language.md §4): the one reader of types, for signatures and bodies alike."""

from __future__ import annotations

from argon_lang.problems import Note, Problem, args
from argon_lang.program.findings import Findings, prefix_uses, unresolved, wrong_kind
from argon_lang.program.model import Declarations, Scope, ToType, Use
from argon_lang.program.paths import Segment, segments
from argon_lang.program.types import (
    PRIMITIVES,
    UNKNOWN,
    Applied,
    FnOf,
    ListOf,
    Named,
    OptionOf,
    SetOf,
    Type,
    instantiated,
)
from argon_lang.syntax import nodes

TYPE_KINDS = ("concept", "relation", "struct", "enum")
_ARITY = {"Option": 1, "Set": 1, "Map": 2, "Range": 1, "TypeRef": None}


def type_of(node: nodes.Type | None, scope: Scope, out: Findings, declarations: Declarations | None = None) -> Type:
    """The type that `node` denotes in `scope`; `Unknown` where it is missing or in error (then `out` has the problem).

    Every resolved path is recorded as a use. `declarations` only serve secondary spans.
    """
    match node:
        case nodes.NamedType():
            return _named(node, scope, out, declarations)
        case nodes.OptionalType():
            inner = type_of(node.inner, scope, out, declarations)
            return inner if isinstance(inner, OptionOf) else OptionOf(inner)
        case nodes.ListType():
            low, high = _bounds(node)
            if node.high is not None and node.low is not None and high is not None and low > high:
                out.problems.append(bounds_reversed("a number of elements", node.low.start, node.high.end))
            return ListOf(type_of(node.element, scope, out, declarations), low, high)
        case nodes.FnType():
            written = node.params.types if node.params is not None else []
            result = node.result.type if node.result is not None else None
            params = tuple(type_of(each, scope, out, declarations) for each in written)
            return FnOf(params, type_of(result, scope, out, declarations))
    return UNKNOWN


def _bounds(node: nodes.ListType) -> tuple[int, int | None]:
    """`[T]` is 0 and no bound, `[T; n]` exactly n, `[T; n..m]` both inclusive."""
    if node.low is None:
        return 0, None
    low = number(node.low) or 0
    return (low, low) if node.high is None else (low, number(node.high))


def bounds_reversed(construct: str, start: int, end: int) -> Problem:
    """OE0007 of two bounds between which there is no number."""
    return Problem("OE0007", start, end, args(construct=construct, found="upper bound below its lower one"))


def number(bound: nodes.Bound) -> int | None:
    """A bound as a number; None for `*`."""
    token = bound.number
    return int(token.text.replace("_", "")) if token is not None else None


def _named(node: nodes.NamedType, scope: Scope, out: Findings, declarations: Declarations | None) -> Type:
    path = segments(node.path) if node.path else ()
    if not path:
        return UNKNOWN
    found = scope.lookup(tuple(segment.name for segment in path))
    if found.type is not None:
        return _parameter(node, found.type, path[-1], out)
    if found.primitive is not None:
        return _built_in(node, found.primitive, path[-1], scope, out, declarations)
    if found.code is not None:
        declared = declarations.symbols(found.candidates[0]) if declarations and found.code == "OE0104" else ()
        out.problems.append(no_self(path[-1]) if is_self(path) else unresolved(found, path, "type", declared))
        return UNKNOWN
    symbol = next((each for each in found.symbols if each.kind in TYPE_KINDS), found.symbols[0])
    if symbol.kind not in TYPE_KINDS or found.variant is not None:
        if symbol.kind != "unsupported":
            out.problems.append(wrong_kind(symbol, path[-1], "a type"))
        return UNKNOWN
    written = node.args.types if node.args is not None else []
    result = Named(symbol.kind, symbol.path)
    out.uses.extend(prefix_uses(path, symbol))
    out.uses.append(Use(path[-1].start, path[-1].end, ToType(result)))
    given = tuple(type_of(each, scope, out, declarations) for each in written)
    if len(given) != len(symbol.parameters):
        _count(node, path[-1], len(symbol.parameters), len(given), out)
        return UNKNOWN
    return instantiated(Named(symbol.kind, symbol.path, given))


def _parameter(node: nodes.NamedType, ty: Type, segment: Segment, out: Findings) -> Type:
    """A type parameter, or `Self`: never with type arguments of its own."""
    if node.args is not None:
        _count(node, segment, 0, len(node.args.types), out)
        return UNKNOWN
    if segment.name != "Self":
        out.uses.append(Use(segment.start, segment.end, ToType(ty)))
    return ty


def _count(node: nodes.NamedType, segment: Segment, wanted: int, given: int, out: Findings) -> None:
    """OE0209: a type with another number of type arguments than it has parameters."""
    few = ("no type argument", "one type argument", "two type arguments")
    expected = few[wanted] if wanted < len(few) else f"{wanted} type arguments"
    values = args(name=segment.name, expected=expected, found=given or "none")
    out.problems.append(Problem("OE0209", segment.start, node.end, values))


def is_self(path: tuple[Segment, ...]) -> bool:
    """Is it the lone word `Self`?"""
    return len(path) == 1 and path[0].name == "Self"


def no_self(segment: Segment, inside: bool = False) -> Problem:
    """OE0675: `Self` or `self` outside of a trait and an impl; or `inside` one, in a rule."""
    notes = (Note("variable" if inside else "name"),)
    return Problem("OE0675", segment.start, segment.end, args(name=segment.name), notes=notes)


def _built_in(
    node: nodes.NamedType, name: str, segment: Segment, scope: Scope, out: Findings, declarations: Declarations | None
) -> Type:
    """A primitive type, or a built-in type of types."""
    written = node.args.types if node.args is not None else []
    wanted = _ARITY.get(name, 0)
    if wanted is not None and len(written) != wanted:
        expected = ("no type argument", "one type argument", "two type arguments")[wanted]
        values = args(name=name, expected=expected, found=len(written) or "none")
        out.problems.append(Problem("OE0209", segment.start, node.end, values))
        return UNKNOWN
    if name in PRIMITIVES:
        out.uses.append(Use(segment.start, segment.end, ToType(PRIMITIVES[name])))
        return PRIMITIVES[name]
    given = tuple(type_of(each, scope, out, declarations) for each in written)
    made: Type = Applied(name, given)
    if name in ("Option", "Set"):
        made = OptionOf(given[0]) if name == "Option" else SetOf(given[0])
    out.uses.append(Use(segment.start, segment.end, ToType(made)))
    return made
