"""Type parameters as a signature has them: names and bounds (language.md §3.2)."""

from __future__ import annotations

from argon_lang.program.model import GenericSig, ToSymbol, Use
from argon_lang.program.paths import name_of, segments
from argon_lang.program.signatures.context import Context
from argon_lang.syntax import nodes


def generics(written: nodes.Generics | None, of: nodes.Name | None, context: Context) -> tuple[GenericSig, ...]:
    """The type parameters of an item; a second one of a name is OE0207, a bound that is no trait OE0201."""
    if written is None:
        return ()
    context.distinct((each.name for each in written.params), "type parameter", name_of(of) or "_")
    found: dict[str, GenericSig] = {}
    for each in written.params:
        name = name_of(each.name)
        if name is not None:
            found.setdefault(name, GenericSig(name, trait_path(each.bound, context)))
    return tuple(found.values())


def trait_path(written: nodes.Path | None, context: Context) -> str | None:
    """The canonical path of a trait that is named; empty where that is in error, None where none is."""
    if written is None:
        return None
    symbol = context.symbol(written, ("trait",), "trait", "a trait")
    if symbol is None:
        return ""
    last = segments(written)[-1]
    context.out.uses.append(Use(last.start, last.end, ToSymbol("trait", symbol.path)))
    return symbol.path
