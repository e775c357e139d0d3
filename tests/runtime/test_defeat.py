"""Rules with exceptions against a naive evaluator that follows S5 word by word, over random programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.worlds import World

NAMES = ("ann", "bob", "cat")
KINDS = ("Red", "Old", "Wet")
LEVELS = 4


@dataclass(frozen=True)
class Attack:
    """`h<level>.<label>(x)`, or `(_)` for any."""

    level: int
    label: str
    any: bool

    def text(self) -> str:
        """As an attribute."""
        name = f"h{self.level}.{self.label}" if self.label else f"h{self.level}"
        return f"#[defeats({name}({'_' if self.any else 'x'}))]"


@dataclass(frozen=True)
class Clause:
    """`h<level>(x) :- Thing(x), body`: kinds, negated kinds, `knows(x, _)`, lower predicates."""

    level: int
    default: bool
    label: str
    body: tuple[str, ...]
    attacks: tuple[Attack, ...]

    def text(self) -> str:
        """As an item."""
        marks = [*(["#[default]"] if self.default else []), *([f"#[label({self.label})]"] if self.label else [])]
        head = f"derive h{self.level}(x: Thing) :- Thing(x)"
        return " ".join([*marks, *(each.text() for each in self.attacks), ", ".join([head, *self.body]) + ";"])


@dataclass(frozen=True)
class Program:
    """Clauses over facts; `denied` are (level, name)."""

    clauses: tuple[Clause, ...]
    kinds: frozenset[tuple[str, str]]
    knows: frozenset[tuple[str, str]]
    denied: frozenset[tuple[int, str]]

    def text(self) -> str:
        """As source."""
        lines = ["type Thing;", *(f"type {kind} <: Thing;" for kind in KINDS), "rel knows(a: Thing, b: Thing);"]
        lines += [f"fact Thing({name});" for name in NAMES]
        lines += [f"fact {kind}({name});" for kind, name in sorted(self.kinds)]
        lines += [f"fact knows({a}, {b});" for a, b in sorted(self.knows)]
        lines += [f"not_fact h{level}({name});" for level, name in sorted(self.denied)]
        return "\n".join([*lines, *(each.text() for each in self.clauses)]) + "\n"


@dataclass
class Naive:
    """S5 by definition: a clause concludes when its body holds and, by default only, nothing attacks or denies it."""

    program: Program
    rows: dict[int, dict[str, str]] = field(default_factory=dict)

    def run(self) -> dict[int, dict[str, str]]:
        """The tag of each row that holds, by level."""
        for level in range(LEVELS):
            own = [each for each in self.program.clauses if each.level == level]
            found = {name: [each for each in own if self.effective(each, name)] for name in NAMES}
            self.rows[level] = {
                name: "+∂" if all(each.default for each in by) else "+Δ" for name, by in found.items() if by
            }
        return self.rows

    def effective(self, clause: Clause, name: str) -> bool:
        """Does the clause fire for this one, and is it not defeated?"""
        if not all(self.holds(atom, name) for atom in clause.body):
            return False
        denied = (clause.level, name) in self.program.denied
        return not clause.default or not (denied or any(self.attackers(clause, name)))

    def attackers(self, clause: Clause, name: str) -> Iterator[bool]:
        """Whether each attack on the clause fires, for this one or for any."""
        for other in self.program.clauses:
            for attack in other.attacks:
                if attack.level == clause.level and attack.label in ("", clause.label):
                    yield from (self.effective(other, each) for each in (NAMES if attack.any else (name,)))

    def holds(self, atom: str, name: str) -> bool:
        """One atom of a body about x."""
        negated, what = atom.startswith("not "), atom.removeprefix("not ").partition("(")[0]
        if what == "knows":
            return any(a == name for a, _ in self.program.knows)
        found = name in self.rows[int(what[1:])] if what.startswith("h") else (what, name) in self.program.kinds
        return found is not negated


def bodies(level: int, *, base_only: bool) -> st.SearchStrategy[tuple[str, ...]]:
    """Atoms about x; an attacker reads base facts alone, so that no cycle runs through a negation."""
    atoms = [*(f"{kind}(x)" for kind in KINDS), *(f"not {kind}(x)" for kind in KINDS), "knows(x, _)"]
    lower = [] if base_only else [f"h{below}(x)" for below in range(level)]
    return st.lists(st.sampled_from([*atoms, *lower]), min_size=1, max_size=2, unique=True).map(tuple)


@st.composite
def clauses(draw: st.DrawFn, level: int) -> Clause:
    """A clause of one level; it attacks lower levels, where default clauses with every label stand."""
    attack = st.builds(Attack, st.integers(0, max(level - 1, 0)), st.sampled_from(["", "l", "m"]), st.booleans())
    attacks = tuple(draw(st.lists(attack, max_size=2, unique=True))) if level else ()
    body = draw(bodies(level, base_only=bool(attacks)))
    return Clause(level, draw(st.booleans()), draw(st.sampled_from(["", "l", "m"])), body, attacks)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Every level has a default clause of each label, so that each attack has something to attack."""
    found = [
        Clause(level, True, label, draw(bodies(level, base_only=True)), ()) for level in range(3) for label in "lm"
    ]
    for level in range(LEVELS):
        found += draw(st.lists(clauses(level), min_size=1, max_size=2))
    pairs = st.frozensets(st.sampled_from(list(product(NAMES, NAMES))), max_size=3)
    kinds = st.frozensets(st.sampled_from(list(product(KINDS, NAMES))), max_size=6)
    denied = st.frozensets(st.sampled_from(list(product(range(LEVELS), NAMES))), max_size=2)
    return Program(tuple(dict.fromkeys(found)), draw(kinds), draw(pairs), draw(denied))


@settings(max_examples=30, deadline=None, derandomize=True)
@given(programs())
def test_what_holds_and_how_is_what_the_definition_says(program: Program) -> None:
    world, wanted = World(program.text()), Naive(program).run()
    for level in range(LEVELS):
        answer = world.service.derive(f"h{level}", truth4=True)
        defaults = any(each.default for each in program.clauses if each.level == level)
        rows = {str(row.values[0]["label"]): row for row in answer.rows}
        held = {name: row.tag for name, row in rows.items() if row.truth4 in ("Is", "Both")}
        assert held == {name: tag if defaults else None for name, tag in wanted[level].items()}
        for name, row in rows.items():
            denied = (level, name) in program.denied
            assert row.truth4 == ({True: "Both", False: "Not"}[name in held] if denied else "Is")


MEMBERS = """
trait Flying { derive flies(Self); derive nests(Self, n: Int); }
type Bird { n: Int }
type Penguin <: Bird;
impl Flying for Bird {
    #[default] #[label(usual)] derive flies(b) :- b: Bird;
    #[default] derive nests(b, 1) :- b: Bird;
    #[defeats(Flying::nests(b, 1))] derive nests(b, 2) :- b: Penguin;
}
#[defeats(Flying::flies.usual(p))] derive walks(p: Penguin) :- p: Penguin;
fact Bird(robin) { n: 1 };
fact Penguin(pingu) { n: 2 };
"""


def test_clauses_that_an_impl_gives_hold_by_default_and_are_defeated_from_within_and_without() -> None:
    world = World(MEMBERS)
    assert world.rows("Flying::flies") == [["robin"]]
    assert [list(map(str, row)) for row in world.rows("Flying::nests")] == [["pingu", "2"], ["robin", "1"]]
    proof = world.service.explain("Flying::flies(robin)")
    assert proof.nodes[0].tag == "+∂"
