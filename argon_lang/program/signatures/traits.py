"""Traits and impls (language.md §3.6): what is asked for, and what is given, without the bodies."""

from __future__ import annotations

from argon_lang.problems import Note, Problem, Related, args
from argon_lang.program.attributes import attribute_name
from argon_lang.program.findings import prefix_uses, unresolved, wrong_kind
from argon_lang.program.generics import item_scope
from argon_lang.program.model import CallableSig, ImplSig, ParamSig, Signature, SymbolKind, ToType, TraitSig, Use
from argon_lang.program.paths import Segment, name_of, name_token, normal, segments
from argon_lang.program.signatures.callable import fn, head, mutation, query
from argon_lang.program.signatures.context import Context
from argon_lang.program.signatures.generics import trait_path
from argon_lang.program.types import PRIMITIVES, UNKNOWN, Named, Type, TypeVar, Unknown, part_types
from argon_lang.program.types_of import TYPE_KINDS, no_self
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

Member = nodes.FnDecl | nodes.DeriveDecl | nodes.QueryDecl | nodes.CheckDecl | nodes.MutateDecl


def trait(root: nodes.TraitDecl, context: Context) -> tuple[Signature, ...]:
    """The signature of a trait, and one of each of its members under its own path."""
    path = context.path(root.name)
    supers = tuple(dict.fromkeys(_super(each, context) for each in (root.supers.types if root.supers else ())))
    written = root.members.members if root.members else []
    members = tuple(_asked(each, path, context) for each in written)
    _distinct(written, members, name_of(root.name) or "_", context)
    return (TraitSig(path, supers, members), *members)


def _super(written: nodes.Type, context: Context) -> str:
    if not isinstance(written, nodes.NamedType) or written.args is not None:
        values = args(construct="a trait", found=f"`{written.text}` above it")
        notes = (Note("admitted", args(expected="names of traits, which have no type arguments")),)
        context.out.problems.append(Problem("OE0007", written.start, written.end, values, notes=notes))
        return ""
    return trait_path(written.path, context) or ""


def impl(root: nodes.ImplDecl, context: Context) -> tuple[Signature, ...]:
    """The signature of an `impl`; one that is for nothing is a mistake of syntax."""
    if root.target is None:
        return (ImplSig("", UNKNOWN, ()),)
    trait = trait_path(root.trait, context) or ""
    target = _target(root.target, context)
    written = root.members.members if root.members else []
    members = tuple(_given(each, trait, context) for each in written)
    _distinct(written, members, trait.rsplit("::", 1)[-1] or "_", context)
    return (ImplSig(trait, target, members),)


def _target(written: nodes.ImplTarget, context: Context) -> Type:
    """The concept that an `impl` is for; anything else is OE0201."""
    node = written.type
    ty = context.type(node)
    if node is None or isinstance(ty, Unknown) or (isinstance(ty, Named) and ty.kind == "concept"):
        return ty
    kinds = {"struct": "a struct", "enum": "an enum", "relation": "a relation"}
    found = kinds[ty.kind] if isinstance(ty, Named) else "a built-in type"
    values = args(name=node.text, found=found, expected="a concept")
    context.out.problems.append(Problem("OE0201", node.start, node.end, values))
    return UNKNOWN


def _distinct(written: list[Member], members: tuple[CallableSig, ...], of: str, context: Context) -> None:
    """OE0207 for a member of a name that is taken; predicates of several arities share one."""
    first: dict[tuple[str, int | None], Member] = {}
    kinds: dict[str, SymbolKind] = {}
    for each, sig in zip(written, members, strict=True):
        token, name = name_token(each.name), name_of(each.name)
        if token is None or name is None:
            continue
        arity = len(sig.params) if sig.kind == "predicate" else None
        earlier = first.setdefault((name, arity), each)
        again = sig.kind == "predicate" and isinstance(root_of_member(each), nodes.ImplDecl)
        if (earlier is not each and not again) or kinds.setdefault(name, sig.kind) != sig.kind:
            other = earlier if earlier is not each else next(m for m in written if name_of(m.name) == name)
            place = other.name or other
            related = (Related("first", place.start, place.end),)
            values = args(kind="member", name=name, of=of)
            context.out.problems.append(Problem("OE0207", token.start, token.end, values, related))


def root_of_member(member: View) -> View:
    """The trait or the `impl` that a member stands in."""
    return member.item.root


# -- members ----------------------------------------------------------------------------------------------------------


def _asked(member: Member, trait: str, context: Context) -> CallableSig:
    """A member of a trait: it has no body, and `Self` is among its parameters."""
    own = _inner(member, trait, context)
    _refuse_marks(member, context)
    for each in member.attributes:
        values = args(name=attribute_name(each), found="belongs on a clause that an `impl` gives")
        context.out.problems.append(Problem("OE0702", each.start, each.end, values))
    place = body_place(member)
    shown = trait.rsplit("::", 1)[-1]
    if place is not None:
        _not_evaluated(shown, "a default body", *place, context, "explicit")
    sig = (
        _head(member, own) if isinstance(member, nodes.DeriveDecl | nodes.CheckDecl) else signature(member, own, False)
    )
    name = member.name
    if name is not None and not any(_mentions(param.type, trait) for param in sig.params):
        _not_evaluated(shown, f"`{name.text}` without `self`", name.start, name.end, context, "chosen")
    return sig


