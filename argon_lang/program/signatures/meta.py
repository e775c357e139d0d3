"""The meta-calculus (language.md §3.1), as far as it carries meaning: plain metatypes and metarels."""

from __future__ import annotations

from argon_lang.program.model import MetarelSig, ToSymbol, Use
from argon_lang.program.paths import segments
from argon_lang.program.signatures.context import Context, opening
from argon_lang.syntax import nodes


def metatype(root: nodes.MetatypeDecl, context: Context) -> None:
    """A metatype has no signature beside its name; axis values and markers are refused."""
    if root.abstract or root.fixed:
        words = "an `abstract` metatype" if root.abstract else "a `fixed` metatype"
        context.out.refuse(words, *opening(root))
    elif root.settings is not None and root.settings.settings:
        context.out.refuse("a metatype with axis values", root.settings.start, root.settings.end)


def metarel(root: nodes.MetarelDecl, context: Context) -> MetarelSig:
    """The signature of a metarel. No endpoints admit any arity."""
    if root.abstract:
        context.out.refuse("an `abstract` metarel", *opening(root))
    if root.settings is not None:
        context.out.refuse("a metarel with axis values", root.settings.start, root.settings.end)
    written = root.ends.ends if root.ends else []
    context.distinct((end.name for end in written), "endpoint", context.path(root.name).rsplit("::", 1)[-1])
    ends = tuple(_end(each, context) for each in written)
    return MetarelSig(context.path(root.name), ends or None)


def _end(written: nodes.MetarelEnd, context: Context) -> str:
    symbol = context.symbol(written.metatype, ("metatype",), "metatype", "a metatype")
    if symbol is None or written.metatype is None:
        return ""
    last = segments(written.metatype)[-1]
    context.out.uses.append(Use(last.start, last.end, ToSymbol(symbol.kind, symbol.path)))
    return symbol.path
