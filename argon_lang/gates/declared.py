"""Declared facts with the items that declare them, and what they say of individuals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from argon_lang.ir.lower.item import is_sound
from argon_lang.ir.lower.link import Linked
from argon_lang.ir.module import Fact
from argon_lang.ir.names import negative_key
from argon_lang.ir.values import Entity, Value
from argon_lang.program.model import Declarations
from argon_lang.program.paths import name_of
from argon_lang.program.view import ProgramView, Unit
from argon_lang.syntax import nodes

EARLIEST = datetime.min.replace(tzinfo=UTC)
LATEST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Declared:
    """A fact row and the item that it comes from: a `fact`, or a concept that instantiates another."""

    fact: Fact
    unit: Unit

    @property
    def interval(self) -> tuple[datetime, datetime]:
        """When the fact is valid: `[start, end)`."""
        return self.fact.start or EARLIEST, self.fact.end or LATEST

    def overlaps(self, other: Declared) -> bool:
        """Are both valid at some instant?"""
        (start, end), (begin, stop) = self.interval, other.interval
        return start < stop and begin < end

    def argument(self, index: int) -> tuple[int, int]:
        """The span of an argument; of the whole fact when there is none."""
        root = self.unit.item.root
        if isinstance(root, nodes.ConceptDecl) and root.name is not None:
            return root.name.start, root.name.end
        args = root.args.args if isinstance(root, nodes.FactDecl) and root.args else []
        view = args[index] if index < len(args) else root
        return view.start, view.end

    def init(self, name: str) -> tuple[int, int]:
        """The span of the value that the fact gives a field."""
        root = self.unit.item.root
        inits: list[nodes.FieldInit | nodes.MemberValue] = []
        if isinstance(root, nodes.FactDecl) and root.fields:
            inits = [*root.fields.inits]
        elif isinstance(root, nodes.ConceptDecl) and root.body:
            inits = [each for each in root.body.members if isinstance(each, nodes.MemberValue)]
        for each in inits:
            if name_of(each.name) == name:
                view = each.value or each
                return view.start, view.end
        return root.start, root.end


@dataclass(frozen=True, slots=True)
class Facts:
    """All declared facts by predicate key, in the order of the view (rows that defaults add are not among them).

    `memberships` are the facts that classify each individual, by its path. `doubtful` individuals are named by facts in
    error, so what is known of them is not all that the author says. `decided` are the `iff` types: only evaluating the
    facts tells who belongs to them (`axioms`). `opened` are the open concepts with their direct supertypes.
    """

    by_key: Mapping[str, tuple[Declared, ...]]
    memberships: Mapping[str, tuple[tuple[str, Declared], ...]]
    doubtful: frozenset[str]
    decided: frozenset[str] = frozenset()
    opened: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, key: str) -> tuple[Declared, ...]:
        """The facts of one key."""
        return self.by_key.get(key, ())

    def all(self) -> Iterator[Declared]:
        """Every fact."""
        for found in self.by_key.values():
            yield from found

    def may_be(self, value: Value, concept: str, at: Declared, declarations: Declarations) -> bool:
        """Do facts put the individual under the concept at some instant at which `at` is valid, or may they?"""
        if not isinstance(value, Entity) or value.id in self.doubtful or concept in self.decided:
            return isinstance(value, Entity)
        known = self.memberships.get(value.id, ())
        return any(concept in declarations.supers(path) and fact.overlaps(at) for path, fact in known)

    def may_turn_out(self, value: Value, concept: str, at: Declared, declarations: Declarations) -> bool:
        """Is it unknown whether the individual belongs to an open concept (S3.2)? Nothing may be said against it."""
        supers = self.opened.get(concept)
        if supers is None or any(each.fact.row == (value,) for each in self.of(negative_key(concept))):
            return False
        return all(
            self.may_be(value, each, at, declarations) or self.may_turn_out(value, each, at, declarations)
            for each in supers
        )


def declared_facts(view: ProgramView, linked: Linked) -> Facts:
    """The index of a program's facts."""
    by_key: dict[str, list[Declared]] = {}
    for fragment in linked.fragments:
        for fact in fragment.part.facts:
            by_key.setdefault(fact.key, []).append(Declared(fact, linked.units[fragment.item]))
    listed = {key: tuple(found) for key, found in by_key.items()}
    decided = frozenset(concept.path for concept in linked.module.concepts if concept.derived)
    opened = {concept.path: concept.supers for concept in linked.module.concepts if concept.open}
    return Facts(listed, _memberships(listed, view.declarations), _doubtful(view), decided, opened)


def _memberships(
    by_key: Mapping[str, tuple[Declared, ...]], declarations: Declarations
) -> Mapping[str, tuple[tuple[str, Declared], ...]]:
    found: dict[str, list[tuple[str, Declared]]] = {}
    for key, facts in by_key.items():
        path = key.removesuffix("^")
        if path != key and declarations.concept(path) is not None:
            for declared in facts:
                subject = declared.fact.row[0]
                if isinstance(subject, Entity):
                    found.setdefault(subject.id, []).append((path, declared))
    return {name: tuple(entries) for name, entries in found.items()}


def _doubtful(view: ProgramView) -> frozenset[str]:
    units = (unit for unit in view.units() if not is_sound(unit))
    return frozenset(symbol.path for unit in units for symbol in unit.symbols if symbol.kind == "individual")
