"""The fix of a `match` that forgets cases: an arm for each, with a value of the right type to think again about."""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.problems import Edit, Fix, args
from argon_lang.program.infer.compat import bare
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.words import quoted, short
from argon_lang.program.patterns import MOST_WITNESSES
from argon_lang.program.types import BOOL, DECIMAL, INT, MONEY, NAT, REAL, STRING, Named, Type
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_ZERO: dict[Type, str] = {INT: "0", NAT: "0", REAL: "0", DECIMAL: "0", MONEY: "0", STRING: '""', BOOL: "false"}


def missing_arms(
    cx: Context, node: nodes.MatchExpr | nodes.MatchStmt, left: Sequence[str], subject: Type, result: Type | None
) -> tuple[Fix, ...]:
    """The fix that adds an arm for each pattern of `left`; none where no value of `result` can be written down.

    `result` is the type that an arm must have, None for a statement. The patterns stand for all that is missing when
    they are few; at the limit of the search `_` takes the rest.
    """
    value = "{}" if result is None else _value_of(cx, result)
    arms: list[View] = list(node.arms)
    patterns = ["_"] if len(left) >= MOST_WITNESSES or not _reachable(cx, subject) else list(left)
    if value is None or not arms:
        return ()
    place = arms[-1].end
    comma = cx.item.text[place : node.end].lstrip().startswith(",")
    written = [f"{pattern} => {value}" for pattern in patterns]
    return (Fix("arms", (_edit(cx, arms[-1], comma, written),), args(candidates=quoted(patterns)), safe=False),)


def _edit(cx: Context, last: View, comma: bool, written: list[str]) -> Edit:
    """New arms behind the last one: each on a line of its own where the last one has one."""
    text, place = cx.item.text, last.end
    line = text[text.rfind("\n", 0, last.start) + 1 : last.start]
    between = ",\n" + line if not line.strip() and "\n" in text[: last.start] else ", "
    added = between + between.join(written)
    if not comma:
        return Edit(place, place, added)
    place += text[place:].index(",") + 1
    return Edit(place, place, added[1:] + ("," if between != ", " else ""))


def _reachable(cx: Context, subject: Type) -> bool:
    """Whether the cases of the type can be written here by its short name."""
    ty = bare(subject)
    if not isinstance(ty, Named):
        return True
    found = cx.scope.lookup((short(ty.path),))
    return any(symbol.path == ty.path for symbol in found.symbols)


def _value_of(cx: Context, ty: Type) -> str | None:
    """A value of a type, as text: zero, nothing, no; the first case of an enum that has no parts."""
    plain = bare(ty)
    if isinstance(plain, Named) and plain.kind == "enum" and _reachable(cx, plain):
        enum = cx.declarations.enum(plain.path)
        names = [each.name for each in enum.variants if not each.payload] if enum is not None else []
        return f"{short(plain.path)}::{names[0]}" if names else None
    return _ZERO.get(plain)
