"""An editor's questions about the program, by name: plain JSON in, plain JSON out, asked of one package's revision.

Each asks the ide one question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from argon_lang.ide import definition, hover, references, symbols
from argon_lang.session.editor import colouring, hierarchies, lensing, look, write
from argon_lang.session.editor.asked import Asked, Json
from argon_lang.session.editor.edited import Edited
from argon_lang.session.places import Placer, plain_diagnostic


def _hover(asked: Asked) -> Json:
    found = hover.hover(asked.database, asked.file, asked.offset)
    return None if found is None else {"markdown": found.markdown, "span": asked.placer.place(found.location)}


def _definition(asked: Asked) -> Json:
    return asked.placer.places(definition.definition(asked.database, asked.file, asked.offset))


def _references(asked: Asked) -> Json:
    declaration = asked.given["declaration"]
    found = references.references(asked.database, asked.file, asked.offset, declaration=declaration)
    return asked.placer.places(found)


def _highlights(asked: Asked) -> Json:
    found = references.highlights(asked.database, asked.file, asked.offset)
    return [{"span": asked.placer.place(location), "declares": declares} for location, declares in found]


def _diagnostics(asked: Asked) -> Json:
    return [plain_diagnostic(each, asked.placer) for each in asked.package.diagnostics_of(asked.file)]


def _outline(asked: Asked) -> Json:
    return [_entry(each, asked.placer) for each in symbols.outline(asked.database, asked.file)]


def _entry(entry: symbols.OutlineEntry, placer: Placer) -> Json:
    return {
        "name": entry.name,
        "kind": entry.kind,
        "detail": entry.detail,
        "span": placer.place(entry.location),
        "nameSpan": placer.place(entry.name_location),
        "children": [_entry(each, placer) for each in entry.children],
    }


def symbols_like(package: Edited, letters: str, placer: Placer) -> Json:
    """The symbols of one package by a few letters of their names, the closest first."""
    found = ((each.symbol, placer.place(each.location)) for each in symbols.search(package.database, letters))
    return [
        {"name": symbol.name, "kind": symbol.kind, "module": symbol.module, "span": span}
        for symbol, span in found
        if span is not None
    ]


QUESTIONS: Mapping[str, Callable[[Asked], Json]] = {
    "diagnostics": _diagnostics,
    "hover": _hover,
    "definition": _definition,
    "references": _references,
    "highlights": _highlights,
    "outline": _outline,
    "folds": look.folds,
    "selections": look.selections,
    "colours": colouring.whole,
    "coloursIn": colouring.part,
    "hints": look.hints,
    "links": look.linked,
    "typeDefinition": look.type_definition,
    "implementations": look.implementations,
    "signature": look.signature,
    "format": write.layout,
    "fixes": write.offered_fixes,
    "complete": write.completions,
    "completionDocs": write.completion_docs,
    "renamable": write.renamable,
    "rename": write.renamed,
    "lenses": lensing.listed,
    "uses": lensing.used,
    "violations": lensing.violated,
    "callRoot": hierarchies.call_root,
    "typeRoot": hierarchies.type_root,
    "supertypes": hierarchies.supertypes,
    "subtypes": hierarchies.subtypes,
    "incoming": hierarchies.incoming,
    "outgoing": hierarchies.outgoing,
}
"""Every question about one document, by name."""