def _given(member: Member, trait: str, context: Context) -> CallableSig:
    """A member of an `impl`: it has a body. A `derive` without one states facts."""
    _refuse_marks(member, context)
    name = member.name
    if body_place(member) is None and not isinstance(member, nodes.DeriveDecl) and name is not None:
        _not_evaluated(
            trait.rsplit("::", 1)[-1], f"`{name.text}` without a body", name.start, name.end, context, "body"
        )
    return signature(member, _inner(member, trait, context))


def _inner(member: Member, trait: str, context: Context) -> Context:
    """Where a member's names are looked up, and under which path it stands."""
    return Context(trait, item_scope(member, trait, context.scope), context.declarations, context.out)


def signature(member: Member, context: Context, extent: bool = True) -> CallableSig:
    """The signature of a member as of an item of its own. `extent`: a query without a body lists its result's."""
    match member:
        case nodes.FnDecl():
            return fn(member, context)
        case nodes.QueryDecl():
            return query(member, context, extent)
        case nodes.MutateDecl():
            return mutation(member, context)
        case nodes.DeriveDecl():
            return head("predicate", member, context)
        case nodes.CheckDecl():
            return head("check", member, context)


def body_place(member: Member) -> tuple[int, int] | None:
    """Where a member's body begins: the span of what introduces it; None without one."""
    match member:
        case nodes.FnDecl():
            body: View | None = member.value or member.body
        case nodes.QueryDecl() | nodes.MutateDecl():
            body = member.body
        case _:
            body = member.body
    if body is None:
        return None
    for token in member.own_tokens:
        if token.kind in (K.TURNSTILE, K.LBRACE):
            return token.start, token.end
    return body.start, body.start + 1


def _mentions(ty: Type, trait: str) -> bool:
    return ty == TypeVar(trait, "Self") or any(_mentions(part, trait) for part in part_types(ty))


def _refuse_marks(member: Member, context: Context) -> None:
    """What no member takes: a visibility of its own, for it has the trait's."""
    if member.visibility is not None:
        mark = member.visibility
        values = args(construct="a member of a trait", found=f"`{mark.text}`")
        context.out.problems.append(Problem("OE0007", mark.start, mark.end, values))


def _not_evaluated(of: str, construct: str, start: int, end: int, context: Context, note: str) -> None:
    """OE1326; `note` says what to write instead."""
    values = args(of=of, construct=construct)
    context.out.problems.append(Problem("OE1326", start, end, values, notes=(Note(note),)))


# -- heads of a trait's predicates and checks -------------------------------------------------------------------------


def _head(member: nodes.DeriveDecl | nodes.CheckDecl, context: Context) -> CallableSig:
    """The positions of a predicate or check that a trait asks for: types, each with a name or without."""
    kind: SymbolKind = "predicate" if isinstance(member, nodes.DeriveDecl) else "check"
    written = member.head.params if member.head else []
    params = tuple(_position(each, index, context) for index, each in enumerate(written))
    return CallableSig(kind, context.path(member.name), params, None)


def _position(written: nodes.HeadVar | nodes.Expr, index: int, context: Context) -> ParamSig:
    if isinstance(written, nodes.HeadVar) and written.type is not None:
        return ParamSig(name_of(written.name) or str(index), context.type(written.type))
    path = segments(written) if isinstance(written, nodes.Path) else ()
    if isinstance(written, nodes.HeadVar) and (token := name_token(written.name)) is not None:
        path = (Segment(normal(token.text), token.start, token.end),)
    if not path:
        values = args(construct="a predicate that a trait asks for", found="value")
        context.out.problems.append(Problem("OE0007", written.start, written.end, values))
        return ParamSig(str(index), UNKNOWN)
    ty = _lone_type(path, context)
    return ParamSig("self" if isinstance(ty, TypeVar) and ty.name == "Self" else str(index), ty)


def _lone_type(path: tuple[Segment, ...], context: Context) -> Type:
    """The type that a path without type arguments means."""
    found, last = context.look(path), path[-1]
    ty = found.type or PRIMITIVES.get(found.primitive or "")
    symbol = next((each for each in found.symbols if each.kind in TYPE_KINDS and not each.parameters), None)
    if symbol is not None:
        context.out.uses.extend(prefix_uses(path, symbol))
        ty = Named(symbol.kind, symbol.path)
    if ty is not None and last.name == "Self":
        return ty
    if ty is not None:
        context.out.uses.append(Use(last.start, last.end, ToType(ty)))
        return ty
    if found.code is not None:
        problem = no_self(last) if last.name == "Self" else unresolved(found, path, "type")
        context.out.problems.append(problem)
    elif found.symbols and found.symbols[0].kind != "unsupported":
        context.out.problems.append(wrong_kind(found.symbols[0], last, "a type"))
    return UNKNOWN
