"""How a rule reasons, for a reader who points at it: its tier and world, who reads it, where it is put to use.

Found from the items that a predicate rests on, each lowered by itself as the gates lower it; a program with errors
elsewhere is told about all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from argon_lang.ide.names import occurrences, own_symbol, symbol_meaning
from argon_lang.ide.references import items_naming
from argon_lang.ir.lower.item import lower_item
from argon_lang.ir.lower.tiers import TIERS, tier_of
from argon_lang.ir.names import derived_key
from argon_lang.ir.rules import Aggregate, Literal, Match, Not, Rule
from argon_lang.problems import ItemId, Place
from argon_lang.program.model import Symbol
from argon_lang.queries import program
from argon_lang.queries.database import Database
from argon_lang.queries.whole import derived
from argon_lang.syntax import nodes

_MOST = 400
"""Predicates that a tier is looked for among; of one that rests on more nothing is said."""

_SHOWN = 4
_PREDICATE = re.compile(r"(?P<path>[^/]+)/(?P<arity>\d+)")


@dataclass(frozen=True, slots=True)
class Reasons:
    """The least tier that admits every clause, and the open concepts that the predicate rests on."""

    tier: str
    open: tuple[str, ...]


def reasons(db: Database, symbol: Symbol) -> Reasons | None:
    """How a predicate reasons; None where a clause is not sound, or it rests on too much to look through."""
    head = derived_key(symbol.path, symbol.arity or 0)
    rules, waiting, concepts = dict[str, tuple[Rule, ...]](), [head], set[str]()
    while waiting:
        key = waiting.pop()
        if key in rules:
            continue
        if len(rules) > _MOST:
            return None
        rules[key] = tuple(_rules(db, key))
        read = {each.key for rule in rules[key] for each in _matches(rule.body)}
        waiting += [found for each in read if (found := _predicate(each)) is not None]
        concepts |= {each.partition("^")[0] for each in read}
    if not rules[head]:
        return None
    cycle = _reaching(head, {key: _read(clauses) for key, clauses in rules.items()})
    tiers = [tier_of(rule, cycle)[0] for rule in rules[head]]
    return Reasons(max(tiers, key=TIERS.index), tuple(sorted(each for each in concepts if _is_open(db, each))))


def _rules(db: Database, key: str) -> Iterator[Rule]:
    """The clauses of a predicate."""
    match = _PREDICATE.match(key)
    path, arity = (match["path"], int(match["arity"])) if match is not None else ("", 0)
    for symbol in db.symbols_at(path):
        if symbol.kind == "predicate" and symbol.arity == arity:
            for item in symbol.items:
                part = db.owner(item.file).ask(derived, (lower_item, item)).part
                yield from (each for each in part.rules if each.key.startswith(key))


def _read(rules: Iterable[Rule]) -> set[str]:
    found = (_predicate(each.key) for rule in rules for each in _matches(rule.body))
    return {each for each in found if each is not None}


def _matches(body: Iterable[Literal]) -> Iterator[Match]:
    for literal in body:
        if isinstance(literal, Match):
            yield literal
        elif isinstance(literal, Not | Aggregate):
            yield from _matches(literal.body)


def _predicate(key: str) -> str | None:
    """The key of the derived predicate that a key belongs to (its attacks and negatives are other keys)."""
    found = _PREDICATE.match(key)
    return found.group() if found is not None else None


def _reaching(head: str, graph: Mapping[str, set[str]]) -> frozenset[str]:
    """The keys that `head` rests on and that rest on it."""
    readers: dict[str, set[str]] = {}
    for key, read in graph.items():
        for each in read:
            readers.setdefault(each, set()).add(key)
    found, waiting = set[str](), [head]
    while waiting:
        fresh = readers.get(waiting.pop(), set()) - found
        found |= fresh
        waiting += fresh
    return frozenset(found)


def _is_open(db: Database, path: str) -> bool:
    return db.declarations.concept(path) is not None and world_of(db, path) == "open"


def world_of(db: Database, path: str) -> str:
    """The world of a concept: its own, else that of the package; what rules decide is never open."""
    concept = db.declarations.concept(path)
    if concept is not None and concept.derived:
        return "closed"
    own = concept.world if concept is not None else ""
    return own or ("closed" if program.is_std(path) else db.package.default_world)


# -- in use ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Uses:
    """Who names a declaration, by short name; and a place where it is put to use, tests before all others."""

    readers: tuple[str, ...]
    example: str = ""
    where: str = ""


def uses(db: Database, symbol: Symbol) -> Uses:
    """Who names a symbol, and an example of it."""
    readers, examples = dict[str, None](), list[tuple[bool, ItemId, int]]()
    meaning = symbol_meaning(symbol)
    for item in items_naming(db, meaning):
        places = [each.start for each in occurrences(db, item) if each.meaning == meaning and not each.declares]
        tree = db.tree(item)
        if not places or tree is None:
            continue
        owner = own_symbol(db, item, tree)
        if owner is not None and owner.kind != "individual" and owner.path != symbol.path:
            readers[owner.name] = None
        if not isinstance(tree.root, nodes.UseDecl) and (owner is None or owner.path != symbol.path):
            examples.append((not isinstance(tree.root, nodes.TestDecl), item, places[0]))
    if not examples:
        return Uses(tuple(readers))
    _, item, at = min(examples)
    line, where = _line(db, item, at)
    return Uses(tuple(readers), line, where)


def _line(db: Database, item: ItemId, at: int) -> tuple[str, str]:
    """A line of an item, and `file:line`."""
    tree, place = db.tree(item), db.locate(Place(item, at, at))
    text, start = tree.text if tree is not None else "", place.start if place is not None else 0
    low, high = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    before = (db.text(item.file) or "")[:start]
    return text[low : high if high >= 0 else len(text)].strip(), f"{item.file}:{before.count(chr(10)) + 1}"


def told(db: Database, symbol: Symbol) -> str:
    """Readers and example as Markdown; empty when nothing names the symbol."""
    found = uses(db, symbol)
    more = len(found.readers) - _SHOWN
    names = ", ".join(f"`{each}`" for each in found.readers[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
    parts = [f"Read by {names}."] if found.readers else []
    if found.example:
        parts.append(f"For example, in `{found.where}`:\n\n```argon\n{found.example}\n```")
    return "\n\n".join(parts)
