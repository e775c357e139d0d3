"""Questions of an editor that looks at a program: folds, selections, hints, links, types, open calls."""

from __future__ import annotations

from argon_lang.ide import folding, hierarchy, inlay, links, selection, signature_help
from argon_lang.session.editor.asked import Asked, Json, name_of


def folds(asked: Asked) -> Json:
    """What can be folded away."""
    found = ((asked.placer.place(each.location), each.kind) for each in folding.folds(asked.database, asked.file))
    return [{"span": span, "kind": kind} for span, kind in found if span is not None]


def selections(asked: Asked) -> Json:
    """For each position the spans around it, from the inside outward."""
    offsets = (asked.placer.offset(asked.file, each) for each in asked.given["positions"])
    return [asked.placer.places(selection.selections(asked.database, asked.file, each)) for each in offsets]


def hints(asked: Asked) -> Json:
    """The types that were not written, in a range."""
    found = inlay.hints(asked.database, asked.file, *asked.span)
    placed = ((asked.placer.place(each.location), each) for each in found)
    return [{"at": span["end"], "text": each.text, "insert": each.insert} for span, each in placed if span is not None]


def linked(asked: Asked) -> Json:
    """Places that lead to another file."""
    found = links.links(asked.database, asked.file)
    placed = ((asked.placer.place(each.location), name_of(asked.package, each.target)) for each in found)
    return [{"span": span, "target": target} for span, target in placed if span is not None and target is not None]


def type_definition(asked: Asked) -> Json:
    """Where the type of a thing is declared."""
    return asked.placer.places(hierarchy.type_definition(asked.database, asked.file, asked.offset))


def implementations(asked: Asked) -> Json:
    """The clauses of a predicate, the heirs of a type."""
    return asked.placer.places(hierarchy.implementations(asked.database, asked.file, asked.offset))


def signature(asked: Asked) -> Json:
    """What is being called, and which argument is being written."""
    found = signature_help.signature_help(asked.database, asked.file, asked.offset)
    if found is None:
        return None
    shown = [{"label": each.label, "parameters": each.parameters, "docs": each.docs} for each in found.signatures]
    return {"signatures": shown, "active": found.active}
