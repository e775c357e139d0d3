"""Random worlds with everything in them, as Argon text and as rules for the reference evaluator.

Derived predicates that recurse, also through negation; default clauses and what attacks them; an open concept; strong
negatives of it and of derived rows; counts that are compared; facts in standpoints. The rules are made from the clauses
by the words of the semantics (S3.2, S4.3, S5.2), not by the compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from argon_lang.ir.expr import Binary, Lit, Local
from argon_lang.ir.rules import Aggregate, Literal, Match, Not, Rule, Test, Var
from argon_lang.program.types import BOOL, INT
from tests.engine import naive
from tests.engine.programs import rule

NAMES = ("ann", "bob", "cat")
VIEWS = ("Low", "High")
"""Two standpoints; the second stands below the first."""
HEADS = ("h0", "h1", "h2")
X, Y, Z = (Var(name) for name in "xyz")
Fact = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Atom:
    """One of the atoms that a body about x and y may have: its text, and what it means."""

    text: str
    literals: tuple[Literal, ...]


def reads(key: str, *terms: Var) -> Match:
    return Match(key, terms)


def atom(key: str, *terms: Var) -> Atom:
    return Atom(f"{key}({', '.join(each.name for each in terms)})", (reads(key, *terms),))


def denied(key: str, *terms: Var) -> Atom:
    return Atom(f"not {atom(key, *terms).text}", (Not((reads(key, *terms),)),))


def counted(least: int, text: str, *body: Literal) -> Atom:
    """`least <= count(z, …)`: compared by its bounds where rows are in doubt."""
    compared = Aggregate("compared", "count", (), Z, body, INT)
    return Atom(f"{least} <= count(z, {text})", (compared, Test(Binary(">=", Local("compared"), Lit(least), BOOL))))


POSITIVE = (atom("K", X), atom("e", X, Y), atom("f", X, Y), atom("reach", X, Y), *(atom(head, Y) for head in HEADS))
TESTS = (
    denied("K", X),
    denied("K", Y),
    denied("e", Y, X),
    denied("reach", Y, X),
    *(denied(head, X) for head in HEADS),
    *(denied(head, Y) for head in HEADS),
    Atom("not exists { f(y, w), not K(w) }", (Not((reads("f", Y, Var("w")), Not((reads("K", Var("w")),)))),)),
    counted(1, "e(x, z), K(z)", reads("e", X, Z), reads("K", Z)),
    counted(2, "reach(x, z), not K(z)", reads("reach", X, Z), Not((reads("K", Z),))),
)


@dataclass(frozen=True)
class Clause:
    """`head(x) :- atoms about x and y`; by default only with a `label`. It may attack clauses of earlier heads."""

    head: str
    label: str
    atoms: tuple[Atom, ...]
    attacks: tuple[tuple[str, str], ...] = ()

    def text(self) -> str:
        marks = [f"#[default]\n#[label({self.label})]\n"] if self.label else []
        marks += [f"#[defeats({head}.{label}(x))]\n" for head, label in self.attacks]
        return f"{''.join(marks)}derive {self.head}(x: T) :- {', '.join(each.text for each in self.atoms)};"

    def body(self, clauses: Iterable[Clause]) -> tuple[Literal, ...]:
        """The effective body: by default only, unless attacked or denied."""
        written = tuple(literal for each in self.atoms for literal in each.literals)
        if not self.label:
            return (*written, reads("T", X))
        attacked = any((self.head, self.label) in each.attacks for each in clauses)
        guards = [Not((reads(f"!{self.head}.{self.label}", X),))] if attacked else []
        return (*written, reads("T", X), *guards, Not((reads(f"{self.head}-", X),)))


@dataclass(frozen=True)
class Wide:
    """Clauses, and facts by standpoint (None: the default layer); a negative fact's key ends with `-`."""

    clauses: tuple[Clause, ...]
    facts: tuple[tuple[str | None, Fact], ...]

    def text(self) -> str:
        lines = [HEAD, *(each.text() for each in self.clauses)]
        for layer, (key, row) in self.facts:
            word = "not_fact" if key.endswith("-") else "fact"
            item = f"{word} {key.rstrip('-')}({', '.join(row)});"
            lines.append(item if layer is None else f"standpoint {layer} {{ {item} }}")
        return "\n".join([*lines, ""])

    def rules(self) -> list[Rule]:
        made = list(CLOSURE)
        for clause in self.clauses:
            body = clause.body(self.clauses)
            made.append(rule(clause.head, (X,), body))
            made += [rule(f"!{head}.{label}", (X,), body) for head, label in clause.attacks]
        return made

    def base(self, view: str | None) -> naive.Facts:
        """The base rows of a view: the default layer's, its own, and those of the standpoint above."""
        seen = {None: (None,), "Low": (None, "Low"), "High": (None, "Low", "High")}[view]
        rows: naive.Facts = {"T": {(name,) for name in NAMES}}
        for layer, (key, row) in self.facts:
            if layer in seen:
                rows.setdefault(key, set()).add(row)
        return rows

    def truths(self, view: str | None) -> dict[tuple[str, tuple[str, ...]], str]:
        """The truth value of each row of the open concept and of the derived predicates that has one (S2.1)."""
        base = self.base(view)
        refuted = {key.rstrip("-"): rows for key, rows in base.items() if key.endswith("-")}
        definite, possible = naive.well_founded(self.rules(), base, [OPEN], refuted)
        found = {}
        for key in ("K", "reach", *HEADS):
            against = refuted.get(key, set())
            for row in definite.get(key, set()) | possible.get(key, set()) | against:
                held = row in definite.get(key, set())
                found[key, row] = ("Both" if held else "Not") if row in against else ("Is" if held else "Can")
        return found


