"""What stands for type parameters where a generic struct, enum or function is used (language.md §4).

Arguments are looked at in order: each is given what is known so far of the type that its place expects, and teaches
what its own type says. What the place of the whole expression expects decides where the arguments leave a choice.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from argon_lang.problems import Note, args
from argon_lang.program.findings import Findings
from argon_lang.program.infer.compat import bare, fits, join
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import Fit, check_found, infer_expr
from argon_lang.program.infer.mismatch import Why
from argon_lang.program.infer.numbers import is_number
from argon_lang.program.infer.words import short
from argon_lang.program.instances import generic_of, is_instance
from argon_lang.program.model import Declarations, GenericSig
from argon_lang.program.types import (
    UNKNOWN,
    Applied,
    FnOf,
    ListOf,
    Named,
    OptionOf,
    SetOf,
    Type,
    TypeVar,
    Unknown,
    holds_function,
    part_types,
    show,
    substituted,
)
from argon_lang.program.types_of import type_of
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


@dataclass(slots=True)
class Solving:
    """What is known of the type parameters of `owner`. `hoped` is what the place asks for, `learnt` what is given."""

    cx: Context
    kind: str
    owner: str
    generics: tuple[GenericSig, ...]
    hoped: dict[TypeVar, Type] = field(default_factory=dict)
    learnt: dict[TypeVar, Type] = field(default_factory=dict)
    seen: list[tuple[View, Type]] = field(default_factory=list)

    def hope(self, ty: Type, hint: Type | None) -> None:
        """The place expects `hint` of a value of type `ty`."""
        if hint is not None:
            _match(self.cx.declarations, self.owner, ty, hint, self.hoped)

    def known(self, ty: Type) -> Type:
        """`ty` as far as it is known; `Unknown` for a parameter that nothing has said anything of."""
        values = {TypeVar(self.owner, each.name): self._value(TypeVar(self.owner, each.name)) for each in self.generics}
        return substituted(ty, values)

    def _value(self, parameter: TypeVar) -> Type:
        hoped, learnt = self.hoped.get(parameter), self.learnt.get(parameter)
        if hoped is not None and (learnt is None or not _is_open(hoped)):
            return hoped
        return learnt if learnt is not None else UNKNOWN

    def infer(self, node: View, ty: Type) -> Type:
        """Infer an argument whose place has the type `ty`, and learn from it."""
        found = infer_expr(self.cx, node, self.known(ty))
        self.see(node, ty, found)
        return found

    def see(self, node: View, ty: Type, found: Type) -> None:
        """An argument of type `found` stands in a place of type `ty`."""
        self.learn(ty, found)
        self.seen.append((node, ty))

    def learn(self, ty: Type, found: Type) -> None:
        """A value of type `found` stands where `ty` is expected."""
        _match(self.cx.declarations, self.owner, ty, found, self.learnt)

    def check(self, fit: Fit, why: Why = None) -> None:
        """Report the arguments that do not fit, once everything is known."""
        for node, ty in self.seen:
            wanted = self.known(ty)
            if is_number(node):
                infer_expr(self.cx, node, wanted)
            check_found(self.cx, node, wanted, fit, why)

    @property
    def whole(self) -> Named:
        """The declared type with its parameters standing for themselves."""
        args = tuple(TypeVar(self.owner, each.name) for each in self.generics)
        return Named(self.kind, self.owner, args)

    def finish(self, span: tuple[int, int]) -> Type:
        """Check the parts of a value; its type."""
        self.check(fits, self.owner)
        self.check_bounds(span)
        found = self.known(self.whole)
        if holds_function(found):
            self.cx.report("OE0246", span, args(found=show(found)), notes=(Note("call"),))
        return found

    def check_bounds(self, span: tuple[int, int]) -> None:
        """Report the parameters for which something stands that does not implement their trait."""
        for each in self.generics:
            report_bound(self.cx, span, each, self._value(TypeVar(self.owner, each.name)))


def solving_of(cx: Context, kind: str, owner: str, hint: Type | None) -> Solving | None:
    """What is known at first of the type parameters of a struct or enum whose value is expected to be a `hint`."""
    generics = cx.declarations.generics(owner)
    if not generics:
        return None
    solving = Solving(cx, kind, owner, generics)
    solving.hope(solving.whole, bare(hint) if hint is not None else None)
    return solving


def report_bound(cx: Context, span: tuple[int, int], parameter: GenericSig, found: Type) -> None:
    """OE0202 where `found` stands for a type parameter and does not implement the trait that it must."""
    if parameter.bound and not cx.declarations.implements(found, parameter.bound):
        expected = f"{parameter.name}: {short(parameter.bound)}"
        note = Note("bound", args(found=show(found), of=short(parameter.bound)))
        related = cx.declared_at("declared", parameter.bound)
        cx.report("OE0202", span, args(expected=expected, found=show(found)), related=related, notes=(note,))


def check_type_arguments(cx: Context, root: View) -> None:
    """Report the type arguments, wherever types are written in an item, that do not implement their trait."""
    if K.N_TYPE_ARGS not in cx.item.node_kinds:
        return
    for node in root.descendants():
        if isinstance(node, nodes.NamedType) and node.args is not None and node.path is not None:
            ty = type_of(node, cx.scope, Findings(), cx.declarations)
            generics = cx.declarations.generics(generic_of(ty.path)) if isinstance(ty, Named) else ()
            given = ty.args if isinstance(ty, Named) else ()
            if isinstance(ty, Named) and is_instance(ty.path):
                given = cx.declarations.arguments(ty.path)
            for written, parameter, found in zip(node.args.types, generics, given, strict=False):
                report_bound(cx, (written.start, written.end), parameter, found)


def _is_open(ty: Type) -> bool:
    """Is some part of it not known?"""
    return isinstance(ty, Unknown) or any(map(_is_open, part_types(ty)))


def _match(declarations: Declarations, owner: str, ty: Type, found: Type, into: dict[TypeVar, Type]) -> None:
    """Learn what `found` says of the parameters of `owner` in `ty`."""
    match ty, found:
        case _, Unknown():
            return
        case TypeVar(declared), _ if declared == owner:
            known = into.get(ty)
            into[ty] = found if known is None else join(declarations, known, found) or known
        case (OptionOf(a), OptionOf(b)) | (ListOf(a), ListOf(b)) | (SetOf(a), SetOf(b)):
            _match(declarations, owner, a, b, into)
        case OptionOf(a), _:
            _match(declarations, owner, a, found, into)
        case Named("concept", path, these), Named("concept", other, ()) if these and path != other:
            for above in declarations.supers(other):
                if generic_of(above) == path and is_instance(above):
                    for a, b in zip(these, declarations.arguments(above), strict=False):
                        _match(declarations, owner, a, b, into)
        case (Named(_, path, these), Named(_, other, those)) | (Applied(path, these), Applied(other, those)):
            for a, b in zip(these, those, strict=False) if path == other else ():
                _match(declarations, owner, a, b, into)
        case FnOf(these, result), FnOf(those, given):
            for a, b in zip((*these, result), (*those, given), strict=False):
                _match(declarations, owner, a, b, into)
