"""Questions of an editor that is about to change the program: layout, completion, rename."""

from __future__ import annotations

from argon_lang.errors import ArgonError
from argon_lang.ide import formatting, on_type, rename
from argon_lang.ide.completion.complete import complete
from argon_lang.ide.completion.model import Candidate
from argon_lang.ide.hover import hover_symbol
from argon_lang.problems import Location
from argon_lang.session.editor.asked import Asked, Json
from argon_lang.session.editor.hierarchies import named_symbol, symbol_data
from argon_lang.session.places import plain_edits
from argon_lang.session.refusals import error_body


def layout(asked: Asked) -> Json:
    """The edits that lay a file out, or the items that one of some `ranges` touches."""
    edits = formatting.format_edits(asked.database, asked.file)
    if (wanted := asked.given.get("ranges")) is not None:
        spans = [asked.span_of(each) for each in wanted]
        edits = tuple(each for each in edits if any(_touches(each.location, *span) for span in spans))
    return plain_edits(edits, asked.placer)


def _touches(location: Location, start: int, end: int) -> bool:
    """Whether they share a letter; of two of which one is empty, whether they meet."""
    low, high = max(location.start, start), min(location.end, end)
    return low < high or (low == high and (start == end or location.start == location.end))


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
        new, moves = asked.given["newName"], asked.given["moves"] and asked.package.root is not None
        found = rename.rename(asked.database, asked.file, asked.offset, new, moves=moves)
    except ArgonError as error:
        return {"refused": error_body(error)}
    moved = [[str(asked.package.path_of(each)) for each in pair] for pair in found.moves]
    return {"edits": plain_edits(found.edits, asked.placer), "moves": moved}


def typed(asked: Asked) -> Json:
    """The edits that follow a character that was typed."""
    return plain_edits(on_type.typed(asked.database, asked.file, asked.offset, asked.given["character"]), asked.placer)
