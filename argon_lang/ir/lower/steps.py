"""Repeated steps (language §3.9) as auxiliary predicates with rules of their own, the same wherever they are written.

`R+` is the transitive closure, `R*` has also each individual of an end's type with itself, `R{k}` are paths of k steps,
`R{n,m}` those of n to m.
"""

from __future__ import annotations

from argon_lang.ir.codec import rule_id
from argon_lang.ir.lower.expr import predicate_key
from argon_lang.ir.lower.reading import NotLowered, Reading
from argon_lang.ir.rules import STEPS, Match, Predicate, Rule, Var
from argon_lang.program.model import ToSymbol
from argon_lang.program.steps import bounds_of
from argon_lang.program.types import UNKNOWN, Named, Type
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import need

X, Y, Z = Var("v0"), Var("v1"), Var("v2")
Pair = tuple[Var, Var]


def step_key(node: nodes.StepAtom, reading: Reading) -> str:
    """The key of the auxiliary predicate of a step atom, whose rules are added to the item's. Raises NotLowered."""
    path = need(node.relation).path
    meaning = reading.meaning(path)
    base = predicate_key(meaning, 2)
    if base is None or not isinstance(meaning, ToSymbol):
        raise NotLowered(node, node.text)
    added = _Added(base, meaning.path, _ends(meaning, reading), reading)
    repetition = need(node.repetition)
    if repetition.plus or repetition.star:
        return added.closure() if repetition.plus else added.reflexive()
    bounds = bounds_of(repetition)
    if bounds is None:
        raise NotLowered(node, node.text)
    return added.between(*bounds)


def _ends(meaning: ToSymbol, reading: Reading) -> tuple[Type, Type]:
    relation = reading.declarations.relation(meaning.path) if meaning.kind == "relation" else None
    callable_ = reading.declarations.callable("predicate", meaning.path, 2) if relation is None else None
    params = relation.ends if relation is not None else callable_.params if callable_ is not None else ()
    first, second = [param.type for param in params] if len(params) == 2 else [UNKNOWN, UNKNOWN]
    return first, second


class _Added:
    """Adds the auxiliary predicates over one relation to what an item gives."""

    def __init__(self, base: str, path: str, ends: tuple[Type, Type], reading: Reading) -> None:
        self.base = base
        self.path = path
        self.ends = ends
        self.reading = reading

    def rule(self, key: str, terms: Pair, *body: Match) -> str:
        """Add a clause."""
        made = Rule(rule_id(key, terms, body), key, terms, body, STEPS)
        if made not in self.reading.rules:
            self.reading.rules.append(made)
        shape = Predicate(key, "derived", (("from", self.ends[0]), ("to", self.ends[1])))
        if shape not in self.reading.shapes:
            self.reading.shapes.append(shape)
        return key

    def closure(self) -> str:
        """One or more steps."""
        key = f"{self.path}+"
        self.rule(key, (X, Y), Match(self.base, (X, Y)))
        return self.rule(key, (X, Y), Match(key, (X, Z)), Match(self.base, (Z, Y)))

    def reflexive(self) -> str:
        """Zero or more steps."""
        key, closure = f"{self.path}*", self.closure()
        self.itself(key)
        return self.rule(key, (X, Y), Match(closure, (X, Y)))

    def itself(self, key: str) -> None:
        """No step at all: everything that can be at an end."""
        for column, ty in enumerate(self.ends):
            if isinstance(ty, Named) and ty.kind == "concept":
                self.rule(key, (X, X), Match(ty.path, (X,)))
            else:
                self.rule(key, (X, X), Match(self.base, (X, Y) if column == 0 else (Y, X)))

    def paths(self, count: int) -> str:
        """Exactly `count` steps, at least one."""
        key = self.base
        for number in range(2, count + 1):
            below, key = key, f"{self.path}{{{number}}}"
            self.rule(key, (X, Y), Match(below, (X, Z)), Match(self.base, (Z, Y)))
        return key

    def between(self, low: int, high: int) -> str:
        """From `low` to `high` steps."""
        if low == high and low > 0:
            return self.paths(low)
        key = f"{self.path}{{{low},{high}}}"
        if low == 0:
            self.itself(key)
        for count in range(max(low, 1), high + 1):
            self.rule(key, (X, Y), Match(self.paths(count), (X, Y)))
        return key
