"""What is measured: rules in a notation that every system is told in its own words, and facts of any size.

`head x :- read x y, not other y, x < 3, n = m * 2, t = sum o a of orders o x a`: lower-case words, numbers as they are.
All facts are rows of whole numbers.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

Facts = dict[str, list[tuple[int, ...]]]


@dataclass(frozen=True, slots=True)
class Workload:
    """`sizes` are those of the growth table, the last one that of the comparison. `counted`: the keys whose rows are
    counted, all that is derived when it is empty; `game`: it recurses through negation."""

    name: str
    rules: str
    facts: Callable[[int], Facts]
    sizes: tuple[int, ...]
    counted: tuple[str, ...] = ()
    game: bool = False


def pairs(nodes: int, count: int, seed: int) -> list[tuple[int, ...]]:
    """So many different pairs of different nodes."""
    pick, found = random.Random(seed), set[tuple[int, ...]]()
    while len(found) < count:
        one, other = pick.randrange(nodes), pick.randrange(nodes)
        if one != other:
            found.add((one, other))
    return sorted(found)


def chain(length: int) -> Facts:
    """A path of so many edges."""
    return {"edge": [(i, i + 1) for i in range(length)]}


def parents(people: int) -> Facts:
    """A random forest: everybody but the first few has two parents among those shortly before."""
    pick = random.Random(11)
    rows = {(i, max(0, i - 1 - pick.randrange(people // 8 + 1))) for i in range(people // 10, people) for _ in range(2)}
    return {"parent": sorted(rows)}


def pointers(variables: int) -> Facts:
    """Statements of a program whose variables point to ones nearby."""
    pick = random.Random(3)

    def near() -> tuple[int, ...]:
        one = pick.randrange(variables)
        return one, min(variables - 1, max(0, one + pick.randrange(-40, 41)))

    def some(count: int) -> list[tuple[int, ...]]:
        found = set[tuple[int, ...]]()
        while len(found) < count:
            found.add(near())
        return sorted(found)

    unit = variables // 20
    return {"address": some(9 * unit), "assign": some(13 * unit), "load": some(2 * unit), "store": some(2 * unit)}


def business(people: int) -> Facts:
    """People with an age, a country, an income, orders and whom they refer."""
    pick = random.Random(5)
    return {
        "age": [(i, pick.randrange(10, 90)) for i in range(people)],
        "country": [(i, pick.randrange(50)) for i in range(people)],
        "income": [(i, pick.randrange(200_000)) for i in range(people)],
        "eu": [(c,) for c in range(27)],
        "fraud": [(i,) for i in range(people) if pick.random() < 0.03],
        "orders": [(o, pick.randrange(people), pick.randrange(1, 1_000)) for o in range(3 * people)],
        "refers": sorted({(pick.randrange(people), pick.randrange(people)) for _ in range(2 * people)}),
    }


def concepts(count: int) -> Facts:
    """An ontology in normal form: `a <: b`, `a & b <: c`, `a <: some r b`, `some r a <: b`, and one chain of roles."""
    pick, roles = random.Random(17), 12

    def above(one: int) -> int:
        return pick.randrange(max(one, 1))

    told = {(i, above(i) if i < 200 else i // 3 + pick.randrange(3)) for i in range(1, count)}
    return {
        "concept": [(i,) for i in range(count)],
        "told": sorted(told),
        "meet": [(above(count), above(count), above(count)) for _ in range(count // 4)],
        "exist": sorted({(i, pick.randrange(roles), above(i)) for i in pick.sample(range(count), count // 3)}),
        "under": sorted({(pick.randrange(roles), above(count), above(count)) for _ in range(count // 4)}),
        "wider": [(i, i + 1) for i in range(0, roles - 1, 2)],
        "compose": [(0, 1, 1), (2, 3, 3)],
    }


CLOSURE = "path x y :- edge x y\npath x z :- path x y, edge y z"
POINTS_TO = """pt y x :- address y x
pt y x :- assign y z, pt z x
pt y w :- load y x, pt x z, pt z w
pt z w :- store y x, pt y z, pt x w"""
BUSINESS = """adult x :- age x a, a > 17
inside x :- country x c, eu c
big o x :- orders o x a, a > 500
hasbig x :- big o x
eligible x :- adult x, inside x, hasbig x, not fraud x
client x :- orders o x a
total x t :- client x, t = sum o a of orders o x a
number x n :- client x, n = count o o of orders o x a
vip x :- eligible x, total x t, t > 2000
rich x :- income x i, i > 149999
discount x p :- vip x, number x n, p = n * 2
low x :- eligible x, not vip x
prospect x y :- refers x y, vip x, adult y, not vip y, not fraud y
same x y :- refers x y, country x c, country y c, vip x, vip y
risky x :- fraud x, total x t, t > 1000
contagion x y :- refers x y, risky x, not fraud y
review y :- contagion x y, rich y"""
CLASSIFY = """sub x x :- concept x
sub x z :- sub x y, told y z
sub x z :- sub x a, sub x b, meet a b z
link x r y :- sub x a, exist a r y
link x s y :- link x r y, wider r s
link x t z :- link x r y, link y s z, compose r s t
sub x z :- link x r y, sub y a, under r a z"""
GAME = "win x :- edge x y, not win y"
WORKLOADS = (
    Workload(
        "closure, random, 5 edges a node", CLOSURE, lambda n: {"edge": pairs(n, 5 * n, 1)}, (250, 500, 1_000, 2_000)
    ),
    Workload("closure, chain", CLOSURE, chain, (250, 500, 1_000, 2_000)),
    Workload(
        "same generation",
        "sg x y :- parent x z, parent y z\nsg x y :- parent x a, sg a b, parent y b",
        parents,
        (250, 500, 1_000, 2_000),
    ),
    Workload("points-to (Andersen)", POINTS_TO, pointers, (2_500, 5_000, 10_000, 20_000)),
    Workload("business rules", BUSINESS, business, (12_500, 25_000, 50_000, 100_000)),
    Workload("classification (EL)", CLASSIFY, concepts, (1_250, 2_500, 5_000, 10_000), ("sub", "link")),
    Workload(
        "win-move, random", GAME, lambda n: {"edge": pairs(n, 2 * n, 2)}, (10_000, 25_000, 50_000, 100_000), game=True
    ),
    Workload("win-move, chain", GAME, chain, (10_000, 25_000, 50_000, 100_000), game=True),
)
