"""Relations (language.md §3.3): metarel, endpoints, cardinalities, superrelations, fields."""

from __future__ import annotations

from argon_lang.problems import Problem, args
from argon_lang.program.attributes import forgettable
from argon_lang.program.model import ParamSig, RelationSig
from argon_lang.program.paths import name_of
from argon_lang.program.signatures.concept import construct, super_paths
from argon_lang.program.signatures.context import Context
from argon_lang.program.signatures.fields import fields
from argon_lang.program.types_of import bounds_reversed, number
from argon_lang.syntax import nodes


def relation(root: nodes.RelationDecl, context: Context) -> RelationSig:
    """The signature of a relation."""
    path = context.path(root.name)
    metarel = construct(root.metarel, "metarel", context)
    written = root.endpoints.endpoints if root.endpoints else []
    own = root.body.fields if root.body else []
    name = name_of(root.name) or "_"
    context.distinct([*(end.name for end in written), *_clashing(written, own)], "endpoint", name)
    ends = tuple(ParamSig(name_of(end.name) or "_", context.type(end.type)) for end in written)
    bounds = _bounds(root, len(ends), context)
    supers = super_paths(root.supers, "relation", context)
    return RelationSig(path, metarel, ends, bounds, supers, fields(own, path, context), forgettable(root))


def _clashing(ends: list[nodes.Endpoint], own: list[nodes.FieldDecl]) -> list[nodes.Name | None]:
    """Names of fields that an endpoint has taken."""
    taken = {name_of(end.name) for end in ends}
    return [field.name for field in own if name_of(field.name) in taken]


def _bounds(root: nodes.RelationDecl, ends: int, context: Context) -> tuple[tuple[int, int | None], ...]:
    """One bracket per endpoint or none; another number is OE0209."""
    written = root.cardinalities
    if written and len(written) != ends:
        values = args(name=name_of(root.name) or "_", expected=f"{ends} cardinalities or none", found=len(written))
        context.out.problems.append(Problem("OE0209", written[0].start, written[-1].end, values))
        return ()
    found = tuple(_bound(each) for each in written)
    for each, (low, high) in zip(written, found, strict=True):
        if high is not None and low > high:
            context.out.problems.append(bounds_reversed("a cardinality", each.start, each.end))
    return found


def _bound(written: nodes.Cardinality) -> tuple[int, int | None]:
    """`[n]` is exactly n; `[*]` anything; both bounds inclusive."""
    if written.low is None:
        return 0, None
    low = number(written.low)
    if written.high is None:
        return (0, None) if low is None else (low, low)
    return low or 0, number(written.high)
