"""OE0202: what was expected and found, in the author's words, with the next step where there is one."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.problems import Edit, Fix, Note, Related, args
from argon_lang.program.infer.compat import bare, fits, is_entity
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.numbers import is_number
from argon_lang.program.infer.placeholders import placeholder
from argon_lang.program.infer.words import short
from argon_lang.program.model import Declarations, ToBinding, ToSymbol
from argon_lang.program.types import (
    DATE,
    DATETIME,
    DECIMAL,
    INT,
    MONEY,
    REAL,
    TOP,
    Named,
    OptionOf,
    Type,
    show,
)
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_CONVERSIONS: dict[tuple[Type, Type], str] = {
    (DECIMAL, INT): "to_decimal()",
    (DECIMAL, REAL): "to_decimal()",
    (DECIMAL, MONEY): "amount",
    (INT, REAL): "to_int()",
    (INT, DECIMAL): "to_int()",
    (MONEY, REAL): "to_money()",
    (MONEY, DECIMAL): "to_money()",
    (MONEY, INT): "to_money()",
    (DATE, DATETIME): "date",
    (DATETIME, DATE): "midnight",
}


Why = tuple[int, int] | str | None
"""What asks for the type: a span of the same item, or the path of a declaration."""


def accepts(
    cx: Context, leaf: View, found: Type, expected: Type, fit: Callable[[Declarations, Type, Type], bool]
) -> bool:
    """Does the expression fit? An individual may be anything that facts, rules or writes make of it; a variable is all
    that its positions say."""
    if fit(cx.declarations, found, expected):
        return True
    match cx.names.get(leaf.index):
        case ToSymbol("individual"):
            return is_entity(bare(expected)) or expected == TOP
        case ToBinding(number) if isinstance(leaf, nodes.Path) and number < len(cx.locals):
            local = cx.locals[number]
            known = (*local.narrowed, *(position.type for position in local.positions))
            return any(fit(cx.declarations, ty, expected) for ty in known)
    return False


def report_mismatch(cx: Context, leaf: View, found: Type, expected: Type, why: Why = None) -> None:
    """Report OE0202 at the expression whose value does not fit."""
    notes, fixes = _help(cx, leaf, found, expected)
    values = args(expected=show(expected), found=show(found))
    cx.report("OE0202", leaf, values, related=_because(cx, expected, why), notes=notes, fixes=fixes)


def _because(cx: Context, expected: Type, why: Why) -> tuple[Related, ...]:
    if isinstance(why, str):
        return cx.declared_at("declared", why)
    return (Related("because", *why, args=args(expected=show(expected))),) if why is not None else ()


def _help(cx: Context, leaf: View, found: Type, expected: Type) -> tuple[tuple[Note, ...], tuple[Fix, ...]]:
    if isinstance(found, OptionOf) and fits(cx.declarations, found.inner, expected):
        otherwise = None if is_entity(found.inner) else placeholder(cx, "", found.inner)
        return (Note("optional", args(suggestion=f"{leaf.text}.unwrap_or({otherwise or '…'})")),), ()
    name = leaf.text.strip('"')
    if isinstance(leaf, nodes.Literal) and is_entity(bare(expected)) and name.isidentifier():
        fix = Fix("replace", (Edit(leaf.start, leaf.end, name),), args(suggestion=name), safe=False)
        return (Note("individual", args(suggestion=name)),), (fix,) if isinstance(cx.item.root, nodes.FactDecl) else ()
    suggestion = _conversion(leaf, found, expected) or _variant(cx, leaf, expected)
    if suggestion is None:
        return (), ()
    fix = Fix("replace", (Edit(leaf.start, leaf.end, suggestion),), args(suggestion=suggestion), safe=False)
    return (Note("convert", args(suggestion=suggestion)),), (fix,)


def _conversion(leaf: View, found: Type, expected: Type) -> str | None:
    member = _CONVERSIONS.get((bare(expected), found))
    if member is None or is_number(leaf):
        return None
    simple = isinstance(leaf, nodes.Path | nodes.Call | nodes.FieldExpr | nodes.MethodCall)
    return f"{leaf.text}.{member}" if simple else f"({leaf.text}).{member}"


def _variant(cx: Context, leaf: View, expected: Type) -> str | None:
    wanted = bare(expected)
    if not (isinstance(wanted, Named) and wanted.kind == "enum" and isinstance(leaf, nodes.Path)):
        return None
    enum = cx.declarations.enum(wanted.path)
    names = {each.name for each in enum.variants} if enum else set()
    return f"{short(wanted.path)}::{leaf.text}" if leaf.text in names else None
