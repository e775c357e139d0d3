"""A value to begin with where a fix adds a missing one: a local that fits, else the plainest value of the type."""

from __future__ import annotations

from argon_lang.program.infer.compat import EXACT, bare, fits
from argon_lang.program.infer.context import Context
from argon_lang.program.types import BOOL, DATE, FLOAT, MONEY, STRING, ListOf, Named, SetOf, Type

_PLAIN: dict[Type, str] = {
    **dict.fromkeys((*EXACT, MONEY, FLOAT), "0"),
    BOOL: "false",
    STRING: '""',
    DATE: "#2000-01-01#",
}


def placeholder(cx: Context, name: str, ty: Type) -> str | None:
    """Source text of a value of `ty` for the field `name`; None where none can be made up."""
    wanted = bare(ty)
    local = cx.local(name)
    if local is not None and fits(cx.declarations, local.type, ty):
        return name
    if isinstance(wanted, ListOf | SetOf):
        return "[]"
    if isinstance(wanted, Named):
        return _variant(cx, wanted.path) if wanted.kind == "enum" else _local(cx, wanted)
    return _PLAIN.get(wanted)


def _variant(cx: Context, path: str) -> str | None:
    """The first case without payload of an enum that is visible by its own name."""
    sig = cx.declarations.enum(path)
    shown = path.rsplit("::", 1)[-1]
    visible = any(symbol.path == path for symbol in cx.scope.lookup((shown,)).symbols)
    plain = [each.name for each in sig.variants if not each.payload] if sig is not None else []
    return f"{shown}::{plain[0]}" if plain and visible else None


def _local(cx: Context, wanted: Named) -> str | None:
    """The innermost local of that type."""
    for name in reversed(cx.visible()):
        local = cx.local(name)
        if local is not None and local.type == wanted:
            return name
    return None
