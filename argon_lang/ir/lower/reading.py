"""One item as the lowering reads it: what inference found out about each node, and what the lowering itself refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from argon_lang.ir.lower.fragment import Trace
from argon_lang.ir.module import Function, GroupFold, Module
from argon_lang.ir.rules import Predicate, Rule
from argon_lang.program.findings import Findings, meaning
from argon_lang.program.model import Binding, Declarations, Resolution, ToBinding, ToField, ToSymbol, ToType
from argon_lang.program.paths import names, normal
from argon_lang.program.types import UNKNOWN, Named, Type
from argon_lang.program.types_of import type_of
from argon_lang.program.view import Unit
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need


class NotLowered(Exception):
    """Raised where a construct has no lowered form in its place; becomes an OE1317 at the rule's item.

    `construct` is source text; `nearest` names the form to write instead, code in backticks; `replacement` is that form
    when it can be put in the node's place as it is.
    """

    def __init__(self, node: View | None, construct: str, nearest: str = "", replacement: str = "") -> None:
        super().__init__(construct)
        self.start = node.start if node else 0
        self.end = node.end if node else 0
        self.construct = construct
        self.nearest = nearest or (f"`{replacement}`" if replacement else "")
        self.replacement = replacement


class NotAsked(Exception):
    """Raised for a query that no rule can ask. `nearest` names what a rule may ask instead."""

    def __init__(self, nearest: str) -> None:
        super().__init__(nearest)
        self.nearest = nearest


@dataclass(frozen=True, slots=True)
class Reading:
    """A unit with the questions that lowering asks of it. `in_rule`: locals are named by binding, not as written.

    `functions` that read the state are put in place of their calls in rules. `folds` gathers the traces of the rules
    that aggregates in expressions have, `rules` and `shapes` auxiliary predicates. `grouped`
    gathers the aggregates over the rows of a group, in a select that has groups.
    """

    unit: Unit
    in_rule: bool = False
    functions: Mapping[str, Function] = field(default_factory=dict)
    folds: list[Trace] = field(default_factory=list, compare=False)
    rules: list[Rule] = field(default_factory=list, compare=False)
    shapes: list[Predicate] = field(default_factory=list, compare=False)
    grouped: list[GroupFold] | None = field(default=None, compare=False)

    def with_added(self, part: Module) -> Module:
        """The item's part with the auxiliary rules and predicates that its atoms need."""
        if not self.rules:
            return part
        return replace(part, rules=(*part.rules, *self.rules), predicates=(*part.predicates, *self.shapes))

    @property
    def declarations(self) -> Declarations:
        """Every signature of the program."""
        return self.unit.declarations

    def meaning(self, *places: View | None) -> Resolution | None:
        """What the first of these nodes that has a meaning means."""
        known = self.unit.inference.names
        for place in places:
            found = known.get(place.index) if place is not None else None
            if found is not None:
                return found
        return None

    def type_of(self, node: View) -> Type:
        """The type of an expression node."""
        return self.unit.inference.types.get(node.index, UNKNOWN)

    def written_type(self, node: View | None) -> Type:
        """The type that a type node means."""
        found = self.unit.inference.names.get(need(node).index)
        if isinstance(found, ToType):
            return found.type
        return type_of(cast(nodes.Type, node), self.unit.scope, Findings(), self.declarations)

    def declared(self, path: View | None, *around: View | None) -> Resolution | None:
        """What a path means that names a declaration: as inferred, else as the module sees it."""
        found = self.meaning(path, *around)
        if found is not None or not isinstance(path, nodes.Path):
            return found
        return meaning(self.unit.scope.lookup(names(path)))

    def binding(self, id_: int) -> Binding:
        """A local by its id."""
        return self.unit.inference.bindings[id_]

    def binding_at(self, name: nodes.Name | nodes.Path | None, *around: View | None) -> Binding | None:
        """The local that a name node (or a node around it) means or introduces."""
        for place in (name, *around):
            meaning = self.meaning(place)
            if isinstance(meaning, ToBinding):
                return self.binding(meaning.id)
        start = need(name).start
        return next((each for each in self.unit.inference.bindings if each.start == start), None)

    def shorthand(self, init: nodes.FieldInit) -> Resolution | None:
        """What the value of `{ name }` means."""
        found = (self.meaning(place) for place in (init.name, init))
        return next((meaning for meaning in found if meaning is not None and not isinstance(meaning, ToField)), None)

    def local(self, id_: int) -> str:
        """The name of a local in lowered expressions."""
        return f"${id_}" if self.in_rule else normal(self.binding(id_).name)


def subject_of(path: View, reading: Reading) -> Named:
    """The concept or relation that a path in a fact or statement names. Raises NotLowered."""
    match reading.declared(path, path.parent):
        case ToType(Named("concept" | "relation") as named):
            return named
        case ToSymbol("concept" | "relation" as kind, found):
            return Named(kind, found)
        case _:
            raise NotLowered(path, path.text)
