"""The meta-calculus (language.md §3.1): axes, metatypes, metarels, and values on axes."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.problems import Edit, Fix, Note, Problem, Related, args
from argon_lang.program.findings import unresolved
from argon_lang.program.model import Choice, MetarelSig, MetatypeSig, MetaxisSig, ToSymbol, ToVariant, Use
from argon_lang.program.paths import name_of, segments
from argon_lang.program.signatures.context import Context
from argon_lang.program.spelling import near
from argon_lang.syntax import nodes


def metaxis(root: nodes.MetaxisDecl, context: Context) -> MetaxisSig:
    """The signature of an axis."""
    names = root.values.names if root.values else []
    context.distinct(names, "axis value", name_of(root.name) or "_")
    values = tuple(dict.fromkeys(name for each in names if (name := name_of(each)) is not None))
    ordered = root.values is not None and root.values.ordered
    ty = context.type(root.type.type) if root.type is not None else None
    return MetaxisSig(context.path(root.name), _targets(root.target), values, ordered, ty)


def _targets(written: nodes.MetaTarget | None) -> tuple[str, ...]:
    """What an axis is for, each once; a list may hold lists."""
    if written is None:
        return ()
    own = [word for word, named in (("metatype", written.metatype), ("metarel", written.metarel)) if named]
    inner = [word for each in written.targets for word in _targets(each)]
    return tuple(dict.fromkeys((*own, *inner)))


def metatype(root: nodes.MetatypeDecl, context: Context) -> MetatypeSig:
    """The signature of a metatype."""
    path = context.path(root.name)
    settings = root.settings.settings if root.settings else []
    return MetatypeSig(path, root.abstract, root.fixed, choices(settings, path, context))


def metarel(root: nodes.MetarelDecl, context: Context) -> MetarelSig:
    """The signature of a metarel. No endpoints admit any arity."""
    path = context.path(root.name)
    written = root.ends.ends if root.ends else []
    context.distinct((end.name for end in written), "endpoint", path.rsplit("::", 1)[-1])
    ends = tuple(_end(each, context) for each in written)
    settings = root.settings.settings if root.settings else []
    return MetarelSig(path, ends or None, root.abstract, choices(settings, path, context))


def _end(written: nodes.MetarelEnd, context: Context) -> str:
    symbol = context.symbol(written.metatype, ("metatype",), "metatype", "a metatype")
    if symbol is None or written.metatype is None:
        return ""
    last = segments(written.metatype)[-1]
    context.out.uses.append(Use(last.start, last.end, ToSymbol(symbol.kind, symbol.path)))
    return symbol.path


# -- values on axes ---------------------------------------------------------------------------------------------------


def choices(written: Iterable[nodes.AxisSetting], of: str, context: Context) -> tuple[Choice, ...]:
    """One choice per value that is written; a second one on the same axis is OE0207."""
    found: list[Choice] = []
    first: dict[str, nodes.AxisSetting] = {}
    for each in written:
        choice = _choice(each, context)
        earlier = first.setdefault(choice.axis, each) if choice.axis else each
        if earlier is not each:
            _twice(each, earlier, choice.axis, of, context)
        found.append(choice)
    return tuple(found)


def _choice(written: nodes.AxisSetting, context: Context) -> Choice:
    axis, value = _axis(written, context), written.value
    if value is None:
        return Choice(axis, "")
    if value.literal is not None:
        return Choice(axis, value.literal.text, True)
    if value.name is None:
        return Choice(axis, "")
    if axis:
        context.out.uses.append(Use(value.start, value.end, ToVariant(axis, value.name.text)))
    return Choice(axis, value.name.text)


def _axis(written: nodes.AxisSetting, context: Context) -> str:
    """The canonical path of the axis; empty, and OE0601, where there is none."""
    path = segments(written.axis) if written.axis else ()
    if not path:
        return ""
    found = context.look(path)
    symbol = next((each for each in found.symbols if each.kind == "metaxis"), None)
    if symbol is not None:
        context.out.uses.append(Use(path[-1].start, path[-1].end, ToSymbol("metaxis", symbol.path)))
        return symbol.path
    if found.code == "OE0104":
        declared = context.declarations.symbols(found.candidates[0])
        context.out.problems.append(unresolved(found, path, "axis", declared))
    elif not any(each.kind == "unsupported" for each in found.symbols):
        known = [name for name, symbols in context.scope.names().items() if any(s.kind == "metaxis" for s in symbols)]
        close = near(path[-1].name, known, 1)
        notes: tuple[Note, ...] = ()
        fixes: tuple[Fix, ...] = ()
        if close:
            notes = (Note("suggest", args(suggestion=close[0])),)
            edit = Edit(path[0].start, path[-1].end, close[0])
            fixes = (Fix("replace", (edit,), args(suggestion=close[0])),)
        elif known:
            notes = (Note("axes", args(candidates=", ".join(f"`{name}`" for name in sorted(known)))),)
        name = "::".join(each.name for each in path)
        context.out.problems.append(Problem("OE0601", path[0].start, path[-1].end, args(name=name), (), notes, fixes))
    return ""


def _twice(each: nodes.AxisSetting, earlier: nodes.AxisSetting, axis: str, of: str, context: Context) -> None:
    name = axis.rsplit("::", 1)[-1]
    values = args(kind="axis value", name=name, of=of.rsplit("::", 1)[-1])
    related = (Related("first", earlier.start, earlier.end),)
    context.out.problems.append(Problem("OE0207", each.start, each.end, values, related))
