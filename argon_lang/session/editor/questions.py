"""An editor's questions about the program, by name: plain JSON in, plain JSON out, asked of one package's revision.

Each asks the ide one question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from argon_lang.ide import definition, hover, moves, references, symbols
from argon_lang.ide.module_files import OWN_FILE
from argon_lang.problems import Replacement
from argon_lang.session.editor import actions, colouring, hierarchies, lensing, look, staleness, write
from argon_lang.session.editor.asked import Asked, Json, name_of
from argon_lang.session.editor.edited import Edited
from argon_lang.session.places import Placer, plain_diagnostic, plain_edits


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


def symbols_like(package: Edited, letters: str, placer: Placer, *, places: bool) -> Json:
    """The symbols of one package by a few letters of their names, the closest first.

    Without `places` only the files that they are in are told, as long as nobody asks for more: to count the lines of
    every file for a list of which one entry is taken is wasted.
    """
    found: list[Json] = []
    for each in symbols.search(package.database, letters):
        name = name_of(package, each.location.file)
        span = placer.place(each.location) if places else {"file": name} if name is not None else None
        if span is not None:
            data = hierarchies.symbol_data(each.symbol)
            known = {"name": each.symbol.name, "kind": each.symbol.kind, "module": each.symbol.module}
            found.append(known | {"span": span, "data": data})
    return found


def symbol_place(package: Edited, data: Json, placer: Placer) -> Json:
    """Where a symbol of an earlier answer is; None when the package has it no more."""
    symbol = hierarchies.symbol_of(package.database, data)
    places = definition.definition_of(package.database, symbol) if symbol is not None else ()
    return placer.place(places[0]) if places else None


def moved_files(package: Edited, files: list[list[str]], placer: Placer) -> Json:
    """The edits that keep one package as it is when files, or folders, get other names."""
    root = package.root
    if root is None:
        return []
    found: list[Replacement] = []
    for old, new in files:
        pair = [Path(each) / OWN_FILE if Path(old).is_dir() else Path(each) for each in (old, new)]
        if all(each.is_relative_to(root.root) for each in pair):
            names = (package.file(each.relative_to(root.root).as_posix()) for each in pair)
            found += moves.edits_for(package.database, *names)
    return plain_edits(found, placer)


QUESTIONS: Mapping[str, Callable[[Asked], Json]] = {
    "diagnostics": _diagnostics,
    "hover": _hover,
    "definition": _definition,
    "references": _references,
    "highlights": _highlights,
    "outline": _outline,
    "folds": look.folds,
    "selections": look.selections,
    "colours": staleness.colours,
    "coloursIn": colouring.part,
    "hints": staleness.hints,
    "links": look.linked,
    "typeDefinition": look.type_definition,
    "implementations": look.implementations,
    "signature": look.signature,
    "format": write.layout,
    "typed": write.typed,
    "actions": actions.offered,
    "actionEdits": actions.edits,
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