HEAD = """type T;
#[world(open)]
type K <: T;
rel e(a: T, b: T);
rel f(a: T, b: T);
standpoint Low {}
standpoint High <: Low {}
fact T(ann);
fact T(bob);
fact T(cat);
derive reach(x: T, y: T) :- e(x, y);
derive reach(x: T, z: T) :- reach(x, y), e(y, z);"""
CLOSURE = (
    rule("reach", (X, Y), (reads("e", X, Y),)),
    rule("reach", (X, Z), (reads("reach", X, Y), reads("e", Y, Z))),
)
OPEN = rule("K", (X,), (reads("T", X),))
"""Whoever is a T may be a K: a rule of the possible estimate alone."""


@st.composite
def bodies(draw: st.DrawFn) -> tuple[Atom, ...]:
    """Atoms that bind x and y, then one or two that test them; each once."""
    first = draw(st.sampled_from([atom("e", X, Y), atom("f", X, Y), atom("reach", X, Y)]))
    more = draw(st.lists(st.sampled_from(POSITIVE), max_size=1))
    tests = draw(st.lists(st.sampled_from(TESTS), min_size=1, max_size=2))
    compared = [each for each in tests if "count" in each.text]
    kept = [each for each in tests if each not in compared[1:]]
    return tuple(dict.fromkeys((first, *more, *kept)))


@st.composite
def wide_worlds(draw: st.DrawFn) -> Wide:
    """Each head has a clause by default that something may attack, and one or two more of either kind."""
    clauses = [Clause(head, "l", draw(bodies())) for head in HEADS]
    for number, head in enumerate(HEADS):
        targets = [(lower, "l") for lower in HEADS[:number]]
        for _ in range(draw(st.integers(1, 2))):
            attacks = tuple(draw(st.lists(st.sampled_from(targets), max_size=1))) if targets else ()
            clauses.append(Clause(head, draw(st.sampled_from(["", "m"])), draw(bodies()), attacks))
    return Wide(tuple(dict.fromkeys(clauses)), tuple(dict.fromkeys(draw(st.lists(facts(), min_size=4, max_size=12)))))


def facts() -> st.SearchStrategy[tuple[str | None, Fact]]:
    name = st.sampled_from(NAMES)
    unary = st.tuples(st.sampled_from(["K", "K-", *(f"{head}-" for head in HEADS)]), st.tuples(name))
    binary = st.tuples(st.sampled_from(["e", "e", "f", "reach-"]), st.tuples(name, name))
    layer = st.sampled_from([None, None, None, *VIEWS])
    return st.tuples(layer, st.one_of(unary, binary, binary))


def every_view() -> Iterator[str | None]:
    yield None
    yield from VIEWS
