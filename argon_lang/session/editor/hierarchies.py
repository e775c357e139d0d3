"""Questions of an editor about hierarchies: where one begins, and its next level up or down.

An entry carries the name of its symbol and of the document that was asked about, so that the next level can be asked
without a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from argon_lang.ide import hierarchy
from argon_lang.ide.hierarchy import Call, Entry
from argon_lang.program.model import Symbol
from argon_lang.queries.database import Database
from argon_lang.session.editor.asked import Asked, Json


def call_root(asked: Asked) -> Json:
    """What at a place can be called or calls."""
    return _root(asked, hierarchy.CALLABLE)


def type_root(asked: Asked) -> Json:
    """What at a place has supertypes or subtypes."""
    return _root(asked, frozenset(("concept", "relation")))


def _root(asked: Asked, kinds: frozenset[str]) -> Json:
    symbol = hierarchy.symbol_at(asked.database, asked.file, asked.offset)
    if symbol is None or symbol.kind not in kinds:
        return None
    entry = hierarchy.entry_of(asked.database, symbol)
    return _entries(asked, [entry] if entry is not None else [])


def supertypes(asked: Asked) -> Json:
    """The level above."""
    return _level(asked, hierarchy.supertypes)


def subtypes(asked: Asked) -> Json:
    """The level below."""
    return _level(asked, hierarchy.subtypes)


def incoming(asked: Asked) -> Json:
    """Who reads or calls it."""
    return _calls(asked, hierarchy.incoming)


def outgoing(asked: Asked) -> Json:
    """What it reads or calls."""
    return _calls(asked, hierarchy.outgoing)


def named_symbol(asked: Asked) -> Symbol | None:
    """The symbol that an entry of an earlier answer stood for; None when it is no more."""
    return symbol_of(asked.database, asked.given["symbol"])


def symbol_of(db: Database, wanted: Json) -> Symbol | None:
    """The symbol of such a name; None when there is none."""
    listed = db.symbols_at(wanted["path"]) if wanted is not None else ()
    return next((each for each in listed if (each.kind, each.arity) == (wanted["kind"], wanted["arity"])), None)


def symbol_data(symbol: Symbol) -> Json:
    """A symbol's name, for a later question."""
    return {"kind": symbol.kind, "path": symbol.path, "arity": symbol.arity}


def _level(asked: Asked, ask: Callable[[Database, Symbol], tuple[Entry, ...]]) -> Json:
    symbol = named_symbol(asked)
    return _entries(asked, ask(asked.database, symbol)) if symbol is not None else None


def _calls(asked: Asked, ask: Callable[[Database, Symbol], tuple[Call, ...]]) -> Json:
    symbol = named_symbol(asked)
    if symbol is None:
        return None
    found = ((_entries(asked, [call.entry]), call.places) for call in ask(asked.database, symbol))
    return [{"entry": entry[0], "places": asked.placer.places(places)} for entry, places in found if entry]


def _entries(asked: Asked, entries: Iterable[Entry]) -> list[Json]:
    placed = ((each, asked.placer.place(each.item), asked.placer.place(each.name)) for each in entries)
    return [
        {
            "name": each.symbol.name,
            "kind": each.symbol.kind,
            "detail": each.detail,
            "span": item,
            "nameSpan": name,
            "data": {"document": asked.given["document"], "symbol": symbol_data(each.symbol)},
        }
        for each, item, name in placed
        if item is not None and name is not None
    ]
