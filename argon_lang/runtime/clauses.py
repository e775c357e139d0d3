"""How the clauses of a module read in proofs: names, places, literals and substitutions, as their author wrote them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from argon_lang.engine.display import display
from argon_lang.engine.openness import OPEN
from argon_lang.ir.rules import Rule
from argon_lang.ir.values import Value
from argon_lang.program.types import UNKNOWN, last_name
from argon_lang.runtime.envelopes import ClauseInstance, Json, Place
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.served import Served
from argon_lang.runtime.shown import Labels, place_of

Pairs = Iterable[tuple[str, Value]]


@dataclass(frozen=True, slots=True)
class Clauses:
    """The clauses of the served module, worded for one state."""

    served: Served
    labels: Labels

    def instance(self, rule_id: str, values: Pairs) -> ClauseInstance:
        """A clause with the values of the variables that its author named."""
        source = self.served.sources.get(rule_id)
        return ClauseInstance(
            clause=self.name(rule_id),
            source=place_of(source.span) if source is not None else None,
            substitution=self.substitution(rule_id, values),
        )

    def name(self, rule_id: str) -> str:
        """`overdue`, `Tenant <: Person` for a step of subsumption, `children from parent_of` for a view.

        `open Tenant` where nothing but the open world makes a membership possible.
        """
        rule = self.served.rules[rule_id]
        if rule.origin == OPEN and rule_id not in self.served.sources:
            return f"open {_short(rule.key)}"
        view = self.served.schema.views.get(rule.key)
        if view is not None:
            return f"{view.name} from {_short(_below(rule))}"
        if rule.origin == "subsumption":
            return f"{_short(_below(rule))} <: {_short(rule.key)}"
        return _short(rule.key)

    def substitution(self, rule_id: str, values: Pairs) -> dict[str, Json]:
        """Values by the author's names; variables that the compiler made are left out."""
        return {name: self.labels.wire(value, UNKNOWN) for name, value in self.named(rule_id, values)}

    def named(self, rule_id: str, values: Pairs) -> list[tuple[str, Value]]:
        """The variables that the author named, with their values."""
        source = self.served.sources.get(rule_id)
        names = dict(source.names) if source is not None else {}
        return [(names[name], value) for name, value in values if name in names]

    def literal(self, rule_id: str, site: int, values: Pairs) -> str:
        """A literal as written; one that the compiler made shows its values."""
        source = self.served.sources.get(rule_id)
        if source is not None and 0 <= site < len(source.sites):
            return " ".join(source.sites[site][1].split())
        return ", ".join(display(value) for _, value in values)

    def place(self, rule_id: str, site: int) -> Place | None:
        """Where a literal was written."""
        source = self.served.sources.get(rule_id)
        if source is not None and 0 <= site < len(source.sites):
            return place_of(source.sites[site][0])
        return None


def clauses_of(reading: Reading, labels: Labels) -> Clauses:
    """The clauses of a reading's module."""
    return Clauses(reading.served, labels)


def _short(key: str) -> str:
    name = last_name(key.removesuffix("!").removesuffix("^").removesuffix("?"))
    return name.partition("/")[0]


def _below(rule: Rule) -> str:
    first = rule.body[0]
    return getattr(first, "key", rule.key)
