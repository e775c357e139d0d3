"""The reflective relations as rules (language §3.10): constants from the declarations, and who belongs to what.

Only those that the program reads are made, and each concept, relation and metatype of the program has its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from argon_lang.ir.codec import rule_id
from argon_lang.ir.module import Concept, Relation
from argon_lang.ir.rules import STEPS, Const, Match, Predicate, Rule, Term, Var
from argon_lang.ir.values import Entity, Value
from argon_lang.program.model import Declarations, MetatypeSig, TraitSig
from argon_lang.program.reflection import (
    IMPLEMENTS,
    KEYS,
    META_OF_INDIVIDUAL,
    META_OF_TYPE,
    METATYPES,
    TRAITS,
    TYPES,
    reflective_key,
)
from argon_lang.program.types import Named

_X = Var("v0")
_TYPES = ("concept", "relation")


def reflective_rules(
    read: Iterable[str],
    concepts: Iterable[Concept],
    relations: Iterable[Relation],
    declared: Iterable[MetatypeSig | TraitSig],
    declarations: Declarations,
) -> tuple[tuple[Rule, ...], tuple[Predicate, ...]]:
    """The rules and the shapes of those keys that are read."""
    wanted = sorted(set(read) & KEYS.keys())
    if not wanted:
        return (), ()
    vocabulary = _Vocabulary(tuple(concepts), tuple(relations), tuple(declared), declarations)
    rules = tuple(rule for key in wanted for rule in vocabulary.rules(key))
    return rules, tuple(_shape(key) for key in wanted)


def _shape(key: str) -> Predicate:
    return Predicate(key, "derived", tuple((str(place), ty) for place, ty in enumerate(KEYS[key])))


class _Vocabulary:
    """Every declared type, with what is above it."""

    def __init__(
        self,
        concepts: tuple[Concept, ...],
        relations: tuple[Relation, ...],
        declared: tuple[MetatypeSig | TraitSig, ...],
        declarations: Declarations,
    ) -> None:
        self.concepts = concepts
        self.relations = relations
        self.metatypes = {each.path: frozenset(each.choices) for each in declared if isinstance(each, MetatypeSig)}
        self.traits = tuple(each.path for each in declared if isinstance(each, TraitSig))
        self.declarations = declarations
        types: tuple[Concept | Relation, ...] = (*concepts, *relations)
        self.above: Mapping[str, tuple[str, ...]] = {each.path: each.supers for each in types}

    def rules(self, key: str) -> Iterator[Rule]:
        """The rules of one key."""
        if key == reflective_key("iof"):
            yield from (self._member(key, each, each.path) for each in self.concepts)
        elif key == META_OF_INDIVIDUAL:
            yield from (self._member(key, each, each.metatype) for each in self.concepts)
        else:
            rows = dict.fromkeys(self._rows(key))
            yield from (_rule(key, tuple(Const(value) for value in row), ()) for row in rows)

    def _member(self, key: str, concept: Concept, other: str) -> Rule:
        return _rule(key, (_X, Const(Entity(other))), (Match(concept.path, (_X,)),))

    def _rows(self, key: str) -> Iterator[tuple[Value, ...]]:
        match key:
            case "std::core::specializes/2":
                yield from ((Entity(path), Entity(each)) for path in self.above for each in self._all_above(path))
                yield from self._metatypes_above()
            case "std::core::rel/2":
                yield from ((Entity(each.path), Entity(each.metarel)) for each in self.relations)
            case "std::core::arm/3":
                for each in self.relations:
                    ends = ((place, ty) for place, (_, ty) in enumerate(each.ends))
                    typed = ((at, ty.path) for at, ty in ends if isinstance(ty, Named) and ty.kind in _TYPES)
                    yield from ((Entity(each.path), at, Entity(path)) for at, path in typed)
            case _ if key == TYPES:
                yield from ((Entity(path),) for path in self.above)
            case _ if key == METATYPES:
                used = (*(each.metatype for each in self.concepts), *(each.metarel for each in self.relations))
                yield from ((Entity(path),) for path in (*self.metatypes, *used) if path)
            case _ if key == TRAITS:
                yield from ((Entity(path),) for path in self.traits)
            case _ if key == IMPLEMENTS:
                pairs = ((each.path, trait) for each in self.concepts for trait in self.traits)
                known = self.declarations
                yield from (
                    (Entity(path), Entity(trait))
                    for path, trait in pairs
                    if known.implements(Named("concept", path), trait)
                )
            case _ if key == META_OF_TYPE:
                yield from ((Entity(each.path), Entity(each.metatype)) for each in self.concepts)
                yield from ((Entity(each.path), Entity(each.metarel)) for each in self.relations)

    def _all_above(self, path: str) -> Iterable[str]:
        found = {path: None}
        queue = [path]
        for each in queue:
            fresh = [above for above in self.above.get(each, ()) if above not in found]
            found.update(dict.fromkeys(fresh))
            queue.extend(fresh)
        return found

    def _metatypes_above(self) -> Iterator[tuple[Value, ...]]:
        """M specializes N when its axis values include all of N's (language §3.1)."""
        for path, choices in self.metatypes.items():
            yield from ((Entity(path), Entity(other)) for other, fewer in self.metatypes.items() if fewer <= choices)


def _rule(key: str, terms: tuple[Term, ...], body: tuple[Match, ...]) -> Rule:
    return Rule(rule_id(key, terms, body), key, terms, body, STEPS)
