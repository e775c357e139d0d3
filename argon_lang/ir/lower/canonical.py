"""Canonical variables: `v0`, `v1`, … by first occurrence, head first, so an author's names change no content id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from argon_lang.ir.codec import rule_id
from argon_lang.ir.expr import Closure, Comprehend, LetIn, Local
from argon_lang.ir.lower.walk import OPAQUE, rebuild
from argon_lang.ir.module import GroupFold
from argon_lang.ir.rules import Aggregate, Bind, Each, Literal, Rule, Term, Var

T = TypeVar("T")
_NAMED: dict[type, Callable[[Any], str]] = {
    **dict.fromkeys((Var, Local, LetIn, Comprehend, GroupFold), attrgetter("name")),
    **dict.fromkeys((Bind, Each, Aggregate), attrgetter("var")),
}
"""What has one variable's name, and where."""


@dataclass(slots=True)
class Renaming:
    """Names given so far, in the order in which they were met."""

    given: dict[str, str] = field(default_factory=dict)

    def name(self, old: str) -> str:
        """The canonical name of a variable."""
        return self.given.setdefault(old, f"v{len(self.given)}")

    def apply(self, part: T) -> T:
        """`part` with canonical variables: names are met on the way down, and changed on the way up."""
        return rebuild(part, self._change, OPAQUE, self._meet)

    def _meet(self, part: object) -> None:
        read = _NAMED.get(type(part))
        if read is not None:
            self.name(read(part))
        elif isinstance(part, Closure):
            for name in part.params:
                self.name(name)

    def _change(self, part: Any) -> Any:
        if type(part) not in _NAMED and type(part) is not Closure:
            return part
        match part:
            case Var(name):
                return _variable(self.given[name])
            case Local(name):
                return _local(self.given[name])
            case LetIn(name, value, body):
                return LetIn(self.given[name], value, body)
            case Comprehend(name):
                return replace(part, name=self.given[name])
            case Closure(params):
                return replace(part, params=tuple(self.given[name] for name in params))
            case Bind(name, expr, site):
                return Bind(self.given[name], expr, site)
            case Each(name, expr, site):
                return Each(self.given[name], expr, site)
            case Aggregate(name):
                return replace(part, var=self.given[name])
            case GroupFold(name):
                return replace(part, name=self.given[name])
            case _:
                return part


@cache
def _variable(name: str) -> Var:
    """One object for each canonical name: a program has few of them, many times."""
    return Var(name)


@cache
def _local(name: str) -> Local:
    return Local(name)


def canonical_rule(
    key: str, terms: Sequence[Term], body: Iterable[Literal], origin: str, inputs: Sequence[str] = ()
) -> tuple[Rule, Renaming]:
    """The rule with canonical variables and its content id, and the renaming for what else reads its variables."""
    names = Renaming()
    head, literals = names.apply((tuple(terms), tuple(body)))
    bound = tuple(names.name(name) for name in inputs)
    return Rule(rule_id(key, head, literals), key, head, literals, origin, bound), names
