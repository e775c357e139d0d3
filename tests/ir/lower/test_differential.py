"""Random rule bodies: what lowering and the engine make of them is what the language says of each substitution.

Each atom comes as text and as its meaning over one substitution, so the expectation knows nothing of lowering.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ir.lower.programs import rows

Env = dict[str, str]
PEOPLE = ("ann", "bob", "cleo", "dora")
WORKERS = frozenset({"bob", "dora"})
AGES = {"ann": 30, "bob": 20, "dora": 20}
BOSSES = {"bob": "ann", "cleo": "bob"}
TAGS = {"ann": ("a", "b"), "bob": ("b",)}
KNOWS = {("ann", "bob"): 1, ("bob", "cleo"): 2, ("cleo", "cleo"): 3, ("dora", "ann"): 1}

WORLD = """
type Person { age: Int?, boss: Person?, tags: [String] }
type Worker <: Person;
rel knows(a: Person, b: Person) { n: Int }
fn age_of(p: Person) -> Int? = p.age;
fact Person(ann) { age: 30, tags: ["a", "b"] };
fact Worker(bob) { age: 20, boss: ann, tags: ["b"] };
fact Person(cleo) { boss: bob };
fact Worker(dora) { age: 20 };
fact knows(ann, bob) { n: 1 };
fact knows(bob, cleo) { n: 2 };
fact knows(cleo, cleo) { n: 3 };
fact knows(dora, ann) { n: 1 };
derive linked(p: Person, q: Person) :- knows(p, q);
derive linked(p: Person, q: Person) :- knows(q, p);
"""


@dataclass(frozen=True)
class Atom:
    """An atom as written, and whether it holds of a substitution."""

    text: str
    holds: Callable[[Env], bool]

    def __repr__(self) -> str:
        return self.text


def _age(p: str, test: Callable[[int], bool]) -> bool:
    return p in AGES and test(AGES[p])


def _known(p: str) -> list[str]:
    return [b for a, b in KNOWS if a == p]


def _reached(p: str, low: int, high: int) -> set[str]:
    """Where so many steps of `knows` lead."""
    found, now = set(), {p}
    for count in range(high + 1):
        found |= now if count >= low else set()
        now = {b for a, b in KNOWS if a in now}
    return found


def _sum(p: str) -> int:
    return sum(AGES.get(k, 0) for k in _known(p))


def _tuples(p: str) -> int:
    return sum(n for (a, _), n in KNOWS.items() if a == p)


def _most(p: str, other: str) -> int:
    return max((AGES[k] for k in _known(p) if k in AGES and k != other), default=0)


VARIABLES = st.sampled_from(("x", "y", "z"))


@st.composite
def plain_atoms(draw: st.DrawFn) -> Atom:
    v, w, n = draw(VARIABLES), draw(VARIABLES), draw(st.sampled_from((20, 30)))
    return draw(
        st.sampled_from(
            (
                Atom(f"Worker({v})", lambda e: e[v] in WORKERS),
                Atom(f"{v}: Worker", lambda e: e[v] in WORKERS),
                Atom(f"knows({v}, {w})", lambda e: (e[v], e[w]) in KNOWS),
                Atom(f"knows({v}, _)", lambda e: any(a == e[v] for a, _ in KNOWS)),
                Atom(f"linked({v}, {w})", lambda e: (e[v], e[w]) in KNOWS or (e[w], e[v]) in KNOWS),
                Atom(f"{v} == {w}", lambda e: e[v] == e[w]),
                Atom(f"{v} in [ann, cleo]", lambda e: e[v] in ("ann", "cleo")),
                Atom(f"{v}.age >= {n}", lambda e: _age(e[v], lambda age: age >= n)),
                Atom(f"!({v}.age == {n})", lambda e: _age(e[v], lambda age: age != n)),
                Atom(f"age_of({v}) == {n}", lambda e: _age(e[v], lambda age: age == n)),
                Atom(f"{v}.boss == {w}", lambda e: BOSSES.get(e[v]) == e[w]),
                Atom(f"{v}.boss.age > 25", lambda e: e[v] in BOSSES and _age(BOSSES[e[v]], lambda age: age > 25)),
                Atom(f'"b" in {v}.tags', lambda e: "b" in TAGS.get(e[v], ())),
                Atom(f'"b" not in {v}.tags', lambda e: "b" not in TAGS.get(e[v], ())),
                Atom(
                    f"exists {{ t in {v}.tags, t in {w}.tags }}",
                    lambda e: bool(set(TAGS.get(e[v], ())) & set(TAGS.get(e[w], ()))),
                ),
                Atom(
                    f"exists {{ j: knows, j.a == {v}, j.b == {w}, j.n < 3 }}",
                    lambda e: KNOWS.get((e[v], e[w]), 9) < 3,
                ),
                Atom(
                    f"exists {{ m = {v}.boss, knows(m, {w}) }}",
                    lambda e: (BOSSES.get(e[v], ""), e[w]) in KNOWS,
                ),
                Atom(
                    f"count {{ linked({v}, k) }} > 1",
                    lambda e: len({b for a, b in (*KNOWS, *((q, p) for p, q in KNOWS)) if a == e[v]}) > 1,
                ),
                Atom(f"iof({v}, Worker)", lambda e: e[v] in WORKERS),
                Atom(f"{v} in extent(Worker)", lambda e: e[v] in WORKERS),
                Atom(f"{v} not in extent(Worker)", lambda e: e[v] not in WORKERS),
                Atom(f"{v}.knows+({w})", lambda e: e[w] in _reached(e[v], 1, 9)),
                Atom(f"{v}.knows*({w})", lambda e: e[w] in _reached(e[v], 0, 9)),
                Atom(f"{v}.linked+(cleo)", lambda e: True),
                Atom(f"{v}.knows{{2}}({w})", lambda e: e[w] in _reached(e[v], 2, 2)),
                Atom(f"{v}.knows{{0,2}}({w})", lambda e: e[w] in _reached(e[v], 0, 2)),
                Atom(f"sum(k.age, Person(k), knows({v}, k)) >= 20", lambda e: _sum(e[v]) >= 20),
                Atom(f"sum(j.n, j: knows, j.a == {v}, {w} == {w}) == 1", lambda e: _tuples(e[v]) == 1),
                Atom(f"max(k.age, knows({v}, k), k != {w}) == {n}", lambda e: _most(e[v], e[w]) == n),
                Atom(f'count(t for t in {v}.tags where t == "b") == 1', lambda e: "b" in TAGS.get(e[v], ())),
                Atom(
                    f"{w} in set {{ k from knows({v}, k) }}",
                    lambda e: (e[v], e[w]) in KNOWS,
                ),
                Atom(
                    f"if {v} == {w} {{ true }} else {{ {v}.age == {w}.age }}",
                    lambda e: e[v] in AGES and e[w] in AGES and AGES[e[v]] == AGES[e[w]],
                ),
            )
        )
    )


@st.composite
def atoms(draw: st.DrawFn) -> Atom:
    atom = draw(plain_atoms())
    if draw(st.booleans()):
        return Atom(f"not {atom.text}", lambda e: not atom.holds(e))
    return atom


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(atoms(), min_size=1, max_size=4), st.integers(0, 4))
def test_a_body_holds_of_exactly_the_substitutions_of_which_every_atom_holds(found: list[Atom], place: int) -> None:
    binders = "Person(x), Person(y), Person(z)"
    written = [atom.text for atom in found]
    body = ", ".join([*written[:place], binders, *written[place:]])
    wanted = {
        env
        for env in product(PEOPLE, repeat=3)
        if all(atom.holds(dict(zip(("x", "y", "z"), env, strict=True))) for atom in found)
    }
    assert rows(WORLD + f"derive found(x: Person, y: Person, z: Person) :- {body};", "found/3") == wanted
