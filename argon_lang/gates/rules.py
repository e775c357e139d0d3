"""The rules that the gates look at, each with the way back to its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from argon_lang.ir.lower.fragment import Fragment, Summary, Trace
from argon_lang.ir.lower.link import Linked
from argon_lang.ir.lower.remember import PerRow
from argon_lang.ir.lower.walk import parts
from argon_lang.ir.rules import ATTACK, Predicate, Rule
from argon_lang.problems import ItemId, Problem
from argon_lang.program.model import Binding, ToBinding
from argon_lang.program.paths import name_of
from argon_lang.program.view import Unit
from argon_lang.quick import quick
from argon_lang.syntax import nodes


@quick
@dataclass(frozen=True, slots=True)
class Traced:
    """An author's rule with its trace, its item, and what the item needs."""

    rule: Rule
    trace: Trace
    unit: Unit
    needs: Summary

    @property
    def kind(self) -> str:
        """What the author calls it: `rule`, `check`, `query` or `aggregate`."""
        return {"clause": "rule", ATTACK: "rule"}.get(self.rule.origin, self.rule.origin)

    def site(self, number: int) -> tuple[int, int]:
        """The item-relative span of a literal; the name of the rule where there is none (`HEAD`)."""
        return self.trace.sites[number] if 0 <= number < len(self.trace.sites) else self.name_span()

    def name_span(self) -> tuple[int, int]:
        """Where the rule's name stands in its item."""
        name: nodes.Name | None = getattr(self.unit.item.root, "name", None)
        return (name.start, name.end) if name is not None and name_of(name) else (self.trace.start, self.trace.end)

    def text(self, span: tuple[int, int]) -> str:
        """The source text of a span, in one line."""
        return " ".join(self.unit.item.text[span[0] : span[1]].split())

    def binding(self, variable: str) -> Binding | None:
        """The author's variable that a canonical one is; None for those that lowering made."""
        number = dict(self.trace.locals).get(variable)
        return None if number is None else self.unit.inference.bindings[number]

    def occurrence(self, variable: str, within: tuple[int, int] | None) -> tuple[int, int] | None:
        """The first place of a variable, inside a span when it occurs there."""
        binding = self.binding(variable)
        if binding is None:
            return within
        places = sorted(self._places(binding.id))
        inside = (place for place in places if within and within[0] <= place[0] and place[1] <= within[1])
        return next(inside, None) or next(iter(places), (binding.start, binding.end))

    def _places(self, binding: int) -> Iterator[tuple[int, int]]:
        for index, meaning in self.unit.inference.names.items():
            if meaning == ToBinding(binding):
                view = self.unit.item.view(index)
                yield view.start, view.end


@dataclass(slots=True)
class Findings:
    """Problems by item, in the order in which gates report them."""

    by_item: dict[ItemId, list[Problem]] = field(default_factory=dict)

    def add(self, item: ItemId, *problems: Problem) -> None:
        """Report problems of an item."""
        self.by_item.setdefault(item, []).extend(problems)

    def has_error(self) -> bool:
        """Is any of them an error?"""
        return any(is_error(problem) for found in self.by_item.values() for problem in found)

    def result(self) -> Mapping[ItemId, tuple[Problem, ...]]:
        """Each item's problems once, by place."""
        return {
            item: tuple(sorted(dict.fromkeys(found), key=lambda each: (each.start, each.end, each.code)))
            for item, found in self.by_item.items()
            if found
        }


def is_error(problem: Problem) -> bool:
    """Does it block the build?"""
    return problem.code[1:2] == "E"


def traced_rules(linked: Linked) -> list[Traced]:
    """Every clause, check, query and aggregate of an expression, in the order of the view."""
    rows = [(fragment, linked.units[fragment.item]) for fragment in linked.fragments if fragment.traces]
    return list(chain.from_iterable(_TRACED.all(rows, _traced)))


_TRACED: PerRow[list[Traced]] = PerRow()


def _traced(fragment: Fragment, unit: Unit) -> list[Traced]:
    part = fragment.part
    queries = (rule for query in part.queries for rule in query.rules)
    rules = {rule.id: rule for rule in (*part.rules, *(check.rule for check in part.checks), *queries)}
    if any(trace.rule not in rules for trace in fragment.traces):
        rules |= {each.id: each for each in parts(part) if isinstance(each, Rule)}
    return [Traced(rules[trace.rule], trace, unit, fragment.needs) for trace in fragment.traces]


def shapes_of(linked: Linked) -> dict[str, Predicate]:
    """The predicates of the program by key."""
    return {shape.key: shape for shape in linked.module.predicates}
