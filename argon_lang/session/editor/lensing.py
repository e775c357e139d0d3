"""Questions of an editor about the lenses of a file: where they stand, and the words of one."""

from __future__ import annotations

from argon_lang.ide import lenses
from argon_lang.session.editor.asked import Asked, Json
from argon_lang.session.editor.hierarchies import named_symbol, symbol_data


def listed(asked: Asked) -> Json:
    """The lenses of a file. Those of rows only where the client wants them (`rows`) and an artifact has been built."""
    built = asked.package.artifact() if asked.given["rows"] else None
    document, root = asked.given["document"], asked.package.root
    found = ((each, asked.placer.place(each.location)) for each in lenses.lenses(asked.database, asked.file))
    return [
        {
            "span": span,
            "data": {
                "document": document,
                "kind": each.kind,
                "symbol": symbol_data(each.symbol),
                "project": str(root.root) if root is not None else None,
            },
        }
        for each, span in found
        if span is not None and (each.kind != "rows" or built is not None)
    ]


def used(asked: Asked) -> Json:
    """The words of a lens about uses, and where they are; None when the symbol is no more."""
    symbol = named_symbol(asked)
    if symbol is None:
        return None
    words, found = lenses.uses(asked.database, symbol)
    return {"words": words, "places": asked.placer.places(found)}


def violated(asked: Asked) -> Json:
    """The words of a lens about violations; None when they are not known."""
    symbol = named_symbol(asked)
    words = lenses.violations(asked.database, symbol) if symbol is not None else None
    return None if words is None else {"words": words, "places": []}
