"""What an `impl` owes to its trait and to the other impls of it (language.md §3.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from argon_lang.problems import Edit, Fix, ItemId, Note, Problem, Related, args
from argon_lang.program.declarations import Table
from argon_lang.program.findings import BEFORE_ITEM, declared_at, kind_word, related_to
from argon_lang.program.lookup import root_of
from argon_lang.program.model import CallableSig, ImplSig, Symbol, SymbolKind, TraitSig
from argon_lang.program.paths import name_of
from argon_lang.program.signatures.traits import Member
from argon_lang.program.spelling import near
from argon_lang.program.types import (
    BOOL,
    DECIMAL,
    INT,
    MONEY,
    NAT,
    REAL,
    STRING,
    ListOf,
    Named,
    Type,
    TypeVar,
    Unknown,
    show,
    substituted,
)
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

Key = tuple[SymbolKind, str, int | None]


def wrong_impl(root: nodes.ImplDecl, own: ImplSig, table: Table, module: str, id_: ItemId) -> Iterator[Problem]:
    """Problems of an `impl` with its trait, the members, the supertraits and the other impls."""
    trait = table.trait(own.trait)
    if trait is None or root.trait is None or root.members is None:
        return
    yield from _orphan(root, own, module)
    yield from _members(root, own, trait, table)
    yield from _overlap(root, own, table, id_)
    for above in trait.supers:
        if above and not table.implements(own.target, above):
            yield _unmet(root.trait, own, above, table)


def as_given(trait: TraitSig, target: Type) -> tuple[CallableSig, ...]:
    """The members of a trait as an `impl` for `target` must give them."""
    values = {TypeVar(trait.path, "Self"): target}
    return tuple(_with(each, values) for each in trait.members)


def _with(sig: CallableSig, values: dict[TypeVar, Type]) -> CallableSig:
    params = tuple(type(each)(each.name, substituted(each.type, values)) for each in sig.params)
    result = None if sig.result is None else substituted(sig.result, values)
    return CallableSig(sig.kind, sig.path, params, result, sig.generics)


def key_of(sig: CallableSig) -> Key:
    """What tells the members of a trait apart."""
    return sig.kind, _short(sig.path), len(sig.params) if sig.kind == "predicate" else None


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]


def _word(kind: SymbolKind) -> str:
    return kind_word(Symbol(kind, "", "", "private", ()))


# -- members ----------------------------------------------------------------------------------------------------------


def _members(root: nodes.ImplDecl, own: ImplSig, trait: TraitSig, table: Table) -> Iterator[Problem]:
    asked = {key_of(each): each for each in as_given(trait, own.target)}
    given = {key_of(each): each for each in own.members}
    missing = [sig for key, sig in asked.items() if key not in given]
    written = root.members.members if root.members else []
    for each, sig in zip(written, own.members, strict=True):
        wanted = asked.get(key_of(sig))
        if wanted is not None:
            yield from _unlike(each, sig, wanted, table)
        else:
            meant = _meant(sig, missing)
            missing = [other for other in missing if other is not meant]
            yield _extra(each, sig, meant, trait, table)
    for lacking in missing if isinstance(own.target, Named) else ():
        yield _missing(root, lacking, own, trait, table)


def _meant(sig: CallableSig, missing: Sequence[CallableSig]) -> CallableSig | None:
    """The required member that a superfluous one was to be: one of its name, else one of nearly its name."""
    name = _short(sig.path)
    names = [_short(each.path) for each in missing]
    close = [name] if name in names else list(near(name, names, 1))
    return next((each for each in missing if close and _short(each.path) == close[0]), None)


def _extra(member: Member, sig: CallableSig, meant: CallableSig | None, trait: TraitSig, table: Table) -> Problem:
    place: View = member.name or member
    values = args(of=_short(trait.path), kind=_word(sig.kind), name=_short(sig.path))
    related = related_to("trait", table.symbols(trait.path), of=_short(trait.path))
    if meant is not None and _short(meant.path) != _short(sig.path):
        suggestion = args(suggestion=_short(meant.path))
        fix = Fix("replace", (Edit(place.start, place.end, _short(meant.path)),), suggestion)
        return Problem("OE0671", place.start, place.end, values, related, (Note("suggest", suggestion),), (fix,))
    notes = (Note("kind", args(kind=_word(meant.kind))),) if meant is not None else ()
    removal = Fix("remove", (Edit(member.start, member.end, ""),), args(name=_short(sig.path)), safe=False)
    return Problem("OE0671", place.start, place.end, values, related, notes, (removal,))


def _missing(root: nodes.ImplDecl, sig: CallableSig, own: ImplSig, trait: TraitSig, table: Table) -> Problem:
    name, kind = _short(sig.path), _word(sig.kind)
    values = args(of=_short(trait.path), type=show(own.target), kind=kind, name=name)
    related = related_to("declared", table.symbols(trait.path), name=name)
    text = _skeleton(sig)
    fixes: tuple[Fix, ...] = ()
    if text is not None and root.members is not None:
        end = root.members.end - 1
        fixes = (Fix("insert", (Edit(end, end, f" {text} "),), args(kind=kind, name=name), safe=False),)
    start, end = (root.trait.start, root.trait.end) if root.trait else (root.start, root.end)
    return Problem("OE0670", start, end, values, related, (), fixes)


def _skeleton(sig: CallableSig) -> str | None:
    """A member to begin with; None where there is nothing that could stand in its body."""
    listed = ", ".join("self" if each.name == "self" else f"{each.name}: {show(each.type)}" for each in sig.params)
    if sig.kind == "mutation" and sig.result is None:
        return f"mutate {_short(sig.path)}({listed}) {{}}"
    value = "[]" if isinstance(sig.result, ListOf) else _PLAIN.get(sig.result) if sig.result is not None else None
    if sig.kind == "fn" and value is not None and sig.result is not None:
        return f"fn {_short(sig.path)}({listed}) -> {show(sig.result)} = {value};"
    return None


_PLAIN: dict[Type, str] = {
    **dict.fromkeys((NAT, INT, DECIMAL, REAL, MONEY), "0"), BOOL: "false", STRING: '""',
}  # fmt: skip


def _unlike(member: Member, mine: CallableSig, wanted: CallableSig, table: Table) -> Iterator[Problem]:
    """OE0209 for another number of parameters, OE0202 for a type that is not the required one."""
    related = related_to("declared", table.symbols(wanted.path))
    place: View = member.name or member
    if len(mine.params) != len(wanted.params):
        count = len(wanted.params)
        expected = f"{count} parameter{'' if count == 1 else 's'}"
        values = args(name=_short(wanted.path), expected=expected, found=len(mine.params) or "none")
        yield Problem("OE0209", place.start, place.end, values)
        return
    for node, found, expected_type in zip(_type_nodes(member), mine.params, wanted.params, strict=False):
        if node is not None and table.meet(found.type, expected_type.type) is None:
            values = args(expected=show(expected_type.type), found=show(found.type))
            yield Problem("OE0202", node.start, node.end, values, related)
    result: nodes.ReturnType | None = getattr(member, "result", None)
    if wanted.result is not None and (mine.result is None or not table.is_subtype(mine.result, wanted.result)):
        at: View = result if result is not None else place
        found_type = show(mine.result) if mine.result is not None else "nothing"
        yield Problem("OE0202", at.start, at.end, args(expected=show(wanted.result), found=found_type), related)


def _type_nodes(member: Member) -> list[nodes.Type | None]:
    """The types that the parameters are written with, None where none is."""
    if isinstance(member, nodes.DeriveDecl | nodes.CheckDecl):
        heads = member.head.params if member.head else []
        return [each.type if isinstance(each, nodes.HeadVar) else None for each in heads]
    written = member.params.params if member.params else []
    return [each.type if isinstance(each, nodes.Param) else None for each in written]


# -- the whole --------------------------------------------------------------------------------------------------------


def _orphan(root: nodes.ImplDecl, own: ImplSig, module: str) -> Iterator[Problem]:
    """OE0672: neither the trait nor the target belongs to the package of the `impl`."""
    if root.target is None or not isinstance(own.target, Named):
        return
    if root_of(module) not in (root_of(own.trait), root_of(own.target.path)):
        node: View = root.target.type or root.target
        values = args(of=_short(own.trait), type=show(own.target))
        yield Problem("OE0672", node.start, node.end, values, notes=(Note("wrap", values),))


def _overlap(root: nodes.ImplDecl, own: ImplSig, table: Table, id_: ItemId) -> Iterator[Problem]:
    """OE0673 with the first of the earlier impls that may be for the same individual."""
    if root.target is None or isinstance(own.target, Unknown):
        return
    for item, other in table.impls(own.trait):
        if item == id_:
            return
        if not isinstance(other.target, Unknown) and table.meet(own.target, other.target) is not None:
            node: View = root.target.type or root.target
            values = args(of=_short(own.trait), type=show(own.target), found=show(other.target))
            related = (Related("first", place=declared_at(item)),)
            yield Problem("OE0673", node.start, node.end, values, related, (Note("disjoint"),))
            return


def _unmet(at: View, own: ImplSig, above: str, table: Table) -> Problem:
    """OE0674; a supertrait that asks for nothing can be implemented on the spot."""
    name, shown = _short(above), show(own.target)
    values = args(type=shown, of=_short(own.trait), name=name)
    related = related_to("supertrait", table.symbols(above), name=name)
    sig = table.trait(above)
    fixes: tuple[Fix, ...] = ()
    if sig is not None and not sig.members:
        line = f"impl {name} for {shown} {{}}\n"
        fixes = (Fix("insert", (Edit(BEFORE_ITEM, BEFORE_ITEM, line),), args(name=name, type=shown), safe=False),)
    return Problem("OE0674", at.start, at.end, values, related, (), fixes)


def member_named(asked: Sequence[CallableSig], member: Member, arity: int | None) -> CallableSig | None:
    """The one of a trait's members that a member of an `impl` gives."""
    name = name_of(member.name)
    fitting = (each for each in asked if _short(each.path) == name)
    return next((each for each in fitting if arity is None or len(each.params) == arity), None)
