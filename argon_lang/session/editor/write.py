"""Questions of an editor that is about to change the program: layout, fixes, completion, rename."""

from __future__ import annotations

from argon_lang.errors import ArgonError
from argon_lang.ide import fixes, formatting, rename
from argon_lang.ide.completion.complete import complete
from argon_lang.ide.completion.model import Candidate
from argon_lang.ide.hover import hover_symbol
from argon_lang.session.editor.asked import Asked, Json
from argon_lang.session.editor.hierarchies import named_symbol, symbol_data
from argon_lang.session.places import plain_diagnostic, plain_edits, plain_fix
from argon_lang.session.refusals import error_body


def layout(asked: Asked) -> Json:
    """The edits that lay a file out, or the items that a range touches."""
    edits = formatting.format_edits(asked.database, asked.file)
    if "start" in asked.given:
        start, end = asked.span
        edits = tuple(each for each in edits if each.location.start <= end and start <= each.location.end)
    return plain_edits(edits, asked.placer)


def offered_fixes(asked: Asked) -> Json:
    """The fixes of what is wrong now, not of what the client remembers."""
    offers = fixes.fixes_at(asked.package.diagnostics_of(asked.file), *asked.span)
    found = ((each, plain_fix(each.fix, asked.placer)) for each in offers)
    return [
        {"diagnostic": plain_diagnostic(offer.diagnostic, asked.placer), "fix": fix, "preferred": offer.preferred}
        for offer, fix in found
        if fix is not None
    ]


def completions(asked: Asked) -> Json:
    """What may be written at a place."""
    found = complete(asked.database, asked.file, asked.offset)
    return {
        "span": asked.placer.place(found.span),
        "incomplete": found.incomplete,
        "candidates": [_candidate(asked, each, number) for number, each in enumerate(found.candidates)],
    }


def _candidate(asked: Asked, each: Candidate, number: int) -> Json:
    symbol = symbol_data(each.symbol) if each.symbol is not None else None
    return {
        "label": each.label,
        "kind": each.kind,
        "detail": each.detail,
        "insert": each.text,
        "snippet": each.snippet,
        "order": number,
        "edits": plain_edits(each.edits, asked.placer),
        "docs": each.docs,
        "data": {"document": asked.given["document"], "symbol": symbol},
    }


def completion_docs(asked: Asked) -> Json:
    """The page of an offer of an earlier answer; empty when it is no more."""
    symbol = named_symbol(asked)
    return hover_symbol(asked.database, symbol) if symbol is not None else ""


def renamable(asked: Asked) -> Json:
    """The name at a place that can be changed, or why none can."""
    try:
        location, text = rename.renamable_at(asked.database, asked.file, asked.offset)
    except ArgonError as error:
        return {"refused": error_body(error)}
    return {"span": asked.placer.place(location), "text": text}


def renamed(asked: Asked) -> Json:
    """The edits of a rename, or why it is refused."""
    try:
        found = rename.rename(asked.database, asked.file, asked.offset, asked.given["newName"])
    except ArgonError as error:
        return {"refused": error_body(error)}
    return {"edits": plain_edits(found.edits, asked.placer)}
